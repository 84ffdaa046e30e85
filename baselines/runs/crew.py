"""`Crew`: does the work that a trainer hands out, in threads of this process, in worker processes, or on a Ray cluster.

Work is a function of this package and its arguments. The results depend neither on who does it nor on how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from ...core.threads import thread_count
from ...core.workers.engines import check_engine, pool_of
from ...core.workers.pool import Call, Pool

Work = Callable[..., Any]


class Crew:
    """Does several pieces of work at the same time.

    Args:
        pool: worker processes, of this machine or of a cluster; None for the threads of this process, as many as batches run on,
            since heavy work releases the GIL.
    """

    def __init__(self, pool: Pool[Any] | None = None) -> None:
        self._pool = pool

    def each(self, work: Work, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Calls a function with each of several arguments, and returns the results in their order.

        Raises:
            ChildProcessError: several processes died of it.
            Exception: what the function raised.
        """
        if self._pool is None:
            with ThreadPoolExecutor(min(thread_count(), len(arguments)), "ludus") as team:
                return list(team.map(work, *zip(*arguments, strict=True)))
        tasks = (_Piece(number, work, given) for number, given in enumerate(arguments))
        done = {piece.number: result for piece, result in self._pool.run(lambda: next(tasks, None))}
        return [done[number] for number in range(len(arguments))]


@contextmanager
def crew_of(engine: str, workers: int) -> Generator[Crew]:
    """A crew for as long as it is needed.

    Args:
        engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        workers: the number of processes; 1 for the threads of this one, and on Ray for one on each processor of the cluster. Where
            the cluster has GPUs, each worker has its share of one.

    Raises:
        ValueError: no such engine, no worker, or Ray is not installed.
    """
    check_engine(engine, workers)
    if (engine, workers) == ("local", 1):
        yield Crew()
    else:
        with closing(pool_of(engine, workers, gpus=True)) as pool:
            yield Crew(pool)


class _Piece(NamedTuple):
    """A call of the work, by its number."""

    number: int
    work: Work
    arguments: tuple[Any, ...]

    def call(self, deaths: int) -> Call:
        return Call(self.work, self.arguments)

    def __str__(self) -> str:
        return self.work.__name__
