"""The rounds of a tournament with a sequential test: which pairs play on, how far, and that nothing else decides about it."""

import json
from dataclasses import replace
from itertools import count, pairwise

import numpy as np

from benchmarks.checks.ratings import score
from ludus.arena import Sprt, Tournament, resume, tournament
from ludus.arena.planning.planning import make_plan
from ludus.arena.planning.schedule import Schedule
from ludus.arena.ratings.sprt import SprtResult
from ludus.arena.rounds import FIRST_GAMES, next_stop, pairs_to_go_on, policies_between
from ludus.arena.store.store import Store
from ludus.cli import main

TEST = Sprt(-40, 40)
CLOSE = {"games": "tictactoe", "policies": ["greedy", "random"], "sprt": Sprt(100, 200), "seed": 3}


def games_of(contest):
    return [(record.pairing, record.number, record.actions) for record in contest.store.records()]


def won(a, b, openings, points):
    """A score in which each opening gave a win in both games, until so many points are made, then losses."""
    wins = round(openings * points)
    numbered = np.stack([np.arange(openings), np.where(np.arange(openings) % openings < wins, 4, 0)], 1)
    rng = np.random.default_rng(0)
    numbered[:, 1] = rng.permutation(numbered[:, 1])
    made = score(a, b, [[wins, 0, 0], [0, 0, 0], [0, 0, openings - wins]])
    return replace(made, evidence=replace(made.evidence, numbered=numbered))


# ---- which pairs play on


def test_a_pair_plays_on_until_its_test_decides():
    assert pairs_to_go_on([won("a", "b", 16, 0.5)], TEST) == [("nim", "a", "b")]
    assert pairs_to_go_on([won("a", "b", 60, 1)], TEST) == []


def test_of_policies_that_all_meet_only_neighbours_play_on():
    strong = {("a", "b"): 0.6, ("b", "c"): 0.6, ("c", "d"): 0.6, ("a", "c"): 0.65, ("b", "d"): 0.65, ("a", "d"): 0.7}
    scores = [won(*pair, 10, points) for pair, points in strong.items()]
    assert not any(SprtResult.of(some, TEST).is_decided for some in scores)
    assert {pairing[1:] for pairing in pairs_to_go_on(scores, TEST)} == {("a", "b"), ("b", "c"), ("c", "d")}
    decided = [won("b", "c", 200, 0.7) if some.pairing[1:] == ("b", "c") else some for some in scores]
    assert {pairing[1:] for pairing in pairs_to_go_on(decided, TEST)} == {("a", "b"), ("c", "d")}
    between = {pairing[1:]: name for pairing, name in policies_between(scores).items()}
    assert (between["a", "c"], between["b", "d"], between["a", "d"] in ("b", "c")) == ("b", "c", True)


def test_rounds_grow_by_a_quarter_in_whole_openings_up_to_the_most():
    stops = [0]
    while stops[-1] < 1000:
        stops.append(next_stop(stops[-1], 1000))
    assert stops[:5] == [0, FIRST_GAMES, 40, 50, 64]
    assert all(stop % 2 == 0 for stop in stops)
    assert all(1.2 < after / before < 1.3 for before, after in pairwise(stops[1:-1]))
    assert stops[-1] == 1000


# ---- tournaments


class Interrupted(Exception):
    pass


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
            raise Interrupted

    Store.create(tmp_path / "s.sqlite", plan).close()
    for _ in range(50):
        with Store.open(tmp_path / "s.sqlite") as store:
            try:
                contest = Tournament(store, cast).play(watch=interrupt)
            except Interrupted:
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
    schedule.learn(pairing, Played(2))
    assert schedule.next() is None
    schedule.learn(pairing, Played(2))
    assert schedule.next().numbers.tolist() == [4, 5]
    schedule.learn(pairing, Played(2))
    assert schedule.next() is None


class Played:
    """So many games that took a second."""

    def __init__(self, games):
        self.numbers, self.seconds = np.arange(games), np.array([[0.5, 0.5]])


# ---- what is shown


def test_a_document_the_tables_and_the_page_say_what_the_test_says(tmp_path):
    contest = tournament(**CLOSE)
    (result,) = contest.sprt.values()
    (pair,) = json.loads(json.dumps(contest.document()))["pairs"]
    assert pair["sprt"] == result.document()
    assert (pair["sprt"]["decision"], pair["sprt"]["elo1"], sum(pair["sprt"]["pairs"])) == (result.decision, 200, result.games // 2)
    assert "tictactoe: sequential test of Elo 100 against 200, alpha 0.05, beta 0.05; bounds -2.94 and 2.94" in str(contest)
    assert result.describe() in str(contest)
    contest.report(tmp_path / "page.html", graded=0)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"<td>{result.describe()}</td>" in page
    assert "at most 20,000 for each pair" in page


def test_on_the_command_line_a_test_is_four_numbers(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["arena", "tictactoe", "--policies", "greedy", "random", "--no-report", "--json", "--store", "s.sqlite"]
    assert main([*words, "--sprt", "-50,50,0.1,0.2", "--games", "2000"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert [pair["sprt"][name] for name in ("elo0", "elo1", "alpha", "beta")] == [-50, 50, 0.1, 0.2]
    with Store.open("s.sqlite") as store:
        assert (store.plan.sprt, store.plan.games) == (Sprt(-50, 50, 0.1, 0.2), 2000)
    for bad, answer in {
        "0": "--sprt is '0'; it must be elo0,elo1 or elo0,elo1,alpha,beta",
        "10,0": "elo0 is 10 and elo1 0; ",
    }.items():
        assert main([*words, "--sprt", bad]) != 0
        assert answer in capsys.readouterr().err
    assert main(["arena", "--protocol", "ludus-2", "--sprt", "0,10"]) != 0
    assert "--protocol fixes it" in capsys.readouterr().err
