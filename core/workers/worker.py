"""`Worker`: a fresh Python process that answers calls one after another, and that can be killed.

It is started, never forked: threads and compiled code do not survive a fork. It does not run the user's script again, as
Python's own multiprocessing does, so scripts need no `if __name__ == "__main__"`. It ends with its parent, however the parent
ends and whatever it is doing; so do the processes that it started.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from multiprocessing import connection
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any

from ..announcing import Compilation, announce, listen
from ..errors import declare_worker, describe_error, policy_errors
from ..numbers import several_seconds
from ..plugins import modules, plug_in
from ..threads import thread_count

THREADS = ("LUDUS_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Variables that set the number of threads of libraries, ours among them; most read them only once, when they are loaded."""
PATIENCE = 1.0
"""Seconds that a worker has to end before it is killed."""
LONGEST = 1e6
"""The longest wait, in seconds, that the system supports; longer ones have no limit."""

log = logging.getLogger("ludus")

Answer = tuple[Any, Exception | None, str]
"""What a call returned; what it raised, and the traceback of that."""


def plug_in_all(modules: Iterable[str]) -> None:
    """Plugs in the modules of another process.

    A module that cannot be imported here is skipped: what needs it will report that.
    """
    for module in modules:
        with suppress(ValueError):
            plug_in(module)


class Died(ChildProcessError):
    """A worker's process ended before it answered."""


class TooLate(TimeoutError):
    """A worker has not answered in time; it is still working."""


class Worker(AbstractContextManager["Worker"]):
    """A process that answers one call at a time: `send`, then `reply`; or `call`, which does both.

    It starts with the first call; when it has ended, the next call starts another. Calls and results travel as pickles, functions
    by name; `pack` of arena/engines/packing.py also sends what has no name there.

    Args:
        threads: how many threads it may run on; None for as many as batches run on here.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or thread_count()
        self._running: tuple[connection.Connection, subprocess.Popen[bytes]] | None = None
        self._compiling: Compilation | None = None
        _workers.add(self)

    @property
    def pid(self) -> int | None:
        """The number of its process; None where none is running."""
        return None if self._running is None else self._running[1].pid

    def send(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Calls a function in the process, and every `send` is followed by a `reply`; OSError where no process can be started."""
        line, _ = self._running = self._running or self._start()
        with suppress(OSError):  # it has ended, as `reply` will report
            line.send_bytes(pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL))

    def reply(self, timeout: float | None = None) -> Any:
        """What the function returned. What it logged and compiled in the meantime is logged and announced here.

        Args:
            timeout: how many seconds to wait; None for no limit.

        Raises:
            TooLate: it has not returned in that time.
            Died: the process ended; the message says how.
            Exception: what the function raised.
        """
        return _result_of(self._wait_for_answer(timeout))

    def call(self, function: Callable[..., Any], *arguments: Any, timeout: float | None = None) -> Any:
        """What a function returns in the process, as `send` and `reply` give it.

        The process is ended if it is too late, and if the user interrupts: its answer must not be taken for the next one.
        """
        try:
            self.send(function, *arguments)
            answer = self._wait_for_answer(timeout)
        except BaseException:
            self.kill()
            raise
        return _result_of(answer)

    def _start(self) -> tuple[connection.Connection, subprocess.Popen[bytes]]:
        """Starts a process: its end of a connection, and itself."""
        if os.name != "posix":
            raise OSError("processes of their own need Linux or macOS; play with one worker and without a time limit")
        ours, theirs = socket.socketpair()
        line = connection.Connection(ours.detach())
        with theirs:
            life = f"import sys; sys.path[:] = {sys.path}; from {__name__} import serve; serve({theirs.fileno()}, {modules()})"
            process = subprocess.Popen(
                [sys.executable, "-c", life],
                stdin=subprocess.DEVNULL,
                stdout=2,  # what policies print must not mix with this process's output
                env={**os.environ, **dict.fromkeys(THREADS, str(self._threads))},
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C in the terminal goes to the parent, which then ends its workers
            )
        self._finalizer = weakref.finalize(self, _end, line, process)
        return line, process

    def _wait_for_answer(self, timeout: float | None) -> Answer:
        """Its answer; what it sends before that is logged or announced."""
        until = None if timeout is None or timeout > LONGEST else monotonic() + timeout
        while isinstance(answer := self._receive(until), (str, Compilation)):
            self._pass_on(answer)
        if answer is None:
            assert timeout is not None
            raise TooLate(f"no answer after {several_seconds(timeout)}")
        return answer

    def _pass_on(self, news: str | Compilation) -> None:
        """Logs or announces here what it logged or compiles."""
        if isinstance(news, str):
            log.warning(news)
            return
        self._compiling = None if news.over else news
        announce(news)

    def _receive(self, until: float | None) -> str | Compilation | Answer | None:
        """What it sent: a line for the log, what it compiles, or its answer; None if there is nothing when the time is up. Died
        where it ended."""
        if not (running := self._running):
            raise Died("was ended")
        line, process = running
        try:
            if not line.poll(None if until is None else max(0.0, until - monotonic())):
                return None
            content = line.recv_bytes()
        except (EOFError, OSError):
            self.kill()
            raise Died(_describe_exit(process.wait())) from None  # another thread may be ending it, too
        return pickle.loads(content)

    def fileno(self) -> int:
        """The file descriptor to wait on for a reply."""
        assert self._running is not None
        return self._running[0].fileno()

    def dismiss(self, *, at_once: bool = False) -> None:
        """Tells it to end, or kills it, without waiting for that; `close` waits."""
        if running := self._running:  # another thread may be ending it, too
            line, process = running
            if at_once:
                _kill(process)
            _hang_up(line)

    def close(self) -> None:
        """Ends it, and what it started."""
        self.dismiss()
        if running := self._running:
            _wait(running[1])
            self._finalizer.detach()
            self._running = None
        if self._compiling is not None:
            self._pass_on(self._compiling._replace(over=True))

    def kill(self) -> None:
        """Ends it at once."""
        self.dismiss(at_once=True)
        self.close()

    def __exit__(self, *_: object) -> None:
        self.close()


