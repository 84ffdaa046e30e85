"""Faults are never silent: the first call's error is raised, every other fault is counted and said wherever results are."""

import traceback
from collections import Counter

import numpy as np
import pytest

from ludus.arena import as_policy, evaluate, grade, tournament
from ludus.arena.matches.faults import Reason, merge_reasons
from ludus.arena.matches.settings import MatchSettings
from ludus.envs import make_game

from ...helpers.outside import faulty

GAME = make_game("tictactoe")


def wild(states, keys):
    return np.full(len(keys), 4711)


class Paid(faulty.Faulty):
    """Counts the positions that it is asked about; fails where a1 is taken."""

    def act(self, states, keys):
        self.asked.extend(map(GAME.text, states))
        if (GAME.masks(states)[:, 0] == 0).any():
            raise ConnectionError("no answer")
        return GAME.masks(states).argmax(1)


def paid():
    policy = Paid(GAME, fault=None, title="paid")
    object.__setattr__(policy, "asked", [])
    return policy


def test_a_reason_has_the_lowest_of_its_games_in_whatever_order_they_come():
    late, early = Reason("a", "error", "x", 1, 5), Reason("a", "error", "x", 2, 3)
    assert merge_reasons([late, early]) == merge_reasons([early, late]) == (Reason("a", "error", "x", 3, 3),)


# ---- an error at the first call


@pytest.mark.parametrize(
    "play",
    [
        lambda: evaluate(faulty.broken, GAME, games=20),
        lambda: evaluate(faulty.broken, GAME, games=20, workers=2),
        lambda: evaluate(faulty.broken, GAME, games=20, move_time=60),
        lambda: evaluate(faulty.broken, GAME, games=20, workers=2, move_time=60),
        lambda: grade(faulty.broken, GAME, games=20),
        lambda: tournament(GAME, ["random", "greedy", faulty.broken], 4),
    ],
    ids=["here", "in a worker", "apart", "apart from a worker", "a grade's", "a tournament's"],
)
def test_an_error_at_the_first_call_is_raised_with_its_traceback(play):
    with pytest.raises(ZeroDivisionError, match="the net is broken") as caught:
        play()
    assert "in broken" in "".join(traceback.format_exception(caught.type, caught.value, caught.tb))


def tires():
    """Fails from its second call on."""
    calls = []

    def act(states, keys):
        calls.append(len(keys))
        if len(calls) > 1:
            raise KeyError("tired")
        return GAME.masks(states).argmax(1)

    return act


@pytest.mark.parametrize(
    ("policy", "ending", "settings"),
    [
        (wild, "illegal", {}),
        (faulty.Sleeps(GAME, seconds=2), "time", {"games": 2, "move_time": 0.5}),
        (faulty.broken, "error", {"faults": "count"}),
        (tires(), "error", {"opening_plies": 0}),
    ],
    ids=["an illegal answer", "out of time", "errors that are counted", "a later error"],
)
def test_every_other_fault_is_counted(policy, ending, settings):
    score = evaluate(policy, GAME, **{"games": 20, **settings})
    assert score.losses == score.faults[0].sum() == score.games
    assert score.faults[1].sum() == 0
    assert {reason.ending for reason in score.reasons} == {ending}


# ---- a batch that went wrong


def test_a_batch_with_a_bad_answer_is_asked_again_position_by_position():
    policy = paid()
    score = evaluate(policy, GAME, games=40, faults="count")
    taken = [text for text in policy.asked if not text.startswith("-")]
    assert score.faults[0].sum() == len(taken) / 2 > 0  # each in its batch, and once by itself
    assert score.faults[0].sum() < 40


def test_without_asking_again_nothing_is_asked_twice_and_the_whole_batch_is_lost():
    policy = paid()
    score = evaluate(policy, GAME, games=40, faults="count", settings=MatchSettings(ask_again=False))
    assert len(policy.asked) == score.moves[0]
    assert score.faults[0].sum() == 40
    assert {reason.text.partition(" (")[0] for reason in score.reasons} == {"raised ConnectionError: no answer"}


# ---- reasons


def test_every_reason_is_kept_with_how_many_games_it_ended():
    policies = ["random", as_policy(faulty.policy(GAME, "raises"), GAME), as_policy(faulty.policy(GAME, "none"), GAME)]
    contest = tournament(GAME, policies, 60, faults="count")
    for pairing, score in contest.scores.items():
        lost = [record for record in contest.store.records(pairing) if record.reason]
        blamed = [(record.players[record.result > 0], record.ending, record.reason) for record in lost]
        assert {(one.policy, one.ending, one.text): one.games for one in score.reasons} == Counter(blamed)
        firsts = {one: min(r.number for r, other in zip(lost, blamed, strict=True) if other == one) for one in blamed}
        assert {one[:3]: one.first for one in score.reasons} == firsts
        assert [one.first for one in score.reasons] == sorted(firsts.values())
        assert sum(one.games for one in score.reasons) == score.faults.sum() > 0
        assert score.turned.reasons == score.reasons


def test_reasons_do_not_depend_on_workers_and_come_back_from_the_store():
    policy = faulty.policy(GAME, "raises")
    here, there = (tournament(GAME, [policy], 60, against=["random"], faults="count", workers=workers) for workers in (1, 2))
    (stored,), (kept,) = here.store.scores(), there.scores.values()
    assert stored.reasons == kept.reasons != ()


def test_a_score_says_its_faults_and_the_first_reason():
    score = evaluate(faulty.broken, GAME, games=20, faults="count")
    words = "broken lost 20 of 20 games by an error. The first, game 0: raised ZeroDivisionError: the net is broken (faulty.py"
    assert words in str(score)
    [reason] = score.document()["reasons"]
    assert (reason["policy"], reason["games"]) == ("broken", 20)
    assert " by an error" not in str(evaluate("greedy", GAME, games=20))
