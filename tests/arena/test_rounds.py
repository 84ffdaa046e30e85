"""The order of a tournament's games: its schedule, and with a sequential test its rounds, which pairs play on and how far."""

from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.checks.ratings import score
from ludus.arena import Sprt, Tournament, resume, tournament
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.planning.planning import make_plan
from ludus.arena.planning.schedule import FIRST, GROWTH, LARGEST, PATIENCE, Schedule
from ludus.arena.ratings.sprt import SprtResult
from ludus.arena.report.data import report_of
from ludus.arena.report.page import page
from ludus.arena.rounds import pairs_to_go_on, policies_between
from ludus.arena.store.store import Store

TEST = Sprt(-40, 40)
CLOSE = {"games": "tictactoe", "policies": ["greedy", "random"], "sprt": Sprt(100, 200), "seed": 3}


def games_of(contest):
    return [(record.pairing, record.number, record.actions) for record in contest.store.records()]


def won(a, b, openings, points):
    """A score in which each opening gave a win in both games, until so many points are made, then losses."""
    wins = round(openings * points)
    quarters = np.random.default_rng(0).permutation(np.where(np.arange(openings) < wins, 4, 0))
    numbered = np.stack([np.arange(openings), quarters], 1)
    made = score(a, b, [[wins, 0, 0], [0, 0, 0], [0, 0, openings - wins]])
    return replace(made, evidence=replace(made.evidence, numbered=numbered))


# ---- which pairs play on


def test_of_policies_that_all_meet_only_neighbours_play_on():
    strong = {("a", "b"): 0.6, ("b", "c"): 0.6, ("c", "d"): 0.6, ("a", "c"): 0.65, ("b", "d"): 0.65, ("a", "d"): 0.7}
    scores = [won(*pair, 10, points) for pair, points in strong.items()]
    assert pairs_to_go_on([won("a", "b", 60, 1)], TEST) == []
    assert not any(SprtResult.of(some, TEST).is_decided for some in scores)
    assert {pairing[1:] for pairing in pairs_to_go_on(scores, TEST)} == {("a", "b"), ("b", "c"), ("c", "d")}
    decided = [won("b", "c", 200, 0.7) if some.pairing[1:] == ("b", "c") else some for some in scores]
    assert {pairing[1:] for pairing in pairs_to_go_on(decided, TEST)} == {("a", "b"), ("c", "d")}
    between = {pairing[1:]: name for pairing, name in policies_between(scores).items()}
    assert (between["a", "c"], between["b", "d"], between["a", "d"] in ("b", "c")) == ("b", "c", True)


# ---- tournaments


TWO_GAMES = SimpleNamespace(numbers=np.arange(2), seconds=np.array([[0.5, 0.5]]))


def test_an_interruption_at_any_moment_changes_neither_games_nor_decisions(tmp_path):
    policies = ["greedy", "random", "minimax:depth=2", "minimax:depth=1"]
    settings = {"games": ["tictactoe"], "policies": policies, "games_per_pair": 150, "sprt": Sprt(-30, 30), "seed": 5}
    whole = tournament(**settings)
    assert len({whole.scores[pairing].games for pairing in whole.scores}) > 2
    left = [(result.reason, whole.scores[pairing].games) for pairing, result in whole.sprt.items() if not result.is_decided]
    assert left
    assert all(reason.endswith(" is rated between them") == (games < 150) for reason, games in left)
    assert {pair["sprt"]["reason"] for pair in whole.document()["pairs"]} >= {reason for reason, _ in left}
    plan, cast = make_plan(**settings)
    calls = count(1)

    def interrupt(contest):
        if next(calls) % 9 == 0:
            raise KeyboardInterrupt

    Store.create(tmp_path / "s.sqlite", plan).close()
    for _ in range(50):
        with Store.open(tmp_path / "s.sqlite") as store:
            try:
                contest = Tournament(store, cast).play(watch=interrupt)
            except KeyboardInterrupt:
                continue
            assert (games_of(contest), contest.sprt) == (games_of(whole), whole.sprt)
            sessions = contest.store.sessions()
            break
    assert len(sessions) > 2
    assert resume(tmp_path / "s.sqlite").store.sessions() == sessions  # nothing was left to play


def test_with_several_processes_a_round_waits_for_the_one_before():
    plan, cast = make_plan(["nim"], ["random", "greedy"], 40)
    (pairing,) = plan.pairings
    rounds = [{pairing: np.arange(4)}, {pairing: np.arange(4, 6)}]
    schedule = Schedule(plan, cast, rounds)
    first, second = schedule.next(), schedule.next()
    assert [first.numbers.tolist(), second.numbers.tolist()] == [[0, 1], [2, 3]]
    assert schedule.next() is None
    schedule.learn(pairing, TWO_GAMES)
    assert schedule.next() is None
    schedule.learn(pairing, TWO_GAMES)
    assert schedule.next().numbers.tolist() == [4, 5]
    schedule.learn(pairing, TWO_GAMES)
    assert schedule.next() is None


