"""How results show: the text that commands print, a notebook's HTML, frames, and boards of wrapped environments."""

import sys
from xml.etree import ElementTree

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from gymnasium.wrappers import TimeLimit, TransformReward
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.utils import OrderEnforcingWrapper

import ludus
from ludus.arena import as_policy, evaluate, grade, grade_exact, tournament
from ludus.baselines import train
from ludus.baselines.runs.measure import Measure
from ludus.envs import make_game
from ludus.games.display import TextTable
from ludus.games.drawing.raster import png
from ludus.games.game import Game
from ludus.oracles import make_oracle

GAME = make_game("tictactoe")
EVIL = "<b>&[red]"


def texts_of(html):
    """The texts of a piece of HTML whose tags are closed."""
    return [text.strip() for text in ElementTree.fromstring(f"<div>{html}</div>").itertext() if text.strip()]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """One of each."""
    policy = as_policy(lambda observations, masks: masks.astype(float), GAME, name=EVIL)
    run = train(
        "qlearning", "tictactoe", tmp_path_factory.mktemp("run") / "x", games=50, measure=Measure(games=2, ladder=("random",))
    )
    return {
        "Score": evaluate(policy, GAME, games=20),
        "Grade": grade(policy, GAME, games=20),
        "ExactGrade": grade_exact(policy, GAME),
        "Tournament": tournament(GAME, [policy, "random", "greedy"], 4),
        "Run": run,
        "Solution": make_oracle(GAME).solve(GAME.parse("XX-O-O--- X")),
        "Policy": ludus.make_policy("minimax:depth=4", GAME),
    }


KINDS = ["Score", "Grade", "ExactGrade", "Tournament", "Run", "Solution", "Policy"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_shows_what_the_text_says(results, kind):
    shown = texts_of(results[kind]._repr_html_())
    said = " ".join(str(results[kind]).split())
    assert EVIL not in results[kind]._repr_html_()
    assert (EVIL in said) == (kind in ("Score", "Grade", "ExactGrade", "Tournament"))
    if kind == "Policy":  # whose text is its spec
        assert said == "minimax:depth=4"
        assert shown[:5] == ["minimax:depth=4 in tictactoe", "setting", "value", "depth", "4"]
    else:
        assert all(" ".join(text.split()) in said for text in shown)
        assert len(shown) >= 2


def test_the_numbers_of_frames_are_the_results(results):
    pytest.importorskip("pandas")
    assert [len(results[kind].to_frame()) for kind in KINDS if kind != "Grade"] == [1, 2, 3, 7, 1, 1]
    score, graded, exact, contest = (results[kind] for kind in KINDS[:4])
    [row] = score.to_frame().to_dict("records")
    assert (row["wins"], row["games"], (row["win_low"], row["win_high"])) == (score.wins, 20, score.interval())
    frame = graded.to_frame().set_index("ply")
    assert frame.graded.sum() == graded.graded.sum()
    assert (frame.value_lost * frame.graded).sum() == pytest.approx(graded.total_value_lost.sum())
    assert frame.moves.tolist() == graded.moves[graded.moves > 0].tolist()
    assert exact.to_frame().loss_rate_vs_random.tolist() == [*exact.loss_rate_vs_random]
    elos = contest.to_frame().set_index("policy").elo
    assert dict(elos) == {name: rating.elo for name, rating in contest.ratings["tictactoe"].elo.items()}
    assert results["Solution"].to_frame().best[0] == "c1, b2"


def test_without_pandas_a_sentence_says_how_to_get_it(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_frame\(\) needs pandas, .*pip install '\.\[frames\]'"):
        results["Score"].to_frame()


def test_a_table_too_wide_for_the_terminal_folds_names_and_keeps_numbers(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    lines = str(TextTable("", ["name", "number"], [["n" * 60, "12,345"]])).splitlines()
    assert max(map(len, lines)) <= 40
    assert sum(line.count("n") for line in lines[2:]) == 60
    assert any("12,345" in line for line in lines)


# ---- boards of environments


def drawn(env, **how):
    return ludus.show(env, **how)._repr_html_()


def test_environments_are_drawn_through_their_wrappers():
    env = pettingzoo.make("aec", "ludus/tictactoe-v0")
    env.reset(seed=0)
    env.step(4)
    wrapped = OrderEnforcingWrapper(OrderEnforcingWrapper(env))
    assert GAME.svg(GAME.parse("----X---- O"), 4) in drawn(wrapped) == drawn(env)
    assert GAME.picture(GAME.parse("----X---- O"), 4) in str(ludus.show(wrapped))
    env = TransformReward(TimeLimit(gym.make("ludus/TicTacToe-v0", opponent=None), 5), float)
    assert GAME.svg(GAME.start) in drawn(env)  # before the first reset
    env.reset(seed=0)
    env.step(0)
    assert GAME.svg(GAME.parse("X-------- O"), 0) in drawn(env)


@pytest.mark.parametrize("wrapped", [False, True])
def test_many_boards_are_drawn_as_many_as_asked_for(wrapped):
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=40, opponent=None)
    envs = RecordEpisodeStatistics(envs) if wrapped else envs
    envs.reset(seed=0)
    envs.step(np.arange(40) % 9)
    shown = drawn(envs, most=9)
    assert shown.count("<svg") == 9
    assert all(GAME.svg(GAME.play(GAME.start, action), action) in shown for action in range(9))
    assert "9 of 40 boards" in shown


def test_what_has_no_board_is_refused():
    for thing in (gym.make("CartPole-v1"), None):
        with pytest.raises(ValueError, match="has no board of Ludus; show"):
            ludus.show(thing)


def test_a_game_without_a_drawing_is_drawn_by_the_characters_of_its_picture():
    state = GAME.parse("XO--X---- O")
    drawn, root = Game.svg(GAME, state, 4), ElementTree.fromstring(Game.svg(GAME, state, 4))
    written = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "".join(written) == "".join(GAME.picture(state, 4).split())
    assert png(drawn).startswith(b"\x89PNG")
