"""Threads for batches: one pool a process, one setting for how many in all.

Kernels let go of the GIL, so a batch is cut into ranges that run side by side. Small batches run in the caller's
thread, and so does every single board: no thread is started that work does not pay for. A forked child
starts with a pool of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

_wanted: int | None = None
_pool: ThreadPoolExecutor | None = None


def available() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def threads() -> int:
    """How many threads a batch runs on: as set, or `LUDUS_THREADS`, or one a processor."""
    if _wanted is not None:
        return _wanted
    text = os.environ.get("LUDUS_THREADS", "")
    return max(1, int(text)) if text.isdecimal() else available()


def set_threads(count: int | None) -> None:
    """Sets how many threads batches run on in this process; None for one a processor.

    Raises:
        ValueError: fewer than one.
    """
    global _wanted
    if count is not None and count < 1:
        raise ValueError(f"batches run on 1 thread or more, not {count}")
    _wanted = count
    _forget_pool()


def in_ranges(work: Callable[[int, int], object], count: int, smallest: int = 1024) -> None:
    """Calls `work(lo, hi)` on ranges that together make 0 to count, side by side where it pays.

    Args:
        work: what to do; it must let go of the GIL to gain anything.
        count: how many items there are.
        smallest: how many items take about as long as waking a thread does, some fifty microseconds.
    """
    parts = min(threads(), count // smallest)
    if parts < 2:
        work(0, count)
        return
    bounds = [count * part // parts for part in range(parts + 1)]
    others = [_threads_pool().submit(work, lo, hi) for lo, hi in pairwise(bounds[1:])]
    work(bounds[0], bounds[1])
    for other in others:
        other.result()


def _threads_pool() -> ThreadPoolExecutor:
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(max(1, threads() - 1), thread_name_prefix="ludus")
    return _pool


def _forget_pool() -> None:
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)
