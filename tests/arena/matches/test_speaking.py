"""Policies that answer with more than actions: what was said stays with its move, a forfeit costs one game, and a policy that
cannot go on stops the match and costs none."""

import sys

import numpy as np
import pytest

from ludus.agents import make_policy
from ludus.agents.answers import Unavailable
from ludus.arena import resume, tournament
from ludus.arena.engines.jobs import play_jobs
from ludus.arena.engines.remote import guard_policy
from ludus.arena.matches.games import Pairing, transcript_entries
from ludus.arena.matches.job import Job
from ludus.arena.matches.settings import MatchSettings
from ludus.core.workers.worker import Worker
from ludus.envs import make_game

from ...helpers.arena.played import matched, timeless
from ...helpers.system.processes import OUTSIDE

GAME = make_game("tictactoe")
PLACES = {"here": {}, "in a worker": {"workers": 2}, "apart": {"move_time": 60.0}, "guarded": {}}


@pytest.fixture(autouse=True)
def outside(monkeypatch):
    monkeypatch.syspath_prepend(OUTSIDE)
    yield
    for module in ("speaks", "faulty"):
        sys.modules.pop(module, None)


def played(policy, games=8, move_time=None, **where):
    """Games against the random policy, in one job."""
    policies = policy, make_policy("random", GAME)
    job = Job(Pairing("tictactoe", "one", "other"), policies, np.arange(games), 0, MatchSettings(2, move_time))
    ((_, found),) = play_jobs([job], **where)
    return found


@pytest.mark.parametrize("place", PLACES)
def test_what_was_said_stays_with_its_move_and_a_forfeit_costs_its_game(place):
    games = 4 if place == "apart" else 40
    with Worker() as worker:
        policy = guard_policy("speaks:Speaks", GAME, worker) if place == "guarded" else make_policy("speaks:Speaks", GAME)
        found = played(policy, games, **PLACES[place])
    records = found.records(Pairing("tictactoe", "one", "other"))
    ends = np.cumsum([0, *found.plies])
    said = 0
    for row, record in enumerate(records):
        state, seat = GAME.start, record.players.index("one")
        for ply in range(len(record.actions) + 1):
            is_asked = ply >= record.opening and GAME.outcome(state) is None and GAME.player(state) == seat
            assert ((row, ply) in found.transcripts) == is_asked
            if is_asked:
                (attempt,), said = found.transcripts[row, ply].attempts, said + 1
                assert attempt.question == GAME.text(state)
                assert (attempt.fault is not None) == (ply == len(record.actions))
            if ply < len(record.actions):
                state = GAME.play(state, int(found.actions[ends[row] + ply]))
        assert [entry["ply"] for entry in transcript_entries(record)] == sorted(record.transcripts)
        forfeited = (row, len(record.actions)) in found.transcripts
        assert record.reason == "said no" * forfeited
        assert (record.ending, record.result) == ("error", 2 * seat - 1) if forfeited else record.ending == "rules"
    assert said == len(found.transcripts) == found.moves[np.arange(games), found.numbers % 2].sum()
    assert place == "apart" or 0 < sum(record.reason != "" for record in records) < games


@pytest.mark.parametrize("kind", ["none", "row", "text", "ending", "attempts", "surrogate", "shape"])
def test_an_answer_that_is_none_is_an_invalid_one(kind):
    from speaks import WRONG, Says

    for record in matched(Says(GAME, what=WRONG[kind]), games=4):
        assert (record.ending, record.result) == ("illegal", 2 * record.players.index("one") - 1)
        assert record.reason.startswith(("answered with ", "was queried for 1 action and "))


def test_only_plain_texts_leave_the_process_of_a_guarded_policy(capfd):
    with Worker() as worker:
        for name, words in (("fakes", "Encoding objects of type Fakes is unsupported"), ("says_none", "which is not an Answer")):
            reasons = played(guard_policy(f"speaks:{name}", GAME, worker)).reasons
            assert len(reasons) == 8
            assert all(words in reason for reason in reasons.values())
    assert "unpickled" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("place", PLACES)
def test_a_policy_that_cannot_go_on_stops_the_match_and_keeps_what_is_finished(place, tmp_path):
    with Worker() as worker:
        spec = f"speaks:Tires,after=30,file={tmp_path / 'count'}"
        policy = guard_policy(spec, GAME, worker) if place == "guarded" else make_policy(spec, GAME)
        with pytest.raises(Unavailable, match="is tired"):
            tournament("tictactoe", [policy, "random"], 20, store=tmp_path / "store", faults="count", **PLACES[place])
        contest = resume(tmp_path / "store", {policy.spec: policy}, workers=PLACES[place].get("workers", 1))
        whole = tournament("tictactoe", [policy, "random"], 20)
    assert contest.done == 20
    assert [record.actions for record in timeless(contest.store.records())] == [record.actions for record in whole.store.records()]


def test_the_games_that_were_finished_when_a_match_stopped_are_whole_openings(tmp_path):
    from ludus.arena.store.store import Store

    with pytest.raises(Unavailable):
        tournament("tictactoe", [f"speaks:Tires,after=200,file={tmp_path / 'count'}", "random"], 100, store=tmp_path / "store")
    with Store.open(tmp_path / "store") as store:
        (pairing,) = store.plan.pairings
        numbers = store.played(pairing).numbers
    assert 0 < len(numbers) < 100
    assert np.isin(numbers ^ 1, numbers).all()
