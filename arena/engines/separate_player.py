"""`SeparatePlayer`: a policy in a process of its own, which can be killed when its time is up, and which may crash."""

from __future__ import annotations

import time
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Unavailable
from ...core.errors import describe_error, sentence
from ...core.workers.worker import LONGEST, Died, TooLate, Worker, log
from ...games.game import StateArray
from ..matches.games import DIED, ERROR, TIME
from ..matches.players import Answers, Fault
from ..matches.settings import MatchSettings
from .local_player import LocalPlayer, concatenate_answers
from .packing import unpack

START_TIME, START_MOVES = 120.0, 20
"""The time that a policy with a time limit has to start: this many seconds, or this many times its limit, whichever is longer. It
is loaded and queried once, with the game's start, so that it has compiled and read what it needs before its time counts."""
ATTEMPTS = 3
"""How many times in a row it may fail to start before it loses all further games."""
SILENCE = 2.0
"""Seconds that a start may take before it is logged."""


class SeparatePlayer:
    """A policy in a process of its own, queried with one position at a time.

    When its time is up the process is killed, and a new one is started for the next game; what it remembered of the other
    games is lost. Its time counts from when a query leaves this process until the answer arrives.

    Args:
        packed: the policy, as `pack` makes it.
        settings: how much time it has. Without a `move_time` there is no limit on its start either.
        threads: how many threads it may run on.
        name: its name in the log.
    """

    def __init__(self, packed: bytes, settings: MatchSettings, threads: int, name: str = "the policy") -> None:
        self._packed, self._move_time, self._threads, self._name = packed, settings.move_time, threads, name
        usual = None if settings.move_time is None else max(START_TIME, START_MOVES * settings.move_time)
        limit = usual if settings.start_time is None else settings.start_time
        self._start_time = None if limit is None or limit > LONGEST else limit
        self._helper: Worker | None = None
        self._games = 0
        self._games_started = False
        self._raising = False
        self._failures = 0

    def begin(self, games: int, raising: bool = False) -> None:
        """Begins a match, as `Player.begin` says."""
        self._games, self._games_started, self._raising = games, False, raising

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answers:
        """Answers a batch of positions, as `Player.act` says."""
        return concatenate_answers(
            [self._query(states[row : row + 1], keys[row : row + 1], games[row : row + 1]) for row in range(len(keys))]
        )

    def close(self) -> None:
        """Ends the process."""
        if self._helper is not None:
            self._helper.close()
        self._helper = None

    def _query(self, *question: Any) -> Answers:
        """Queries it with one position."""
        if self._failures >= ATTEMPTS:
            return self._forfeit(self._fault, 0.0)
        if (fault := self._ensure_started()) is not None:
            self._failures, self._fault = self._failures + 1, fault
            return self._forfeit(fault, 0.0)
        began, self._failures = perf_counter(), 0
        try:
            return self._call(self._move_time, _act, *question)
        except TooLate:
            fault = Fault(TIME, f"took longer than {self._move_time:g} s for a move")
        except Died as death:
            fault = Fault(DIED, f"its process {death}")
        except Unavailable:
            raise
        except Exception as error:
            fault = Fault(ERROR, sentence(f"raised {describe_error(error)}"))
        return self._forfeit(fault, perf_counter() - began)

    def _ensure_started(self) -> Fault | None:
        """Starts the process and the match where that is still to be done.

        Returns:
            The fault if that failed; else None.

        Raises:
            Exception: what the policy raised at its first call, if that is to be raised.
        """
        try:
            if self._helper is None:
                self._helper, self._games_started = Worker(self._threads), False
                self._get_ready(_start, self._packed, self._raising)
            if not self._games_started:
                self._get_ready(_begin, self._games)
                self._games_started = True
            self._raising = False
        except TooLate:
            return Fault(TIME, f"had not started after {self._start_time:g} s")
        except Died as death:
            return Fault(DIED, f"its process {death}, before its first move")
        except Exception as error:
            if self._raising or isinstance(error, Unavailable):
                raise
            return Fault(ERROR, sentence(f"could not be started in a process of its own ({describe_error(error)})"))
        return None

    def _get_ready(self, function: Any, *arguments: Any) -> None:
        """Calls a function in the process before it is queried for a move, and logs if that takes long."""
        limit = self._start_time
        try:
            self._call(SILENCE if limit is None else min(SILENCE, limit), function, *arguments)
        except TooLate:
            if limit is not None and limit <= SILENCE:
                raise
            assert self._helper is not None
            began = time.time() - SILENCE
            until = "" if limit is None else f" and has until {clock(began + limit)}, {limit:g} s in all"
            log.warning(f"{self._name} has been starting since {clock(began)}{until} (attempt {self._failures + 1} of {ATTEMPTS})")
            self._helper.reply(None if limit is None else limit - SILENCE)

    def _call(self, timeout: float | None, function: Any, *arguments: Any) -> Any:
        assert self._helper is not None
        self._helper.send(function, *arguments)
        return self._helper.reply(timeout)

    def _forfeit(self, fault: Fault, seconds: float) -> Answers:
        """The answer of a policy that failed; its process is ended."""
        if self._helper is not None:
            self._helper.kill()
        self._helper = None
        return Answers(actions=np.array([-1]), faults={0: fault}, seconds=np.array([seconds]), transcripts={}, nodes=np.array([-1]))


def clock(seconds: float) -> str:
    """A time of day, from seconds since 1970."""
    return time.strftime("%H:%M:%S", time.localtime(seconds))


# ---- in its process

_here: LocalPlayer


def _start(packed: bytes, raising: bool) -> None:
    """Loads the policy and queries it with the game's start, in a game that does not count."""
    global _here
    policy = unpack(packed)
    _here = LocalPlayer(policy)
    _here.begin(1, raising)
    _here.act(policy.game.start[None].copy(), np.zeros(1, np.uint64), np.zeros(1, np.int64))


def _begin(games: int) -> None:
    _here.begin(games)


def _act(state: StateArray, key: NDArray[np.uint64], game: NDArray[np.int64]) -> Answers:
    return _here.act(state, key, game)
