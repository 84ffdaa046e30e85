"""`Apart`: a policy in a process of its own, which can be killed when its time is up, and which may die."""

from __future__ import annotations

import time
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import StateArray
from ..matches.errors import said, sentence
from ..matches.games import DIED, ERROR, TIME
from ..matches.players import Answers, Fault
from .here import Here, joined
from .packing import unpack
from .processes import LONGEST, Died, Helper, TooLate, log

START_TIME, START_MOVES = 120.0, 20
"""A policy with a limit on time has so many seconds to start, or so many times its limit, whichever is longer, where nothing else
was said: it is loaded, and asked about the game's start once, so that what it compiles or reads is there when its time begins to
count."""
ATTEMPTS = 3
"""How often in a row it may fail to start before it loses all games to come."""
SILENCE = 2.0
"""Seconds that a start may take before it is logged that it is under way."""


class Apart:
    """A policy in a process of its own, asked about one position at a time.

    When it is too late the process is killed, and for the next game a new one is started; what it remembered of the other
    games is gone with it. The time of an answer counts from the question to the answer as they leave and reach this process.

    Args:
        packed: the policy, as `pack` makes it.
        move_time: seconds that it may take for a move; None for as long as it wants.
        threads: how many threads it may run on.
        start_time: seconds that it may take to start; None for the usual time if there is a `move_time`, else for as long as it
            wants.
        name: what to call it where its start takes long.
    """

    def __init__(
        self, packed: bytes, move_time: float | None, threads: int, start_time: float | None = None, name: str = "the policy"
    ) -> None:
        self._packed, self._move_time, self._threads, self._name = packed, move_time, threads, name
        usual = None if move_time is None else max(START_TIME, START_MOVES * move_time)
        limit = usual if start_time is None else start_time
        self._start_time = None if limit is None or limit > LONGEST else limit
        self._helper: Helper | None = None
        self._games = 0
        self._begun = False
        self._raising = False
        self._failures = 0

    def begin(self, games: int, raising: bool = False) -> None:
        """As `Player.begin`."""
        self._games, self._begun, self._raising = games, False, raising

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answers:
        """As `Player.act`."""
        return joined([self._ask(states[row : row + 1], keys[row : row + 1], games[row : row + 1]) for row in range(len(keys))])

    def close(self) -> None:
        """Ends the process."""
        if self._helper is not None:
            self._helper.close()
        self._helper = None

    def _ask(self, *question: Any) -> Answers:
        """Asks about one position."""
        if self._failures >= ATTEMPTS:
            return self._lost(self._fault, 0.0)
        if (fault := self._started()) is not None:
            self._failures, self._fault = self._failures + 1, fault
            return self._lost(fault, 0.0)
        began, self._failures = perf_counter(), 0
        try:
            return self._call(self._move_time, _act, *question)
        except TooLate:
            fault = Fault(TIME, f"took longer than {self._move_time:g} s for a move")
        except Died as death:
            fault = Fault(DIED, f"its process {death}")
        except Exception as error:
            fault = Fault(ERROR, sentence(f"raised {said(error)}"))
        return self._lost(fault, perf_counter() - began)

    def _started(self) -> Fault | None:
        """Sees to it that the process is there and knows of the games; what is wrong where that does not succeed.

        Raises:
            Exception: what the policy raised at its first call, where that is to be raised.
        """
        try:
            if self._helper is None:
                self._helper, self._begun = Helper(self._threads), False
                self._get_ready(_start, self._packed, self._raising)
            if not self._begun:
                self._get_ready(_begin, self._games)
                self._begun = True
            self._raising = False
        except TooLate:
            return Fault(TIME, f"had not started after {self._start_time:g} s")
        except Died as death:
            return Fault(DIED, f"its process {death}, before it was asked for a move")
        except Exception as error:
            if self._raising:
                raise
            return Fault(ERROR, sentence(f"could not be started in a process of its own ({said(error)})"))
        return None

    def _get_ready(self, function: Any, *arguments: Any) -> None:
        """Calls a function in the process before it is asked for a move, and logs it where that takes long."""
        limit = self._start_time
        try:
            self._call(SILENCE if limit is None else min(SILENCE, limit), function, *arguments)
            return
        except TooLate:
            if limit is not None and limit <= SILENCE:
                raise
        assert self._helper is not None
        began = time.time() - SILENCE
        until = "" if limit is None else f" and has until {clock(began + limit)}, {limit:g} s in all"
        attempt = f"attempt {self._failures + 1} of {ATTEMPTS}"
        log.warning("%s has been starting since %s%s (%s)", self._name, clock(began), until, attempt)
        self._helper.reply(None if limit is None else limit - SILENCE)

    def _call(self, timeout: float | None, function: Any, *arguments: Any) -> Any:
        assert self._helper is not None
        self._helper.send(function, *arguments)
        return self._helper.reply(timeout)

    def _lost(self, fault: Fault, seconds: float) -> Answers:
        """The answer of a policy that gave none; its process is no more."""
        if self._helper is not None:
            self._helper.kill()
        self._helper = None
        return Answers(np.array([-1]), {0: fault}, np.array([seconds]))


def clock(seconds: float) -> str:
    """A time of day, from seconds since 1970."""
    return time.strftime("%H:%M:%S", time.localtime(seconds))


# ---- in its process

_here: Here


def _start(packed: bytes, raising: bool) -> None:
    """Loads the policy and asks it about the game's start, as in a game that does not count."""
    global _here
    policy = unpack(packed)
    _here = Here(policy)
    _here.begin(1, raising)
    _here.act(policy.game.start[None].copy(), np.zeros(1, np.uint64), np.zeros(1, np.int64))


def _begin(games: int) -> None:
    _here.begin(games)


def _act(state: StateArray, key: NDArray[np.uint64], game: NDArray[np.int64]) -> Answers:
    return _here.act(state, key, game)
