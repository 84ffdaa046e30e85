"""Threads for batches: one pool a process, with as many threads as core/threads.py says.

Small batches run in the caller's thread, and so does every single board: threads start with the first batch that pays for
them. A forked child starts its own.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..threads import thread_count, when_set
from . import new_pool, serve
from .pool import SPINS, WORKERS

SMALLEST_BATCH, SMALLEST_PART = 2048, 512
_lock = threading.Lock()
_NOBODY = new_pool(SMALLEST_PART)
_team: _Team | None = None


def pool(rows: int) -> NDArray[np.int64]:
    """The pool for a kernel over this many rows: its workers are awake; it has none where the rows are too few to pay."""
    global _team
    if rows < SMALLEST_BATCH:
        return _NOBODY
    team = _team
    if team is None:
        with _lock:
            team = _team = _team or _Team(thread_count() - 1)
    return team.ready()


def share(rows: int, work: Callable[[Iterator[int]], None], stop: Callable[[], object] = lambda: None) -> None:
    """Does heavy work on rows, on as many threads as batches use.

    Args:
        rows: how many there are.
        work: takes rows one by one from an iterator and works on each, in compiled code that releases the GIL. It
            is called once a thread, this one included, always with the same iterator.
        stop: called after Ctrl-C, or an error in one of the threads: makes the others stop soon.
    """
    left = iter(range(rows))
    helpers = min(rows, thread_count()) - 1 if rows > 1 else 0  # to ask how many threads there are takes longer than some work
    if helpers <= 0:
        work(left)
        return
    parts = [_helpers().submit(work, left) for _ in range(helpers)]
    try:
        work(left)
        for part in parts:
            if not part.cancel():  # where the rows were few, it has not begun
                part.result()
    except BaseException:
        for _ in left:  # no thread begins another row
            pass
        stop()
        wait(part for part in parts if not part.cancel())
        raise


@cache
def _helpers() -> ThreadPoolExecutor:
    """The threads that help with heavy work; they start when they are first needed."""
    return ThreadPoolExecutor(thread_count() - 1, "ludus")


class _Team:
    """A pool and its workers: threads that serve it, and sleep when nothing has come for a while."""

    def __init__(self, workers: int) -> None:
        self._pool = new_pool(SMALLEST_PART)
        self._asleep: list[threading.Lock] = []
        self._disbanded = False
        with suppress(RuntimeError):  # the system gives no more threads; those that it gave do the work
            for _ in range(workers):
                threading.Thread(target=self._serve, name="ludus", daemon=True).start()
                self._pool[WORKERS] += 1

    def ready(self) -> NDArray[np.int64]:
        """The pool, every worker that sleeps being woken."""
        while self._asleep:
            try:
                self._asleep.pop().release()
            except IndexError:  # another caller was quicker
                break
        return self._pool

    def disband(self) -> None:
        """Ends the workers, each as soon as it finds nothing to do."""
        self._disbanded = True
        self.ready()

    def _serve(self) -> None:
        work, bed = serve(), threading.Lock()
        bed.acquire()
        while not self._disbanded:
            work(self._pool, SPINS)
            self._asleep.append(bed)
            if self._disbanded:
                return
            bed.acquire()


@when_set
def _disband_team() -> None:
    """The next batch starts a team of the new number of threads."""
    global _team
    _helpers.cache_clear()
    with _lock:
        if _team is not None:
            _team.disband()
            _team = None


def _forget_team() -> None:
    """The threads of a parent process do not live in its forked child."""
    global _team, _lock
    _team, _lock = None, threading.Lock()
    _helpers.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_team)
