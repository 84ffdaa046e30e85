"""`OnRay`: a Ray cluster plays, each job one of its tasks on one processor."""

from __future__ import annotations

import logging
import os
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...envs.native.threads import set_threads, thread_count
from ...envs.plugins import modules, named_beside
from ..matches.errors import no_user_here
from ..matches.games import Played
from ..matches.job import Job
from .engines import NextJob, Parcel, Task, task_of, work
from .packing import Packer
from .processes import plug_in_all, travelling


class OnRay:
    """The Ray cluster that this process is connected to; else the one of `RAY_ADDRESS`, or of this machine; else one for
    this machine that is started, and stopped in the end.

    The cluster's machines have Ludus installed. Modules of policies and games from outside are looked for in the same folders as
    here; other machines get them by Ray's `working_dir`.

    Args:
        workers: how many jobs are under way at a time; 1 for one on each processor of the cluster.

    Raises:
        ValueError: Ray is not installed.
    """

    def __init__(self, workers: int) -> None:
        self._ray, self._mine = connected(workers)
        self._workers = workers
        self._play: Any = self._ray.remote(num_cpus=1, max_retries=0)(play)
        self._packer = Packer()
        self._there: dict[bytes, Any] = {}
        self._busy: dict[Any, Task] = {}
        self._again: deque[Task] = deque()

    def run(self, next_job: NextJob) -> Iterator[tuple[Job, Played]]:
        ray = self._ray
        while True:
            self._hand_out(next_job)
            if not self._busy:
                return
            done = ray.wait([*self._busy])[0][0]
            task = self._busy.pop(done)
            try:
                played = ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from error
            except ray.exceptions.RayError as death:  # of the process, or its machine
                self._again.append(task.after(death))
                continue
            yield task.job, played

    def close(self) -> None:
        for reference in self._busy:
            self._ray.cancel(reference, force=True)
        self._busy = {}
        if self._mine:
            self._ray.shutdown()

    @property
    def _places(self) -> int:
        """How many jobs may be under way; a cluster can grow."""
        return self._workers if self._workers > 1 else int(self._ray.cluster_resources().get("CPU", 1))

    def _hand_out(self, next_job: NextJob) -> None:
        places = self._places
        while len(self._busy) < places:
            task = self._again.popleft() if self._again else task_of(next_job(), self._packer)
            if task is None:
                return
            job, packed, apart = task.parcel
            self._busy[self._play.remote(job, *map(self._put, packed), apart, surroundings())] = task

    def _put(self, packed: bytes) -> Any:
        """Where the cluster keeps a policy, once for all jobs."""
        if packed not in self._there:
            self._there[packed] = self._ray.put(packed)
        return self._there[packed]


def play(job: Job, a: bytes, b: bytes, apart: bool, of_caller: Surroundings) -> Played:
    """Plays a job, in a process of the cluster."""
    take_on(of_caller)
    try:
        return work(Parcel(job, (a, b), apart))
    except Exception as error:
        raise travelling(error).with_traceback(error.__traceback__) from None


class Surroundings(NamedTuple):
    """What a process of the cluster takes over from the process whose work it does.

    Args:
        path: the folders where modules are looked for.
        plugins: the modules whose games, policies and trainers it is to know.
        named: the modules that the user named, by the folder in which they were found.
    """

    path: list[str]
    plugins: list[str]
    named: dict[str, list[str]]


def surroundings() -> Surroundings:
    """Those of this process."""
    return Surroundings([str(Path(folder).absolute()) for folder in sys.path], modules(), named_beside())


def take_on(of_caller: Surroundings) -> None:
    """Prepares this process of the cluster for work on one processor, with the modules of the caller."""
    set_threads(1)
    no_user_here()
    sys.path += [folder for folder in of_caller.path if folder not in sys.path]  # last, so that they hide nothing that is here
    plug_in_all(of_caller.plugins, of_caller.named)


def connected(workers: int) -> tuple[Any, bool]:
    """Ray, connected to a cluster; and whether it was connected here, and so is to be let go.

    Args:
        workers: how many processors a cluster has that is started on this machine; 1 for as many as batches run on.

    Raises:
        ValueError: Ray is not installed.
    """
    try:
        import ray
        import ray.exceptions  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise ValueError("the engine 'ray' needs Ray, which is not installed: pip install ray") from None
    if ray.is_initialized():
        return ray, False
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # by default Ray tells its makers
    try:
        ray.init("auto", logging_level=logging.WARNING)
    except ConnectionError:
        processors = workers if workers > 1 else thread_count()
        ray.init("local", num_cpus=processors, include_dashboard=False, logging_level=logging.WARNING)
    return ray, True
