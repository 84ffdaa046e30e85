"""The policy of learnt values: one ply ahead, or deeper by alpha-beta, and no position twice in a game where it has another.

For alpha-beta the values are an evaluation: the same sums, in whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Analysis
from ...agents.external.wrapped import softmax
from ...agents.memory import Remembering, WithMemory, best_actions
from ...agents.policy import Playing, draw_actions
from ...core.native import Function
from ...core.native.threads import pool
from ...core.numbers import Range
from ...games.evaluation import LARGEST, Evaluation, no_hint
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Numbers
from ...games.kernels.bits import ONE, count, number, u64
from ...games.kernels.queries import masks, outcomes, players, plays
from ...games.kernels.rules import ONGOING, State
from ...games.linking import LinkedKernel, linked
from ...search.alphabeta.negamax import LARGEST_DEPTH, PROVEN, WIN, AlphaBeta
from .kernels import NOT_LEGAL, Net, cells, write_values
from .looks import looks_of
from .shapes import NTuplePatterns, patterns_of

SHARPNESS = 10.0
"""By how much the logarithm of a prior grows with the value of its action, in `NTupleNetwork`."""
UNIT = 1_000_000
"""A weight of 1 in the whole numbers of search."""
PLACES, STAGES, MARKS, SIZE, HEAD = range(5)
"""Where the layout has the number of places, of stages, of counts of cells that are not empty, and of the weights of a stage."""
SOONER, UNDECIDED = 1e-6, 0.999
"""The value of a ply where a search has found the end; and the highest value of any other position."""


@dataclass(frozen=True, eq=False)
class NTuplePolicy(Remembering):
    """Plays the action with the highest value; one of equals by the key.

    Args:
        shapes: the shapes of the patterns, as shapes.py reads them.
        weights: the weight of each pattern in each stage, those of the first stage first (stages · W,), float32.
        stages: the stages of a game, by the number of cells that are not empty.
        depth: plies to search: 1 to look at the position after each action; more where the game has `Known.sides`.
        repeats: whether, in a match, a position that it has left to the opponent before has the value of a draw, since both may
            repeat their moves. It then remembers these positions until the game ends.

    Raises:
        ValueError: the weights are fewer or more than the shapes need, or not finite; or the depth is out of its range.
    """

    name: ClassVar[str] = "ntuples"

    shapes: tuple[str, ...] = field(repr=False, kw_only=True)
    weights: NDArray[np.float32] = field(repr=False, kw_only=True)
    stages: int = field(default=1, repr=False, kw_only=True)
    depth: Annotated[int, Range(1, LARGEST_DEPTH)] = 1
    repeats: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = self.stages * patterns_of(self.game, self.shapes).weights
        if self.weights.dtype != np.float32 or self.weights.shape != (wanted,) or not np.isfinite(self.weights).all():
            in_stages = f" in {self.stages} stages" if self.stages > 1 else ""
            raise ValueError(
                f"patterns of {'+'.join(self.shapes)} on {self.game}{in_stages} have {wanted} weights, finite and float32"
            )
        if self.depth > 1 and self.game.known.sides is None:
            raise ValueError(
                f"in {self.game} the depth of n-tuples is 1, not {self.depth}; it can be larger in games with `Known.sides`"
            )

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        if self.depth == 1:
            return *linked(plays), LinkedKernel(write_values, looks_of(self.game).plugs)
        return linked(plays, masks, players, outcomes) + self._searcher.kernels

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return draw_actions(best_actions(self.values(states)), keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        chances = best_actions(self.values(states))
        return chances / chances.sum(axis=1, keepdims=True)

    def analyse(self, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
        values = self.values(states)
        known = np.where(self.game.masks(states) != 0, values, np.nan)
        return Analysis(draw_actions(best_actions(values), keys), values=values.max(axis=1), action_values=known)

    def begin(self, games: int) -> Playing:
        return WithMemory(self) if self.repeats else Playing(self)

    def preferences(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        return self.values(states)

    def values(self, states: StateArray) -> NDArray[np.float64]:
        """The value of each action for the player to move (B, A), from -1 to 1; NOT_LEGAL where it is illegal."""
        if self.depth > 1:
            return self._search_values(states)
        game, patterns = self.game, patterns_of(self.game, self.shapes)
        values = np.empty((len(states), game.num_actions))
        indices = np.empty((len(states), len(patterns.starts)), np.int32)
        planes = np.empty((len(states), game.shape[0], game.shape[1] * game.shape[2]), np.int8)
        kernel = game.kernel(write_values, looks_of(game).plugs)
        over = pool(len(states)), 0, len(states), game.batch(states)
        kernel(*over, Net(*patterns[:4], self.stages, self.weights), indices, planes, values)
        return values

    def _search_values(self, states: StateArray) -> NDArray[np.float64]:
        game = self.game
        values = np.full((len(states), game.num_actions), NOT_LEGAL)
        rows, actions = np.nonzero(game.masks(states))
        after = game.plays(states[rows], actions)
        movers, results = game.players(states[rows]), game.outcomes(after)
        signs = np.where(game.players(after) == movers, 1, -1)
        after_values = ((1 - 2 * movers) * results).astype(np.float64)
        going = np.flatnonzero(results == ONGOING)
        searched = self._searcher.search(after[going], np.zeros(len(going), np.uint64))
        scores = searched.values  # the sooner won the higher, and all undecided ones in between
        ended = np.sign(scores) * (1 - SOONER * (WIN - np.abs(scores)))
        after_values[going] = signs[going] * np.where(np.abs(scores) > PROVEN, ended, UNDECIDED * np.tanh(scores / UNIT))
        values[rows, actions] = after_values
        return values

    @cached_property
    def _searcher(self) -> AlphaBeta:
        evaluation = SumOfPatterns.of(self.game, patterns_of(self.game, self.shapes), self.weights, self.stages)
        return AlphaBeta(self.game, evaluation, depth=self.depth - 1)


@dataclass(frozen=True, eq=False)
class NTupleNetwork:
    """Learnt values, of a policy, as the network of a guided search, from states to priors and values: as `AlphaZeroPolicy` takes
    it.

    The prior of an action grows with the value of the position after it. The values are learnt without a search, and a search plays
    with them.

    Source: Scheiermann, Konen: AlphaZero-inspired game learning: faster training by using MCTS only at test time, IEEE Transactions
    on Games 15 (2023).
    """

    policy: NTuplePolicy

    @property
    def game(self) -> Game:
        """The game and variant."""
        return self.policy.game

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that it calls."""
        return self.policy.kernels

    def __call__(self, states: StateArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The priors of actions (n, A), 0 where they are illegal, and the values of the best ones (n,)."""
        values = self.policy.values(states)
        return softmax(np.where(values == NOT_LEGAL, -np.inf, SHARPNESS * values)), values.max(axis=1)


# ---- the evaluation of alpha-beta


def sum_of_patterns(state: State, weights: Numbers) -> int:
    """The sum of the weights of the patterns on all places; `weights` is made by `layout_of`."""
    own, other = cells(state)
    first = count(own | other) * weights[STAGES] // weights[MARKS] * weights[SIZE]
    total, at = 0, HEAD
    for _ in range(weights[PLACES]):
        pattern, length = 0, weights[at + 1]
        for i in range(at + 2, at + 2 + length):
            cell = u64(weights[i])
            pattern = 3 * pattern + number(((own >> cell) & ONE) + ((other >> cell) & ONE) * u64(2))
        total += weights[first + weights[at] + pattern]
        at += 2 + length
    return int(max(1 - LARGEST, min(LARGEST - 1, total)))


def layout_of(patterns: NTuplePatterns, weights: NDArray[np.float32], stages: int) -> NDArray[np.int64]:
    """Places and the weights of their patterns, in one array.

    First HEAD numbers; then for each place the start of its patterns, the number of its cells, and these, the last first; then
    the weight of each pattern, those of the first stage first.
    """
    places = [np.argsort(-column, kind="stable")[: np.count_nonzero(column)] for column in patterns.steps.T]
    begin = HEAD + sum(2 + len(cells) for cells in places)
    parts = [np.array([begin + start, len(cells), *cells]) for start, cells in zip(patterns.starts, places, strict=True)]
    values = np.rint(weights.reshape(stages, -1).astype(np.float64)[:, patterns.slots] * UNIT)
    head = np.array([len(places), stages, len(patterns.steps) + 1, len(patterns.slots)])
    return np.concatenate([head, *parts, np.clip(values, -LARGEST, LARGEST).ravel()]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class SumOfPatterns(Evaluation):
    """The evaluation by patterns: the function that reads the game's cells, for linking, and the result of `layout_of`."""

    cells: dict[Function, Function] = field(kw_only=True)
    layout: NDArray[np.int64] = field(kw_only=True)

    @classmethod
    def of(cls, game: Game, patterns: NTuplePatterns, weights: NDArray[np.float32], stages: int) -> SumOfPatterns:
        """The evaluation of a game by these weights of patterns in stages."""
        sides = game.known.sides
        assert sides is not None  # the policy has checked it
        return cls(sum_of_patterns, no_hint, cells={cells: sides}, layout=layout_of(patterns, weights, stages))

    @property
    def plugs(self) -> dict[Function, Function]:
        return {**super().plugs, **self.cells}

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        return self.layout