_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


def wait(workers: Iterable[Worker], timeout: float | None = None) -> list[Worker]:
    """The workers that have replied or died, as soon as there is one, or after a number of seconds."""
    return connection.wait([*workers], timeout)  # pyright: ignore[reportArgumentType, reportReturnType]


def close_all(workers: Iterable[Worker], *, at_once: bool = False) -> None:
    """Ends workers, all at the same time; `at_once` does not let them end by themselves, which they do when they have time."""
    leaving = [*workers]
    for worker in leaving:
        worker.dismiss(at_once=at_once)
    for worker in leaving:
        worker.close()


def _result_of(answer: Answer) -> Any:
    """What the function returned, or raised."""
    result, error, trace = answer
    if error is not None:
        raise error from _RemoteError(trace)
    return result


def _hang_up(line: connection.Connection) -> None:
    """Ends a connection for both sides, and leaves its descriptor to whoever still has the connection.

    Closed at once, its number could go to the next process while another thread still waits for this one, and that thread would
    read what the next one answers, or close its connection.
    """
    with suppress(OSError), socket.fromfd(line.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.shutdown(socket.SHUT_RDWR)


def _end(line: connection.Connection, process: subprocess.Popen[bytes]) -> None:
    line.close()
    _wait(process)


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Waits for a process to end, and kills it where it takes too long."""
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kills a process and its group, such as a program that a policy started."""
    if process.returncode is None:  # until it is set, no other process has this number
        with suppress(ProcessLookupError, PermissionError):  # the latter is macOS's error for a group that is ending
            os.killpg(process.pid, signal.SIGKILL)


def _describe_exit(status: int) -> str:
    if status >= 0:
        return f"ended with exit status {status}"
    name = f" ({signal.strsignal(-status)})"
    why = ", as the system does when memory runs out" if -status == signal.SIGKILL else ""
    return f"was ended by signal {-status}{name}{why}"


class _RemoteError(Exception):
    """The traceback from another process."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


# ---- in the worker


def serve(descriptor: int, plugins: Iterable[str]) -> None:
    """The main loop of a worker: it answers calls that come from a socket.

    Args:
        descriptor: the socket's.
        plugins: the modules whose games, policies and trainers it is to know.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    declare_worker()
    with suppress(OSError):  # Linux: if memory runs out, this process is killed first, not the one that has the results
        Path("/proc/self/oom_score_adj").write_text("1000")
    line, calls = connection.Connection(descriptor), SimpleQueue[bytes]()
    threading.Thread(target=_listen, args=(line, calls), name="ludus", daemon=True).start()
    upstream = _Upstream(line)
    log.addHandler(upstream)
    plug_in_all(plugins)
    mine = os.getpid()
    with suppress(OSError), listen(upstream.send):
        while True:
            answer = _answer(calls.get())
            if os.getpid() != mine:  # a policy forked, and its copy must not answer too
                os._exit(0)
            with upstream.turn:
                line.send_bytes(answer)
    _end_group()


class _Upstream(logging.Handler):
    """Sends lines of the log, and what is being compiled, to the parent, which has the terminal."""

    def __init__(self, line: connection.Connection) -> None:
        super().__init__(logging.WARNING)
        self._line, self.turn = line, threading.Lock()  # threads log and compile

    def emit(self, record: logging.LogRecord) -> None:
        self.send(self.format(record))

    def send(self, news: str | Compilation) -> None:
        """Sends a message that is not an answer."""
        with suppress(OSError), self.turn:  # the parent has ended
            self._line.send_bytes(pickle.dumps(news))


def _listen(line: connection.Connection, calls: SimpleQueue[bytes]) -> None:
    """Receives calls. When the parent has ended, it ends the process, whatever that is doing."""
    with suppress(EOFError, OSError):
        while True:
            calls.put(line.recv_bytes())
    _end_group()


def _end_group() -> None:
    """Ends this process, its own workers, and everything else that it started."""
    for worker in [*_workers]:
        worker.kill()
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _answer(call: bytes) -> bytes:
    try:
        function, arguments = pickle.loads(call)
        return pickle.dumps((function(*arguments), None, ""), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        return pickle.dumps((None, make_picklable(error), traceback.format_exc()))


def make_picklable(error: BaseException) -> Exception:
    """The error itself where it can be pickled; else a RuntimeError that describes it, which does not end the receiving process."""
    with suppress(*policy_errors()):
        if isinstance(error, Exception):
            return pickle.loads(pickle.dumps(error))
    return RuntimeError(describe_error(error))
