"""`Thinkers`: processes in which policies and oracles think, so that the server answers others meanwhile.

One that takes too long, or whose answer nobody wants any more, is ended, and another takes its place.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from ..arena.engines.processes import Died, Helper, TooLate, close_all

T = TypeVar("T")
MEMORY = 4 << 30
"""Bytes of memory that a thinker may take."""


class Thinkers:
    """A number of processes that answer one question each at a time; more questions wait for their turn.

    Args:
        count: how many there are.
    """

    def __init__(self, count: int) -> None:
        self._free = asyncio.Queue[Helper | None]()
        self._all = set[Helper]()
        for _ in range(count):
            self._free.put_nowait(None)

    async def ask(self, seconds: float, function: Callable[..., T], *arguments: Any) -> T:
        """What a function returns in another process. Where this is cancelled, that process is ended.

        Raises:
            TimeoutError: it takes longer than so many seconds.
            ChildProcessError: the process died.
            Exception: what the function raised.
        """
        helper = await self._free.get()
        try:
            if helper is None:
                helper = await asyncio.to_thread(self._started)
            helper.send(_limited, function, arguments)
            return await asyncio.to_thread(helper.reply, seconds)
        except (asyncio.CancelledError, TooLate, Died):
            if helper is not None:
                self._all.discard(helper)
                helper.kill()
                helper = None
            raise
        finally:
            self._free.put_nowait(helper)

    def _started(self) -> Helper:
        helper = Helper()
        self._all.add(helper)
        return helper

    def close(self) -> None:
        """Ends all of them."""
        close_all(self._all)


def _limited(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Calls a function with a limit on memory."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    return function(*arguments)
