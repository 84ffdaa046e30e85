"""`Policy`: chooses actions, for many positions at a time.

A policy is made for one game, and called with states and keys. A key is all its randomness: with the same state and key it gives
the same action, whatever else is in the batch and whatever was played before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core import specs
from ..games.batches import one_each
from ..games.display import Part, TextTable, Viewable
from ..games.game import Game, StateArray
from ..games.kernels.keys import uniforms
from ..games.lines import GameLines
from ..games.linking import LinkedKernel
from .answers import Analysis, Answer, Forfeits, TakeAnswer


@dataclass(frozen=True)
class Policy(specs.BySettings, Viewable, ABC):
    """A policy for one game. Subclasses are frozen dataclasses; each field is a setting, and its annotation declares its bounds.

    Args:
        game: the game and variant it plays.
        title: a name for it, in place of its name and settings.
    """

    game: Game = field(repr=False)
    title: str = field(default="", repr=False, compare=False, kw_only=True)

    name: ClassVar[str]
    """The name in specs."""
    games: ClassVar[tuple[str, ...] | None] = None
    """The games it can play; None for all."""
    symmetric: ClassVar[bool] = False
    """Whether it plays alike in symmetric positions (`Game.symmetries`): each action is as likely as its image in the image of the
    position. Exact grades of such a policy count symmetric positions as one."""
    sees_moves: ClassVar[bool] = False
    """Whether its `Playing` sees the moves of both players, as `lines`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.games is not None and self.game.name not in self.games:
            raise ValueError(f"the policy {self.name!r} plays {' and '.join(self.games)}, not {self.game.spec}")

    @abstractmethod
    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """One legal action for each state.

        Args:
            states: unfinished positions (B, W), uint64.
            keys: one per state (B,), uint64: all the randomness. They must be random in all 64 bits; small numbers are not, and
                lead to the same action.

        Returns:
            Actions (B,), int64.

        Raises:
            ValueError: the states are not of this game, or there is not one key for each.
        """

    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        """The actions of `act`, with what else it can say of them: transcripts, or how many nodes it visited."""
        return Answer(self.act(states, keys))

    def batch(self, states: StateArray, keys: NDArray[np.uint64]) -> tuple[StateArray, NDArray[np.uint64]]:
        """States and keys in the form that kernels take, for policies whose `act` calls kernels.

        Raises:
            ValueError: they are not states of this game, or there is not one key for each.
        """
        return self.game.batch(states), one_each(keys, np.uint64, "key", len(states))

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that it needs. A kernel that is missing here is compiled at its first call."""
        return ()

    @property
    def page_kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that it needs in a page that plays without Python."""
        return self.kernels

    @property
    def page_data(self) -> Mapping[str, Any]:
        """All that its kernels take other than positions, keys and settings, as JSON, for a page that plays without Python."""
        return {}

    @property
    def page_files(self) -> Mapping[str, bytes]:
        """The files that it needs there, by their names."""
        return {}

    @property
    def at_once(self) -> int:
        """The number of positions that it answers in about the time of one, because the work is done elsewhere, as by a server."""
        return 1

    @property
    def seconds_elsewhere(self) -> float:
        """The processor time that its moves have used so far outside of this process, where that can be measured."""
        return 0.0

    def prepare(self) -> None:
        """Compiles or loads its kernels. Call it before measuring or limiting time."""
        self.game.prepare(self.kernels)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        """The probability of each action (B, A), if the keys are uniformly random.

        Raises:
            NotImplementedError: this policy does not know them.
        """
        raise NotImplementedError(f"the policy {self.spec} does not know its probabilities")

    def analyse(self, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
        """Its opinion of unfinished positions: the action that it plays, and why, where it can tell."""
        try:
            return Analysis(self.act(states, keys), self.probabilities(states))
        except NotImplementedError:
            return Analysis(self.act(states, keys))

    def begin(self, games: int) -> Playing:
        """Starts playing this many new games. A policy that remembers something between moves returns its own `Playing`."""
        return Playing(self)

    @property
    def remembers(self) -> bool:
        """Whether it remembers something between the moves of a game."""
        return self.begin(1).remembers

    @property
    def spec(self) -> str:
        """The policy's name and settings as users write them, such as `minimax:depth=4`."""
        return self.title or specs.join(self.name, specs.changed_settings(self))

    def with_title(self, title: str) -> Policy:
        """A copy of this policy with another title."""
        renamed = copy(self)
        object.__setattr__(renamed, "title", title)  # not `replace`, which would repeat the checks and computations of a subclass
        return renamed

    def __str__(self) -> str:
        return self.spec

    def _parts(self) -> Iterator[Part]:
        settings = [[name, specs.value_text(value)] for name, value in self._settings.items()]
        yield TextTable(f"{self.spec} in {self.game}", ["setting", "value"], settings, left=2)

    def _rows(self) -> list[dict[str, Any]]:
        return [{"game": self.game.spec, "policy": self.spec, **self._settings}]

    @property
    def _settings(self) -> dict[str, Any]:
        return {setting.name: getattr(self, setting.name) for setting in fields(self) if setting.repr}

    def __call__(self, env: Any) -> int:
        """An action for the player to move in a running environment of this game, AEC or one-seat, wrapped or not.

        Raises:
            ValueError: the environment plays another game.
        """
        inner = env.unwrapped
        if not hasattr(inner, "key"):
            raise ValueError("a policy called with an environment asks about one board; for many, call act(states, keys)")
        if inner.game != self.game:
            raise ValueError(f"the policy {self.spec} was made for {self.game.spec}; this environment plays {inner.game.spec}")
        state = inner.rules_state
        if self.game.outcome(state) is not None:
            raise ValueError(f"the game is over ({self.game.status(state)}); there is nothing to choose")
        key = np.array([inner.key()], np.uint64)
        if not self.sees_moves:
            return int(self.act(state[None], key)[0])
        playing = self.begin(1)
        playing.lines = inner.line
        return int(playing.act(state[None], key, np.zeros(1, np.int64))[0])


class Playing:
    """Games that one policy plays, numbered from 0; it remembers nothing between moves.

    Args:
        policy: whose games they are.

    Attributes:
        policy: whose games they are.
        lines: how the games came to the positions of the next `act`, a line for each state. Whoever plays the games sets it before
            each `act`, for a policy that `sees_moves`.
        seconds_left: the seconds left to the policy for all its moves of each game (B,), set before each `act` where there is a
            clock for the game; else None.
    """

    lines: GameLines
    seconds_left: NDArray[np.float64] | None = None

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    @property
    def remembers(self) -> bool:
        """Whether something is remembered between moves."""
        return type(self) is not Playing

    def prepare(self) -> None:
        """Gets ready for the next answer. A match calls it before each, outside of the time that it measures."""

    def begin_again(self, games: NDArray[np.int64]) -> None:
        """Forgets what was remembered of some games (B,), since new ones begin under their numbers.

        Raises:
            NotImplementedError: it remembers something, and does not know how to forget it.
        """
        if self.remembers:
            raise NotImplementedError(f"{type(self).__name__} has no method begin_again")

    def note(self, states: StateArray, actions: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """Remembers that it took these actions (B,) in these states (B, W), for a game that is resumed.

        Only what follows from the moves alone is remembered; everything else, such as the trees of a search, starts again.
        """

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        """One legal action for each state.

        Args:
            states: unfinished positions (B, W), uint64.
            keys: one per state (B,), uint64: all the randomness.
            games: the number of the game that each state belongs to (B,), no number twice.
        """
        return self.policy.act(states, keys)

    def answer(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answer:
        """The actions of `act`, with the games that are forfeited and what else the policy says of its moves."""
        try:
            return Answer(self.act(states, keys, games)) if self.remembers else self.policy.answer(states, keys)
        except Forfeits as forfeits:
            return forfeits.answer


class SequencePolicy(Policy):
    """A policy that chooses by the moves so far, as a sequence model does. A subclass defines `act_on`.

    It remembers nothing between moves: the line is all that it needs.
    """

    sees_moves: ClassVar[bool] = True

    @abstractmethod
    def act_on(self, states: StateArray, keys: NDArray[np.uint64], lines: GameLines) -> NDArray[np.int64]:
        """One legal action for each state.

        Args:
            states: unfinished positions (B, W), uint64.
            keys: one per state (B,), uint64: all the randomness.
            lines: how each game came to its state. Where nobody knows, as in grades of single positions, the state is also where
                the line starts, and it has no moves.

        Returns:
            Actions (B,), int64.
        """

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.act_on(states, keys, GameLines.without_moves(states))

    def begin(self, games: int) -> Playing:
        return OnLines(self)


class OnLines(Playing):
    """Games of a policy that chooses by their lines.

    Args:
        policy: whose games they are.
    """

    def __init__(self, policy: SequencePolicy) -> None:
        super().__init__(policy)
        self._act_on = policy.act_on

    def begin_again(self, games: NDArray[np.int64]) -> None:
        """There is nothing to forget."""

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._act_on(states, keys, self.lines)


class Speaking(Policy):
    """A policy that plays by text, and returns the transcript of each move. A subclass defines `answer`."""

    @abstractmethod
    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        """The answer for a batch of states.

        Raises:
            Unavailable: it cannot go on.
        """

    def answer_each(self, states: StateArray, keys: NDArray[np.uint64], take: TakeAnswer) -> None:
        """Hands over the answer for each state, as soon as it is there where a subclass can.

        Args:
            states, keys: as for `answer`.
            take: called with the row of the state, the action or -1, and the transcript. What it raises ends the questions.

        Raises:
            Unavailable: it cannot go on.
        """
        answer = self.answer(states, keys)
        for row, action in enumerate(answer.actions.tolist()):
            take(row, action, answer.transcripts[row])

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """One legal action for each state.

        Raises:
            Forfeits: there is none for some of them.
            Unavailable: it cannot go on.
        """
        return self.answer(states, keys).every_action(self.spec)


@dataclass(frozen=True)
class FunctionPolicy(Policy):
    """A function as a policy.

    Args:
        function: does the work of `act`: from states (B, W) and keys (B,), both uint64, to actions (B,).
        title: the name of the policy.
    """

    name: ClassVar[str] = "python"
    function: Callable[[StateArray, NDArray[np.uint64]], Any] = field(repr=False, kw_only=True)
    title: str = field(kw_only=True)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        answer = np.asarray(self.function(states, keys))
        if answer.dtype.kind not in "iu":
            raise ValueError(f"{self.title} gave an array of type {answer.dtype}; actions must be whole numbers")
        return answer.astype(np.int64)


def name_of(thing: Any) -> str:
    """The name of a policy in tables: its spec as it was given, or the name of the function or class."""
    if isinstance(thing, str):
        return thing.strip()
    return thing.spec if isinstance(thing, Policy) else getattr(thing, "__name__", type(thing).__name__)


def settings_of(cls: type[Policy], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a policy, with texts converted to the types of its fields."""
    if "game" in settings:
        raise ValueError(f"the policy {cls.name} takes its game from where it plays, not from its spec")
    return specs.read(cls, settings, f"the policy {cls.name!r}")


def draw_actions(chances: NDArray[np.floating], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Draws an action from each row of probabilities (B, A) by its key: actions (B,), int64."""
    sums = chances.cumsum(axis=1, dtype=np.float64)
    points = uniforms(keys) * sums[:, -1]
    return (sums > points[:, None]).argmax(axis=1)
