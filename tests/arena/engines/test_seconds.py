"""How long policies thought: the time of a batch is divided among its rows, and counted for the policy that took it."""

import numpy as np
import pytest

import ludus
from ludus.agents import FunctionPolicy
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.players import Player
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.ratings.score import Score

GAME = ludus.make_game("tictactoe")


@pytest.fixture
def clock(monkeypatch):
    """The time, which passes only when a policy thinks."""
    now = [0.0]
    monkeypatch.setattr("ludus.arena.matches.players.perf_counter", lambda: now[0])
    return now


def thinking(clock, seconds, title, fails=lambda states: False):
    """A policy that thinks so long for each batch, and sometimes fails then."""

    def act(states, keys):
        clock[0] += seconds
        if fails(states):
            raise ValueError("no idea")
        return GAME.masks(states).argmax(1)

    return FunctionPolicy(GAME, function=act, title=title)


def ask(policy, count, **how):
    player = Player(policy, count, MatchSettings(**how))
    return player.act(np.repeat(GAME.start[None], count, 0), np.arange(count, dtype=np.uint64), np.arange(count))


@pytest.mark.parametrize("count", [1, 4, 10])
def test_the_time_of_a_batch_is_divided_among_its_rows(clock, count):
    assert ask(thinking(clock, 8.0, "slow"), count).seconds.tolist() == [8.0 / count] * count


def test_the_time_of_a_failure_is_divided_too_and_asking_again_takes_its_own(clock):
    failing = thinking(clock, 8.0, "slow", lambda states: True)
    assert ask(failing, 4, ask_again=False).seconds.tolist() == [2.0] * 4
    assert ask(failing, 4, ask_again=True).seconds.tolist() == [8.0] * 4
    assert len(ask(failing, 4, ask_again=True).faults) == 4


def test_a_match_counts_the_time_of_each_policy_and_seat(clock):
    policies = thinking(clock, 8.0, "a"), thinking(clock, 2.0, "b")
    job = Job(Pairing("tictactoe", "a", "b"), policies, np.arange(4), 0, MatchSettings(0))
    played = play_job(job)
    score = Score.of(job.pairing, played)
    a, b = score.seconds.tolist()
    assert (a % 8, b % 2) == (0, 0)
    assert a + b == pytest.approx(clock[0])
    assert score.moves.sum() == played.moves.sum() == played.plies.sum()
    for row, number in enumerate(played.numbers):  # all play the first legal action, two games a batch: half of its time each
        mine, other = played.moves[row][[number % 2, 1 - number % 2]]
        assert played.seconds[row][[number % 2, 1 - number % 2]].tolist() == [mine * 4.0, other * 1.0]
    assert score.seconds_a_move == (4.0, 1.0)
    assert score.turned.seconds_a_move == (1.0, 4.0)
