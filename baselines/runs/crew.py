"""Crews: who does the work that a trainer hands out: threads of this process, worker processes, or a Ray cluster.

Work is a function of this package and its arguments. What comes back depends neither on who does it nor on how many they are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from ...arena.engines.engines import check_engine, pool_of
from ...arena.engines.pool import Call, Pool
from ...envs.native.threads import thread_count

Work = Callable[..., Any]


class Crew(Protocol):
    """Who does the work."""

    def each(self, work: Work, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Calls a function with each of several arguments, as many at the same time as there are workers.

        Raises:
            ChildProcessError: several processes died of it.
            Exception: what the function raised.
        """
        ...

    def close(self) -> None:
        """Stops, whatever is under way."""
        ...


@contextmanager
def crew_of(engine: str, workers: int) -> Generator[Crew]:
    """A crew for as long as it is needed.

    Args:
        engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        workers: how many processes; 1 for the threads of this one, and on Ray for one on each processor of the cluster. Where the
            cluster has GPUs, each worker has its share of one.

    Raises:
        ValueError: no such engine, fewer workers than one, or Ray is not installed.
    """
    check_engine(engine, workers)
    crew: Crew = Threads() if (engine, workers) == ("local", 1) else Processes(pool_of(engine, workers, gpus=True))
    try:
        yield crew
    finally:
        crew.close()


class Threads:
    """The threads of this process, as many as batches run on; heavy work releases the GIL."""

    def each(self, work: Work, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        with ThreadPoolExecutor(min(thread_count(), len(arguments)), "ludus") as team:
            return list(team.map(work, *zip(*arguments, strict=True)))

    def close(self) -> None:
        pass


class Processes:
    """Worker processes, of this machine or of a cluster.

    Args:
        pool: the processes.
    """

    def __init__(self, pool: Pool[Any]) -> None:
        self._pool = pool

    def each(self, work: Work, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        tasks = (_Piece(number, work, given) for number, given in enumerate(arguments))
        done = {piece.number: result for piece, result in self._pool.run(lambda: next(tasks, None))}
        return [done[number] for number in range(len(arguments))]

    def close(self) -> None:
        self._pool.close()


class _Piece(NamedTuple):
    """A call of the work, by its number."""

    number: int
    work: Work
    arguments: tuple[Any, ...]

    def call(self, deaths: int) -> Call:
        return Call(self.work, self.arguments)

    def __str__(self) -> str:
        return self.work.__name__
