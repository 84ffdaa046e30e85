"""The order in which the games of a plan are played, and in what parts; neither changes a game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..engines.engines import check_engine, engine_of
from ..matches.faults import Faults, check_faults
from ..matches.games import Pairing, PlayedGames
from ..matches.job import Job
from .plan import Plan
from .planning import Cast

FIRST, GROWTH, LARGEST = 2, 8, 4096
"""Games in a pairing's first part, by how much a part may grow over the one before, and games in the largest."""
MANY = 256
"""Games in the first part where one process plays and none is stored on the way."""
SECONDS, PATIENCE = 4.0, 30.0
"""How long a part should take, for many games at once are fast, and few are soon safe in the store; and how long it may."""
CHEAPER = 1.25
"""Parts grow further when one brings so many times the games a second of the part before: networks, for one, are asked about many
positions in nearly the time of one."""


def play_plan(
    plan: Plan,
    cast: Cast,
    missing: Callable[[Pairing], NDArray[np.int64]],
    *,
    workers: int = 1,
    engine: str = "local",
    stored: bool = True,
    faults: Faults = "raise",
) -> Iterator[tuple[Pairing, PlayedGames]]:
    """Plays what is missing of a plan, part by part.

    Args:
        plan: what to play.
        cast: its policies.
        missing: the numbers of a pairing's games that are to be played, both of each opening among them.
        workers: how many processes play; 1 for this one.
        engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        stored: whether each part is stored when it is over, so that small ones lose little.
        faults: "raise" raises an error at a policy's first call; "count" counts it like every other fault.

    Raises:
        ValueError: `faults` is neither; no such engine, or fewer workers than one.
        Exception: what a policy raised at its first call.
    """
    check_faults(faults)
    check_engine(engine, workers)
    schedule = Schedule(plan, cast, missing, FIRST if stored or workers > 1 else MANY, raising=faults == "raise")
    with engine_of(engine, workers) as running:
        for job, played in running.run(schedule.next):
            schedule.learn(job.pairing, played)
            yield job.pairing, played


class Schedule:
    """Takes the pairings in turn, a part of each, so that all are known a little before one is known well."""

    def __init__(
        self,
        plan: Plan,
        cast: Cast,
        missing: Callable[[Pairing], NDArray[np.int64]],
        first: int = FIRST,
        raising: bool = False,
    ) -> None:
        self._plan, self._cast = plan, cast
        self._unasked = {*cast} if raising else set[tuple[str, str]]()
        left = ((pairing, missing(pairing)) for pairing in plan.pairings)
        self._left = deque((pairing, numbers) for pairing, numbers in left if len(numbers))
        self._sizes = dict.fromkeys(plan.pairings, min(first, LARGEST))
        self._rates = dict.fromkeys(plan.pairings, 0.0)

    def next(self) -> Job | None:
        """The next part; None when all are given out."""
        if not self._left:
            return None
        pairing, numbers = self._left.popleft()
        size = self._sizes[pairing]
        if len(numbers) > size:
            self._left.append((pairing, numbers[size:]))
        a, b = (pairing.game, pairing.a), (pairing.game, pairing.b)
        raising = a in self._unasked, b in self._unasked
        self._unasked -= {a, b}
        plan, policies = self._plan, (self._cast[a], self._cast[b])
        plies = plan.opening_plies[pairing.game]
        return Job(pairing, policies, numbers[:size], plan.seed, plies, plan.move_time, plan.ask_again, raising, plan.start_time)

    def learn(self, pairing: Pairing, played: PlayedGames) -> None:
        """Looks how long a part took and sets the size of the next."""
        games, seconds = len(played.numbers), max(float(played.seconds.sum()), 1e-9)
        before, self._rates[pairing] = self._rates[pairing], games / seconds
        if 0 < CHEAPER * before < games / seconds:
            growth = PATIENCE / seconds
        elif before == 0 or seconds < SECONDS:
            growth = max(2.0, SECONDS / seconds)
        else:
            growth = min(1.0, PATIENCE / seconds)
        self._sizes[pairing] = max(2, int(min(games * min(growth, GROWTH), LARGEST)) // 2 * 2)
