"""`RemotePolicy`: a policy in a worker process, where it may crash, and which can be ended when its time is up.

The commands have one process for all policies that do not come with ludus, so that these cannot end the command (`guard_policy`).
In a match with a limit on time each policy has a process of its own, since compiled code cannot be interrupted. Otherwise a policy
stays in the process that plays.
"""

from __future__ import annotations

import itertools
import math
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cache
from threading import Timer
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Analysis, Answer, Unavailable
from ...agents.policy import Playing, Policy
from ...agents.registry import PolicySource, make_policy, read_policy
from ...core.errors import describe_error, policy_errors, sentence
from ...core.plugins import RefusedSpecError
from ...core.workers.worker import Died, TooLate, Worker, log
from ...games.game import Game, StateArray
from ...games.lines import GameLines
from ...games.registry import make_game
from ..matches.games import DIED, ERROR, TIME
from ..matches.players import Fault, Misbehaved, Player, fault_of, validate_answer
from ..matches.settings import DEFAULT_SETTINGS, MatchSettings
from .packing import unpack

START_TIME, START_MOVES = 120.0, 20
"""The time that a policy with a time limit has to start: this many seconds, or this many times its limit, whichever is longer. It
is loaded and queried once, with the game's start, so that it has compiled and read what it needs before its time counts."""
ATTEMPTS, DEATHS = 3, 5
"""How many times in a row a policy may fail to start in a process of its own, or end a shared one, before it loses all further
games."""
SILENCE = 2.0
"""Seconds that a start may take before it is logged."""
MATCHES = 2
"""How many matches a process remembers at a time: two, since a policy that plays against itself has two sides in one match."""


