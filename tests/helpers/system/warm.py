"""Worker processes that need not start from nothing: forks of a process that has imported what workers import.

A start costs a third of a second of processor time, and most of it is imports. Where a test is not about the start, `Worker` gets a
fork, which is a child of this process as any other worker is, with the environment, folder, path and stderr that it would have.
"""

import ctypes
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from ludus.core.workers import worker
from ludus.core.workers.worker import THREADS

FORKS = """
import importlib, os, pickle, socket, sys
sys.path[:] = {path}
import ludus.arena.engines.remote, ludus.arena.engines.jobs, ludus.core.workers.worker, ludus.games.nim.rules

line = socket.socket(fileno={line})
while message := (received := socket.recv_fds(line, 1 << 20, 3))[0]:
    descriptors = received[1]
    if not (middle := os.fork()):
        if os.fork():
            os._exit(0)  # so that whoever asked becomes the parent
        break
    os.waitpid(middle, 0)
    line.send(b"0")
    for descriptor in descriptors:
        os.close(descriptor)
else:
    os._exit(0)

os.setsid()
line.send(str(os.getpid()).encode())
code, environment, number = pickle.loads(message)
folder, stderr, descriptor = descriptors
os.fchdir(folder)
for output in (1, 2):
    os.dup2(stderr, output)
os.dup2(descriptor, number)
os.closerange(3, number)
os.closerange(number + 1, 1 << 16)
os.environ.clear()
os.environ.update(environment)
sys.argv = ["-c"]
importlib.invalidate_caches()
exec(code)
"""
"""A process that forks itself whenever a message comes. In the fork, the code of the message follows."""
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl: a process whose parent ends becomes a child of this one."""


class Forks:
    """A process that forks itself, and what stands in for `subprocess` where `Worker` starts its processes.

    A fork of this process, as some tests make, starts workers from nothing: it would not become their parent.
    """

    def __init__(self) -> None:
        self._owner, self._lock = os.getpid(), threading.Lock()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", FORKS.format(path=sys.path, line=theirs.fileno())],
                stdin=subprocess.DEVNULL,
                env={**os.environ, **dict.fromkeys(THREADS, "1")},  # a process that has threads is not to be forked
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is not for it: it ends with the connection
            )
        self.subprocess = SimpleNamespace(**{**vars(subprocess), "Popen": self._start})

    def close(self) -> None:
        self._line.close()
        self._process.wait()

    def fork(self, message: bytes, descriptors: list[int]) -> int:
        """The number of a fork, which is a child of this process."""
        folder = os.open(".", os.O_RDONLY)  # which may have no name any more
        prctl = ctypes.CDLL(None).prctl
        with self._lock:
            prctl(SUBREAPER, 1, 0, 0, 0)
            try:
                socket.send_fds(self._line, [message], [folder, 2, *descriptors])
                return sum(int(self._line.recv(32)) for _ in range(2))  # its number, and 0 once this process is its parent
            finally:
                prctl(SUBREAPER, 0, 0, 0, 0)
                os.close(folder)

    def _start(self, command: list[str], **settings: Any) -> subprocess.Popen[bytes]:
        return (subprocess.Popen if os.getpid() != self._owner else partial(Fork, self))(command, **settings)


class Fork(subprocess.Popen[bytes]):
    """A worker that is a fork."""

    def __init__(self, forks: Forks, command: list[str], *, env: dict[str, str], pass_fds: list[int], **_: object) -> None:
        self._forks = forks
        super().__init__(command, env=env, pass_fds=pass_fds)

    def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *_):
        (number,) = pass_fds
        self.pid = self._forks.fork(pickle.dumps((args[-1], env, number)), [number])
        self._child_created = True


@contextmanager
def warm_workers() -> Iterator[None]:
    """Workers of this process are forks, where the system can do that."""
    if sys.platform != "linux":
        yield
        return
    with closing(Forks()) as forks, pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "subprocess", forks.subprocess)
        yield


@contextmanager
def cold_workers() -> Iterator[None]:
    """Workers that start meanwhile start from nothing, as they do for users."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "subprocess", subprocess)
        yield
