"""Worker processes that share calls among them, on this machine or on a Ray cluster, and the engines by name.

What plays games, trains and compiles kernels hands its work to a pool. A call whose process dies is made again in another one. No
result depends on the engine, or on how many processes there are.
"""

from __future__ import annotations

import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from .. import specs
from ..errors import declare_worker
from ..numbers import short_repr, whole
from ..plugins import modules
from ..plugins.loading import install_with
from ..threads import set_threads, thread_count
from .worker import Died, TooLate, Worker, close_all, make_picklable, plug_in_all, wait

ENGINES = ("local", "ray")
MOST_WORKERS = 100_000
ATTEMPTS = 3
"""After how many dead processes a call is given up."""

Arguments = tuple[Any, ...]
Starmap = Callable[[Callable[..., Any], Sequence[Arguments]], list[Any]]
"""Calls a function of an installed module with several tuples of arguments at the same time; returns the results in their order."""


class WorkerPool:
    """Processes of this machine, each with its share of the threads. They start when they are needed, and stay until
    `close`."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._free: list[Worker] = []
        self._busy = dict[Any, tuple[Arguments, int]]()

    @property
    def size(self) -> int:
        """How many calls may be under way."""
        return self._size

    def run(
        self,
        function: Callable[..., Any],
        calls: Iterable[Arguments | None],
        *,
        again: Callable[..., Any] | None = None,
        name: Callable[[Arguments], str] | None = None,
    ) -> Iterator[tuple[Arguments, Any]]:
        """Calls a function with each of several tuples of arguments, and gives each with its result when it is done, in any order.

        Args:
            function: a function of an installed module.
            calls: the arguments, each taken when a process is free; None where there are none before a result is back. Bytes among
                them reach a cluster once, in however many calls they come.
            again: what is called in its place after a process has died; None for the same.
            name: says of arguments what the work is, for a message; None for the function's name.

        Raises:
            ChildProcessError: ATTEMPTS processes have died of a call.
            Exception: what a call raised; the pool is to be closed then.
        """
        left, retries = iter(calls), deque[tuple[Arguments, int]]()
        while True:
            for _ in range(self.size - len(self._busy)):
                arguments, deaths = retries.popleft() if retries else (next(left, None), 0)
                if arguments is None:
                    break
                self._busy[self._start(again if again and deaths else function, arguments)] = arguments, deaths
            if not self._busy:
                return
            worker = self._wait()
            arguments, deaths = self._busy.pop(worker)
            try:
                result = self._result(worker)
            except TooLate:  # it had something to log, and is still at work
                self._busy[worker] = arguments, deaths
            except Died as death:
                if deaths + 1 == ATTEMPTS:
                    work = name(arguments) if name else function.__name__
                    raise ChildProcessError(
                        f"{ATTEMPTS} worker processes died of the same work, {work}; the last {death}"
                    ) from death
                retries.append((arguments, deaths + 1))
            else:
                yield arguments, result

    def starmap(self, function: Callable[..., Any], calls: Sequence[Arguments]) -> list[Any]:
        """The results of a function for several tuples of arguments, in their order; the errors are those of `run`."""
        numbered = ((number, function, arguments) for number, arguments in enumerate(calls))
        results = {number: result for (number, *_), result in self.run(_call, numbered, name=lambda _: function.__name__)}
        return [results[number] for number in range(len(calls))]

    def close(self) -> None:
        """Stops, whatever is under way."""
        close_all([*self._free, *self._busy])
        self._free, self._busy = [], {}

    def _start(self, function: Callable[..., Any], arguments: Arguments) -> Any:
        """Has a free worker make a call."""
        worker = self._free.pop() if self._free else Worker(max(1, thread_count() // self._size))
        worker.send(function, *arguments)
        return worker

    def _wait(self) -> Any:
        """Waits for one of the busy workers."""
        return wait(self._busy)[0]

    def _result(self, worker: Any) -> Any:
        """What its call returned or raised; the worker is free then. TooLate where there is nothing yet, Died where its process
        ended."""
        self._free.append(worker)
        try:
            return worker.reply(0)
        except TooLate:
            self._free.remove(worker)
            raise


def _call(number: int, function: Callable[..., Any], arguments: Arguments) -> Any:
    """Makes one of the calls of `starmap`, which come back with their numbers."""
    return function(*arguments)


# ---- Ray


class RayPool(WorkerPool):
    """The Ray cluster that this process is connected to; else the one of `RAY_ADDRESS`, or of this machine; else one for
    this machine that is started here, and stopped by `close`.

    The cluster's machines have Ludus installed. Modules of policies and games from outside are looked for in the same folders as
    here; other machines get them by Ray's `working_dir`.

    Args:
        workers: how many calls are under way at a time; 1 for one on each processor of the cluster.
        gpus: whether the workers share the cluster's GPUs; otherwise they see none.

    Raises:
        ValueError: Ray is not installed.
    """

    def __init__(self, workers: int, gpus: bool = False) -> None:
        super().__init__(workers)
        self._ray, self._started_here = connect(workers)
        share = min(1.0, self._ray.cluster_resources().get("GPU", 0) / self.size) if gpus else 0
        self._make: Any = self._ray.remote(num_cpus=1, num_gpus=share, max_retries=0)(make_call)
        self._stored: dict[bytes, Any] = {}

    @property
    def size(self) -> int:
        """How many calls may be under way; a cluster can grow."""
        return self._size if self._size > 1 else int(self._ray.cluster_resources().get("CPU", 1))

    def close(self) -> None:
        for reference in self._busy:
            self._ray.cancel(reference, force=True)
        self._busy = {}
        if self._started_here:
            self._ray.shutdown()

    def _start(self, function: Callable[..., Any], arguments: Arguments) -> Any:
        path = [str(Path(folder).absolute()) for folder in sys.path]
        sent = [self._put(argument) if isinstance(argument, bytes) else argument for argument in arguments]
        return self._make.remote(path, modules(), function, *sent)

    def _wait(self) -> Any:
        return self._ray.wait([*self._busy])[0][0]

    def _result(self, worker: Any) -> Any:
        try:
            return self._ray.get(worker)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self._ray.exceptions.RayError as death:  # of the process, or its machine
            raise Died(str(death)) from death

    def _put(self, argument: bytes) -> Any:
        """Where the cluster keeps an argument, once for all calls."""
        if argument not in self._stored:
            self._stored[argument] = self._ray.put(argument)
        return self._stored[argument]


def make_call(path: list[str], plugins: list[str], function: Any, *arguments: Any) -> Any:
    """Calls a function in this process of the cluster, on one processor.

    Args:
        path: the folders where the caller looks for modules.
        plugins: the modules whose games, policies and trainers it knows.
        function: what to call.
        arguments: what to call it with.
    """
    set_threads(1)
    declare_worker()
    sys.path += [folder for folder in path if folder not in sys.path]  # last, so that they hide nothing that is here
    plug_in_all(plugins)
    try:
        return function(*arguments)
    except Exception as error:
        raise make_picklable(error).with_traceback(error.__traceback__) from None


def connect(workers: int) -> tuple[Any, bool]:
    """Ray, connected to a cluster; and whether the connection was made here, and so is to be closed here.

    Args:
        workers: how many processors a cluster has that is started on this machine; 1 for as many as batches run on.

    Raises:
        ValueError: Ray is not installed.
    """
    try:
        import ray
        import ray.exceptions  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise ValueError(f"the engine 'ray' needs Ray, which is not installed; {install_with('ray')} brings it") from None
    if ray.is_initialized():
        return ray, False
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # by default Ray sends statistics to its makers
    try:
        ray.init("auto", logging_level=logging.WARNING)
    except ConnectionError:
        processors = workers if workers > 1 else thread_count()
        ray.init("local", num_cpus=processors, include_dashboard=False, logging_level=logging.WARNING)
    return ray, True


# ---- engines


def check_engine(name: str, workers: int) -> None:
    """Checks the name of an engine and its number of workers, before anything starts; ValueError where there is no such engine, or
    no worker."""
    if name not in ENGINES:
        raise ValueError(f"there is no engine {short_repr(name)}; {specs.nearest(name, ENGINES)}")
    whole(workers, "workers", 1, MOST_WORKERS)


def needs_pool(name: str, workers: int) -> bool:
    """Whether an engine has processes of its own; with one worker of this machine, this process does all by itself.

    Raises:
        ValueError: no such engine, or fewer workers than one.
    """
    check_engine(name, workers)
    return name == "ray" or workers > 1


def pool_of(name: str, workers: int, gpus: bool = False) -> WorkerPool | None:
    """The processes of an engine; None where it has none.

    Args:
        name: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        workers: how many processes; 1 for this one, and on Ray for one on each processor of the cluster.
        gpus: whether the workers of a cluster share its GPUs.

    Raises:
        ValueError: no such engine, fewer workers than one, or Ray is not installed.
    """
    if not needs_pool(name, workers):
        return None
    return WorkerPool(workers) if name == "local" else RayPool(workers, gpus)


@contextmanager
def starmap_on(engine: str, workers: int) -> Generator[Starmap]:
    """What calls functions on an engine, whose processes end with the block. The arguments and errors are those of `pool_of`; the
    workers of a cluster share its GPUs."""
    pool = pool_of(engine, workers, gpus=True)
    if pool is None:
        yield starmap_in_threads
    else:
        with closing(pool):
            yield pool.starmap


def starmap_in_threads(function: Callable[..., Any], calls: Sequence[Arguments]) -> list[Any]:
    """Calls a function in as many threads of this process as batches run on, since heavy work releases the GIL; raises what it
    raised."""
    with ThreadPoolExecutor(min(thread_count(), len(calls)), "ludus") as threads:
        return list(threads.map(function, *zip(*calls, strict=True)))
