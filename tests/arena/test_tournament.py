"""Tournaments: who meets whom, protocols, what is kept and gone on with, and that no result depends on how it was played."""

import json
import shutil
from dataclasses import replace

import pytest

import ludus
from ludus.agents import FunctionPolicy, make_policy
from ludus.arena import Sprt, evaluate, play_protocol, tournament
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.planning.plan import Plan
from ludus.arena.planning.planning import cast_of, make_plan, make_plan_by
from ludus.arena.planning.protocols import protocol, protocols
from ludus.arena.report.data import report_of
from ludus.arena.report.page import page
from ludus.baselines.runs.measure import Measure
from ludus.core.files.documents import parse_document
from ludus.envs import make_game
from ludus.records.openings import load_openings

from ..helpers.system.processes import ROOT
from ..helpers.values import close


def first_legal(observations, masks):
    return masks.argmax(1)


def table(contest):
    """All that follows from the seed, row by row."""
    return [
        (record.pairing, record.number, record.key, record.actions, record.result, record.ending, record.reason)
        for record in contest.store.records()
    ]


# ---- plans


def test_each_policy_meets_each_other_once_in_every_game():
    plan, _ = make_plan(["nim", "tictactoe"], ["random", "greedy", "minimax:depth=2"], 4)
    for game in ("nim", "tictactoe"):
        met = [{pairing.a, pairing.b} for pairing in plan.pairings if pairing.game == game]
        assert met == [{"random", "greedy"}, {"random", "minimax:depth=2"}, {"greedy", "minimax:depth=2"}]


def test_policies_are_left_out_of_games_that_they_do_not_play():
    plan, cast = make_plan(["nim", "quixo:size=3"], ["random", "nim_sum", "greedy"], 2)
    assert [pairing for pairing in plan.pairings if pairing.game == "quixo:size=3"] == [("quixo:size=3", "random", "greedy")]
    assert ("quixo:size=3", "nim_sum") not in cast


def test_against_others_the_policies_do_not_meet_each_other():
    plan, _ = make_plan(["nim"], ["greedy", "nim_sum"], 2, against=["random", "greedy"])
    met = [pairing[1:] for pairing in plan.pairings]
    assert met == [("greedy", "random"), ("greedy", "greedy"), ("nim_sum", "random"), ("nim_sum", "greedy")]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"games_per_pair": 3}, "games is 3; .* from 2 to 100,000,000, and even"),
        ({"games_per_pair": 4.0}, "games is 4.0; "),
        ({"seed": -1}, "seed is -1; it must be a whole number from 0 to"),
        ({"games_per_pair": 0}, "games is 0; "),
        ({"policies": ["random", "random"]}, "random is named twice"),
        ({"policies": ["random"]}, "no games to play"),
        ({"policies": ["random", "nim_sum"]}, "no games to play: of random, nim_sum, no two play tictactoe"),
        ({"policies": ["random", "gredy"]}, "did you mean 'greedy'"),
        ({"policies": ["random", "minimax:deepth=2"]}, "did you mean 'depth'"),
        ({"policies": ["random", 7]}, "7 is not a policy"),
        ({"games": ["tictacto"]}, "did you mean 'tictactoe'"),
        ({"games": []}, "no games to play"),
        ({"sprt": (0, 10)}, r"sprt is \(0, 10\); it must be a test, such as Sprt\(elo0=0, elo1=10\)"),
        (
            {"sprt": Sprt(), "games_per_pair": 2_000_000},
            "games is 2,000,000; with a sequential test, a pair plays 1,000,000 games at most",
        ),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_a_sentence(settings, words):
    usual = {"games": ["tictactoe"], "policies": ["random", "greedy"], "games_per_pair": 2}
    with pytest.raises(ValueError, match=words):
        make_plan(**usual | settings)


def test_a_plan_comes_back_from_its_document():
    plan, _ = make_plan(
        ["quarto:squares=true"],
        ["random", first_legal],
        6,
        seed=4,
        settings=MatchSettings(move_time=0.5, start_time=9.5, game_time=90),
        sprt=Sprt(-5, 20, 0.1),
    )
    assert parse_document(json.dumps(plan.document()), Plan, "here", "") == plan
    with pytest.raises(ValueError, match="'first_legal' was an object"):
        cast_of(plan, {})
    assert str(cast_of(plan, {"first_legal": first_legal})["quarto:squares=true", "first_legal"]) == "first_legal"


# ---- tournaments


def test_a_tournament_follows_from_its_seed(tmp_path):
    settings = {"games": ["nim", "tictactoe"], "policies": ["random", "greedy", "mcts:simulations=10"], "games_per_pair": 20}
    whole = tournament(**settings, seed=5)
    again = tournament(**settings, seed=5, store=tmp_path / "again.sqlite")
    assert table(whole) == table(again)
    assert table(whole) != table(tournament(**settings, seed=6))
    assert whole.done == whole.total == 2 * 3 * 20
    assert whole.document()["ratings"] == again.document()["ratings"]


# ---- evaluate


def by_states(title):
    game = make_game("tictactoe")
    return FunctionPolicy(game, function=lambda states, keys: game.masks(states).argmax(1), title=title)


