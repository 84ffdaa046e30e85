"""`Talk`: the lines to and from a running program, and whether it is at a loss: a program that speaks something else is not waited
for."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from contextlib import contextmanager, suppress
from time import monotonic

from ...core.numbers import several_seconds
from .process import EngineError, Process

SHORTEST_PAUSE, LONGEST_PAUSE = 0.0001, 0.05
"""Seconds between two checks whether a program has read its input, or has ended."""
PATIENCE = 0.5
"""Seconds that an unknown program may wait idle after it has said something that is no answer."""
MOST_ANSWERS = 100
"""The maximum number of answers without a question. A program that gives more is stopped."""
GREETINGS = "ugi", "features", "protocol_version"
"""The lines that a program gets first. A complaint with one of these words says that the program knows none of them."""
SLOW = "if it reads the lines of docs/text.md and takes long, engine:protocol=ludus COMMAND says so"


class Talk:
    """Lines to and from a running program.

    Args:
        process: the program.
        start: the seconds that it may wait idle before it first answers.
        protocol: what it speaks, as far as that is stated; see `Terms`.

    Attributes:
        until: the end of the time for an answer, on the clock of `monotonic`.
        is_known: whether it has shown that it speaks the protocol. One that has not, and waits idle, is not waited for.
    """

    def __init__(self, process: Process, start: float, protocol: str) -> None:
        self._process, self._start, self._protocol = process, start, protocol
        self._lines, self._said = deque[str](), ""
        self.until, self.is_known, self._busy = monotonic() + start, False, monotonic()

    def write(self, lines: str) -> None:
        """Sends lines.

        Raises:
            EngineError: the program does not read them, or has ended.
        """
        self._busy = monotonic()
        with self._words_in_errors():
            self._process.write(lines)

    def line(self) -> str:
        """Its next line.

        Raises:
            TimeoutError: its time is up.
            EngineError: it has ended, has closed its output, writes a line without an end, or is at a loss.
        """
        while not self._lines:
            self._read(LONGEST_PAUSE)
            self._check_idle()
        return self._lines.popleft()

    def answer(self, quiet: float) -> str | None:
        """Its next line; None if it has read all its input and says nothing for so many seconds.

        Raises:
            TimeoutError, EngineError: as for `line`.
        """
        pause, began = SHORTEST_PAUSE, monotonic()
        while not self._lines:
            if self._has_unread():
                began = monotonic()
            elif monotonic() - began >= quiet:
                return None
            self._read(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        return self._lines.popleft()

    def settle(self) -> list[str]:
        """Waits until the program has read all its input; returns what it has said until then, which answers no later question.

        Raises:
            TimeoutError, EngineError: as for `line`.
        """
        pause, answers, is_ready, lines = SHORTEST_PAUSE, 0, False, deque[str](maxlen=MOST_ANSWERS)
        while not is_ready:
            is_ready = not self._has_unread()
            self._read(0 if is_ready else pause)
            pause, answers = min(2 * pause, LONGEST_PAUSE), answers + sum(map(is_answer, self._lines))
            lines.extend(self._lines)
            self._lines.clear()
            if answers > MOST_ANSWERS:
                raise EngineError("answers without being asked")
            if not is_ready:
                self._check_idle()
        return [*lines]

    def _read(self, pause: float) -> None:
        with self._words_in_errors():
            self._process.read(self.until, pause)
        self._take()

    def _has_unread(self) -> bool:
        with self._words_in_errors():
            return self._process.has_unread()

    def _take(self) -> None:
        """Takes the lines that were read."""
        if self._process.lines:
            self._busy = monotonic()
            self._said = next(filter(self._is_said, reversed(self._process.lines)), self._said)
            self._lines.extend(self._process.lines)
            self._process.lines.clear()

    def _is_said(self, line: str) -> bool:
        """Whether a line says something. In UGI and in our lines, one that begins with `info` does not; GTP has no such lines."""
        return bool(line) and (self._protocol == "gtp" or not line.startswith("info "))

    @contextmanager
    def _words_in_errors(self) -> Generator[None]:
        """Adds the last words of a program that is not known yet to an error."""
        try:
            yield
        except EngineError as error:
            self._take()
            if self.is_known or not self._said:
                raise
            raise EngineError(f"{error}; it said {self._said[:120]!r}", error.fault) from None

    def _check_idle(self) -> None:
        """Checks that a program that is not known yet is at work, or has been idle only for a moment.

        Raises:
            EngineError: it waits, and what it has said is no answer; or it has said nothing, whether it has read its input or not.
        """
        if self.is_known or self._lines:
            return
        has_read, is_idle = True, self._process.is_idle()
        with suppress(EngineError):  # where it has ended, its last words are read first
            has_read = not self._process.has_unread()
        if is_idle is False:
            self._busy = monotonic()
        said = self.last_words
        if monotonic() - self._busy > (PATIENCE if said and is_idle and has_read else self._start):
            if said:
                raise EngineError(f"said {said[:120]!r}, which is no answer in {self._expected}")
            raise EngineError(
                f"has said nothing for {several_seconds(self._start)}; engine:start=60 COMMAND gives it longer; {SLOW}", "late"
            )

    @property
    def _expected(self) -> str:
        """The protocols in which it might answer, and what to do if it does not."""
        if self._protocol == "auto":
            return f"GTP, UGI or the lines of ludus; {SLOW}"
        return f"{self._protocol.upper()}; without protocol={self._protocol}, what the program speaks is found out"

    @property
    def last_words(self) -> str:
        """The last that it has said: a line or the beginning of one, or a complaint about what it was sent."""
        is_about_us = any(word in self._process.complaints for word in GREETINGS)
        return self._process.begun or self._said or (self._process.complaint if is_about_us else "")


def is_answer(line: str) -> bool:
    """Whether a line is an answer in our own lines."""
    return line.partition(" ")[0] in ("bestmove", "error")
