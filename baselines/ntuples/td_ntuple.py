"""TD(λ) with n-tuples: what positions are worth, learnt from games against oneself.

A position is worth tanh(Σ w) to the player to move: the sum of what the patterns on many small places of the board are worth,
by tables that start empty (shapes.py). A player looks one ply ahead: it takes the action after which the position is
worth least to the opponent. After each game, from its last position back to its first, each position's value moves towards

    target = (1 - λ) · the value of its best action + λ · what the next position's target says,

the target behind the last being the game's result; each of its P weights moves by rate · (target - value) / P. The derivative
of tanh is left out: it would hold fast what is most surely believed, wrong or not. Where a player explored, there is no more to
say than what the best action would have been worth, and the target is that. A pattern seen by the opponent is the same pattern
with the players exchanged, so that one set of tables serves both, and patterns which the symmetries of the board map onto each
other share their weights.

Sources: Sutton, Learning to predict by the methods of temporal differences, Machine Learning 3 (1988); Lucas, Learning to play
Othello with n-tuple systems, Australian Journal of Intelligent Information Processing 4 (2008); Jaśkowski, Systematic n-tuple
networks for Othello position evaluation, ICGA Journal 37 (2014), where short ones everywhere beat long ones here and there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...envs.files.named_arrays import Arrays, check_arrays
from ...envs.games.game import Game
from ...envs.settings.bounds import Count, Length, Share
from ...envs.settings.numbers import Range
from ...envs.settings.specs import read
from ..runs.trainer import Settings, Trainer
from .kernels import PLIES, RESULTS, SQUARES, Course, Net, Room, Trail, learn_games
from .looks import looks_of
from .policy import NTuplePolicy
from .shapes import offsets, patterns_of, usual_shapes

GAMES_AT_ONCE = 1000
LONGEST = 100_000


@dataclass(frozen=True)
class TDNTupleSettings(Settings):
    """Settings of TD(λ) with n-tuples.

    Args:
        games: how many games to learn from.
        shapes: the shapes of the patterns, everywhere on the board: rectangles of cells, 2x3, and diagonals, d4. None for what
            suits the board: all of it up to 3×3; 1x4+d4 on 4×4 and from 6×6 on; 1x5+d5+2x5+3x3 on 5×5. Larger boards that
            are read by their observations have 1x4+d4+2x2+2x3, or what of it fits on the board and has no more than 3^12 patterns.
        rate: how much of the error all weights of a position together move by at first, and
        rate_end: at the end; it falls evenly. Published runs keep it.
        exploration: with which probability an action is any legal one (0.1).
        trace: λ, from 0, where each position learns from the next, to 1, where all learn from the result (0).
        longest: after how many plies a game against oneself counts as drawn, for games that may go on for ever.
    """

    games: Count = 100_000
    shapes: Annotated[tuple[str, ...], Length(1)] | None = None
    rate: Share = 0.1
    rate_end: Share = 0.0
    exploration: Share = 0.1
    trace: Share = 0.5
    longest: Annotated[int, Range(1, LONGEST)] = 200

    def __post_init__(self) -> None:
        super().__post_init__()
        for shape in self.shapes or ():
            offsets(shape)


class TDNTuple(Trainer[TDNTupleSettings]):
    """Learns what positions are worth."""

    name: ClassVar[str] = "td_ntuple"
    settings_class = TDNTupleSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "quixo": {"games": 300_000, "rate": 0.5},
        "othello": {"games": 300_000, "trace": 0.8},
    }
    unit: ClassVar[str] = "games"
    shared: ClassVar[tuple[str, ...] | None] = ("shapes",)

    def __init__(self, game: Game, settings: TDNTupleSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        self._kernel = game.kernel(learn_games, looks_of(game).plugs)
        self._patterns = patterns_of(game, shapes_of(game, settings))
        self._done = 0
        self.weights = np.zeros(self._patterns.weights, np.float32)

    @property
    def done(self) -> int:
        return self._done

    @property
    def total(self) -> int:
        return self.settings.games

    def advance(self) -> dict[str, float]:
        s, patterns = self.settings, self._patterns
        behind = min(self._done + GAMES_AT_ONCE, s.games)
        longest = min(s.longest, self.game.max_plies or s.longest)
        whole = np.array([s.games, longest, self.game.action_words], np.int64)
        numbers = np.array([s.rate, s.rate_end, s.exploration, s.trace])
        course = Course(np.array(self.game.start), whole, numbers)
        planes = np.empty((self.game.shape[0], self.game.shape[1] * self.game.shape[2]), np.int8)
        room = Room(np.zeros(len(patterns.starts), np.int32), planes)
        trail = Trail(np.zeros((longest, self.game.num_words), np.uint64), np.zeros(longest), np.zeros(longest, np.int64))
        told = np.zeros(3)
        self._kernel(self._done, behind, self.seed, course, Net(*patterns[:4], self.weights), room, trail, told)
        games, self._done = behind - self._done, behind
        return {
            "plies": told[PLIES] / games,
            "first player": told[RESULTS] / games,
            "error": float(np.sqrt(told[SQUARES] / max(told[PLIES], 1))),
        }

    grows = ()

    def state(self) -> Arrays:
        return {"done": np.array([self._done]), "weights": self.weights.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        try:
            done, weights = int(state["done"][0]), state["weights"]
            self.policy_of(self.game, self.settings, {"weights": weights})  # checks them
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ValueError(f"this is no state of {self.name} for {self.game} with these settings: {error}") from None
        self._done, self.weights = done, weights.copy()

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.policy_of(self.game, self.settings, {"weights": state["weights"]})  # checks them
        self.weights = state["weights"].copy()

    def learnt(self) -> Arrays:
        return {"weights": self.weights.copy()}

    @classmethod
    def policy_of(cls, game: Game, settings: TDNTupleSettings, learnt: Mapping[str, NDArray[Any]], **options: str) -> NTuplePolicy:
        chosen = read(NTuplePolicy, options, f"a policy of {cls.name}")
        check_arrays(learnt, {"weights": np.zeros(0, np.float32)}, ["weights"])
        return NTuplePolicy(game, shapes=shapes_of(game, settings), weights=learnt["weights"], title=cls.name, **chosen)


def shapes_of(game: Game, settings: TDNTupleSettings) -> tuple[str, ...]:
    """The shapes of the patterns on a game's board."""
    return usual_shapes(game) if settings.shapes is None else settings.shapes
