"""`Rivalry`: genetic algorithms whose genomes are numbers from 0 to 1, and whose fitness comes from games.

In each generation all genomes, parents and children, play paired games, both seats from each opening, against random others of
them and against fixed policies. All games of a generation begin from the same openings with the same keys. The fitness of a genome
in this generation is its points of 100, the others and the policies counting alike; or, with another setting, the length of its
games.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.registry import make_policy
from ...core.bounds import Count, OneOf
from ...core.numbers import Range
from ...games.game import Game
from ..evolution.contest import Choose, EvenCount, before_in, draw_openings, play_all
from .genetic import GeneticSettings, GeneticTrainer
from .settings import CROSSOVERS


@dataclass(frozen=True)
class RivalrySettings(GeneticSettings):
    """Settings of these genetic algorithms.

    Args:
        power: the standard deviation by which a mutation moves each gene.
        games: the number of games of each genome against each opponent, an even number.
        peers: the number of others of its generation, drawn at random for each, that each genome plays against.
        opponents: specs of fixed policies that all play against, joined by +; none for no policy.
        opening_plies: the number of random plies that games begin with.
        fitness: points, of 100; or length, the mean number of plies of its games, which prefers long games, won or not.
    """

    generations: Count = 60
    population: Annotated[int, Range(2)] = 50
    offspring: Count = 50
    tournament: Count = 3
    crossover: Annotated[str, OneOf(*CROSSOVERS, "blend")] = "uniform"
    power: Annotated[float, Range(above=0)] = 0.1
    games: EvenCount = 20
    peers: Annotated[int, Range(0)] = 5
    opponents: tuple[str, ...] | None = ("random",)
    opening_plies: Annotated[int, Range(0)] = 2
    fitness: Annotated[str, OneOf("points", "length")] = "points"

    def __post_init__(self) -> None:
        super().__post_init__()
        everyone = self.population + self.offspring
        if self.peers >= everyone:
            raise ValueError(f"peers is {self.peers}; it must be less than population and offspring together, {everyone}")
        if not (self.opponents or self.peers):
            raise ValueError("there is no opponent; set opponents or peers")


S = TypeVar("S", bound=RivalrySettings)


class Rivalry(GeneticTrainer[S]):
    """A trainer that breeds rows of numbers by games.

    Raises:
        ValueError: an opponent does not play the game.
    """

    has_fixed_fitness: ClassVar[bool] = False
    against: ClassVar[Mapping[str, Any] | None] = {
        "opponents": ("random",),  # which `play_against` replaces
        "peers": 0,
        "fitness": "points",
        "opening_plies": 0,
        "games": 4,
    }

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        self.fixed = [make_policy(spec, game) for spec in settings.opponents or ()]
        super().__init__(game, settings, seed)

    def play_against(self, policy: Policy) -> None:
        self.fixed = [policy]
        self.points = self.fitness(self.genes)

    @property
    @abstractmethod
    def length(self) -> int:
        """The number of genes of a genome."""

    @abstractmethod
    def players(self, genes: NDArray[Any]) -> Choose:
        """How genomes (N, L) play."""

    def random_genomes(self, draw: np.random.Generator, count: int) -> NDArray[Any]:
        return self.repair(draw.random((count, self.length)))

    def mutate(self, genome: list[Any]) -> None:
        genome[:] = [random.gauss(gene, self.settings.power) for gene in genome]

    def repair(self, genes: NDArray[Any]) -> NDArray[Any]:
        return genes.clip(0.0, 1.0)

    def is_valid(self, genes: NDArray[Any]) -> bool:
        return bool(((genes >= 0) & (genes <= 1)).all())

    def fitness(self, genes: NDArray[Any]) -> NDArray[np.float64]:
        players, everyone, s = self.players(genes), np.arange(len(genes)), self.settings
        groups: dict[str, Sequence[Policy | NDArray[np.int64]]] = {"fixed": self.fixed, "peers": self._peers(len(genes))}
        groups_means: list[NDArray[np.float64]] = []
        for name, group in groups.items():
            means: list[NDArray[np.float64]] = []
            for k, who in enumerate(group):
                purpose = "generation", str(self.done), f"{name} {k}"
                start = draw_openings(self.game, self.seed, purpose, s.games // 2, s.opening_plies)
                games = play_all(self.game, players, everyone, who, start)
                means.append((100 * games.points() if s.fitness == "points" else games.lengths()).mean(axis=1))
            groups_means += [np.mean(means, axis=0)] if means else []
        return np.mean(groups_means, axis=0)

    def distance(self) -> float:
        """The mean difference between the genes of two genomes."""
        count = len(self.genes)
        weights = 2 * np.arange(count) - count + 1  # in rising order: how often each is the larger, less how often the smaller
        return float((weights @ np.sort(self.genes, axis=0)).mean()) / (count * (count - 1) / 2)

    def _peers(self, count: int) -> list[NDArray[np.int64]]:
        """For each peer an opponent of each genome (N,), never itself: the one before it in a random ring."""
        draw = np.random.default_rng(self.key("peers"))
        return [before_in(draw.permutation(count)) for _ in range(self.settings.peers)]
