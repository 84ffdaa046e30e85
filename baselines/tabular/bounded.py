"""A table with room for so many positions, for games that have too many to number them all.

Positions are looked up by a hash of 128 bits. With `merge` = mover it is the hash of what the player to move sees, the lowest
under all symmetries, so that symmetric positions and those with the players exchanged share a row; with symmetry, the player is
mixed in; with nothing, the symmetries are left out.

    group     0                           1 …     the hash of a position names a group of WAYS rows; it is in one of them
    keys      hash | hash | hash | hash | hash …  the hash of each row's position (R, 2); zeros of an empty row
    values    a b c … | …                         what each action is worth (R · A), numbered as the image that gave the hash lies;
                                                  minus infinity where it is not legal

A position that a learner meets is entered. Where its group is full it takes the row that was learnt from least, so that what
comes up often stays, such as openings, and what came up once goes. A move whose row was taken by another position before the end
of its game is not learnt from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...envs.files.named_arrays import Arrays
from ...envs.games import quixo
from ...envs.games.game import Game, StateArray
from ...envs.games.linking import Linked, linked
from ...envs.kernels.queries import masks
from ...envs.native import Function
from ...envs.settings.numbers import MANY
from .bounded_walk import WAYS, Rows, learn_bounded_games, look_up, no_threats, threats
from .walk import Values, learn

if TYPE_CHECKING:
    from .tabular import Tabular

THREATS: dict[str, Function] = {"quixo": quixo.threats}
"""The games in which moves can bring a bonus, and what counts the lines that lack one piece."""


@dataclass(frozen=True, eq=False)
class Bounded:
    """Rows for the positions of a game.

    Args:
        game: the game and variant.
        merge: one of MERGES.
        rows: how many positions there is room for, rounded up to whole groups.
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
        """How many values there are: one for each action of each row."""
        return len(self.keys) * self.game.num_actions

    @cached_property
    def begins(self) -> NDArray[np.int64]:
        """Where the values of each row begin, and where the last row's end (R + 1,)."""
        return np.arange(0, self.edges + 1, self.game.num_actions)

    @property
    def count(self) -> int:
        """How many positions the game has: a number that no game reaches."""
        return MANY

    @property
    def arrays(self) -> Arrays:
        """What of it learning changes."""
        return {"keys": self.keys}

    def learnt(self, values: NDArray[np.float64]) -> Arrays:
        """What a policy needs of the table."""
        return {"keys": self.keys.copy(), "values": values.copy()}

    def seen(self, visits: NDArray[np.int64]) -> float:
        """Which share of the rows is in use."""
        return float(self.keys.any(axis=1).mean())

    def odds(self, opponent: str) -> NDArray[np.float64]:
        """Nothing: the opponent plays at random, which needs no numbers."""
        return np.zeros(0)

    @cached_property
    def ways(self) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
        """The symmetries that are merged: how each moves cells (S, H·W) and actions (S, A), and actions back (S, A)."""
        cells, actions = (one[:1] if self.merge == "nothing" else one for one in self.game.symmetries)
        return cells, actions, np.argsort(actions, axis=1).astype(np.int16)

    def look_up(self, states: StateArray) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
        """The hash by which each state is found (B, 2), the symmetry that gives it (B,), and its row (B,), -1 where it has none."""
        hashes, (which, found) = np.empty((len(states), 2), np.uint64), np.empty((2, len(states)), np.int64)
        self.game.kernel(look_up)(np.ascontiguousarray(states), self._rows(0), hashes, which, found)
        return hashes, which, found

    def _rows(self, plies: int) -> Rows:
        """The rows as kernels take them, with room for games of so many plies."""
        planes, height, width = self.game.shape
        room = (
            np.empty((planes, height * width), np.int8),
            np.empty((plies, 2), np.uint64),
            np.empty(self.game.action_words, np.uint64),
        )
        return Rows(*self.ways, self.merge != "mover", self.keys, *room)

    def play(self, trainer: Tabular[Any], first: int, behind: int, tally: NDArray[np.float64]) -> None:
        """Plays games and learns from them, as `Tabular.play`."""
        plugs = {learn: trainer.rule, threats: THREATS.get(self.game.name, no_threats)}
        whole, numbers = trainer.numbers()
        extra = np.array([trainer.settings.initial, *trainer.bonuses])
        rows = self._rows(len(trainer.trail.places))
        table, start = Values(trainer.values, trainer.visits, self.begins, self.begins), np.array(self.game.start)
        kernel = self.game.kernel(learn_bounded_games, plugs)
        kernel(first, behind, trainer.seed, whole, numbers, extra, start, rows, table, trainer.trail, tally)


@dataclass(frozen=True, eq=False)
class BoundedChoices:
    """What to play by the rows of a bounded table: one of the actions of the highest value, each equally likely.

    Args:
        positions: the rows.
        choices: how likely each action is in each row (R, A), as the row's image lies.
        symmetric, is_certain: as of a `Table`: symmetric positions share rows, and rows hold probabilities.
    """

    positions: Bounded
    choices: NDArray[np.float32]
    symmetric: bool = True
    is_certain: bool = False

    @classmethod
    def of(cls, game: Game, merge: str, learnt: Mapping[str, NDArray[Any]]) -> BoundedChoices:
        """The choices by what a run has learnt: keys (R, 2), and values (R · A), minus infinity of illegal actions.

        Raises:
            ValueError: the arrays are none of such a table.
        """
        keys, values = learnt.get("keys", np.zeros(0)), learnt.get("values", np.zeros(0))
        fits = keys.dtype == np.uint64 and keys.ndim == 2 and keys.shape[1] == 2 and len(keys) and len(keys) % WAYS == 0
        if not fits or values.dtype != np.float64 or values.shape != (len(keys) * game.num_actions,) or np.isnan(values).any():
            raise ValueError(f"this is no bounded table for {game}")
        positions, laid = Bounded(game, merge, len(keys)), values.reshape(len(keys), game.num_actions)
        positions.keys[:] = keys
        best = (laid == laid.max(axis=1, keepdims=True)).astype(np.float32)
        return cls(positions, best / best.sum(axis=1, keepdims=True))

    @property
    def game(self) -> Game:
        """The game and variant."""
        return self.positions.game

    @property
    def kernels(self) -> tuple[Linked, ...]:
        """The kernels that find a position."""
        return linked(look_up, masks)

    def find(self, states: StateArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The row of each state (B,), and the symmetry by which it lies there (B,).

        Returns:
            -1 for a state that is not there, or whose row names an action that is not legal, as only a damaged table's does.
        """
        _, which, rows = self.positions.look_up(states)
        legal = np.take_along_axis(self.game.masks(states) != 0, self.positions.ways[2][which].astype(np.int64), axis=1)
        wrong = ((self.choices[rows] > 0) & ~legal).any(axis=1)
        return np.where(wrong, -1, rows), which
