"""Plays jobs: in this process, in worker processes, or on a Ray cluster. No result depends on which, or how many."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import closing

from ...core.threads import thread_count
from ...core.workers.engines import pool_of
from ...core.workers.pool import Pool
from ..matches.games import PlayedGames
from ..matches.job import Job, play_job
from ..matches.players import Player
from ..matches.settings import MatchSettings
from .local_player import LocalPlayer
from .packing import Packer, unpack
from .separate_player import SeparatePlayer

KEPT = 8
"""How many policies of each worker keep their processes from job to job."""

NextJob = Callable[[], Job | None]
"""Gives the next job, when there is a process free to play it; None when there are no more."""


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
    pool = pool_of(engine, workers)
    return _play_here(next_job) if pool is None else play_in(pool, next_job)


def play_in(pool: Pool, next_job: NextJob) -> Iterator[tuple[Job, PlayedGames]]:
    """Plays jobs in the processes of a pool, which is closed at the end. The jobs come back without their policies."""
    packer = Packer()
    calls = ((job._replace(policies=()), *map(packer.pack, job.policies)) for job in iter(next_job, None))  # pyright: ignore[reportArgumentType]
    with closing(pool):
        for (job, *_), played in pool.run(play_packed, calls, again=play_apart, name=lambda call: f"games of {call[0].pairing}"):
            yield job, played


def _play_here(next_job: NextJob) -> Iterator[tuple[Job, PlayedGames]]:
    """Plays one job after another in this process, with policies in processes of their own if there is a limit on time."""
    packer = Packer()
    with closing(SeparatePlayers()) as separate:
        while job := next_job():
            a, b = job.policies
            players: tuple[Player, Player] = LocalPlayer(a, job.settings.ask_again), LocalPlayer(b, job.settings.ask_again)
            if job.settings.move_time is not None:
                players = separate.of((packer.pack(a), packer.pack(b)), job)
            yield job, play_job(job, players)


class SeparatePlayers:
    """Players in processes of their own. Those used most recently are kept for the next job."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[bytes, MatchSettings, bool], SeparatePlayer] = OrderedDict()

    def of(self, packed: tuple[bytes, bytes], job: Job) -> tuple[SeparatePlayer, SeparatePlayer]:
        """The two players of a job, which have two processes even where the policies are the same."""
        keys = [(policy, job.settings, number == 1 and policy == packed[0]) for number, policy in enumerate(packed)]
        names = (f"{name} in {job.pairing.game}" for name in (job.pairing.a, job.pairing.b))
        first, second = (
            self._kept.pop(key, None) or SeparatePlayer(key[0], job.settings, thread_count(), name)
            for key, name in zip(keys, names, strict=True)
        )
        self._kept.update(zip(keys, (first, second), strict=True))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)[1].close()
        return first, second

    def close(self) -> None:
        """Ends all processes."""
        while self._kept:
            self._kept.popitem()[1].close()


# ---- in the worker

_separate = SeparatePlayers()


def play_packed(job: Job, a: bytes, b: bytes) -> PlayedGames:
    """Plays a job that came without its policies.

    Args:
        job: the job.
        a, b: its policies, packed.
    """
    if job.settings.move_time is not None:
        return play_apart(job, a, b)
    policies = unpack(a), unpack(b)
    players = LocalPlayer(policies[0], job.settings.ask_again), LocalPlayer(policies[1], job.settings.ask_again)
    return play_job(job._replace(policies=policies), players)


def play_apart(job: Job, a: bytes, b: bytes) -> PlayedGames:
    """Plays such a job with its policies in processes of their own, so that one that dies or takes too long loses one game only."""
    return play_job(job._replace(policies=(unpack(a), unpack(b))), _separate.of((a, b), job))
