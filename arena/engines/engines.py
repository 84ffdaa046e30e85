"""Engines: what plays jobs, in this process, in worker processes, or on a Ray cluster. No result depends on which, or how many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from ...core import specs
from ...core.numbers import whole
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
"""Gives the next job, when there is a process free to play it; None when there are no more."""


def check_engine(name: str, workers: int) -> None:
    """Checks the name of an engine and its number of workers, before anything starts.

    Raises:
        ValueError: no such engine, or fewer workers than one.
    """
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}; {specs.nearest(name, ENGINES)}")
    whole(workers, "workers", 1, MOST_WORKERS)


def play_jobs(next_job: NextJob, engine: str = "local", workers: int = 1) -> Iterator[tuple[Job, PlayedGames]]:
    """Plays jobs until there are no more, and gives their games as they finish, in any order.

    Args:
        next_job: gives the jobs.
        engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        workers: how many processes play; 1 for this one, and on Ray for one on each processor of the cluster.

    Raises:
        ValueError: no such engine, fewer workers than one, Ray is not installed, or a policy cannot go to another process.
        ChildProcessError: processes die that have no policy in them.
    """
    check_engine(engine, workers)
    return _play_here(next_job) if (engine, workers) == ("local", 1) else play_in(pool_of(engine, workers), next_job)


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


def play_in(pool: Pool[Any], next_job: NextJob) -> Iterator[tuple[Job, PlayedGames]]:
    """As `play_jobs`, in the processes of a pool, which is closed at the end. The jobs come back without their policies."""
    packer = Packer()

    def next_task() -> JobTask | None:
        job = next_job()
        return None if job is None else JobTask.of(job, packer)

    with closing(pool):
        for task, played in pool.run(next_task):
            yield task.job, played


def _play_here(next_job: NextJob) -> Iterator[tuple[Job, PlayedGames]]:
    """Plays one job after another in this process, with policies in processes of their own if there is a limit on time."""
    packer = Packer()
    with closing(SeparatePlayers()) as separate:
        while job := next_job():
            a, b = job.policies
            players: tuple[Player, Player] = Here(a, job.ask_again), Here(b, job.ask_again)
            if job.move_time is not None:
                players = separate.of((packer.pack(a), packer.pack(b)), job)
            yield job, play_job(job, players)
