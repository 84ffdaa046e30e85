"""Schedules the games of a plan: their order and the parts in which they are played. The games depend on neither."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.workers.pool import needs_pool
from ..engines.jobs import play_jobs
from ..matches.faults import Faults
from ..matches.games import Pairing, PlayedGames
from ..matches.job import Job, MatchStopped
from .plan import Plan
from .planning import Cast

FIRST, GROWTH, LARGEST = 2, 8, 4096
"""The games in a pairing's first part, the factor by which a part may exceed the one before, and the games in the largest."""
MANY = 256
"""The games in the first part if one process plays and parts are not stored."""
SECONDS, PATIENCE = 4.0, 30.0
"""The seconds that a part should take, and those that it may take. Large parts are faster, small ones are stored sooner."""
AT_ONCE = 4
"""The games of a part for each position that a policy answers at the same time: each policy is to move in half of them, and some
answers take longer than others."""
CHEAPER = 1.25
"""Parts grow further while each has at least this many times the games per second of the part before: networks, for example, answer
for many positions in nearly the time of one."""

GamesToPlay: TypeAlias = Mapping[Pairing, NDArray[np.int64]]
"""The numbers of games to play, by pairing, both of each opening."""


def play_plan(
    plan: Plan,
    cast: Cast,
    rounds: Iterable[GamesToPlay],
    *,
    workers: int = 1,
    engine: str = "local",
    stored: bool = True,
    faults: Faults = "raise",
) -> Iterator[tuple[Pairing, PlayedGames]]:
    """Plays games of a plan, part by part.

    Args:
        plan: the plan.
        cast: its policies.
        rounds: the games to play; each round is taken when the games of the one before are finished.
        workers: how many processes play; 1 for this one.
        engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        stored: whether each part is stored when it is finished, so that with small parts little is lost.
        faults: "raise" raises an error at a policy's first call; "count" counts it like every other fault.

    Raises:
        ValueError: there is no such value of `faults`, no such engine, or fewer workers than one.
        Exception: what a policy raised at its first call.
        Unavailable: a policy cannot go on; the finished games are yielded first.
    """
    schedule = Schedule(plan, cast, rounds, FIRST if needs_pool(engine, workers) or stored else MANY, faults)
    try:
        for job, played in play_jobs((schedule.next() for _ in count()), engine, workers):
            schedule.learn(job.pairing, played)
            yield job.pairing, played
    except MatchStopped as stop:
        if len(stop.played.numbers):
            yield stop.pairing, stop.played
        raise


class Schedule:
    """Chooses the next games: the pairings take turns, a part of each, so that early results cover all pairings."""

    def __init__(self, plan: Plan, cast: Cast, rounds: Iterable[GamesToPlay], first: int = FIRST, faults: Faults = "count") -> None:
        self._plan, self._cast, self._rounds = plan, cast, iter(rounds)
        self._left = deque[tuple[Pairing, NDArray[np.int64]]]()
        self._under_way = 0
        self._faults: Faults = faults
        self._uncalled = {*cast} if faults == "raise" else set[tuple[str, str]]()
        at_once = {pairing: max(cast[pairing.game, name].at_once for name in pairing[1:]) for pairing in plan.pairings}
        self._least = {pairing: min(AT_ONCE * number, LARGEST) if number > 1 else 2 for pairing, number in at_once.items()}
        self._sizes = {pairing: min(max(first, least), LARGEST) for pairing, least in self._least.items()}
        self._rates = dict.fromkeys(plan.pairings, 0.0)

    def next(self) -> Job | None:
        """The next part; None when there are no more, or none until parts that are under way are finished."""
        if not self._left and not self._under_way:
            self._left.extend((pairing, numbers) for pairing, numbers in next(self._rounds, {}).items() if len(numbers))
        if not self._left:
            return None
        self._under_way += 1
        pairing, numbers = self._left.popleft()
        size = self._sizes[pairing]
        if len(numbers) > size:
            self._left.append((pairing, numbers[size:]))
        a, b = (pairing.game, pairing.a), (pairing.game, pairing.b)
        raising = a in self._uncalled, b in self._uncalled
        self._uncalled -= {a, b}
        return Job(
            pairing=pairing,
            policies=(self._cast[a], self._cast[b]),
            numbers=numbers[:size],
            seed=self._plan.seed,
            settings=self._plan.settings_of(pairing.game, self._faults),
            raising=raising,
        )

    def learn(self, pairing: Pairing, played: PlayedGames) -> None:
        """Takes note that a part is finished, and sets the size of the pairing's next one by the time that it took."""
        self._under_way -= 1
        games, seconds = len(played.numbers), max(float(played.seconds.sum()), 1e-9)
        before, self._rates[pairing] = self._rates[pairing], games / seconds
        if 0 < CHEAPER * before < games / seconds:
            growth = PATIENCE / seconds
        elif before == 0 or seconds < SECONDS:
            growth = max(2.0, SECONDS / seconds)
        else:
            growth = min(1.0, PATIENCE / seconds)
        self._sizes[pairing] = max(self._least[pairing], int(min(games * min(growth, GROWTH), LARGEST)) // 2 * 2)
