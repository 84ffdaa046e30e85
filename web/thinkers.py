"""`Thinkers`: processes in which policies and oracles run, so that the server can answer other requests at the same time.

A process that takes too long, or whose answer is no longer wanted, is ended and replaced.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from ..core.workers.worker import Died, TooLate, Worker, close_all

T = TypeVar("T")
MEMORY = 8 << 30
"""Bytes of address space that a process may take."""
MOST = 8
"""The maximum number of processes."""
PATIENCE = 0.5
"""Seconds that a question waits for a busy process before another process is started."""
GRACE = 0.5
"""Seconds that a process has to answer before it is ended because nobody wants the answer: starting a process takes longer."""


class Thinkers:
    """Processes, each of which answers one question at a time.

    If a question waits too long another process is started, up to `MOST`, so that slow policies do not block the others. Further
    questions wait for their turn.

    Args:
        usual: the number of processes while no question waits.
    """

    def __init__(self, usual: int) -> None:
        self._usual = usual
        self._all, self._closed = set[Worker](), False
        self._free = asyncio.LifoQueue[Worker]()  # the last to answer is asked first, because its tables and networks are loaded
        self._threads = ThreadPoolExecutor(MOST, "ludus-web")
        for _ in range(usual):
            self._free.put_nowait(self._new())

    async def ask(self, seconds: float, function: Callable[..., T], *arguments: Any) -> T:
        """Calls a function in another process and returns its result. If cancelled, it ends the process unless that answers soon.

        Raises:
            TimeoutError: it takes longer than this number of seconds.
            ChildProcessError: the process died.
            Exception: the function raised it.
        """
        answer = asyncio.ensure_future(self._answer(seconds, function, arguments))
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # asyncio warns of errors that nobody reads
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(GRACE, answer.cancel)
            raise

    async def _answer(self, seconds: float, function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        """Calls a function in another process and returns its result. A cancellation ends the process at once."""
        worker = await self._take_free()
        try:
            if self._closed:
                raise Died("was not started, since the server is closing")
            worker.send(_call_limited, function, arguments)  # not in a thread: a cancellation would leave a process behind there
            return await asyncio.get_running_loop().run_in_executor(self._threads, worker.reply, seconds)
        except (asyncio.CancelledError, TooLate, Died):
            self._end(worker)
            worker = self._new()  # a thread may still wait for the old one
            raise
        finally:
            self._give_back(worker)

    async def _take_free(self) -> Worker:
        """Waits for a free process, or adds one."""
        waiting = asyncio.ensure_future(self._free.get())
        try:
            while not (await asyncio.wait([waiting], timeout=PATIENCE))[0]:
                if len(self._all) < MOST:
                    waiting.cancel()
                    return self._new()
        except asyncio.CancelledError:
            if not waiting.cancel():
                self._free.put_nowait(waiting.result())  # it got a process just before the cancellation
            raise
        return waiting.result()

    def _give_back(self, worker: Worker) -> None:
        """Frees a process for the next question; a process beyond the usual number is ended if no question waits."""
        if len(self._all) > self._usual and (worker.pid is None or not self._free.empty()):
            self._end(worker)
        else:
            self._free.put_nowait(worker)

    def _new(self) -> Worker:
        """A process that starts with its first question."""
        worker = Worker(threads=1)
        self._all.add(worker)
        return worker

    def _end(self, worker: Worker) -> None:
        self._all.discard(worker)
        worker.kill()

    def close(self) -> None:
        """Ends all processes, also busy ones."""
        self._closed = True
        close_all(self._all, at_once=True)
        self._threads.shutdown(wait=False)


def _call_limited(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Calls a function with a limit on memory, if the system supports it."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such module, macOS refuses some limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    return function(*arguments)
