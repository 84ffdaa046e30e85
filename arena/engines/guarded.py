"""`Guard`: a process for policies that do not come with ludus, so that they cannot end this one.

The commands run such policies there. From Python a policy stays in the caller's process unless there are workers or a time limit.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.analysis import Analysis
from ...agents.answers import Answer, Unavailable
from ...agents.policy import Playing, Policy
from ...agents.registry import is_foreign, make_policy
from ...core.errors import describe_error, policy_errors
from ...core.threads import thread_count
from ...core.workers.worker import Died, Worker
from ...games.game import Game, StateArray
from ...games.registry import make_game
from ..matches.games import DIED
from ..matches.players import Fault
from .local_player import Misbehaved, fault_of, validate_answer

DEATHS = 5
"""After how many deaths of the process in a row a policy is not queried any more."""
MATCHES = 2
"""How many matches are remembered at a time: two, since a policy that plays against itself has two sides in one match."""


class Guard(AbstractContextManager["Guard"]):
    """One process for all policies of a command that do not come with ludus. It starts when the first of them is named.

    When a policy ends the process, a new one is started at the next query; what policies remembered of games is lost then.
    Called with a policy and a game, a guard returns what plays in place of the policy.
    """

    def __init__(self) -> None:
        self._helper: Worker | None = None
        self.deaths = Counter[str]()
        """How often each policy, by its spec, has ended the process since its last answer."""

    def __call__(self, policy: Any, game: str | Game) -> Any:
        """The policy in the process, if it is named by a spec and does not come with ludus; otherwise what was given.

        Raises:
            ValueError: the policy cannot be made; the message says why, even if making it ends the process.
        """
        if not isinstance(policy, str) or os.name != "posix" or not is_foreign(policy):  # elsewhere no helpers can be started
            return policy
        guarded = GuardedPolicy(make_game(game), title=policy.strip(), guard=self)
        try:
            own = self.ask(_make, guarded.title, guarded.game)
        except Died as death:
            raise ValueError(f"the policy {guarded} cannot be made: its process {death}") from None
        return replace(guarded, own=own)

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function returns in the process.

        Raises:
            Died: the process ended.
            Exception: what the function raised.
        """
        if self._helper is None:
            self._helper = Worker(thread_count())
        try:
            self._helper.send(function, *arguments)
            return self._helper.reply()
        except (Misbehaved, ValueError, NotImplementedError):
            raise
        except BaseException:  # it died, or the user interrupted: its answer must not be taken for the next one
            self._helper.kill()
            self._helper = None
            raise

    def close(self) -> None:
        """Ends the process; it is started again if it is needed."""
        if self._helper is not None:
            self._helper.close()
        self._helper = None

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class GuardedPolicy(Policy):
    """A policy in the process of a guard. When it is pickled for a worker, the policy itself is made there.

    Args:
        title: its spec.
        own: its identity.
        guard: whose process it is in.
    """

    name: ClassVar[str] = "guarded"
    title: str = field(kw_only=True)
    own: str = field(default="", kw_only=True, repr=False, compare=False)
    guard: Guard = field(kw_only=True, repr=False, compare=False)

    @property
    def identity(self) -> str:
        return self.own

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.begin(len(keys)).act(states, keys, np.arange(len(keys)))

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return self.ask(_probabilities, states)

    def analyse(self, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
        return self.ask(_analysis, states, keys)

    def begin(self, games: int) -> Playing:
        return _GuardedPlaying(self, games)

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function returns in the process, the policy being its first argument.

        Raises:
            Misbehaved: the policy raised an error, gave an invalid answer, or ended the process.
            Unavailable: it cannot go on.
            NotImplementedError: it does not give its probabilities.
        """
        deaths = self.guard.deaths
        if deaths[self.title] >= DEATHS:
            raise Misbehaved(Fault(DIED, f"its process ended {DEATHS} times in a row and is not started again"))
        try:
            answer = self.guard.ask(function, self.title, self.game, *arguments)
        except Died as death:
            deaths[self.title] += 1
            raise Misbehaved(Fault(DIED, f"its process {death}")) from None
        deaths[self.title] = 0
        return answer

    def __reduce__(self) -> Any:
        return make_policy, (self.title, self.game)


class _GuardedPlaying(Playing):
    """Games that a policy plays in the process of a guard."""

    _numbers: ClassVar = itertools.count()

    def __init__(self, policy: GuardedPolicy, games: int) -> None:
        super().__init__(policy)
        self._ask, self._match = policy.ask, (next(self._numbers), games)

    @property
    def remembers(self) -> bool:
        return self._ask(_remembers)

    def note(self, states: StateArray, actions: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        self._ask(_note, *self._match, states, actions, games)

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.answer(states, keys, games).every_action(self._policy.spec)

    def answer(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answer:
        return self._ask(_play, *self._match, states, keys, games)


INTEGERS = {"actions": np.int64, "visits": np.int64, "proofs": np.int8, "lines": np.int64}
"""The fields of an analysis that hold whole numbers, with their types."""

# ---- in the process: errors of foreign classes stay in it, since unpickling one would run the class's code

_matches = OrderedDict[int, Playing]()


@cache
def _policy(spec: str, game: Game) -> Policy:
    policy = make_policy(spec, game)
    policy.prepare()
    return policy


def _make(spec: str, game: Game) -> str:
    """The identity of a policy, if it can be made."""
    try:
        return f"{_policy(spec, game).identity}"
    except policy_errors() as error:
        own = type(error) is ValueError  # a sentence already
        raise ValueError(str(error) if own else f"the policy {spec} cannot be made: it {fault_of(error).reason}") from None


def _probabilities(spec: str, game: Game, states: StateArray) -> NDArray[np.float64]:
    with _as_misbehaved():
        return np.array(_policy(spec, game).probabilities(states), np.float64)


def _analysis(spec: str, game: Game, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
    with _as_misbehaved():
        analysis = _policy(spec, game).analyse(states, keys)
        values: dict[str, Any] = {field.name: getattr(analysis, field.name) for field in fields(Analysis)}
        arrays: dict[str, Any] = {
            name: np.array(value, INTEGERS.get(name, np.float64)) for name, value in values.items() if value is not None
        }
        return Analysis(**arrays)


def _remembers(spec: str, game: Game) -> bool:
    with _as_misbehaved():
        return bool(_policy(spec, game).remembers)


def _play(
    spec: str, game: Game, match: int, count: int, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]
) -> Answer:
    """The answer for positions of a match of `count` games."""
    with _as_misbehaved():
        return validate_answer(_playing(spec, game, match, count).answer(states, keys, games), len(states))


def _note(
    spec: str, game: Game, match: int, count: int, states: StateArray, actions: NDArray[np.int64], games: NDArray[np.int64]
) -> None:
    with _as_misbehaved():
        _playing(spec, game, match, count).note(states, actions, games)


def _playing(spec: str, game: Game, match: int, count: int) -> Playing:
    """A match of `count` games, which begins with the first call for it in this process."""
    if match not in _matches:
        _matches[match] = _policy(spec, game).begin(count)
    while len(_matches) > MATCHES:
        _matches.popitem(last=False)
    return _matches[match]


@contextmanager
def _as_misbehaved() -> Generator[None]:
    """Turns whatever a policy raises into `Misbehaved`."""
    try:
        yield
    except NotImplementedError as error:
        raise NotImplementedError(describe_error(error)) from None
    except Unavailable as error:
        raise Unavailable(str(error)) from None
    except policy_errors() as error:
        raise Misbehaved(fault_of(error)) from None
