"""`Talk`: the lines to and from a running program."""

from __future__ import annotations

from time import monotonic

from .process import Process

SHORTEST_PAUSE, LONGEST_PAUSE = 0.0001, 0.05
"""Seconds between two checks whether a program has read its input, or has ended."""


class Talk:
    """Lines to and from a running program. All methods raise `TimeoutError` when its time is up, and `EngineError` if it has ended.

    Args:
        process: the program.
        until: the end of the time for an answer, on the clock of `monotonic`.
    """

    def __init__(self, process: Process, until: float) -> None:
        self._process, self.until, self._last_line = process, until, ""

    def write(self, lines: str) -> None:
        """Sends lines."""
        self._process.write(lines)

    def line(self) -> str:
        """Its next line."""
        while not self._process.lines:
            self._process.read(self.until, LONGEST_PAUSE)
        return self._take()

    def answer(self, quiet: float) -> str | None:
        """Its next line; None if it has read all its input and says nothing for so many seconds."""
        pause, began = SHORTEST_PAUSE, monotonic()
        while not self._process.lines:
            if self._process.has_unread():
                began = monotonic()
            elif monotonic() - began >= quiet:
                return None
            self._process.read(self.until, pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        return self._take()

    def _take(self) -> str:
        line = self._process.lines.popleft()
        self._last_line = line or self._last_line
        return line

    @property
    def last_line(self) -> str:
        """Its last line that has words."""
        return next(filter(None, reversed(self._process.lines)), self._last_line)

    @property
    def last_words(self) -> str:
        """The last that it has said: a line or the beginning of one, such as a prompt, or a complaint; empty if it was silent."""
        return (self._process.begun or self.last_line or self._process.complaint)[:120]
