"""Of several processes that need the same, one works and the others wait, but never for nothing."""

import select
import signal
import subprocess
import sys
from contextlib import ExitStack

import filelock
import pytest

from ludus.core.files import locking

from ..helpers.system.processes import ROOT

ONE, OTHER = "0" * 32, "f" * 32
TAKES_A_TURN = f"""
import pathlib, runpy, sys
turn = runpy.run_path({str(ROOT / "core/files/locking.py")!r})["turn"]
print("asks", flush=True)
with turn(pathlib.Path(sys.argv[1]), 0o600):
    print("enters", flush=True)
    input()
print("leaves", flush=True)
"""
SOON = 0.3
"""Seconds in which a process enters that need not wait. One that is slower than that fails no test."""


@pytest.fixture
def process(tmp_path):
    """Starts a process that takes a turn with a kernel, and gives it when it has asked."""
    with ExitStack() as ending:

        def start(kernel=ONE):
            words = [sys.executable, "-c", TAKES_A_TURN, str(tmp_path / kernel)]
            started = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
            ending.enter_context(started)
            ending.callback(started.kill)
            assert started.stdout.readline() == "asks\n"
            return started

        yield start


def enters(process):
    return process.stdout.readline() == "enters\n"


def waits(process):
    return not select.select([process.stdout], [], [], SOON)[0]


@pytest.mark.parametrize("end", [lambda process: process.communicate("\n"), subprocess.Popen.kill, subprocess.Popen.terminate])
def test_the_others_wait_until_the_first_has_left_or_died(process, end):
    first = process()
    assert enters(first)
    second, third = process(), process()
    assert waits(second)
    end(first)
    assert enters(second)
    second.kill()
    assert enters(third)


def test_a_process_that_is_stopped_is_not_waited_for_forever(process, tmp_path, monkeypatch):
    first = process()
    assert enters(first)
    first.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(locking, "PATIENCE", 0.1)
    with locking.turn(tmp_path / ONE, 0o600):
        first.send_signal(signal.SIGCONT)


def test_where_nothing_can_be_locked_nobody_waits(process, tmp_path, monkeypatch):
    assert enters(process())
    with locking.turn(tmp_path / "not there" / "lock", 0o600):
        pass

    def no_locks(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(filelock.FileLock, "_acquire", no_locks)
    with locking.turn(tmp_path / ONE, 0o600):
        pass
