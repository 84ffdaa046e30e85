"""`Process`: a running engine with its pipes; it can be ended together with all processes that it started."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import Any, Literal

from ...core.errors import LONGEST_REASON, sentence

LONGEST_LINE = 1 << 16
"""The maximum number of bytes of a line, and of the stored end of the errors."""
LAST_LINES = 10
"""The maximum number of lines that are kept while it ends."""
AT_ONCE = 1 << 20
"""Bytes that are read at once, which is more than a pipe can hold."""
PAUSE = 0.05
"""Seconds between two checks whether it has ended."""


class EngineError(Exception):
    """An engine gave no move; `why` says it in a sentence, shortened and with unprintable characters escaped, because it may quote
    the engine, and `fault` whether it came too late, resigned, or failed."""

    def __init__(self, why: str, fault: Literal["late", "resigned", "failed"] = "failed") -> None:
        super().__init__(sentence(why))
        self.fault: Literal["late", "resigned", "failed"] = fault


class Process:
    """A running engine. Its pipes are read only while we wait for a line, so no thread is needed; its output waits in them.

    Args:
        words: the program and its arguments.
        until: the end of its time for an answer, on the clock of `monotonic`; it may be set again.
        seconds_to_quit: the time that it has to end by itself.

    Raises:
        OSError, ValueError: it cannot be started.
    """

    def __init__(self, words: list[str], until: float, seconds_to_quit: float) -> None:
        self.until, self._seconds_to_quit = until, seconds_to_quit
        # A worker leads a session, and its whole process group is killed with it. Elsewhere the engine gets its own group to kill.
        self._is_apart = os.getsid(0) != os.getpid()
        pipes: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self._process = process = subprocess.Popen[bytes](words, **pipes, bufsize=0, start_new_session=self._is_apart)
        self._streams: Any = process.stdin, process.stdout, process.stderr
        self._selector = selectors.DefaultSelector()
        for stream in self._streams:
            os.set_blocking(stream.fileno(), False)
        for stream in self._streams[1:]:
            self._selector.register(stream, selectors.EVENT_READ)
        self._begun, self._longest, self._errors = b"", 0, b""
        self._lines, self._last_line = deque[str](), ""

    def write(self, lines: str) -> None:
        """Sends lines; EngineError where it does not read them, or has ended."""
        content = f"{lines}\n".encode()
        try:
            written = os.write(self._streams[0].fileno(), content)
        except BlockingIOError:
            written = 0
        except OSError:
            raise EngineError(self._describe_end("input")) from None
        if written < len(content):
            raise EngineError("does not read its input")

    def line(self) -> str:
        """Its next line, with single spaces between the words. TimeoutError where its time is up; EngineError where it has ended,
        has closed its output, or writes a line without an end."""
        while not self._lines:
            has_ended = self.has_ended  # checked before the pipes are read, so that they contain its last output
            if (left := self.until - monotonic()) <= 0:
                raise TimeoutError
            is_open = self._read_pipes(0 if has_ended else min(left, PAUSE))
            if has_ended and is_open:
                is_open = self._read_pipes(0)  # the end of the output, which ends its last line, is read after its last words
            if self._longest > LONGEST_LINE:
                raise EngineError(f"wrote a line of more than {LONGEST_LINE:,} characters, which is not a move")
            if not self._lines and (has_ended or not is_open):
                raise EngineError(self._describe_end("output"))
        line = self._lines.popleft()
        self._last_line = line or self._last_line
        return line

    def _read_pipes(self, seconds: float) -> bool:
        """Reads once from each pipe that has output within this time; returns whether its standard output is still open."""
        _, output, errors = self._streams
        for key, _ in self._selector.select(seconds):
            part = b""
            with suppress(OSError):
                part = os.read(key.fd, AT_ONCE)
            if not part:
                self._selector.unregister(key.fileobj)
            if key.fileobj is errors:
                self._errors = (self._errors + part)[-LONGEST_LINE:]
            else:
                *lines, self._begun = (self._begun + (part or b"\n")).split(b"\n")  # the end of the output ends its last line
                self._longest = max(map(len, (*lines, self._begun)))
                self._lines.extend(map(_plain, lines))
        return output in self._selector.get_map()

    @property
    def last_words(self) -> str:
        """The last that it has said: a line or the beginning of one, such as a prompt, or a complaint; empty if it was silent."""
        last_line = next(filter(None, reversed(self._lines)), self._last_line)
        return (_plain(self._begun) or last_line or self._complaint)[:120]

    @property
    def _complaint(self) -> str:
        """The last line of what it wrote to its standard errors."""
        return _plain(self._errors.strip().rpartition(b"\n")[2])[-LONGEST_REASON // 2 :]

    @property
    def has_ended(self) -> bool:
        """Whether it has ended; programs of its own may still run."""
        return self._process.poll() is not None

    def processor_seconds(self) -> float:
        """The processor time of all its threads; 0 after its end, and where the system does not say it, unlike Linux."""
        with suppress(OSError):
            # The clock of a process has this number, as `clock_getcpuclockid` of the C library makes it.
            return time.clock_gettime(~self._process.pid << 3 | 2) if sys.platform == "linux" else 0.0
        return 0.0

    def end(self) -> None:
        """Asks it to quit, waits a little, kills it with all processes that it started, and closes its pipes."""
        with suppress(EngineError):
            self.write("quit")
        self._streams[0].close()
        self._wait()
        if self._is_apart:  # its children may still run; as long as one does, no other group can get this number
            with suppress(ProcessLookupError, PermissionError):  # macOS raises the latter for a group that is ending
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._selector.close()
        for stream in self._streams:
            stream.close()

    def _wait(self) -> None:
        """Waits a moment for it to end, and reads its output, because a full pipe would block it; of that only the end is kept."""
        until = monotonic() + self._seconds_to_quit
        while self._process.poll() is None and monotonic() < until:
            self._read_pipes(0.01)
            self._begun = self._begun[-LONGEST_LINE:]
            self._lines = deque(self._lines, LAST_LINES)

    def _describe_end(self, closed: str) -> str:
        """Describes how it ended, or that it has closed a standard stream, with the last line of its errors."""
        self._wait()
        self._read_pipes(0)
        status = self._process.poll()
        how = f"has closed its standard {closed}" if status is None else f"ended with status {status}"
        return f"{how}: {self._complaint}" if self._complaint else how


def _plain(line: bytes) -> str:
    """A line as text, with single spaces between its words."""
    return " ".join(line.decode(errors="replace").split())
