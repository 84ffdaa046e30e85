"""`Process`: a running engine with its pipes; it can be ended together with all processes that it started."""

from __future__ import annotations

import os
import select
import selectors
import signal
import subprocess
import sys
import time
from array import array
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


class EngineError(Exception):
    """An engine gave no move; the message says why.

    Args:
        why: a sentence. It is shortened, and unprintable characters are escaped, because it may quote the engine.
        fault: whether it came too late, resigned, or failed.
    """

    def __init__(self, why: str, fault: Literal["late", "resigned", "failed"] = "failed") -> None:
        super().__init__(sentence(why))
        self.fault: Literal["late", "resigned", "failed"] = fault


class Process:
    """A running engine. Its pipes are read only while we wait for an answer, so no thread is needed; its output waits in them.

    Args:
        words: the program and its arguments.
        seconds_to_quit: the time that it has to end by itself.

    Attributes:
        lines: what it wrote and nobody has taken yet, with single spaces between the words of a line.

    Raises:
        OSError, ValueError: it cannot be started.
    """

    def __init__(self, words: list[str], seconds_to_quit: float) -> None:
        self._seconds_to_quit = seconds_to_quit
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
        self._line, self._longest, self._errors, self.lines = b"", 0, b"", deque[str]()

    def write(self, lines: str) -> None:
        """Sends lines.

        Raises:
            EngineError: it does not read them, or has ended.
        """
        content = f"{lines}\n".encode()
        try:
            written = os.write(self._streams[0].fileno(), content)
        except BlockingIOError:
            written = 0
        except OSError:
            raise EngineError(self._describe_end("input")) from None
        if written < len(content):
            raise EngineError("does not read its input")

    def has_unread(self) -> bool:
        """Whether a part of its input is unread; if the system cannot tell, the answer is no.

        Raises:
            EngineError: it has closed its input.
        """
        import fcntl  # this module and the next exist only on POSIX systems
        import termios

        stream, poll, unread = self._streams[0], select.poll(), array("i", [0])
        poll.register(stream, 0)
        if poll.poll(0):  # without events to wait for, poll reports only errors
            raise EngineError(self._describe_end("input"))
        with suppress(OSError):
            fcntl.ioctl(stream, termios.FIONREAD, unread)
        return unread[0] > 0

    def read(self, until: float, pause: float) -> None:
        """Reads its output.

        Args:
            until: the end of its time, on the clock of `monotonic`.
            pause: the seconds to wait if there is no output.

        Raises:
            TimeoutError: its time is up.
            EngineError: it has ended, has closed its output, or writes a line without an end.
        """
        has_ended = self.has_ended  # checked before the pipes are read, so that they contain its last output
        if (left := until - monotonic()) <= 0:
            raise TimeoutError
        is_open = self._read_pipes(0 if has_ended else min(left, pause))
        if has_ended and is_open:
            is_open = self._read_pipes(0)  # the end of the output, which ends its last line, is read after its last words
        if self._longest > LONGEST_LINE:
            raise EngineError(f"wrote a line of more than {LONGEST_LINE:,} characters, which is not a move")
        if not self.lines and (has_ended or not is_open):
            raise EngineError(self._describe_end("output"))

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
                self._take(part or b"\n")
        return output in self._selector.get_map()

    def _take(self, part: bytes) -> None:
        """Splits a part of its output into lines."""
        *lines, self._line = (self._line + part).split(b"\n")
        self._longest = max(map(len, (*lines, self._line)))
        self.lines.extend(map(_plain, lines))

    @property
    def begun(self) -> str:
        """The line that it has begun and not ended, such as a prompt."""
        return _plain(self._line)

    @property
    def complaint(self) -> str:
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
            self._line = self._line[-LONGEST_LINE:]
            self.lines = deque(self.lines, LAST_LINES)

    def _describe_end(self, closed: str) -> str:
        """Describes how it ended, or that it has closed a standard stream, with the last line of its errors."""
        self._wait()
        self._read_pipes(0)
        status = self._process.poll()
        how = f"has closed its standard {closed}" if status is None else f"ended with status {status}"
        return f"{how}: {self.complaint}" if self.complaint else how


def _plain(line: bytes) -> str:
    """A line as text, with single spaces between its words."""
    return " ".join(line.decode(errors="replace").split())
