"""`Rivalry`: genetic algorithms whose genomes are numbers from 0 to 1, and whose fitness is games won.

In each generation all genomes, parents and children, play paired games, both seats from each opening, against others of them
that are drawn by lot and against fixed policies; all begin from the same openings, with the same luck. What a genome gets of
100 points, the others and the policies counting alike, is its fitness in that generation; or, with another setting, how long its
games last.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policies.policy import Policy
from ...agents.registry import make_policy
from ...envs.games.game import Game
from ...envs.settings.bounds import Count, OneOf
from ...envs.settings.numbers import Range
from ..evolution.contest import EvenCount, Finished, Players, before_in, draw_openings, play_all
from .genetic import Genetic, GeneticSettings
from .settings import CROSSOVERS


class Fitness(NamedTuple):
    """What games are worth to who plays them.

    Args:
        worth: of games, for each player and opening (P, N).
        scale: what the mean of that is multiplied by.
    """

    worth: Callable[[Finished], NDArray[np.float64]]
    scale: float


FITNESSES = {"points": Fitness(Finished.points, 100.0), "length": Fitness(Finished.lengths, 1.0)}
"""By the setting `fitness`."""


@dataclass(frozen=True)
class RivalrySettings(GeneticSettings):
    """What these can be told.

    Args:
        crossover: how two are crossed: uniform, each gene is the other's with the probability `share`; one_point and
            two_point, all genes behind a point drawn at random, or between two, are; subset, the genes of a random subset of the
            places are, whose size is drawn evenly from one to all; blend, each gene is drawn from between both, or beyond either by
            `share` of their distance.
        power: by how much a mutation moves each gene, the standard deviation.
        games: how many games each genome plays against each opponent, an even number.
        peers: how many others of its generation, drawn at random for each, each plays against.
        opponents: specs of fixed policies that all play against, joined by +; none for nobody.
        opening_plies: how many random plies games begin with.
        fitness: points, of 100; or length, how many plies its games last on average, so that whoever plays on is preferred,
            winner or not.
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
    fitness: Annotated[str, OneOf(*FITNESSES)] = "points"

    def __post_init__(self) -> None:
        super().__post_init__()
        everyone = self.population + self.offspring
        if self.peers >= everyone:
            raise ValueError(f"peers is {self.peers}; it must be less than population and offspring together, {everyone}")
        if not (self.opponents or self.peers):
            raise ValueError("nobody to play against; set opponents or peers")


S = TypeVar("S", bound=RivalrySettings)


class Rivalry(Genetic[S]):
    """A trainer that breeds rows of numbers by games.

    Raises:
        ValueError: an opponent does not play the game.
    """

    lasting: ClassVar[bool] = False

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        self.fixed = [make_policy(spec, game) for spec in settings.opponents or ()]
        super().__init__(game, settings, seed)

    @property
    @abstractmethod
    def length(self) -> int:
        """How many genes a genome has."""

    @abstractmethod
    def players(self, genes: NDArray[Any]) -> Players:
        """Genomes (N, L) as what plays."""

    def first(self, draw: np.random.Generator) -> NDArray[Any]:
        return self.mended(draw.random((self.settings.population, self.length)))

    def mutate(self, genome: list[Any]) -> None:
        for place, gene in enumerate(genome):
            genome[place] = random.gauss(gene, self.settings.power)

    def mended(self, genes: NDArray[Any]) -> NDArray[Any]:
        return genes.clip(0.0, 1.0)

    def sound(self, genes: NDArray[Any]) -> bool:
        return bool(((genes >= 0) & (genes <= 1)).all())

    def fitness(self, genes: NDArray[Any]) -> NDArray[np.float64]:
        """What the games of each genome bring it on average, those against the policies counting as much as those against peers."""
        players, everyone, (worth, scale) = self.players(genes), np.arange(len(genes)), FITNESSES[self.settings.fitness]
        groups: list[Sequence[Policy | NDArray[np.int64]]] = [self.fixed, self._peers(len(genes))]
        found: list[NDArray[np.float64]] = []
        for name, group in zip(("fixed", "peers"), groups, strict=True):
            games = (play_all(players, everyone, who, self._openings(f"{name} {k}")) for k, who in enumerate(group))
            brought = [worth(finished).mean(axis=1) for finished in games]
            found += [np.mean(brought, axis=0)] if brought else []
        return scale * np.mean(found, axis=0)

    def distance(self) -> float:
        """By how much two genomes differ."""
        count = len(self.genes)
        weights = 2 * np.arange(count) - count + 1  # in rising order: how often each is the larger, less how often the smaller
        return float((weights @ np.sort(self.genes, axis=0)).mean()) / (count * (count - 1) / 2)

    def _peers(self, count: int) -> list[NDArray[np.int64]]:
        """For each peer an opponent of each genome (N,), never itself: the one before it in a ring drawn by lot."""
        draw = np.random.default_rng(self.key("peers"))
        rings = [draw.permutation(count) for _ in range(self.settings.peers)]
        return [before_in(ring) for ring in rings]

    def _openings(self, purpose: str) -> Any:
        name = "generation", str(self.done), purpose
        return draw_openings(self.game, self.seed, name, self.settings.games // 2, self.settings.opening_plies)
