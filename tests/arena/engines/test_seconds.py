"""How long policies thought: the time of a batch is divided among its rows, and counted for the policy that took it."""

import numpy as np
import pytest

import ludus
from ludus.agents import FunctionPolicy
from ludus.arena import time_moves
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.players import Player
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.ratings.score import Score

GAME = ludus.make_game("tictactoe")
OTHELLO = ludus.make_game("othello:size=4")


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


# ---- `time_moves`: processor time for a move, alone and in batches


def test_each_policy_is_asked_about_the_same_positions_once_in_batches_of_each_size():
    asked = []

    def noting(states, keys):
        asked.append((states.copy(), keys.copy()))
        return OTHELLO.masks(states).argmax(1)

    def also(states, keys):
        return noting(states, keys)

    measured = time_moves([noting, also], OTHELLO, batches=(1, 64), seconds=60)
    assert [*measured.times] == ["noting", "also"]
    assert [(each.batch, each.moves) for each in measured.times["noting"]] == [(1, 256), (64, 256)]
    half = len(asked) // 2
    assert half == 1 + 256 + 1 + 4
    for one, other in zip(asked[:half], asked[half:], strict=True):
        assert all(map(np.array_equal, one, other))
    alone, together = (np.concatenate([states for states, _ in part]) for part in (asked[1:257], asked[258:half]))
    assert np.array_equal(alone, together)
    assert len(np.unique(alone, axis=0)) > 100
    assert all(OTHELLO.outcome(state) is None for state in alone)


def test_the_command_prints_a_table_or_json(document, run):
    words = "bench", "policies", "--game", "nim", "--seconds", "0.01", "--policies", "random", "nim_sum"
    told = document(*words)
    assert (told["game"], [*told["policies"]]) == ("nim", ["random", "nim_sum"])
    assert all(each["processor"] > 0 and each["clock"] > 0 for times in told["policies"].values() for each in times)
    assert "µs of processor a move" in run(*words)[1]
