"""Engines: what plays jobs, in this process, in worker processes, or on a Ray cluster. No result depends on which, or how many."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from ...envs.native.threads import thread_count
from ...envs.settings import specs
from ...envs.settings.numbers import is_whole, shown
from ..matches.games import Played
from ..matches.job import Job, play_job
from ..matches.players import Player
from .apart import Apart
from .here import Here
from .packing import Packer, unpack
from .processes import Died, Helper, TooLate, close_all, wait

ENGINES = ("local", "ray")
MOST_WORKERS = 100_000
KEPT = 8
"""How many policies that have processes of their own keep them from job to job, for each worker."""
ATTEMPTS = 3
"""How often a job may take its worker with it."""

NextJob = Callable[[], Job | None]
"""Gives the next job, when there is somebody free to play it; None when there are no more."""


class Engine(Protocol):
    """What plays jobs."""

    def run(self, next_job: NextJob) -> Iterator[tuple[Job, Played]]:
        """Plays jobs until there are no more, and gives their games as they finish, in any order.

        Raises:
            ValueError: a policy cannot go to another process.
            ChildProcessError: processes die that have no policy in them.
        """
        ...

    def close(self) -> None:
        """Leaves off, whatever is under way."""
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
    if name == "ray":
        from .on_ray import OnRay

        engine: Engine = OnRay(workers)
    else:
        engine = Alone() if workers == 1 else Workers(workers)
    try:
        yield engine
    finally:
        engine.close()


def check_engine(name: str, workers: int) -> None:
    """Looks whether there is such an engine, before anything is begun.

    Raises:
        ValueError: no such engine, or fewer workers than one.
    """
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}; {specs.nearest(name, ENGINES)}")
    if not is_whole(workers, 1, MOST_WORKERS):
        raise ValueError(f"games are played by 1 worker or more, {MOST_WORKERS:,} at most, not {shown(workers)}")


class Task(NamedTuple):
    """A job on its way to a worker.

    Args:
        job: what to play.
        packed: its policies.
        deaths: how many workers have died of it. After the first, its policies get processes of their own, so that
            the one that dies loses a game and nothing else.
    """

    job: Job
    packed: tuple[bytes, bytes]
    deaths: int = 0

    @property
    def parcel(self) -> Parcel:
        """What the worker gets."""
        return Parcel(self.job._replace(policies=()), self.packed, self.deaths > 0)  # pyright: ignore[reportArgumentType]

    def after(self, death: Exception) -> Task:
        """The task for another attempt, a worker having died.

        Raises:
            ChildProcessError: there have been enough.
        """
        if self.deaths + 1 == ATTEMPTS:
            raise ChildProcessError(f"{ATTEMPTS} worker processes that played {self.job.pairing} died; the last {death}") from death
        return self._replace(deaths=self.deaths + 1)


class Parcel(NamedTuple):
    """A job as it travels: the policies are packed, and come out of it once a worker, not once a job."""

    job: Job
    packed: tuple[bytes, bytes]
    apart: bool


class Players:
    """The players of jobs. Those in processes of their own are kept for the jobs to come, the last ones at least."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[bytes, float | None, bool], Apart] = OrderedDict()

    def apart(self, packed: tuple[bytes, bytes], job: Job) -> tuple[Apart, Apart]:
        """Two policies of a job in processes of their own, which are two even where the policies are one."""
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
        for player in self._kept.values():
            player.close()
        self._kept.clear()


class Alone:
    """This process plays, one job after another."""

    def __init__(self) -> None:
        self._packer = Packer()
        self._players = Players()

    def run(self, next_job: NextJob) -> Iterator[tuple[Job, Played]]:
        while job := next_job():
            yield job, play_job(job, self._seated(job))

    def close(self) -> None:
        self._players.close()

    def _seated(self, job: Job) -> tuple[Player, Player]:
        a, b = job.policies
        if job.move_time is None:
            return Here(a, job.ask_again), Here(b, job.ask_again)
        return self._players.apart((self._packer.pack(a), self._packer.pack(b)), job)


class Workers:
    """Worker processes play, each its share of the threads.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        self._count, self._threads = count, max(1, thread_count() // count)
        self._packer = Packer()
        self._free: list[Helper] = []
        self._busy: dict[Helper, Task] = {}
        self._again: deque[Task] = deque()

    def run(self, next_job: NextJob) -> Iterator[tuple[Job, Played]]:
        while True:
            self._hand_out(next_job)
            if not self._busy:
                return
            done = wait(self._busy)[0]
            task = self._busy.pop(done)
            self._free.append(done)
            try:
                played = done.reply(0)
            except TooLate:  # it had something to log, and is still at work
                self._busy[self._free.pop()] = task
                continue
            except Died as death:
                self._free.pop()
                self._again.append(task.after(death))
                continue
            yield task.job, played

    def close(self) -> None:
        close_all([*self._free, *self._busy])
        self._free, self._busy = [], {}

    def _hand_out(self, next_job: NextJob) -> None:
        while len(self._busy) < self._count:
            task = self._again.popleft() if self._again else task_of(next_job(), self._packer)
            if task is None:
                return
            helper = self._free.pop() if self._free else Helper(self._threads)
            self._busy[helper] = task
            helper.send(work, task.parcel)


def task_of(job: Job | None, packer: Packer) -> Task | None:
    """A job, its policies packed."""
    if job is None:
        return None
    a, b = job.policies
    return Task(job, (packer.pack(a), packer.pack(b)))


# ---- in the worker

_players = Players()


def work(parcel: Parcel) -> Played:
    """Plays a job."""
    a, b = policies = unpack(parcel.packed[0]), unpack(parcel.packed[1])
    job = parcel.job._replace(policies=policies)
    if job.move_time is None and not parcel.apart:
        return play_job(job, (Here(a, job.ask_again), Here(b, job.ask_again)))
    return play_job(job, _players.apart(parcel.packed, job))
