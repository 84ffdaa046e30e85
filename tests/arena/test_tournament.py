"""Tournaments: who meets whom, protocols, what is kept and gone on with, and that no result depends on how it was played."""

import json
from dataclasses import replace

import pytest

import ludus
from ludus.arena import Sprt, evaluate, play_protocol
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.planning.plan import Plan
from ludus.arena.planning.planning import cast_of, make_plan, make_plan_by
from ludus.arena.planning.protocols import protocol
from ludus.arena.report.data import report_of
from ludus.arena.report.page import page
from ludus.core.files.documents import parse_document
from ludus.records.openings import load_openings

from ..helpers.system.processes import ROOT
from ..helpers.values import close


def first_legal(observations, masks):
    return masks.argmax(1)


# ---- plans


THREE = ["random", "greedy", "nim_sum"]


@pytest.mark.parametrize(
    ("games", "policies", "against", "met"),
    [
        (["nim"], THREE, None, "random – greedy, random – nim_sum, greedy – nim_sum"),
        (["quixo:size=3"], THREE, None, "random – greedy"),  # which nim_sum does not play
        (["nim"], THREE[1:], THREE[:2], "greedy – random, greedy – greedy, nim_sum – random, nim_sum – greedy"),
        (["nim", "tictactoe"], THREE[:2], None, "random – greedy, random – greedy"),
    ],
)
def test_each_policy_meets_each_other_or_its_opponents_once_in_every_game(games, policies, against, met):
    plan, _ = make_plan(games, policies, 4, against=against)
    assert ", ".join(f"{pairing.a} – {pairing.b}" for pairing in plan.pairings) == met


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"games_per_pair": 3}, "games is 3; .* from 2 to 100,000,000, and even"),
        ({"seed": -1}, "seed is -1; it must be a whole number from 0 to"),
        ({"policies": ["random", "random"]}, "random is named twice"),
        ({"policies": ["random", "nim_sum"]}, "no games to play: of random, nim_sum, no two play tictactoe"),
        ({"policies": ["random", "gredy"]}, "did you mean 'greedy'"),
        ({"policies": ["random", 7]}, "7 is not a policy"),
        ({"sprt": (0, 10)}, r"sprt is \(0, 10\); it must be a test, such as Sprt\(elo0=0, elo1=10\)"),
        (
            {"sprt": Sprt(), "games_per_pair": 2_000_000},
            "games is 2,000,000; with a sequential test, a pair plays 1,000,000 games at most",
        ),
        ({"swiss": 2}, "swiss is 2; 2 policies in tictactoe play 1 round at most, none meeting twice"),
        ({"swiss": 0}, "swiss is 0; it must be a whole number, 1 or more"),
        (
            {"swiss": 2, "games_per_pair": 3, "policies": ["random", "greedy", "perfect"]},
            "games is 3 in a Swiss round; it must be even",
        ),
        ({"swiss": 1, "sprt": Sprt()}, "leave against, self_play and sprt out"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_a_sentence(settings, words):
    usual = {"games": ["tictactoe"], "policies": ["random", "greedy"], "games_per_pair": 2}
    with pytest.raises(ValueError, match=words):
        make_plan(**usual | settings)


def test_a_plan_comes_back_from_its_document():
    how = {"seed": 4, "settings": MatchSettings(move_time=0.5, start_time=9.5, game_time=90), "sprt": Sprt(-5, 20, 0.1)}
    plan, _ = make_plan(["quarto:squares=true"], ["random", first_legal], 6, **how)
    assert parse_document(json.dumps(plan.document()), Plan, "here", "") == plan
    with pytest.raises(ValueError, match="'first_legal' was an object"):
        cast_of(plan, {})
    assert str(cast_of(plan, {"first_legal": first_legal})["quarto:squares=true", "first_legal"]) == "first_legal"


# ---- evaluate


def test_one_name_is_one_policy():
    random = ludus.as_policy(first_legal, "tictactoe", name="random")
    with pytest.raises(ValueError, match="two policies are called random"):
        evaluate(random, "tictactoe", against="random")
    deep = ludus.as_policy("minimax", "tictactoe", name="deep")
    assert evaluate(deep, "tictactoe", against="minimax", games=2).pairing[1:] == ("deep", "minimax")
    assert evaluate("random", "tictactoe", against="random", games=2).games == 2


# ---- protocols


def test_the_openings_of_ludus_2_are_the_suites_that_ship():
    pinned = protocol("ludus-2")
    assert {game.spec: suite.checksum for game, suite in pinned.choose([]).items()} == pinned.openings
    plan, _ = make_plan_by(pinned, ["minimax:depth=1"], ["tictactoe"])
    assert plan.openings["tictactoe"] == load_openings("balanced", "tictactoe")
    assert plan.opening_plies == {"tictactoe": 0}
    sizes = {game: len(load_openings("balanced", game)) for game in pinned.opponents}
    assert sizes == {**dict.fromkeys(pinned.opponents, 200), "nim": 20, "tictactoe": 21}


def test_by_ludus_2_a_policy_is_rated_from_the_zero_and_its_moves_are_graded():
    contest = play_protocol("ludus-2", [first_legal], ["tictactoe"])
    pinned, elo = protocol("ludus-2"), contest.ratings["tictactoe"].elo
    assert elo[pinned.zero].elo == 0
    assert {name: rated.elo for name, rated in elo.items() if name != "first_legal"} == pytest.approx(pinned.ratings["tictactoe"])
    loss = contest.losses["tictactoe"]["first_legal"]
    assert 0 < loss.low < loss.share < loss.high < 2
    assert contest.document()["losses"] == {"tictactoe": {"first_legal": loss.document()}}
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
