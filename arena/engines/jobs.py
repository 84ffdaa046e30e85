"""Plays jobs: in this process, in worker processes, or on a Ray cluster. No result depends on which, or how many."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace

from ...agents.policy import Policy
from ...core.workers.pool import WorkerPool, pool_of
from ...core.workers.worker import Worker, close_all
from ..matches.games import PlayedGames
from ..matches.job import Job, play_job
from ..matches.settings import MatchSettings
from .packing import pack_once, unpack
from .remote import RemotePolicy

MOST_PROCESSES = 8
"""How many policies of each process that plays keep their own processes from job to job: starting one takes seconds."""

Processes = OrderedDict[tuple[bytes, MatchSettings, bool], RemotePolicy]
"""Policies in processes of their own, those used last at the end: by what was packed, how games are played, and whether each is
the second of two that are the same."""


def play_jobs(jobs: Iterable[Job | None], engine: str = "local", workers: int = 1) -> Iterator[tuple[Job, PlayedGames]]:
    """Plays jobs, and gives their games as they finish, in any order.

    Args:
        jobs: the jobs, each taken when there is a process free to play it; None where there is none before another is finished.
        engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        workers: how many processes play; 1 for this one, and on Ray for one on each processor of the cluster.

    Raises:
        ValueError: no such engine, fewer workers than one, Ray is not installed, or a policy cannot go to another process.
        ChildProcessError: processes die that have no policy in them.
    """
    pool = pool_of(engine, workers)
    if pool is not None:
        yield from play_in(pool, jobs)
        return
    pack, processes = pack_once(), Processes()
    try:
        for job in jobs:
            if job is None:  # nothing else is under way
                break
            if job.settings.limits_time:
                yield job, _play_apart(job, (pack(job.policies[0]), pack(job.policies[1])), processes)
            else:
                yield job, play_job(job)
    finally:
        close_all(policy.worker for policy in processes.values())


def play_in(pool: WorkerPool, jobs: Iterable[Job | None]) -> Iterator[tuple[Job, PlayedGames]]:
    """Plays jobs in the processes of a pool, which is closed at the end. The jobs come back without their policies."""
    pack = pack_once()
    calls = (job and (job._replace(policies=()), *map(pack, job.policies)) for job in jobs)  # pyright: ignore[reportArgumentType]
    with closing(pool):
        for (job, *_), played in pool.run(play_packed, calls, again=play_apart, name=lambda call: f"games of {call[0].pairing}"):
            yield job, played


def _play_apart(job: Job, packed: tuple[bytes, bytes], processes: Processes) -> PlayedGames:
    """Plays a job with each policy in a process of its own, even where both are the same. Processes are kept for the next job."""
    players = list[Policy]()
    for policy, name, content, raising in zip(job.policies, job.pairing[1:], packed, job.raising, strict=True):
        key = content, job.settings, bool(players) and content == packed[0]
        remote = processes.pop(key, None) or RemotePolicy(
            policy.game,
            title=name,
            worker=Worker(),
            packed=content,
            sees_moves=policy.sees_moves,
            settings=job.settings,
        )
        processes[key] = remote
        players.append(replace(remote, title=name, raising=raising))
    while len(processes) > MOST_PROCESSES:
        processes.popitem(last=False)[1].worker.close()
    return play_job(job._replace(policies=tuple(players), one_by_one=True))


# ---- in the worker

_processes = Processes()


def play_packed(job: Job, a: bytes, b: bytes) -> PlayedGames:
    """Plays a job that came without its policies, which are packed."""
    if job.settings.limits_time:
        return play_apart(job, a, b)
    return play_job(job._replace(policies=(unpack(a), unpack(b))))


def play_apart(job: Job, a: bytes, b: bytes) -> PlayedGames:
    """Plays such a job with its policies in processes of their own, so that one that dies or takes too long loses one game only."""
    return _play_apart(job._replace(policies=(unpack(a), unpack(b))), (a, b), _processes)
