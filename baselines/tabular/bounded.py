"""A table with room for a limited number of positions, for games with too many to number them all.

Positions are looked up by a hash of 128 bits. With `merge` = mover it is the hash of what the player to move sees, the lowest
under all symmetries, so that symmetric positions and those with the players exchanged share a row. With symmetry, the player is
part of the hash; with nothing, symmetries are not used.

    group     0                           1 …     the hash of a position names a group of WAYS rows; it is in one of them
    keys      hash | hash | hash | hash | hash …  the hash of each row's position (R, 2); zeros of an empty row
    values    a b c … | …                         the value of each action (R · A), as actions of the image that gave the hash;
                                                  minus infinity where it is not legal

A position that a learner meets gets a row. In a full group it replaces the row with the fewest updates, so that frequent
positions such as openings stay. If another position takes the row of a move before the game ends, that move is not learnt from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...core.files.named_arrays import Arrays
from ...core.native import Function
from ...core.numbers import MANY
from ...games.game import Game, StateArray
from ...games.kernels.queries import masks
from ...games.linking import LinkedKernel, linked
from .bounded_walk import WAYS, Rows, learn_bounded_games, look_up, no_threats, threats
from .walk import TableLearner, learn


@dataclass(frozen=True, eq=False)
class BoundedPositions:
    """Rows for the positions of a game.

    Args:
        game: the game and variant.
        merge: one of MERGES.
        rows: the number of positions that there is room for, rounded up to whole groups.
    """

    game: Game
    merge: str
    rows: int

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """The hash of each row's position (R, 2); zeros of an empty row."""
        return np.zeros((-(-self.rows // WAYS) * WAYS, 2), np.uint64)

    @property
    def edges(self) -> int:
        """The number of values: one for each action of each row."""
        return len(self.keys) * self.game.num_actions

    @cached_property
    def begins(self) -> NDArray[np.int64]:
        """Where the values of each row start, and where those of the last one stop (R + 1,)."""
        return np.arange(0, self.edges + 1, self.game.num_actions)

    @property
    def count(self) -> int:
        """The number of positions of the game: larger than any game is long."""
        return MANY

    @property
    def arrays(self) -> Arrays:
        """The arrays that learning changes."""
        return {"keys": self.keys}

    def learnt(self, values: NDArray[np.float64]) -> Arrays:
        """What a policy needs of the table."""
        return {"keys": self.keys.copy(), "values": values.copy()}

    def share_seen(self, visits: NDArray[np.int64]) -> float:
        """The share of rows in use."""
        return float(self.keys.any(axis=1).mean())

    def odds(self, opponent: str | Policy) -> NDArray[np.float64]:
        """Empty: the opponent plays at random, which needs no probabilities."""
        return np.zeros(0)

    @cached_property
    def ways(self) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
        """The symmetries that are merged: their permutations of cells (S, H·W), of actions (S, A), and back (S, A)."""
        cells, actions = (table[:1] if self.merge == "nothing" else table for table in self.game.symmetries)
        return cells, actions, np.argsort(actions, axis=1).astype(np.int16)

    def look_up(self, states: StateArray) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
        """The hash by which each state is rows (B, 2), the symmetry that gives it (B,), and its row (B,), -1 where it has none."""
        hashes, (which, rows) = np.empty((len(states), 2), np.uint64), np.empty((2, len(states)), np.int64)
        self.game.kernel(look_up)(self.game.batch(states), self._rows(0), hashes, which, rows)
        return hashes, which, rows

    def _rows(self, plies: int) -> Rows:
        """The rows as kernels take them, with room for games of this many plies."""
        planes, height, width = self.game.shape
        room = (
            np.empty((planes, height * width), np.int8),
            np.empty((plies, 2), np.uint64),
            np.empty(self.game.action_words, np.uint64),
        )
        return Rows(*self.ways, self.merge != "mover", self.keys, *room)

    def play(self, start: int, stop: int, seed: int, rule: Function, learner: TableLearner, tally: NDArray[np.float64]) -> None:
        """Plays games and learns from them by a rule, the kernel that stands for `learn`; see `Tabular.play`."""
        kernel = self.game.kernel(learn_bounded_games, {learn: rule, threats: self.game.known.threats or no_threats})
        rows, start_state = self._rows(len(learner.trail.positions)), np.array(self.game.start)
        kernel(start, stop, seed, learner, start_state, rows, self.begins, tally)


@dataclass(frozen=True, eq=False)
class BoundedChoices:
    """The choices of a bounded table: one of the actions with the highest value, uniformly.

    Args:
        positions: the rows.
        choices: the probability of each action in each row (R, A), as actions of the image that has the row.
        symmetric: whether symmetric positions share rows, as in `Table`.
        is_certain: whether each row has one action only, as in `Table`; here rows hold probabilities.
    """

    positions: BoundedPositions
    choices: NDArray[np.float32]
    symmetric: bool = True
    is_certain: bool = False

    @classmethod
    def of(cls, game: Game, merge: str, learnt: Mapping[str, NDArray[Any]]) -> BoundedChoices:
        """The choices of a trained run: keys (R, 2), and values (R · A), minus infinity for illegal actions.

        Raises:
            ValueError: the arrays do not form such a table.
        """
        keys, values = learnt.get("keys", np.zeros(0)), learnt.get("values", np.zeros(0))
        fits = keys.dtype == np.uint64 and keys.ndim == 2 and keys.shape[1] == 2 and len(keys) and len(keys) % WAYS == 0
        if not fits or values.dtype != np.float64 or values.shape != (len(keys) * game.num_actions,) or np.isnan(values).any():
            raise ValueError(f"these arrays are not a bounded table for {game}")
        positions, by_row = BoundedPositions(game, merge, len(keys)), values.reshape(len(keys), game.num_actions)
        positions.keys[:] = keys
        best = (by_row == by_row.max(axis=1, keepdims=True)).astype(np.float32)
        return cls(positions, best / best.sum(axis=1, keepdims=True))

    @property
    def game(self) -> Game:
        """The game and variant."""
        return self.positions.game

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that find a position."""
        return linked(look_up, masks)

    def find(self, states: StateArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The row of each state (B,), and the symmetry that maps the state onto it (B,).

        Returns:
            -1 for a state without a row, or whose row names an illegal action, as only a damaged table has.
        """
        _, which, rows = self.positions.look_up(states)
        legal = np.take_along_axis(self.game.masks(states) != 0, self.positions.ways[2][which].astype(np.int64), axis=1)
        wrong = ((self.choices[rows] > 0) & ~legal).any(axis=1)
        return np.where(wrong, -1, rows), which
