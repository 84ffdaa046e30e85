"""Evolved table: Nim by a genetic algorithm whose genomes are tables, one legal move for each position of the heaps.

A genome gets 10 points for each move that leaves the opponent a lost position, a nim-sum of 0, and a point for each
object that it takes. A mutation draws another move for one position. Crossover takes the moves of a random subset of the
positions from the other parent: each position with probability 1/2 or, in the preset `original`, a random number of them.

In misère play and under a limit, the exact theory decides which positions are lost (oracles/nim.py).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.table import TablePolicy
from ...core.numbers import Range
from ...games.game import Game, StateArray
from ...games.nim.rules import Nim
from ...oracles.nim import NimOracle, good_actions
from ...oracles.statespace.table import Table
from .genetic import GeneticSettings, GeneticTrainer, genome_of

MAX_POSITIONS = 20_000
"""The maximum number of positions in a table."""


@dataclass(frozen=True)
class EvolvedTableSettings(GeneticSettings):
    """Settings of the evolved table; the defaults are those of the original but for its crossover.

    Args:
        winning: points for a move that leaves the opponent a lost position (10).
        taken: points for each object that a move takes (1).
    """

    winning: Annotated[float, Range(0)] = 10.0
    taken: Annotated[float, Range(0)] = 1.0


class EvolvedTable(GeneticTrainer[EvolvedTableSettings]):
    """Breeds tables of moves for Nim with few positions."""

    name: ClassVar[str] = "evolved_table"
    settings_class = EvolvedTableSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": {"crossover": "subset"},
        "long": {"generations": 600},
        **GeneticTrainer.presets,
    }
    has_fixed_fitness: ClassVar[bool] = True

    def __init__(self, game: Game, settings: EvolvedTableSettings, seed: int) -> None:
        self.positions = positions_of(game)
        self.legal = [np.flatnonzero(mask).tolist() for mask in game.masks(self.positions)]
        won = NimOracle(game).values(self.positions) == 1
        self.wins = (good_actions(game, self.positions) != 0) & won[:, None]
        """The actions that leave the opponent a lost position (P, A)."""
        taken = np.array([int(move.partition("-")[2]) for move in game.moves])
        self.worth = settings.winning * self.wins + settings.taken * taken
        self._rows = np.arange(len(self.positions))
        super().__init__(game, settings, seed)

    def random_genomes(self, draw: np.random.Generator, count: int) -> NDArray[Any]:
        shape = count, len(self.legal)
        counts = np.array([len(actions) for actions in self.legal])
        table = np.array([actions + actions[:1] * (counts.max() - len(actions)) for actions in self.legal], np.int16)
        return table[self._rows, draw.integers(counts, size=shape)]

    def mutate(self, genome: list[Any]) -> None:
        row = random.randrange(len(genome))
        others = [action for action in self.legal[row] if action != genome[row]]
        genome[row] = random.choice(others or self.legal[row])

    def fitness(self, genes: NDArray[Any]) -> NDArray[np.float64]:
        return self.worth[self._rows, genes].sum(axis=1)

    def distance(self) -> float:
        """The share of positions in which two genomes have different moves."""
        width, count = self.worth.shape[1], len(self.genes)
        cells = np.bincount((self.genes + self._rows * width).ravel(), minlength=self.worth.size).astype(np.float64)
        return 1 - float((cells * (cells - 1)).sum()) / (len(self.legal) * count * (count - 1))

    def extra_metrics(self) -> dict[str, float]:
        won = self.wins.any(axis=1)
        return {"winning moves": float(self.wins[self._rows, self.best][won].mean()) if won.any() else 1.0}

    def is_valid(self, genes: NDArray[Any]) -> bool:
        inside = (genes >= 0) & (genes < self.game.num_actions)
        masks = self.game.masks(self.positions) != 0
        return bool(inside.all() and masks[self._rows, genes].all())

    @classmethod
    def policy_of(cls, game: Game, settings: EvolvedTableSettings, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        positions = positions_of(game)
        genome = genome_of(learnt, (len(positions),), np.int16, cls.name, options)
        both = np.concatenate([positions, positions | np.array([0, 1], np.uint64)])  # and those of player 1
        return TablePolicy(game, given=Table(game, both, np.concatenate([genome, genome])), title=cls.name)


def positions_of(game: Game) -> StateArray:
    """Every position of the heaps but the empty one, player 0 to move (P, 2); ValueError where they are too many, or of no Nim."""
    if not isinstance(game, Nim):
        raise ValueError(f"evolved_table learns nim, not {game}; qlearning learns any game with few positions")
    count = prod(heap + 1 for heap in game.heaps) - 1
    if count > MAX_POSITIONS:
        raise ValueError(
            f"{game} has {count:,} positions, and a genome of evolved_table has a move for each, {MAX_POSITIONS:,} at most; take "
            "fewer or smaller heaps, or evolved_preference, whose genomes are two numbers"
        )
    heaps = np.indices([heap + 1 for heap in game.heaps]).reshape(len(game.heaps), -1).T[1:]
    return np.array([game.parse(" ".join(map(str, sizes))) for sizes in heaps.tolist()])
