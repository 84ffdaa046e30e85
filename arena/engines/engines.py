"""Engines: what plays jobs, in this process, in worker processes, or on a Ray cluster. No result depends on which, or how many."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from ...envs.settings import specs
from ...envs.settings.numbers import is_whole, shown
from ..matches.games import PlayedGames
from ..matches.job import Job, play_job
from ..matches.players import Player
from .here import Here
from .jobs import JobTask, SeparatePlayers
from .packing import Packer
from .pool import Pool, ProcessPool

ENGINES = ("local", "ray")
MOST_WORKERS = 100_000

NextJob = Callable[[], Job | None]
"""Gives the next job, when somebody is free to play it; None when there are no more."""


class Engine(Protocol):
    """What plays jobs."""

    def run(self, next_job: NextJob) -> Iterator[tuple[Job, PlayedGames]]:
        """Plays jobs until there are no more, and gives their games as they finish, in any order.

        Raises:
            ValueError: a policy cannot go to another process.
            ChildProcessError: processes die that have no policy in them.
        """
        ...

    def close(self) -> None:
        """Stops, whatever is under way."""
        ...


@contextmanager
def engine_of(name: str, workers: int) -> Generator[Engine]:
    """An engine for as long as it is needed.

    Args:
        name: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        workers: how many processes play; 1 for this one, and on Ray for one on each processor of the cluster.

    Raises:
        ValueError: no such engine, fewer workers than one, or Ray is not installed.
    """
    check_engine(name, workers)
    engine: Engine = InProcess() if (name, workers) == ("local", 1) else Pooled(pool_of(name, workers))
    try:
        yield engine
    finally:
        engine.close()


def pool_of(name: str, workers: int, gpus: bool = False) -> Pool[Any]:
    """A pool of processes.

    Args:
        name: "local" or "ray".
        workers: how many processes; 1 on Ray for one on each processor of the cluster.
        gpus: whether the workers of a cluster share its GPUs.

    Raises:
        ValueError: Ray is not installed.
    """
    if name == "local":
        return ProcessPool(workers)
    from .ray_pool import RayPool

    return RayPool(workers, gpus)


def check_engine(name: str, workers: int) -> None:
    """Checks the name of an engine and its number of workers, before anything starts.

    Raises:
        ValueError: no such engine, or fewer workers than one.
    """
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}; {specs.nearest(name, ENGINES)}")
    if not is_whole(workers, 1, MOST_WORKERS):
        raise ValueError(f"workers is {shown(workers)}; it must be a whole number from 1 to {MOST_WORKERS:,}")


class InProcess:
    """This process plays, one job after another."""

    def __init__(self) -> None:
        self._packer, self._separate = Packer(), SeparatePlayers()

    def run(self, next_job: NextJob) -> Iterator[tuple[Job, PlayedGames]]:
        while job := next_job():
            yield job, play_job(job, self._players(job))

    def close(self) -> None:
        self._separate.close()

    def _players(self, job: Job) -> tuple[Player, Player]:
        a, b = job.policies
        if job.move_time is None:
            return Here(a, job.ask_again), Here(b, job.ask_again)
        return self._separate.of((self._packer.pack(a), self._packer.pack(b)), job)


class Pooled:
    """A pool of processes plays.

    Args:
        pool: the processes.
    """

    def __init__(self, pool: Pool[Any]) -> None:
        self._pool, self._packer = pool, Packer()

    def run(self, next_job: NextJob) -> Iterator[tuple[Job, PlayedGames]]:
        def next_task() -> JobTask | None:
            job = next_job()
            return None if job is None else JobTask.of(job, self._packer)

        for task, played in self._pool.run(next_task):
            yield task.job, played

    def close(self) -> None:
        self._pool.close()
