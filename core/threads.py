"""How many threads this process may use: one setting for batches, search, and the workers that share them."""

from __future__ import annotations

import os
from collections.abc import Callable

from .numbers import is_whole, short_repr

MOST_THREADS = 4096
_wanted: int | None = None
_followers = list[Callable[[], None]]()


def available() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def thread_count() -> int:
    """How many threads a batch runs on: as set, or `LUDUS_THREADS`, or one a processor.

    Raises:
        ValueError: LUDUS_THREADS is no such number.
    """
    if _wanted is not None:
        return _wanted
    text = os.environ.get("LUDUS_THREADS", "").strip()
    if not text:
        return available()
    number = int(text) if text.isdecimal() and len(text) <= len(str(MOST_THREADS)) else 0
    if not is_whole(number, 1, MOST_THREADS):
        raise ValueError(f"LUDUS_THREADS is {short_repr(text)}; it is a whole number of threads, from 1 to {MOST_THREADS:,}")
    return number


def set_threads(count: int | None) -> None:
    """Sets how many threads batches run on in this process; None for one a processor.

    Raises:
        ValueError: it is not a whole number, or less than 1.
    """
    global _wanted
    if count is not None and not is_whole(count, 1, MOST_THREADS):
        raise ValueError(f"batches run on 1 thread or more, {MOST_THREADS:,} at most, not {short_repr(count)}")
    _wanted = None if count is None else int(count)
    for follower in _followers:
        follower()


def when_set(follower: Callable[[], None]) -> Callable[[], None]:
    """Calls a function whenever the number of threads is set, so that threads that run already make room for the new number."""
    _followers.append(follower)
    return follower
