"""`Watch`: follows, limits and stops a long search while compiled code runs.

The kernel and Python share an array of four words. The kernel counts its nodes there and stops when the count passes the limit;
to stop it early, Python sets the limit below 0.

    0 NODES   nodes visited so far
    1 LIMIT   how many nodes it may visit
    2 DONE    progress so far, in whatever the search counts (root moves, layers)
    3 TOTAL   the progress at which it is done; 0 where it cannot say
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import Annotated, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.numbers import LONGEST, Range, seconds_of, whole
from ..games.kernels.arrays import Numbers

NODES, LIMIT, DONE, TOTAL = range(4)
UNLIMITED = 2**62
REPORT_SECONDS = 0.1
QUICK_NODES = 100_000
"""A search of this many nodes at most takes no thread of its own: most take less time than starting one."""
MOST_SEARCHERS = 1024
"""Searches at a time, more than a process ever has."""
T = TypeVar("T")
Seconds: TypeAlias = Annotated[float, Range(above=0, most=LONGEST)]
"""A limit of time."""


def visit(watch: Numbers) -> bool:
    """Counts a node; returns whether the search must stop, and its result means nothing."""
    watch[NODES] += 1
    return watch[NODES] > watch[LIMIT]


class Stopped(Exception):
    """A limit of a watch was reached before the answer."""


class Watch:
    """Limits of a search, and its progress.

    Args:
        nodes: how many nodes it may visit; None for no limit.
        seconds: how long it may run from now on; None for no limit.
        report: called every tenth of a second, and when the search is over, with this watch.
        words: the words shared with the kernel (4,), int64.

    Raises:
        ValueError: a limit that is not above 0.
    """

    def __init__(
        self, nodes: int | None = None, seconds: float | None = None, report: Callable[[Watch], object] | None = None
    ) -> None:
        limit = UNLIMITED if nodes is None else whole(nodes, "nodes", 1)
        seconds = None if seconds is None else seconds_of(seconds, "seconds")
        self.words: NDArray[np.int64] = np.array([0, limit, 0, 0], np.int64)
        self.began = time.perf_counter()
        self._end = None if seconds is None else self.began + seconds
        self._report = report

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""
        return int(self.words[NODES])

    @property
    def seconds(self) -> float:
        """Seconds since the watch was made."""
        return time.perf_counter() - self.began

    @property
    def fraction(self) -> float | None:
        """The fraction done, 0 to 1; None where the search does not know."""
        return float(self.words[DONE] / self.words[TOTAL]) if self.words[TOTAL] else None

    @property
    def stopped(self) -> bool:
        """Whether the search had to stop."""
        return bool(self.words[NODES] > self.words[LIMIT])

    def stop(self) -> None:
        """Makes the search stop at its next node."""
        self.words[LIMIT] = -1

    def run(self, work: Callable[[], T], *, short: bool = False) -> T:
        """Runs work with kernels in another thread, so that time limits and Ctrl-C reach it; returns its result.

        Work without a time limit runs in the caller's thread where it is known to be short, where a limit on nodes keeps it short,
        and where Ctrl-C does not reach it, since it is not the main one.
        """
        if self._end is None and self._report is None and (short or self.words[LIMIT] <= QUICK_NODES or not _is_main()):
            return work()
        result = _searchers().submit(work)
        try:
            while not result.done():
                left = REPORT_SECONDS if self._end is None else self._end - time.perf_counter()
                wait([result], max(0.0, min(REPORT_SECONDS, left)))
                if left <= 0:
                    self.stop()
                    wait([result])
                if self._report:
                    self._report(self)
        except BaseException:
            self.stop()
            wait([result])
            raise
        return result.result()


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


@cache
def _searchers() -> ThreadPoolExecutor:
    """The threads of searches; each starts when all others search."""
    return ThreadPoolExecutor(MOST_SEARCHERS, "ludus-search")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_searchers.cache_clear)