# ---- what is shown


def test_a_document_the_tables_and_the_page_say_what_the_test_says():
    contest = tournament(**CLOSE)
    (result,) = contest.sprt.values()
    (pair,) = contest.document()["pairs"]
    assert pair["sprt"] == result.document()
    assert (pair["sprt"]["decision"], pair["sprt"]["elo1"], sum(pair["sprt"]["pairs"])) == (result.decision, 200, result.games // 2)
    assert "tictactoe: sequential test of Elo 100 against 200, alpha 0.05, beta 0.05; bounds -2.94 and 2.94" in str(contest)
    assert result.describe() in str(contest)
    assert f"<td>{result.describe()}</td>" in page(report_of(contest, graded=0))


def test_on_the_command_line_a_test_is_four_numbers(tmp_path, document, run):
    words = ["arena", "tictactoe", "--policies", "greedy", "random", "--no-report", "--store", tmp_path / "s.sqlite"]
    (pair,) = document(*words, "--sprt", "-50,50,0.1,0.2", "--games", "2000")["pairs"]
    assert [pair["sprt"][name] for name in ("elo0", "elo1", "alpha", "beta")] == [-50, 50, 0.1, 0.2]
    assert "--sprt is '0'; it must be elo0,elo1 or elo0,elo1,alpha,beta" in run(*words, "--sprt", "0")[2]
    assert "--protocol fixes it" in run("arena", "--protocol", "ludus-2", "--sprt", "0,10")[2]


# ---- the schedule: pairings take turns, a part of each, and what is left is played


PLAN, CAST = make_plan(["nim", "tictactoe"], ["random", "greedy", "nim_sum"], 40, seed=3, settings=MatchSettings(opening_plies=1))


def jobs_of(missing=lambda pairing: np.arange(40), **settings):
    schedule = Schedule(PLAN, CAST, [{pairing: missing(pairing) for pairing in PLAN.pairings}], **settings)
    return [*iter(schedule.next, None)]


def test_a_part_of_every_pairing_is_played_before_the_second_part_of_any():
    jobs = jobs_of()
    turns = [job.pairing for job in jobs]
    assert len(PLAN.pairings) == 4
    for begin in range(0, len(turns), 4):
        assert turns[begin : begin + 4] == [*PLAN.pairings]
    assert len(turns) == 4 * 40 // FIRST


def test_a_job_has_what_the_plan_says_and_the_first_call_of_a_policy_raises():
    jobs = jobs_of(faults="raise")
    for job in jobs:
        assert (job.seed, job.settings) == (3, MatchSettings(opening_plies=1))
        assert job.policies == (CAST[job.pairing.game, job.pairing.a], CAST[job.pairing.game, job.pairing.b])
    first = {(pairing.game, name): True for pairing in PLAN.pairings for name in pairing[1:]}
    for job in jobs:
        names = [(job.pairing.game, name) for name in job.pairing[1:]]
        assert job.raising == tuple(first[name] for name in names)
        first |= dict.fromkeys(names, False)
    assert not any(any(job.raising) for job in jobs_of())


SIZES = [  # games and seconds of the parts before, and the games of the next one
    ([(2, 0.1)], 2 * GROWTH),
    ([(2, 3.0)], 4),  # twice, where so many fit into the time
    ([(4, 8.0)], 8),  # the first part says nothing of how parts grow
    ([(4, 8.0), (8, 9.0)], int(8 * PATIENCE / 9) // 2 * 2),  # cheaper together: as many as patience has time for
    ([(4, 4.0), (100, 100.0)], 30),  # too slow
    ([(LARGEST, 0.1)], LARGEST),
]


@pytest.mark.parametrize(("parts", "size"), SIZES)
def test_the_next_part_follows_from_the_time_of_the_last(parts, size):
    schedule = Schedule(PLAN, CAST, [dict.fromkeys(PLAN.pairings, np.arange(2 * LARGEST))])
    pairing, *_ = [schedule.next().pairing for _ in PLAN.pairings]
    for games, seconds in parts:
        schedule.learn(pairing, SimpleNamespace(numbers=np.arange(games), seconds=np.array([[0, seconds]])))
    assert len(schedule.next().numbers) == size
    assert len(schedule.next().numbers) == FIRST  # of another pairing
