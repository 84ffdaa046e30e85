"""Jobs on their way to workers, and what a worker does with them."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from ...native.threads import thread_count
from ..matches.games import PlayedGames
from ..matches.job import Job, play_job
from .apart import Apart
from .here import Here
from .packing import Packer, unpack
from .pool import Call

KEPT = 8
"""How many policies that have processes of their own keep them from job to job, for each worker."""


class JobTask(NamedTuple):
    """A job for a pool: the policies are packed, and unpacked once a worker, not once a job.

    Args:
        job: what to play.
        packed: its policies.
    """

    job: Job
    packed: tuple[bytes, bytes]

    @classmethod
    def of(cls, job: Job, packer: Packer) -> JobTask:
        """The task of a job.

        Raises:
            ValueError: a policy cannot go to another process.
        """
        return cls(job._replace(policies=()), (packer.pack(job.policies[0]), packer.pack(job.policies[1])))  # pyright: ignore[reportArgumentType]

    def call(self, deaths: int) -> Call:
        """Plays the job. After a death its policies get processes of their own, so that the one that dies loses one game only."""
        return Call(play_packed, (self.job, deaths > 0), self.packed)

    def __str__(self) -> str:
        return f"games of {self.job.pairing}"


class SeparatePlayers:
    """Players in processes of their own, which are kept from job to job, the most recently used ones at least."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[bytes, float | None, bool], Apart] = OrderedDict()

    def of(self, packed: tuple[bytes, bytes], job: Job) -> tuple[Apart, Apart]:
        """The two players of a job, which have two processes even where the policies are the same."""
        keys = [(policy, job.move_time, number == 1 and policy == packed[0]) for number, policy in enumerate(packed)]
        names = (f"{name} in {job.pairing.game}" for name in (job.pairing.a, job.pairing.b))
        first, second = (
            self._kept.pop(key, None) or Apart(key[0], job.move_time, thread_count(), job.start_time, name)
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


def play_packed(job: Job, apart: bool, a: bytes, b: bytes) -> PlayedGames:
    """Plays a job.

    Args:
        job: without its policies.
        apart: whether each policy plays in a process of its own, as it does where there is a limit on time.
        a, b: the policies, packed.
    """
    policies = unpack(a), unpack(b)
    job = job._replace(policies=policies)
    if apart or job.move_time is not None:
        return play_job(job, _separate.of((a, b), job))
    return play_job(job, (Here(policies[0], job.ask_again), Here(policies[1], job.ask_again)))
