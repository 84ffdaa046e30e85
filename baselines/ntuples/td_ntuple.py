"""TD(λ) with n-tuples: values of positions, learnt in self-play.

The value of a position for the player to move is tanh(Σ w): the sum of the weights of the patterns on many small places of the
board, all of them 0 at first (shapes.py). A player looks one ply ahead: it takes the action after which the position has the lowest
value for the opponent. After each game, from its last position back to its first, each position's value moves towards

    target = (1 - λ) · the value of its best action + λ · the target of the next position,

where the result of the game is the target after the last; each of its P weights moves by rate · (target - value) / P. The
derivative of tanh is left out: it would keep values near -1 and 1 as they are, right or wrong. Where a player explored, the next
position says nothing about the best action, and the target is the value of that action. The opponent's patterns are the same
patterns with the players exchanged, so that both use one set of tables, and patterns which the symmetries of the board map onto
each other share their weights.

With stages, the tables of each part of the game are its own: stage s has the positions in which about s of every `stages` cells
are no longer empty. With coherence, each weight moves by the rate times the share of its errors that did not cancel out,
|Σ error| / Σ |error|: the steps become smaller where errors change their sign, which are those of a weight that has arrived.

A player that plays only against itself does not see what its own play avoids: in Othello it holds few discs, and learns nothing
about an opponent who takes all of them. In some games one of the players is therefore greedy by the game's classic evaluation
(sparring), or the first plies are random (opening). Both count as exploration.

Sources: Sutton, Learning to predict by the methods of temporal differences, Machine Learning 3 (1988); Lucas, Learning to play
Othello with n-tuple systems, Australian Journal of Intelligent Information Processing 4 (2008); Jaśkowski, Systematic n-tuple
networks for Othello position evaluation, ICGA Journal 37 (2014), where short patterns everywhere beat long ones in a few places;
Beal, Smith, Temporal difference learning for heuristic search and game playing, Information Sciences 122 (2000), on coherence; the
shapes of 8×8 are those of M. Buro's Logistello.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.alphazero import AlphaZeroPolicy
from ...agents.policy import Policy
from ...core.bounds import Count, Length, Share
from ...core.files.named_arrays import Arrays, check_arrays
from ...core.numbers import Range
from ...core.specs import join, read
from ...games.game import Game
from ..runs.trainer import Settings, Trainer
from .kernels import Errors, GameSettings, GameTrail, Net, NTupleLearner, Scratch, learn_games
from .looks import looks_of
from .policy import NTupleNetwork, NTuplePolicy
from .shapes import offsets, patterns_of, usual_shapes

GAMES_AT_ONCE = 1000
MOST_STAGES = 64
LONGEST = 100_000


@dataclass(frozen=True)
class TDNTupleSettings(Settings):
    """Settings of TD(λ) with n-tuples.

    Args:
        games: the number of games.
        shapes: the shapes of the patterns, everywhere on the board: rectangles of cells, 2x3, and diagonals, d4. None for shapes
            that suit the board: all of it up to 3×3; 1x4+d4 on 4×4 and 6×6; 1x5+d5+2x5+3x3 on 5×5; edges, corners, lines and
            diagonals on 8×8. Larger boards that are read by their observations have 1x4+d4+2x2+2x3, or those of them that fit and
            have no more than 3^12 patterns. Cells by name, a1b1a2b2, are one place, with those that symmetries map it onto.
        rate: the learning rate at first: the share of the error by which all weights of a position together move.
        rate_end: the learning rate at the end; in between it changes linearly. In published runs it is constant.
        exploration: the probability of a random action (0.1).
        trace: λ, the trace decay: with 0 each position learns from the next, with 1 all learn from the result (0).
        opening: the most first plies that are random; their number in each game is random, too.
        sparring: the share of games in which one player, first and second in turn, is greedy by the game's classic evaluation.
        stages: the number of stages, each with weights of its own, that the game is divided into by its cells that are not empty.
        coherence: whether each weight's rate falls as its errors cancel out.
        longest: the plies after which a game of self-play counts as drawn, for games that may never end.
    """

    games: Count = 100_000
    shapes: Annotated[tuple[str, ...], Length(1)] | None = None
    rate: Share = 0.1
    rate_end: Share = 0.0
    exploration: Share = 0.1
    trace: Share = 0.5
    opening: Annotated[int, Range(0, 1000)] = 0
    sparring: Share = 0.0
    stages: Annotated[int, Range(1, MOST_STAGES)] = 1
    coherence: bool = False
    longest: Annotated[int, Range(1, LONGEST)] = 200

    def __post_init__(self) -> None:
        super().__post_init__()
        for shape in self.shapes or ():
            offsets(shape)


class TDNTuple(Trainer[TDNTupleSettings]):
    """Learns values of positions from patterns of cells."""

    name: ClassVar[str] = "td_ntuple"
    settings_class = TDNTupleSettings
    unit: ClassVar[str] = "games"
    shared: ClassVar[tuple[str, ...] | None] = ("shapes", "stages")

    def __init__(self, game: Game, settings: TDNTupleSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        self._plugs = looks_of(game).plugs | game.evaluation.plugs
        self._patterns = patterns_of(game, shapes_of(game, settings))
        self.weights = np.zeros(settings.stages * self._patterns.weights, np.float32)
        self._errors = Errors(*np.zeros((2, len(self.weights) if settings.coherence else 0), np.float32))

    def advance(self) -> dict[str, float]:
        s, game, patterns = self.settings, self.game, self._patterns
        stop, longest = min(self._done + GAMES_AT_ONCE, s.games), min(s.longest, game.max_plies or s.longest)
        games = stop - self._done
        settings = GameSettings(
            start=np.array(game.start),
            games=s.games,
            longest=longest,
            action_words=game.action_words,
            numbers=np.array([s.rate, s.rate_end, s.exploration, s.trace, s.opening, s.sparring]),
            evaluation=game.evaluation.numbers,
        )
        planes = np.empty((game.shape[0], game.shape[1] * game.shape[2]), np.int8)
        learner = NTupleLearner(
            settings=settings,
            net=Net(*patterns[:4], s.stages, self.weights),
            errors=self._errors,
            scratch=Scratch(np.zeros(len(patterns.starts), np.int32), planes),
            trail=GameTrail(np.zeros((longest, game.num_words), np.uint64), np.zeros(longest), np.zeros(longest, np.int64)),
            tally=np.zeros(3),
        )
        game.kernel(learn_games, self._plugs)(self._done, stop, self.seed, learner)
        self._done = stop
        plies, results, squares = learner.tally.tolist()
        return {"plies": plies / games, "first player": results / games, "error": (squares / max(plies, 1)) ** 0.5}

    grows = ()

    def state(self) -> Arrays:
        errors = {f"errors_{name}": array.copy() for name, array in self._errors._asdict().items() if len(array)}
        return {"done": np.array([self._done]), "weights": self.weights.copy(), **errors}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._done = int(state["done"][0])
        self.learn_on(state)
        if self.settings.coherence:
            self._errors = Errors(state["errors_sums"].copy(), state["errors_sizes"].copy())

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        weights = {"weights": state["weights"].copy()}
        self.policy_of(self.game, self.settings, weights)  # checks them
        self.weights = weights["weights"]

    def learnt(self) -> Arrays:
        return {"weights": self.weights.copy()}

    @classmethod
    def policy_of(cls, game: Game, settings: TDNTupleSettings, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        """The policy of what was learnt: greedy or by alpha-beta; with the option `simulations`, by AlphaZero's search."""
        if "simulations" in options:
            values = read(AlphaZeroPolicy, options, f"a policy of {cls.name}")
            return AlphaZeroPolicy(game, net=cls.guide_of(game, settings, learnt), **values)
        values = read(NTuplePolicy, options, f"a policy of {cls.name}")
        return cls._by_values(game, settings, learnt, **values)

    @classmethod
    def guide_of(cls, game: Game, settings: TDNTupleSettings, learnt: Mapping[str, NDArray[Any]]) -> NTupleNetwork:
        """What was learnt as the network of AlphaZero's search."""
        return NTupleNetwork(cls._by_values(game, settings, learnt))

    @classmethod
    def _by_values(cls, game: Game, settings: TDNTupleSettings, learnt: Mapping[str, NDArray[Any]], **chosen: Any) -> NTuplePolicy:
        check_arrays(learnt, {"weights": np.zeros(0, np.float32)}, ["weights"])
        shapes, title = shapes_of(game, settings), join(cls.name, chosen)
        return NTuplePolicy(game, shapes=shapes, stages=settings.stages, weights=learnt["weights"], title=title, **chosen)


def shapes_of(game: Game, settings: TDNTupleSettings) -> tuple[str, ...]:
    """The shapes of the patterns on a game's board."""
    return usual_shapes(game) if settings.shapes is None else settings.shapes
