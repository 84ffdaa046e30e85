"""One process at a time compiles a kernel: the others wait, but never for nothing."""

import os
import select
import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest

from ludus.envs.native import turns

from ...helpers.system.processes import ROOT

ONE, OTHER = "0" * 32, "f" * 32
TAKES_A_TURN = f"""
import pathlib, runpy, sys
turn = runpy.run_path({str(ROOT / "envs/native/turns.py")!r})["turn"]
print("asks", flush=True)
with turn(pathlib.Path(sys.argv[1]), sys.argv[2]):
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

        def start(kernel=ONE, lock=tmp_path / "lock"):
            words = [sys.executable, "-S", "-c", TAKES_A_TURN, str(lock), kernel]
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


def test_the_second_waits_until_the_first_has_left(process):
    first = process()
    assert enters(first)
    second = process()
    assert waits(second)
    first.communicate("\n")
    assert enters(second)


def test_nobody_waits_for_another_kernel(process):
    assert enters(process(ONE))
    assert enters(process(OTHER))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_dies_keeps_nobody_waiting_nor_do_those_that_waited_for_it(process, number):
    first = process()
    assert enters(first)
    second, third = process(), process()
    assert waits(second)
    first.send_signal(number)
    assert enters(second)
    assert enters(third)


def test_a_process_that_is_stopped_is_not_waited_for_forever(process, tmp_path, monkeypatch):
    first = process()
    assert enters(first)
    first.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(turns, "PATIENCE", 0.1)
    with turns.turn(tmp_path / "lock", ONE):
        first.send_signal(signal.SIGCONT)


def test_where_nothing_can_be_locked_nobody_waits(process, tmp_path, monkeypatch):
    assert enters(process())
    os.mkdir(tmp_path / "folder")
    os.symlink(tmp_path / "lock", tmp_path / "link")
    for place in ("folder", "not there/lock", "link"):
        with turns.turn(tmp_path / place, ONE):
            pass

    def no_locks(handle):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(turns, "_lock", no_locks)
    with turns.turn(tmp_path / "lock", ONE):
        pass


def test_there_is_one_lock_file_for_all_kernels(tmp_path):
    for kernel in (ONE, OTHER, "7" * 32):
        with turns.turn(tmp_path / "lock", kernel):
            pass
    assert [(file.name, file.stat().st_size) for file in tmp_path.iterdir()] == [("lock", 0)]
