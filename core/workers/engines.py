"""Engines by name: processes of this machine, or of a Ray cluster. No result depends on which, or on how many workers there are."""

from __future__ import annotations

from typing import Any

from .. import specs
from ..numbers import whole
from .pool import Pool, ProcessPool

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