def test_one_name_is_one_policy():
    game, random = make_game("tictactoe"), by_states("random")
    with pytest.raises(ValueError, match="two policies are called random"):
        evaluate(random, game, against="random")
    assert evaluate("random", game, against="random", games=2).games == 2
    assert evaluate(make_policy("random", game), game, against="random", games=2).games == 2


# ---- what policies are called


NIM = "nim:heaps=1+2"


def test_one_spelling_twice_is_refused():
    with pytest.raises(ValueError, match="the policy minimax is named twice"):
        make_plan([NIM], ("minimax", " minimax "), 2)


def test_a_policy_plays_itself_under_a_name_of_its_own():
    deep = ludus.as_policy("minimax", NIM, name="deep")
    assert (str(deep), str(ludus.make_policy("minimax", NIM))) == ("deep", "minimax")
    assert evaluate(deep, NIM, against="minimax", games=2).pairing[1:] == ("deep", "minimax")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with two runs of one trainer."""
    folder = tmp_path_factory.mktemp("runs")
    ludus.baselines.train("td_ntuple", NIM, run=folder / "a", games=2, measure=Measure(every="never"))
    shutil.copytree(folder / "a", folder / "b,c")
    return folder


def test_policies_of_runs_are_called_after_their_folders(runs, monkeypatch):
    monkeypatch.chdir(runs)
    one, other = (ludus.make_policy(spec, NIM) for spec in ("run:a", 'run:"b,c",repeats=false'))
    assert (one.spec, other.spec) == ("run:a", 'run:"b,c",repeats=false')
    assert ludus.make_policy("run:a,repeats=TRUE", NIM).spec == "run:a"
    contest = tournament(NIM, [one, other], 2)
    assert [entrant.name for entrant in contest.plan.entrants] == [one.spec, other.spec]


# ---- protocols


def test_protocols_are_found_by_name():
    assert "ludus-2" in protocols()
    with pytest.raises(ValueError, match="no protocol 'ludus2'; did you mean 'ludus-2'"):
        protocol("ludus2")


def test_the_openings_of_ludus_2_are_the_suites_that_ship():
    pinned = protocol("ludus-2")
    assert {game.spec: suite.checksum for game, suite in pinned.choose([]).items()} == pinned.openings
    plan, _ = make_plan_by(pinned, ["minimax:depth=1"], ["tictactoe"])
    assert plan.openings["tictactoe"] == load_openings("balanced", "tictactoe")
    assert plan.opening_plies == {"tictactoe": 0}
    assert {game: len(load_openings("balanced", game)) for game in pinned.opponents} == {
        **dict.fromkeys(("quarto", "quixo:size=4", "quixo", "othello:size=6", "othello", "connect_four"), 200),
        "nim": 20,
        "tictactoe": 21,
    }


def test_by_ludus_2_a_policy_is_rated_from_the_zero_and_its_moves_are_graded():
    contest = play_protocol("ludus-2", [first_legal], ["tictactoe"])
    pinned, elo = protocol("ludus-2"), contest.ratings["tictactoe"].elo
    assert elo[pinned.zero].elo == 0
    assert {name: rated.elo for name, rated in elo.items() if name != "first_legal"} == pytest.approx(pinned.ratings["tictactoe"])
    loss = contest.losses["tictactoe"]["first_legal"]
    assert 0 < loss.low < loss.share < loss.high < 2
    assert contest.document()["losses"] == {"tictactoe": {"first_legal": loss.document()}}
    assert "0 is perfect play, 1 random" in str(contest)
    on_page = "".join(f"<td>{cell}</td>" for cell in loss.cells())
    assert f'<th scope="row">first_legal</th>{on_page}' in page(report_of(contest, samples=0, graded=1))
    assert [row["loss_share"] for row in contest._rows() if row["policy"] == "first_legal"] == [loss.share]


@pytest.mark.parametrize("game", ["nim", "tictactoe", "connect_four"])
def test_the_opponents_of_ludus_2_are_rated_and_graded_as_in_the_kept_result(game):
    kept = json.loads((ROOT / "benchmarks/results/ladder_2.json").read_text())
    rows = {name: row for session in kept["sessions"] for name, (_, row) in session["rows"].items()}
    pinned = protocol("ludus-2")
    rated = {name: {policy: round(elo, 1) for policy, (elo, _, _) in row["ratings"].items()} for name, row in rows.items()}
    assert rated == pinned.ratings
    contest = play_protocol("ludus-2", [], [game])
    assert close({name: [*elo] for name, elo in contest.ratings[game].elo.items()}, rows[game]["ratings"], 1e-6)
    assert close(contest.losses[game]["random"].document(), rows[game]["losses"]["random"])


def small_protocol(openings=None):
    whole = protocol("ludus-2")
    openings = {"tictactoe": openings or whole.openings["tictactoe"]}
    return replace(whole, name="small", opponents={"tictactoe": ["random", "greedy"]}, openings=openings, games=10, seed=2)


def test_a_protocol_refuses_other_games_and_other_openings():
    for words, pinned, policy, games in (
        ("the protocol small does not have nim; it has tictactoe", None, "mcts", ["nim"]),
        ("openings of tictactoe are not those of the protocol small; use the version of ludus that", "00", "mcts", []),
        ("greedy is one of the opponents of small", None, "greedy", []),
    ):
        with pytest.raises(ValueError, match=words):
            make_plan_by(small_protocol(pinned), [policy], games)
