"""Faults are never silent: the first call's error is raised, every other fault is counted and said wherever results are."""

import json
import sys
import traceback
from collections import Counter

import cloudpickle
import numpy as np
import pytest

from ludus.arena import Tournament, as_policy, evaluate, grade, tournament
from ludus.arena.matches.faults import Reason, merge_reasons
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.store.store import Store
from ludus.envs import make_game

from ...helpers.outside import faulty

GAME = make_game("tictactoe")


@pytest.fixture(autouse=True, scope="module")
def _here_by_value():
    """Policies of this module go to other processes by value, where pytest's name for it means nothing."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def broken(states, keys):
    raise ZeroDivisionError("the net is broken")


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
        lambda: evaluate(broken, GAME, games=20),
        lambda: evaluate(broken, GAME, games=20, workers=2),
        lambda: evaluate(broken, GAME, games=20, move_time=60),
        lambda: evaluate(broken, GAME, games=20, workers=2, move_time=60),
        lambda: evaluate("random", GAME, against=broken, games=20),
        lambda: grade(broken, GAME, games=20),
        lambda: tournament(GAME, ["random", "greedy", broken], 4),
    ],
    ids=["here", "in a worker", "apart", "apart from a worker", "the opponent's", "a grade's", "a tournament's"],
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
        (faulty.Sleeps(GAME, seconds=0.05), "time", {"games": 2, "move_time": 0.01}),
        (broken, "error", {"faults": "count"}),
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


@pytest.fixture(scope="module")
def contest() -> Tournament:
    """A policy that raises for some positions, and one whose answers are no actions for some, against each other and random."""
    policies = ["random", as_policy(faulty.policy(GAME, "raises"), GAME), as_policy(faulty.policy(GAME, "none"), GAME)]
    return tournament(GAME, policies, 60, faults="count")


def test_every_reason_is_kept_with_how_many_games_it_ended(contest):
    for pairing, score in contest.scores.items():
        lost = [record for record in contest.store.records(pairing) if record.reason]
        blamed = [(record.players[record.result > 0], record.ending, record.reason) for record in lost]
        assert {(one.policy, one.ending, one.text): one.games for one in score.reasons} == Counter(blamed)
        firsts = {one: min(r.number for r, other in zip(lost, blamed, strict=True) if other == one) for one in blamed}
        assert {one[:3]: one.first for one in score.reasons} == firsts
        assert [one.first for one in score.reasons] == sorted(firsts.values())
        assert sum(one.games for one in score.reasons) == score.faults.sum() > 0
        assert score.turned.reasons == score.reasons


def test_reasons_do_not_depend_on_workers_and_come_back_from_the_store(tmp_path):
    policy = faulty.policy(GAME, "raises")
    here, there = (evaluate(policy, GAME, games=60, faults="count", workers=workers) for workers in (1, 2))
    assert here.reasons == there.reasons != ()
    kept = tournament(GAME, [policy], 60, against=["random"], faults="count", store=tmp_path / "x.sqlite", seed=0)
    assert Store.open(tmp_path / "x.sqlite").scores()[0].reasons == next(iter(kept.scores.values())).reasons == here.reasons


# ---- said


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working folder, with a module whose policy always raises."""
    (tmp_path / "mine_that_fails.py").write_text("def net(observations, masks):\n    raise TypeError('no tuple, please')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


WORDS = "lost 10 of 10 games by an error. The first, game 0: raised TypeError: no tuple, please (mine_that_fails.py, line 2)"


def test_a_score_says_its_faults_and_the_first_reason():
    score = evaluate(broken, GAME, games=20, faults="count")
    words = "broken lost 20 of 20 games by an error. The first, game 0: raised ZeroDivisionError: the net is broken (test_faults_"
    assert words in str(score)
    [reason] = json.loads(json.dumps(score.document()))["reasons"]
    assert (reason["policy"], reason["games"]) == ("broken", 20)
    assert " by an error" not in str(evaluate("greedy", GAME, games=20))


def test_the_commands_count_faults_and_say_them(run, document, here):
    spec = "python:mine_that_fails:net"
    arena = ("arena", "tictactoe", "--policies", "random", spec, "--games", 10)
    grading = ("grade", "tictactoe", "--policy", spec, "--games", 10)
    for command in ((*arena, "--store", "x.sqlite"), grading):
        status, out, _ = run(*command)
        assert (status, WORDS in " ".join(out.split())) == (0, True)
    assert WORDS.partition(" The first")[0] in (here / "x.html").read_text()
    for shown in (document(*arena, "--store", "y.sqlite")["pairs"][0], document(*grading)):
        assert [(one["policy"], one["games"]) for one in shown["reasons"]] == [(spec, 10)]
