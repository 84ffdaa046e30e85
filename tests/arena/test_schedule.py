"""The schedule: pairings take turns, a part of each, and what is left is played."""

import numpy as np
import pytest

from ludus.arena.matches.settings import MatchSettings
from ludus.arena.planning.planning import make_plan
from ludus.arena.planning.schedule import FIRST, GROWTH, LARGEST, PATIENCE, SECONDS, Schedule

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


class Result:
    """So many games that took so long."""

    def __init__(self, games, seconds):
        self.numbers, self.seconds = np.arange(games), np.array([[seconds / 2, seconds / 2]])


SIZES = [  # games and seconds of the parts before, and the games of the next one
    ([(2, 0.1)], 2 * GROWTH),
    ([(2, 3.0)], 4),  # twice, where so many fit into the time
    ([(2, 1.0)], int(2 * SECONDS)),
    ([(4, 8.0)], 8),  # the first part says nothing of how parts grow
    ([(4, 8.0), (8, 16.0)], 8),  # as fast as before, and long enough
    ([(4, 8.0), (8, 9.0)], int(8 * PATIENCE / 9) // 2 * 2),  # cheaper together: as many as patience has time for
    ([(4, 4.0), (100, 100.0)], 30),  # too slow
    ([(LARGEST, 0.1)], LARGEST),
    ([(2, 1000.0), (2, 1000.0)], 2),
]


@pytest.mark.parametrize(("parts", "size"), SIZES)
def test_the_next_part_follows_from_the_time_of_the_last(parts, size):
    schedule = Schedule(PLAN, CAST, [dict.fromkeys(PLAN.pairings, np.arange(2 * LARGEST))])
    pairing, *_ = [schedule.next().pairing for _ in PLAN.pairings]
    for games, seconds in parts:
        schedule.learn(pairing, Result(games, seconds))
    assert len(schedule.next().numbers) == size
    assert len(schedule.next().numbers) == FIRST  # of another pairing
