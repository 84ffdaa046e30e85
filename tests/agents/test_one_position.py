"""Functions that are asked about one position: what they are shown, what they may answer, and what an error says."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ludus
from ludus.agents.external.one_position import SHOWN
from ludus.arena import evaluate

POSITION = "X-O-X---- O"


def asked(game, function, position=None, **how):
    """The action of a function in a position."""
    game = ludus.make_game(game)
    state = game.start if position is None else game.parse(position)
    return int(ludus.as_policy(function, game, **how).act(state[None], np.array([2**63 + 5], np.uint64))[0])


def test_a_function_is_shown_what_its_parameters_name():
    seen = {}

    @ludus.agent
    def look(observation, board, text, state, legal, moves, player, configuration):
        seen.update({name: value for name, value in locals().items() if name != "seen"})
        return "b1"

    assert asked("tictactoe", look, POSITION) == 1
    assert {*seen} == {*SHOWN}
    assert seen["board"].tolist() == [[-1, 0, 1], [0, -1, 0], [0, 0, 0]]
    assert seen["observation"].board == [1, 0, 2, 0, 1, 0, 0, 0, 0]
    assert seen["observation"]["mark"] == 2
    assert seen["observation"].observation[0].reshape(-1).tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert np.flatnonzero(seen["observation"].action_mask).tolist() == seen["legal"] == [1, 3, 5, 6, 7, 8]
    assert (seen["text"], seen["player"], seen["moves"][:2]) == (POSITION, 1, ["b1", "a2"])
    assert vars(seen["configuration"]) == {"rows": 3, "columns": 3, "inarow": 3, "timeout": 2.0}


def test_an_agent_of_kaggles_connect_x_plays_as_it_is():
    def lowest(obs, config):
        return next(column for column in range(config.columns) if obs.board[column] == 0)

    assert asked("connect_four", lowest, one_position=True) == 0
    score = evaluate(ludus.as_policy(lowest, "connect_four", one_position=True), "connect_four", games=4)
    assert score.faults_by_side == (0, 0)


def test_the_same_seed_gives_the_same_games_though_agents_draw_at_random():
    @ludus.agent
    def drawn(legal):
        return random.choice(legal[: np.random.randint(1, 3)])  # noqa: NPY002

    before = random.getstate()
    with ThreadPoolExecutor(4) as threads:
        first, again, *_ = threads.map(lambda _: evaluate(drawn, "tictactoe", games=20, seed=3), range(4))
    assert random.getstate() == before
    assert (first.wins, first.draws) == (again.wins, again.draws)


def test_an_error_names_the_position_and_costs_the_games_in_which_it_is_raised():
    @ludus.agent
    def fails_late(legal):
        return legal[0] if len(legal) > 5 else legal[99]

    with pytest.raises(
        ValueError,
        match=r"fails_late raised IndexError: list index out of range \(test_one_position.py, line \d+\) in '.* [XO]' of tictactoe",
    ):
        asked("tictactoe", fails_late, "XOXO----- X")
    score = evaluate(fails_late, "tictactoe", games=4)
    assert score.faults_by_side[0] > 0
    assert "in '" in str(score)


@pytest.mark.parametrize(
    ("game", "function", "how", "words"),
    [
        ("tictactoe", lambda legal: "z9", {"one_position": True}, "answered 'z9' in .* has no move 'z9'"),
        ("tictactoe", lambda legal: 2**70, {"one_position": True}, "answered 1180591620717411303424 in "),
        ("tictactoe", lambda legal: None, {"one_position": True}, "neither the number of an action nor the name of a move"),
        (
            "tictactoe",
            lambda legal, hint: 0,
            {"one_position": True},
            "has a parameter hint; what is asked about one position may want",
        ),
        ("quarto", lambda board: 16, {"one_position": True}, "wants the board, but in Quarto no cell is a player's"),
        ("tictactoe", lambda legal: 0, {"one_position": True, "sample": True}, "chooses actions itself"),
        ("tictactoe", lambda observation: 3, {}, "gave 3 for 1 position; .* has @ludus.agent before it"),
        ("tictactoe", lambda obs, config: 3, {}, "needs obs, config, .* has @ludus.agent before it"),
    ],
)
def test_a_mistake_is_a_sentence(game, function, how, words):
    with pytest.raises(ValueError, match=words):
        asked(game, function, **how)


def test_a_spec_may_say_that_a_function_is_asked_about_one_position(tmp_path, monkeypatch):
    (tmp_path / "from_a_class.py").write_text("def last(legal):\n    return legal[-1]\n")
    monkeypatch.syspath_prepend(tmp_path)
    policy = ludus.make_policy("from_a_class:last,one_position=true", "tictactoe")
    assert policy.act(policy.game.start[None], np.zeros(1, np.uint64)).tolist() == [8]
    with pytest.raises(ValueError, match=r"sets depth, .* a function may have one_position=true"):
        ludus.make_policy("from_a_class:last,depth=3", "tictactoe")