@dataclass(frozen=True)
class RemotePolicy(Policy):
    """A policy in a worker process. If the process ends, another is started for the next query; what the policy remembered of
    games is lost then. When it is pickled for another process, the policy itself is made there.

    Args:
        title: its spec; of a policy that was packed, its name in the log.
        worker: its process.
        packed: the policy as `pack` makes it, which then has the process for itself; None to make it there by its spec.
        sees_moves: whether it sees the moves of its games.
        settings: how much time it has for a move and for a game, from when a query leaves this process until the answer arrives,
            and to start. Without either limit there is none on its start.
        raising: whether an error at its first call, which is a part of its start, is raised as it is.
        failures: how it failed to start in a process of its own, or ended a shared one, since its last answer.
    """

    name: ClassVar[str] = "remote"
    title: str = field(kw_only=True)
    worker: Worker = field(kw_only=True, repr=False, compare=False)
    packed: bytes | None = field(default=None, kw_only=True, repr=False)
    sees_moves: bool = field(default=False, kw_only=True, repr=False, compare=False)  # pyright: ignore[reportIncompatibleVariableOverride]
    settings: MatchSettings = field(default=DEFAULT_SETTINGS, kw_only=True, repr=False)
    raising: bool = field(default=False, kw_only=True, repr=False, compare=False)
    failures: list[Fault] = field(default_factory=list[Fault], kw_only=True, repr=False, compare=False)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.answer(states, keys).every_action(self.spec)

    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        return self.ask(_answer, states, keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return self.ask(_probabilities, states)

    def analyse(self, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
        return self.ask(_analysis, states, keys)

    def begin(self, games: int) -> Playing:
        return _RemotePlaying(self, games)

    def ask(self, question: Callable[..., Any], *arguments: Any, seconds_left: float = math.inf) -> Any:
        """What a function returns in the process, the policy being its first argument, within the seconds left of its game.
        Misbehaved where the policy raised an error, gave an invalid answer, took too long, or ended the process; Unavailable where
        it cannot go on; NotImplementedError where it gives no probabilities."""
        limit = min(math.inf if self.settings.move_time is None else self.settings.move_time, max(0.0, seconds_left))
        answer = self._call(limit, _ask, self._source, question, *arguments)
        self.failures.clear()
        return answer

    def start(self, match: int, games: int) -> None:
        """Begins a match in the process, outside of the time for moves, and before that the process where it is the policy's own.
        Errors are those of `ask`, and what the policy raised at its first call, if that is to be raised."""
        if self.packed is not None and self.worker.pid is None:
            self._get_ready(_load, self.packed, self.raising, self.settings)
            self.failures.clear()  # it was queried there
        self._get_ready(_ask, self._source, _begin, match, games)

    @property
    def _source(self) -> tuple[str, Game] | None:
        """What the policy is made of in the process; None for the one that was packed."""
        return (self.title, self.game) if self.packed is None else None

    def _get_ready(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Calls a function in the process before a move, and logs if that takes long."""
        settings, limit = self.settings, self.settings.start_time
        if settings.limits_time and limit is None:
            limit = max(START_TIME, START_MOVES * (settings.move_time or 0), settings.game_time or 0)
        warning = Timer(SILENCE, self._warn_of_start, (time.time(), limit))
        warning.start()
        try:
            self._call(limit, function, *arguments, starting=True)
        except (Misbehaved, Unavailable):
            raise
        except Exception as error:
            if self.raising:
                raise
            self.worker.kill()
            self.failures.append(Fault(ERROR, sentence(f"could not be started in a process of its own ({describe_error(error)})")))
            raise Misbehaved(self.failures[-1]) from None
        finally:
            warning.cancel()

    def _warn_of_start(self, began: float, limit: float | None) -> None:
        until = "" if limit is None else f" and has until {clock(began + limit)}, {limit:g} s in all"
        attempt = f"attempt {len(self.failures) + 1} of {self._most_failures}"
        log.warning(f"{self.title} in {self.game} has been starting since {clock(began)}{until} ({attempt})")

    def _call(self, limit: float | None, function: Callable[..., Any], *arguments: Any, starting: bool = False) -> Any:
        """Calls a function in the process, unless that has ended too often."""
        if len(self.failures) >= self._most_failures:
            raise Misbehaved(self.failures[-1])
        try:
            return self.worker.call(function, *arguments, timeout=limit)
        except TooLate:
            settings, used = self.settings, f"took longer than {limit:g} s for a move"
            used = used if limit == settings.move_time else f"used up its {settings.game_time or 0:g} s for the game"
            fault = Fault(TIME, f"had not started after {limit:g} s" if starting else used)
        except Died as death:
            fault = Fault(DIED, f"its process {death}" + ", before its first move" * starting)
        if starting or self.packed is None:  # in a process of its own a policy may fail at each move
            self.failures.append(fault)
        raise Misbehaved(fault)

    @property
    def _most_failures(self) -> int:
        return DEATHS if self.packed is None else ATTEMPTS

    def __reduce__(self) -> Any:
        return (make_policy, (self.title, self.game)) if self.packed is None else (unpack, (self.packed,))


class _RemotePlaying(Playing):
    """Games that a policy plays in a worker process."""

    _numbers: ClassVar = itertools.count()

    def __init__(self, policy: RemotePolicy, games: int) -> None:
        super().__init__(policy)
        self._remote, self._number, self._games = policy, next(self._numbers), games
        self._process: int | None = None

    def prepare(self) -> None:
        if self._process is None or self._process != self._remote.worker.pid:
            self._remote.start(self._number, self._games)
            self._process = self._remote.worker.pid

    @property
    def remembers(self) -> bool:
        return self._remote.ask(_remembers)

    def note(self, states: StateArray, actions: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        self.prepare()
        self._remote.ask(_note, self._number, states, actions, games)

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.answer(states, keys, games).every_action(self._remote.spec)

    def answer(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answer:
        self.prepare()
        lines = self.lines if self._remote.sees_moves else None
        left = math.inf if self.seconds_left is None else float(self.seconds_left.min())
        return self._remote.ask(_play, self._number, lines, self.seconds_left, states, keys, games, seconds_left=left)


def guard_policy(policy: Any, game: str | Game, worker: Worker) -> Any:
    """A policy that is named by a spec and does not come with ludus, in a worker process; any other is returned as it was given.

    Args:
        policy: a spec, what `read_policy` made of one, or a policy.
        game: the game or its spec.
        worker: the process.

    Raises:
        ValueError: the policy cannot be made; the message says why, even if making it ends the process.
    """
    source = read_policy(policy) if isinstance(policy, str) else policy
    if not isinstance(source, PolicySource) or os.name != "posix" or not source.is_foreign:  # elsewhere no workers can be started
        return policy
    remote = RemotePolicy(make_game(game), title=source.spec, worker=worker)
    try:
        sees_moves = worker.call(_make, remote.title, remote.game)
    except Died as death:
        raise ValueError(f"the policy {remote} cannot be made: its process {death}") from None
    return replace(remote, sees_moves=sees_moves)


def clock(seconds: float) -> str:
    """A time of day, from seconds since 1970."""
    return time.strftime("%H:%M:%S", time.localtime(seconds))


INTEGERS = {"actions": np.int64, "visits": np.int64, "proofs": np.int8, "lines": np.int64}
"""The fields of an analysis that hold whole numbers, with their types."""

# ---- in the process: errors of foreign classes stay in it, since unpickling one would run the class's code

_packed: Policy
_matches = OrderedDict[int, Playing]()


def _load(packed: bytes, raising: bool, settings: MatchSettings) -> None:
    """Unpacks the policy of this process and queries it with the game's start, in a game that does not count; what it raises at
    that is raised here if `raising`."""
    global _packed
    _packed = unpack(packed)
    start = _packed.game.start[None].copy()
    lines = GameLines.without_moves(start) if _packed.sees_moves else None
    player = Player(_packed, 1, settings, raising=raising)
    player.act(start, np.zeros(1, np.uint64), np.zeros(1, np.int64), lines)


@cache
def _make_policy(spec: str, game: Game) -> Policy:
    policy = make_policy(spec, game)
    policy.prepare()
    return policy


def _make(spec: str, game: Game) -> bool:
    """Whether a policy sees moves, if it can be made."""
    try:
        return bool(_make_policy(spec, game).sees_moves)
    except policy_errors() as error:
        is_sentence = type(error) in (ValueError, RefusedSpecError)
        raise ValueError(str(error) if is_sentence else f"the policy {spec} cannot be made: it {fault_of(error).reason}") from None


def _ask(source: tuple[str, Game] | None, question: Callable[..., Any], *arguments: Any) -> Any:
    """What a question, one of the functions below, gives of a policy. Whatever the policy raises becomes `Misbehaved`."""
    try:
        return question(_packed if source is None else _make_policy(*source), *arguments)
    except NotImplementedError as error:
        raise NotImplementedError(describe_error(error)) from None
    except Unavailable as error:
        raise Unavailable(str(error)) from None
    except policy_errors() as error:
        raise Misbehaved(fault_of(error)) from None


def _answer(policy: Policy, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
    return validate_answer(policy.answer(states, keys), len(states))


def _probabilities(policy: Policy, states: StateArray) -> NDArray[np.float64]:
    return np.array(policy.probabilities(states), np.float64)


def _analysis(policy: Policy, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
    analysis = policy.analyse(states, keys)
    values: dict[str, Any] = {field.name: getattr(analysis, field.name) for field in fields(Analysis)}
    arrays: dict[str, Any] = {
        name: np.array(value, INTEGERS.get(name, np.float64)) for name, value in values.items() if value is not None
    }
    return Analysis(**arrays)


def _remembers(policy: Policy) -> bool:
    return bool(policy.remembers)


def _begin(policy: Policy, match: int, games: int) -> None:
    """Begins a match of this many games."""
    policy.prepare()
    _matches[match] = policy.begin(games)
    if len(_matches) > MATCHES:
        _matches.popitem(last=False)


def _play(_: Policy, match: int, lines: GameLines | None, seconds_left: NDArray[np.float64] | None, *asked: Any) -> Answer:
    playing = _matches[match]
    playing.seconds_left = seconds_left
    if lines is not None:
        playing.lines = lines
    return validate_answer(playing.answer(*asked), len(asked[0]))


def _note(_: Policy, match: int, states: StateArray, actions: NDArray[np.int64], games: NDArray[np.int64]) -> None:
    _matches[match].note(states, actions, games)
