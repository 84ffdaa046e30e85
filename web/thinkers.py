"""`Thinkers`: processes in which policies and oracles think, so that the server answers others meanwhile.

One that takes too long, or whose answer nobody wants any more, is ended, and another takes its place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from ..core.workers.processes import Died, Helper, TooLate, close_all

T = TypeVar("T")
MEMORY = 8 << 30
"""Bytes of address space that a thinker may take."""
MOST = 8
"""Thinkers at most."""
PATIENCE = 0.5
"""Seconds that a question waits for a thinker that is busy before another one is started."""
GRACE = 0.5
"""Seconds that a thinker has to answer before it is ended because nobody wants the answer: starting another one takes longer."""


class Thinkers:
    """Processes that answer one question each at a time.

    A question that waits too long brings one process more, up to `MOST`, so that policies that think for long do not keep the
    others waiting. More questions than that wait for their turn.

    Args:
        usual: how many processes there are when nobody waits.
    """

    def __init__(self, usual: int) -> None:
        self._usual, self._more = usual, 0
        self._places = asyncio.LifoQueue[Helper | None]()  # who answered last is asked first: it has tables and networks at hand
        self._all, self._closed = set[Helper](), False
        self._threads = ThreadPoolExecutor(MOST, "ludus-web")
        for _ in range(usual):
            self._places.put_nowait(None)

    async def ask(self, seconds: float, function: Callable[..., T], *arguments: Any) -> T:
        """What a function returns in another process. Where this is cancelled, that process is ended, unless it answers soon.

        Raises:
            TimeoutError: it takes longer than so many seconds.
            ChildProcessError: the process died.
            Exception: what the function raised.
        """
        answering = asyncio.ensure_future(self._answer(seconds, function, arguments))
        answering.add_done_callback(lambda done: done.cancelled() or done.exception())  # where nobody waits for it any more
        try:
            return await asyncio.shield(answering)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(GRACE, answering.cancel)
            raise

    async def _answer(self, seconds: float, function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        """As `ask`; where it is cancelled, the process is ended at once."""
        helper = await self._taken()
        try:
            if helper is None:
                helper = self._start()
            helper.send(_limited, function, arguments)
            return await self._apart(helper.reply, seconds)
        except (asyncio.CancelledError, TooLate, Died):
            if helper is not None:
                self._end(helper)
                helper = None
            raise
        finally:
            self._give_back(helper)

    async def _taken(self) -> Helper | None:
        """A process that is free; None where one may be started."""
        waiting = asyncio.ensure_future(self._places.get())
        try:
            while not (await asyncio.wait([waiting], timeout=PATIENCE))[0]:
                if self._usual + self._more < MOST:
                    waiting.cancel()
                    self._more += 1
                    return None
        except asyncio.CancelledError:
            if not waiting.cancel():
                self._places.put_nowait(waiting.result())
            raise
        return waiting.result()

    def _give_back(self, helper: Helper | None) -> None:
        """Leaves a process to the next question; one more than usual ends where nobody waits for it."""
        if self._more and (helper is None or not self._places.empty()):
            self._more -= 1
            if helper is not None:
                self._end(helper)
        else:
            self._places.put_nowait(helper)

    async def _apart(self, function: Callable[..., T], *arguments: Any) -> T:
        """What a function returns that waits for another process."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    def _start(self) -> Helper:
        """A new process. This takes milliseconds and is not done in a thread: who is cancelled meanwhile would never get it."""
        if self._closed:
            raise Died("was not started, since the server is closing")
        helper = Helper()
        self._all.add(helper)
        return helper

    def _end(self, helper: Helper) -> None:
        self._all.discard(helper)
        helper.kill()

    def close(self) -> None:
        """Ends all of them, whatever they think about."""
        self._closed = True
        close_all(self._all, at_once=True)
        self._threads.shutdown(wait=False)


def _limited(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Calls a function with a limit on memory, where the system has one."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such module, macOS refuses some limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    return function(*arguments)
