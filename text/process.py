"""`Process`: a running engine, its pipes, and how it ends with all that it started."""

from __future__ import annotations

import os
import select
import selectors
import signal
import subprocess
from array import array
from contextlib import suppress
from time import monotonic
from typing import IO, Any, Literal

from ..core.errors import LONGEST_REASON, sentence

LONGEST_LINE = 1 << 16
"""Bytes of a line, and of the end of the errors, that are kept."""
AT_ONCE = 1 << 20
"""Bytes that are read at once: all that a pipe holds."""


class EngineError(Exception):
    """An engine gave no move; the message says why.

    Args:
        why: a sentence. It is shortened, and what is not printable in it is escaped, since it may hold words of the engine.
        fault: whether it came too late, or failed.
    """

    def __init__(self, why: str, fault: Literal["late", "failed"] = "failed") -> None:
        super().__init__(sentence(why))
        self.fault: Literal["late", "failed"] = fault


class Process:
    """A running engine. Its pipes are read while it is asked, so no thread is needed, and what it writes meanwhile waits there.

    Args:
        words: the program and its arguments.
        seconds_to_quit: how long it has to end by itself.

    Attributes:
        answers: what it has answered, the line's words joined by single spaces.

    Raises:
        OSError, ValueError: it cannot be started.
    """

    def __init__(self, words: list[str], seconds_to_quit: float) -> None:
        self._seconds_to_quit = seconds_to_quit
        # The group of a worker, which leads a session, is killed with it. Elsewhere a program gets a group of its own to be killed.
        self._is_apart = os.getsid(0) != os.getpid()
        pipes: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self._process = subprocess.Popen[bytes](words, **pipes, bufsize=0, start_new_session=self._is_apart)
        self._selector = selectors.DefaultSelector()
        for stream in self._streams:
            os.set_blocking(stream.fileno(), False)
        for stream in self._streams[1:]:
            self._selector.register(stream, selectors.EVENT_READ)
        self._line, self._longest, self._errors, self.answers = b"", 0, b"", list[str]()

    @property
    def _streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        """Its standard input, output and errors."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        return process.stdin, process.stdout, process.stderr

    def write(self, lines: str) -> None:
        """Sends lines.

        Raises:
            EngineError: it takes none.
        """
        content = f"{lines}\n".encode()
        try:
            written = os.write(self._streams[0].fileno(), content)
        except BlockingIOError:
            written = 0
        except OSError:
            raise EngineError(self._ending("input")) from None
        if written < len(content):
            raise EngineError("does not read what it is sent")

    def has_unread(self) -> bool:
        """Whether it has not yet read all that it was sent; where the system cannot tell, it counts as read.

        Raises:
            EngineError: it has closed its input.
        """
        import fcntl  # both are POSIX's
        import termios

        stream, poll, unread = self._streams[0], select.poll(), array("i", [0])
        poll.register(stream, 0)
        if poll.poll(0):  # which reports errors alone
            raise EngineError(self._ending("input"))
        with suppress(OSError):
            fcntl.ioctl(stream, termios.FIONREAD, unread)
        return unread[0] > 0

    def read(self, until: float, pause: float) -> None:
        """Reads what it has written.

        Args:
            until: when its time is up, on the clock of `monotonic`.
            pause: for how many seconds to wait if there is nothing.

        Raises:
            TimeoutError: its time is up.
            EngineError: it has ended, has closed its output, or writes a line without an end.
        """
        has_ended = self._process.poll() is not None  # before its pipes are read: what it wrote last is there then
        if (left := until - monotonic()) <= 0:
            raise TimeoutError
        is_open = self._read_pipes(0 if has_ended else min(left, pause))
        if self._longest > LONGEST_LINE:
            raise EngineError(f"wrote a line of more than {LONGEST_LINE:,} characters, which is no move")
        if not self.answers and (has_ended or not is_open):
            raise EngineError(self._ending("output"))

    def _read_pipes(self, seconds: float) -> bool:
        """Reads once from each pipe that has something within a time; whether its output is still open."""
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
        """Takes what it has written to its output, and keeps the answers among its lines."""
        *lines, self._line = (self._line + part).split(b"\n")
        self._longest = max(map(len, (*lines, self._line)))
        for line in lines:
            words = line.decode(errors="replace").split()
            if words[:1] in (["bestmove"], ["error"]):
                self.answers.append(" ".join(words))

    def end(self) -> None:
        """Asks it to quit, waits a little, kills it if need be with all that it started, and closes its pipes."""
        with suppress(EngineError):
            self.write("quit")
        self._streams[0].close()
        self._wait()
        if self._is_apart:  # what it started goes on, and no other group has its number as long as there is any
            with suppress(ProcessLookupError, PermissionError):  # the latter is macOS's error for a group that is ending
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._selector.close()
        for stream in self._streams:
            stream.close()

    def _wait(self) -> None:
        """Gives it a moment to end, and reads meanwhile, so that it can write."""
        until = monotonic() + self._seconds_to_quit
        while self._process.poll() is None and monotonic() < until:
            self._read_pipes(0.01)
            self._line = b""
            self.answers.clear()

    def _ending(self, closed: str) -> str:
        """How it ended, or that it has closed its standard input or output, with the last line of its errors."""
        self._wait()
        self._read_pipes(0)
        status = self._process.poll()
        how = f"has closed its standard {closed}" if status is None else f"ended with status {status}"
        last = self._errors.decode(errors="replace").strip().rpartition("\n")[2][-LONGEST_REASON // 2 :]
        return f"{how}: {last}" if last else how
