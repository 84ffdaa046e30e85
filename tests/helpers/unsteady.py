"""Policies that go wrong in ways of their own, as functions of states and keys."""

import os
import signal
import time


def raises(states, keys):
    raise ZeroDivisionError("no move is right")


def hangs(states, keys):
    time.sleep(600)


def dies(states, keys):
    os.kill(os.getpid(), signal.SIGKILL)


def cheats(states, keys):
    return 1000 + keys.astype(int) % 7
