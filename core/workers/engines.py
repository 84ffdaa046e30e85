"""Engines by name: this process with its threads, worker processes of this machine, or those of a Ray cluster.

No result depends on which engine it is, or on how many workers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any

from .. import specs
from ..numbers import short_repr, whole
from ..threads import thread_count
from .pool import Arguments, WorkerPool

ENGINES = ("local", "ray")
MOST_WORKERS = 100_000

Starmap = Callable[[Callable[..., Any], Sequence[Arguments]], list[Any]]
"""Calls a function of an installed module with several tuples of arguments at the same time; returns the results in their order."""


def check_engine(name: str, workers: int) -> None:
    """Checks the name of an engine and its number of workers, before anything starts.

    Raises:
        ValueError: no such engine, or fewer workers than one.
    """
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
    if name == "local":
        return WorkerPool(workers)
    from .ray_pool import RayPool

    return RayPool(workers, gpus)


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
    """Calls a function in as many threads of this process as batches run on, since heavy work releases the GIL.

    Raises:
        Exception: what the function raised.
    """
    with ThreadPoolExecutor(min(thread_count(), len(calls)), "ludus") as threads:
        return list(threads.map(function, *zip(*calls, strict=True)))
