"""`Oracle`: the exact values of the positions within its reach.

An oracle is not a policy: it gives the value of a position with perfect play on both sides, and the actions that keep that value.
It never guesses. For a position out of its reach it returns None, or OUT_OF_REACH in arrays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.native import Function
from ..core.native.threads import share
from ..core.numbers import several
from ..core.specs import BySettings
from ..games.display import Part, Picture, Viewable
from ..games.game import Game, StateArray
from ..games.kernels import queries
from ..games.kernels.keys import below
from ..games.linking import LinkedKernel, linked
from ..search.watch import Stopped, Watch

T = TypeVar("T")
OUT_OF_REACH = 2
"""The value, in arrays, of a position that the oracle does not know."""
LONGEST = 1000
"""Plies, more than any distance."""


@dataclass(frozen=True)
class Solution(Viewable):
    """The oracle's answer for a position, for the player to move; in a finished game, for the player who would be next.

    Args:
        value: 1 won, 0 drawn, -1 lost with perfect play; None where the position is out of reach.
        best: the actions that keep the value (in Othello: the score), in rising order; none where the game is over or out of reach.
        distance: plies to the end when the winner hurries and the loser delays; None for a draw, or where it is not known.
        score: Othello's discs, own less the opponent's, empty cells to the winner, in a draw to nobody; None in other games.
        all_best: False where a limit came before all of the best actions were known: `best` has those that were, one at least.
        picture: the position, in solutions that `solve` returns.
    """

    value: int | None
    best: tuple[int, ...] = ()
    distance: int | None = None
    score: int | None = None
    all_best: bool = True
    picture: Picture | None = field(default=None, repr=False, compare=False)

    def _parts(self) -> Iterator[Part]:
        if self.picture is None:
            yield describe(self)
            return
        yield self.picture
        game, state = self.picture.game, self.picture.state
        if self.value is None:
            yield "The oracle did not find the value: the position is out of its reach, or a limit came first."
        else:
            yield f"For {game.player_names[game.player(state)]} the position is {describe(self)}."
        if self.best:
            yield f"{'Best' if self.all_best else 'Best known'}: {', '.join(map(game.move_name, self.best))}"

    def _rows(self) -> list[dict[str, Any]]:
        row: dict[str, Any] = {"value": self.value, "score": self.score, "distance": self.distance, "best": self.best}
        if self.picture is None:
            return [row]
        game = self.picture.game
        known = {"game": game.spec, "position": game.text(self.picture.state)}
        return [known | row | {"best": ", ".join(map(game.move_name, self.best))}]


UNKNOWN = Solution(None)
"""The solution of a position that is out of reach."""


class PositionValues(NamedTuple):
    """The values of some positions, each for one of its players.

    Args:
        values: 1, 0 or -1; OUT_OF_REACH where it is not known (B,), int8.
        distances: plies to the end with perfect play; -1 for a draw or where it is not known (B,), int64.
        scores: NaN where they are not known (B,), float64; None in games without scores, and where they were not asked for.
    """

    values: NDArray[np.int8]
    distances: NDArray[np.int64]
    scores: NDArray[np.float64] | None


class PositionTable(NamedTuple):
    """Positions of a game that is known as a whole, and perfect play in each.

    Args:
        states: the positions (N, W), uint64.
        values: 1, 0 or -1 for the player to move; in a finished game, for who would be next (N,), int8.
        distances: plies to the end with perfect play; -1 for a draw (N,), int64.
        best: 1 for each action that keeps the value, zeros where the game is over (N, A), int8.
    """

    states: StateArray
    values: NDArray[np.int8]
    distances: NDArray[np.int64]
    best: NDArray[np.int8]


@dataclass(frozen=True)
class ForPage:
    """What a page needs to know what an oracle knows.

    Args:
        kind: the name of its class there, in web/kernels/oracles.
        kernels: the kernels that this class calls, by the names by which it does; `by_name` gives them their own.
        numbers: what it needs to know besides, as JSON.
        files: books by the names of their files.
    """

    kind: str
    kernels: Mapping[str, LinkedKernel]
    numbers: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


def by_name(*kernels: Function) -> dict[str, LinkedKernel]:
    """Kernels without plugs, by their names."""
    return {needed.kernel.__name__: needed for needed in linked(*kernels)}


@dataclass(frozen=True)
class Oracle(BySettings, ABC):
    """Exact play of one game. Subclasses are frozen dataclasses whose fields are settings; what they remember changes no value.

    Args:
        game: the game and variant it knows.
    """

    game: Game

    title: ClassVar[str] = "the oracle"
    """Its name in error messages."""
    games: ClassVar[type[Game]] = Game
    """The class of the games that it knows."""
    reach: ClassVar[str]
    """Which positions it knows, in words."""
    has_score: ClassVar[bool] = False
    """Whether its solutions have a score."""
    beyond: ClassVar[Mapping[str, Any]] = {}
    """Settings with which minimax plays well beyond its reach."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.game, self.games):
            raise ValueError(f"{self.title} does not know {self.game}; make_oracle finds the one that does")

    @abstractmethod
    def reaches(self, state: StateArray) -> bool:
        """Whether the oracle certainly knows this position, in the time that it promises; answered without a search."""

    def reached(self, states: StateArray) -> NDArray[np.bool_]:
        """Whether the oracle reaches each of many positions (B, W): (B,), bool."""
        return np.array([self.reaches(state) for state in self.game.batch(states)], np.bool_)

    def solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        """Solves a position.

        Args:
            state: the position (W,).
            watch: limits and progress. With one, positions beyond `reaches` are tried too, until a limit ends it.

        Returns:
            UNKNOWN where the position is out of reach, or a limit came first.
        """
        state = self.game.single(state)
        return replace(self._solve(state, watch), picture=Picture(self.game, state.copy()))

    @abstractmethod
    def _solve(self, state: StateArray, watch: Watch | None = None) -> Solution:
        """The solution of a position, without its picture."""

    def _within(self, state: StateArray, watch: Watch | None, work: Callable[[Watch], T], *, short: bool = False) -> T | None:
        """The result of work that a watch limits; None out of reach, if there is no watch, or where a limit came first. `short` is
        as for `Watch.run`."""
        try:
            if watch is not None:
                return watch.run(lambda: work(watch), short=short)
            return work(Watch()) if self.reaches(state) else None
        except Stopped:
            return None

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that it needs."""
        return linked(queries.players, queries.outcomes, queries.masks, queries.plays)

    def patient(self) -> Oracle:
        """An oracle that searches each position for up to half a minute, where this one takes about a second."""
        return self

    def for_page(self) -> ForPage | None:
        """What a page without a server needs for the same answers; None where it cannot give them."""
        return None

    def prepare(self) -> None:
        """Compiles or loads its kernels. Call it before measuring or limiting time."""
        self.game.prepare(self.kernels)

    def choose(self, state: StateArray, key: int) -> int | None:
        """Draws one of the best actions in an unfinished position (W,), those that win soonest or lose latest, by a key; None where
        that is out of reach."""
        choices = self.choices(state)
        return choices[below(np.uint64(key), len(choices))] if choices else None

    def choices(self, state: StateArray) -> tuple[int, ...]:
        """The actions from which `choose` draws, each equally likely; empty out of reach."""
        solution = self.solve(state)
        if solution.distance is None or not solution.value:
            return tuple(self._soonest(state, solution.best))
        after = self.after(state)
        return tuple(action for action in solution.best if after[action].distance == solution.distance) or solution.best

    def _soonest(self, state: StateArray, actions: Sequence[int]) -> Sequence[int]:
        """Of some legal actions, those that win at once; all where none does."""
        results = self.game.outcomes(self.game.plays(np.repeat(state[None], len(actions), axis=0), actions))
        wins = results == 1 - 2 * self.game.player(state)
        return [action for action, won in zip(actions, wins, strict=True) if won] or actions

    @property
    def has_distances(self) -> bool:
        """Whether it knows the distance of every position that it reaches and that is not drawn."""
        return False

    def choices_of(self, states: StateArray) -> NDArray[np.int64]:
        """The actions from which `choose` draws, for many unfinished positions (B, W), as zeros and ones (B, A)."""
        states = self.game.batch(states)
        choices = np.zeros((len(states), self.game.num_actions), np.int64)
        if not self.has_distances:
            for row, state in enumerate(states):
                choices[row, list(self.choices(state))] = 1
            return choices
        reached = np.flatnonzero(self.reached(states))
        rows, actions = np.nonzero(self.game.masks(states[reached]))
        rows = reached[rows]
        known = self.action_values(states[rows], actions)
        worth = known.values * (LONGEST - known.distances)  # a win is worth more the sooner, a loss the later
        best = np.full(len(states), -LONGEST)
        np.maximum.at(best, rows, worth)
        choices[rows, actions] = worth == best[rows]
        return choices

    def value(self, state: StateArray, watch: Watch | None = None) -> int | None:
        """1, 0 or -1 for the player to move; None out of reach."""
        return self._solve(self.game.single(state), watch).value

    def counts(self, watch: Watch | None = None) -> tuple[int, int, int] | None:
        """How many of all boards of the game are won, lost and drawn for the player to move; None where not all are known."""
        return None

    @property
    def table_size(self) -> int:
        """How many positions `table` has; 0 where the oracle does not know the game as a whole.

        What knows it may be made now, and then kept in the cache.
        """
        return 0

    def table(self, start: int = 0, stop: int | None = None) -> PositionTable:
        """All positions of a game that is known as a whole, or those from number `start` to `stop`, always in the same order.

        Args:
            start: the number of the first.
            stop: the number after the last; None for all. A million at a time take little memory.

        Raises:
            ValueError: the oracle does not know the game as a whole, or there are no such numbers.
        """
        size = self.table_size
        if not size:
            raise ValueError(f"the oracle of {self.game.title} has no table of {self.game}; it knows {self.reach}")
        stop = size if stop is None else stop
        if not 0 <= start <= stop <= size:
            raise ValueError(f"the table of {self.game} has {size:,} positions, numbered from 0; not {start} to {stop}")
        states = self._table_states(start, stop)
        known = self.position_values(states)
        best = self.game.masks(states)
        rows, actions = np.nonzero(best)
        best[rows, actions] = self.action_values(states[rows], actions).values == known.values[rows]
        return PositionTable(states, known.values, known.distances, best)

    def _table_states(self, start: int, stop: int) -> StateArray:
        """The positions of `table` from one number to another (N, W)."""
        raise NotImplementedError

    def position_values(self, states: StateArray, *, scores: bool = False) -> PositionValues:
        """The values of positions (B, W), finished ones too, for the player to move, on all threads; and, in games that have them,
        their scores if they are asked for, which takes longer."""
        if scores and self.has_score:
            answers = self._answers(states, self._score)
            numbers = np.array([np.nan if answer is None else answer for answer in answers], np.float64)
            values = np.where(np.isnan(numbers), OUT_OF_REACH, np.sign(numbers)).astype(np.int8)
            return PositionValues(values, np.full(len(values), -1), numbers)
        pairs = np.array(self._answers(states, self._value_and_distance), np.int64).reshape(-1, 2)
        return PositionValues(pairs[:, 0].astype(np.int8), pairs[:, 1], None)

    def _value_and_distance(self, state: StateArray) -> tuple[int, int]:
        """The value of a position, or OUT_OF_REACH, and its distance, -1 where that is not known."""
        value = self.value(state)
        return OUT_OF_REACH if value is None else value, -1

    def values(self, states: StateArray) -> NDArray[np.int8]:
        """The value of each state (B,), int8; OUT_OF_REACH where it is not known."""
        return self.position_values(states).values

    def distances(self, states: StateArray) -> NDArray[np.int64]:
        """Plies to the end of each state (B,), int64; -1 for a draw or where it is not known. Some oracles know no distances."""
        return self.position_values(states).distances

    def _score(self, state: StateArray) -> int | None:
        return self._solve(state).score

    def _answers(self, states: StateArray, answer: Callable[[StateArray], T]) -> list[T]:
        """The answer for each state, on all threads. Of equal states only one is asked about."""
        _, first, which = np.unique(self.game.batch(states), axis=0, return_index=True, return_inverse=True)
        answers = dict[int, T]()

        def work(rows: Iterator[int]) -> None:
            for row in rows:
                answers[row] = answer(states[first[row]])

        share(len(first), work)
        return [answers[row] for row in which.reshape(-1).tolist()]

    def action_values(self, states: StateArray, actions: ArrayLike, *, scores: bool = False) -> PositionValues:
        """The value after an action in each state, for the player who takes it; the action itself counts in the distance.

        Args:
            states: unfinished positions (M, W).
            actions: a legal action in each (M,).
            scores: whether to find the scores too, in games that have them, which takes longer.

        Raises:
            ValueError: a row is no state of the game, or an action is not legal.
        """
        after, numbers = self.game.plays(states, actions), np.asarray(actions, np.int64)
        for row in np.flatnonzero(self.game.masks(states)[np.arange(len(states)), numbers] == 0):
            self.game.play(states[row], int(numbers[row]))  # raises the error that says why it is illegal
        signs = np.where(self.game.players(after) == self.game.players(states), 1, -1).astype(np.int8)
        known = self.position_values(after, scores=scores)
        values = np.where(known.values == OUT_OF_REACH, known.values, signs * known.values)
        distances = np.where(known.distances < 0, -1, known.distances + 1)
        return PositionValues(values, distances, None if known.scores is None else signs * known.scores)

    def after(self, state: StateArray, actions: Sequence[int] | None = None) -> dict[int, Solution]:
        """The solution after each of some legal actions, without its best actions, for the player who takes it.

        Args:
            state: an unfinished position (W,).
            actions: legal actions; None for all of them.
        """
        actions = self.game.legal_actions(state) if actions is None else actions
        known = self.action_values(np.repeat(state[None], len(actions), axis=0), actions, scores=True)
        scores = np.full(len(actions), np.nan) if known.scores is None else known.scores
        rows = zip(actions, known.values.tolist(), known.distances.tolist(), scores.tolist(), strict=True)
        return {
            action: Solution(
                value=None if value == OUT_OF_REACH else value,
                distance=None if distance < 0 else distance,
                score=None if isnan(score) else int(score),
            )
            for action, value, distance, score in rows
        }


def solution_for_mover(solution: Solution, same: bool) -> Solution:
    """The solution of a position after a move, for the player who made it: signs change unless the same player moves again."""

    def for_mover(number: int | None) -> int | None:
        return number if same or number is None else -number

    further = None if solution.distance is None else solution.distance + 1
    return replace(solution, value=for_mover(solution.value), distance=further, score=for_mover(solution.score), picture=None)


def describe(solution: Solution) -> str:
    """The value of a position in words: `won by 18`, `lost in 6 plies`; `unknown` out of reach."""
    value = {1: "won", 0: "drawn", -1: "lost", None: "unknown"}[solution.value]
    score = f" by {abs(solution.score)}" if solution.score else ""
    distance = "" if solution.distance is None else f" in {several(solution.distance, 'ply', 'plies')}"
    return value + score + distance
