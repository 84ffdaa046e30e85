"""Policies that fail where a key says so, for tests of what a match does then; and `sound`, which is like them and does not.

A key is one in eight by chance, so that some games meet with the fault and some do not.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import cloudpickle
import numpy as np

from ludus.agents.policy import Playing, Policy

ODDS = 8


@dataclass(frozen=True)
class Faulty(Policy):
    """Plays a legal action by the key; where the key says so it does something first, or answers something else."""

    name: ClassVar[str] = "faulty"
    fault: Callable[[], Any] | None = field(default=None, repr=False, kw_only=True)
    title: str = field(default="faulty", repr=False, kw_only=True)

    def act(self, states, keys):
        if self.fault is not None and (keys % np.uint64(ODDS) == 1).any():
            answer = self.fault()
            return answer if len(keys) == 1 else [answer] * (len(keys) + 1)
        masks = self.game.masks(states)
        nth = (keys >> np.uint64(3)) % masks.sum(1).astype(np.uint64)
        return (masks.cumsum(1) <= nth.astype(np.int64)[:, None]).sum(1)

    @property
    def spec(self):
        return self.title


def policy(game, kind="sound"):
    """A policy by what it does wrong."""
    return Faulty(game, fault=None if kind == "sound" else KINDS[kind], title=kind)


def __getattr__(name):
    """For specs: `python:faulty:play_KIND`."""
    if not name.startswith("play_"):
        raise AttributeError(name)
    return lambda game: policy(game, name.removeprefix("play_"))


def remembering(game):
    """For specs, too."""
    return Remembers(game)


# ---- what a policy may do wrong


class Untold(Exception):
    """An error that has no text, and cannot be pickled."""

    def __init__(self, one, two):
        self.parts = (one, two, lambda: 0)

    def __str__(self):
        raise ValueError("no text")


class Hostile(BaseException):
    """An error that is no Exception, whose text cannot be had without another one, and that does not travel."""

    def __str__(self):
        raise KeyboardInterrupt

    def __reduce__(self):
        raise SystemExit


def raising(error, *parts):
    """Raises an error of a class."""

    def fault():
        raise error(*parts)

    return fault


def recurses():
    return recurses()


def illegal(*acts):
    """Does something, and answers with an action that there is not."""

    def fault():
        for act in acts:
            act()
        return np.array([-1])

    return fault


def spins():
    while True:
        pass


def eats():
    """Takes memory until there is no more, in a process that may have but little."""
    have = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: SIM115
    resource.setrlimit(resource.RLIMIT_AS, (have + (64 << 20), resource.RLIM_INFINITY))
    parts = []
    while True:
        parts.append(bytearray(8 << 20))


MEDDLING: tuple[Callable[[], Any], ...] = (
    lambda: os.chdir("/"),
    lambda: os.environ.clear(),
    lambda: np.random.seed(0),  # noqa: NPY002
    lambda: np.seterr(all="raise"),
    lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
    lambda: sys.path.clear(),
)
"""Changes whatever a process has one of."""
GARBAGE: dict[str, Callable[[], Any]] = {  # nothing of it is one action
    "none": lambda: None,
    "half": lambda: np.array([0.5]),
    "text": lambda: "c3",
    "two": lambda: np.array([0, 1]),
    "no axis": lambda: np.array(0),
    "ragged": lambda: [[1], [1, 2]],
    "no such action": lambda: np.array([4711]),
    "negative": illegal(),
}
KINDS: dict[str, Callable[[], Any]] = GARBAGE | {
    "raises": raising(KeyError, "no such\nline \ud800"),
    "raises_untold": raising(Untold, 1, 2),
    "raises_hostile": raising(Hostile),
    "exits": raising(SystemExit, "done"),
    "recurses": recurses,
    "interrupts": raising(KeyboardInterrupt, "not the user"),
    "closes_its_generator": raising(GeneratorExit),
    "runs_out_of_memory": raising(MemoryError),
    "prints_a_lot": illegal(lambda: print("#" * 3_000_000, flush=True)),
    "meddles": illegal(*MEDDLING),
    "closes_its_streams": illegal(lambda: sys.stdout.close(), lambda: sys.stderr.close(), lambda: os.closerange(0, 3)),
    "forks": illegal(lambda: os.fork()),
    "spins": spins,
    "eats": eats,
    "leaves": lambda: os._exit(3),
    "crashes": lambda: ctypes.string_at(0),
    "closes": lambda: os.closerange(3, 1000),
}
"""What a policy may do wrong, by its name."""


@dataclass(frozen=True)
class Sleeps(Faulty):
    """Waits before each move, by default for ever."""

    seconds: float = field(default=600, kw_only=True)

    def act(self, states, keys):
        time.sleep(self.seconds)
        return super().act(states, keys)


class Counting(Playing):
    """Counts the moves of each game, and plays by their number."""

    def __init__(self, policy, games):
        super().__init__(policy)
        self._moves = np.zeros(games, np.int64)

    def act(self, states, keys, games):
        self._moves[games] += 1
        return self.policy.act(states, self._moves[games].astype(np.uint64) << np.uint64(3))


@dataclass(frozen=True)
class Remembers(Faulty):
    """Plays by how many moves it has made in a game, and not by the key."""

    name: ClassVar[str] = "remembers"

    def begin(self, games):
        return Counting(self, games)


@dataclass(frozen=True)
class Unloadable(Faulty):
    """Plays here alone: it ends a process where it arrives, and notes that in a file."""

    record: str = field(default="", kw_only=True)

    def __reduce__(self):
        return (_arrive, (self.record,))


def _arrive(record):
    with open(record, "a") as file:
        file.write("arrived\n")
    os._exit(7)


def broken(states, keys):
    raise ZeroDivisionError("the net is broken")


cloudpickle.register_pickle_by_value(sys.modules[__name__])  # to other processes, where pytest's name for this module means nothing
