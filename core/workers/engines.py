"""Engines by name: processes of this machine, or of a Ray cluster; and `Executor`, which does the same work on any of them.

No result depends on which engine it is, or on how many workers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from .. import specs
from ..numbers import whole
from ..threads import thread_count
from .pool import Call, ProcessPool, WorkerPool

ENGINES = ("local", "ray")
MOST_WORKERS = 100_000


def check_engine(name: str, workers: int) -> None:
    """Checks the name of an engine and its number of workers, before anything starts.

    Raises:
        ValueError: no such engine, or fewer workers than one.
    """
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}; {specs.nearest(name, ENGINES)}")
    whole(workers, "workers", 1, MOST_WORKERS)


def pool_of(name: str, workers: int, gpus: bool = False) -> WorkerPool[Any]:
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


class Executor:
    """Calls functions of installed modules with many arguments at the same time.

    Args:
        pool: worker processes, of this machine or of a cluster; None for the threads of this process, as many as batches run on,
            since heavy work releases the GIL.
    """

    def __init__(self, pool: WorkerPool[Any] | None = None) -> None:
        self._pool = pool

    def starmap(self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Calls a function with each of several tuples of arguments, and returns the results in their order.

        Raises:
            ChildProcessError: several processes died of a call.
            Exception: what the function raised.
        """
        if self._pool is None:
            with ThreadPoolExecutor(min(thread_count(), len(arguments)), "ludus") as threads:
                return list(threads.map(function, *zip(*arguments, strict=True)))
        tasks = (_NumberedCall(number, function, values) for number, values in enumerate(arguments))
        results = {task.number: result for task, result in self._pool.run(lambda: next(tasks, None))}
        return [results[number] for number in range(len(arguments))]


@contextmanager
def executor_of(engine: str, workers: int) -> Generator[Executor]:
    """An executor, whose workers end with the block.

    Args:
        engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
        workers: the number of processes; 1 for the threads of this one, and on Ray for one on each processor of the cluster. Where
            the cluster has GPUs, each worker has its share of one.

    Raises:
        ValueError: no such engine, no worker, or Ray is not installed.
    """
    check_engine(engine, workers)
    if (engine, workers) == ("local", 1):
        yield Executor()
    else:
        with closing(pool_of(engine, workers, gpus=True)) as pool:
            yield Executor(pool)


class _NumberedCall(NamedTuple):
    """One call of a function, by its number among all."""

    number: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def call(self, deaths: int) -> Call:
        return Call(self.function, self.arguments)

    def __str__(self) -> str:
        return self.function.__name__
