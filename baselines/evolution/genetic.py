"""`GeneticTrainer`: what genetic algorithms have in common, whatever the genes mean.

A population is genomes, rows of genes. In each generation parents are selected by their fitness, and have children, each
a mutated parent or a cross of two; the fittest of parents and children are the next generation. Of equally fit genomes children
stay before parents, so genes that make no difference keep changing. The policy is that of the fittest genome.

In a `Rivalry` genes are numbers from 0 to 1, and all genomes, parents and children, play against random others of them and against
fixed policies. The fitness of a genome in this generation is its points of 100, both groups counting alike; or, with another
setting, the length of its games.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...core.bounds import Count, OneOf
from ...core.files.named_arrays import Arrays, check_arrays
from ...core.numbers import Range
from ...core.plugins.loading import libraries
from ...games.game import Game
from ..runs.plots import plot_populations
from ..runs.trainer import Settings, refuse_options
from .breeding import CROSSOVERS, BreedingSettings, breed
from .contest import Choose, Contest, ContestSettings, Generations, OpponentGroup, Outcomes, before_in, seed_global_random

METRICS = ("best fitness", "mean fitness", "diversity")


@dataclass(frozen=True)
class GeneticSettings(Settings, BreedingSettings):
    """Settings of all genetic algorithms.

    Args:
        generations: the number of generations.
        newcomers: the share of the children of each generation that have no parents: they are drawn like the first generation, and
            find what a population that has become alike cannot reach any more.
    """

    generations: Count = 200
    newcomers: Annotated[float, Range(0, below=1)] = 0.0


S = TypeVar("S", bound=GeneticSettings)


class GeneticTrainer(Generations[S]):
    """A trainer that breeds rows of genes, by DEAP."""

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"roulette": {"selection": "roulette"}, "rank": {"selection": "rank"}}
    shared: ClassVar[tuple[str, ...] | None] = ("population",)
    has_fixed_fitness: ClassVar[bool]
    """Whether a genome has the same fitness in every generation."""

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        with libraries(f"the trainer {self.name!r}", "evolution"):
            import deap  # noqa: F401  # pyright: ignore[reportUnusedImport]  its operators breed
        self._breed = partial(breed, settings, self.mutate)
        self.genes = self.draw_genomes("first generation", settings.population)
        self.points = self.fitness(self.genes)
        self.history = np.zeros((0, len(METRICS)))
        """Of each generation the best fitness, the mean fitness and the diversity (G, 3)."""

    # ---- what genes mean

    def draw_genomes(self, purpose: str, count: int) -> NDArray[Any]:
        """Genomes without parents (count, L), for a purpose of this generation."""
        return self.random_genomes(np.random.default_rng(self.key(purpose)), count)

    @abstractmethod
    def random_genomes(self, draw: np.random.Generator, count: int) -> NDArray[Any]:
        """Genomes drawn at random (count, L)."""

    @abstractmethod
    def mutate(self, genome: list[Any]) -> None:
        """Mutates a genome in place, by Python's global generator."""

    def repair(self, genes: NDArray[Any]) -> NDArray[Any]:
        """Repairs genomes (N, L) that breeding left invalid."""
        return genes

    @abstractmethod
    def is_valid(self, genes: NDArray[Any]) -> bool:
        """Whether an array of the right shape and type holds valid genomes."""

    @abstractmethod
    def fitness(self, genes: NDArray[Any]) -> NDArray[np.float64]:
        """The fitness of genomes in this generation (N,), none negative."""

    @abstractmethod
    def distance(self) -> float:
        """The distance between two genomes of the generation, the mean over genes and pairs."""

    def extra_metrics(self) -> dict[str, float]:
        """Further metrics of a generation."""
        return {}

    @property
    def best(self) -> NDArray[Any]:
        """The fittest genome (L,)."""
        return self.genes[int(self.points.argmax())]

    # ---- a generation

    def advance(self) -> dict[str, float]:
        newcomers = int(self.settings.newcomers * self.settings.offspring)
        with seed_global_random(self.key("breeding")):
            children = self.repair(self._breed(self.genes, self.points, self.settings.offspring - newcomers))
        children = np.concatenate([children, self.draw_genomes("newcomers", newcomers)])
        self._done += 1
        everyone = np.concatenate([children, self.genes])
        points = np.concatenate([self.fitness(children), self.points]) if self.has_fixed_fitness else self.fitness(everyone)
        rows = np.argsort(-points, kind="stable")[: self.settings.population]
        self.genes, self.points = everyone[rows], points[rows]
        metrics = float(self.points.max()), float(self.points.mean()), self.distance()
        self.history = np.vstack([self.history, metrics])
        return dict(zip(METRICS, metrics, strict=True)) | self.extra_metrics()

    # ---- its arrays

    grows = ("history",)

    def state(self) -> Arrays:
        arrays = {"done": np.array([self._done]), "genes": self.genes, "points": self.points, "history": self.history}
        return {name: array.copy() for name, array in arrays.items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.learn_on(state)
        self._done = int(state["done"][0])
        self.points, self.history = state["points"].copy(), state["history"].copy()

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the generation and its fitness. A fixed fitness is computed again, since the settings may have changed it."""
        genes, points = state["genes"], state["points"]
        check_arrays({"genes": genes, "points": points}, {"genes": self.genes, "points": self.points})
        if not self.is_valid(genes):
            raise ValueError(f"the array genes holds no genomes of {self.name} for {self.game}")
        self.genes, self.points = genes.copy(), self.fitness(genes) if self.has_fixed_fitness else points.copy()

    def learnt(self) -> Arrays:
        return {"genome": self.best.copy()}

    def artefacts(self) -> dict[str, bytes]:
        picture = plot_populations({self.settings.selection: self.history}, f"{self.name}, {self.game}, seed {self.seed}")
        return {"evolution.png": picture} if picture else {}


# ---- fitness from games


@dataclass(frozen=True)
class RivalrySettings(GeneticSettings, ContestSettings):
    """Settings of these genetic algorithms.

    Args:
        power: the standard deviation by which a mutation moves each gene.
        games: the number of games of each genome against each opponent, an even number.
        fitness: points, of 100; or length, the mean number of plies of its games, which prefers long games, won or not.
    """

    generations: Count = 60
    population: Annotated[int, Range(2)] = 50
    offspring: Count = 50
    tournament: Count = 3
    crossover: Annotated[str, OneOf(*CROSSOVERS, "blend")] = "uniform"
    power: Annotated[float, Range(above=0)] = 0.1
    peers: Annotated[int, Range(0)] = 5
    fitness: Annotated[str, OneOf("points", "length")] = "points"

    def __post_init__(self) -> None:
        super().__post_init__()
        everyone = self.population + self.offspring
        if self.peers >= everyone:
            raise ValueError(f"peers is {self.peers}; it must be less than population and offspring together, {everyone}")
        if not (self.opponents or self.peers):
            raise ValueError("there is no opponent; set opponents or peers")


R = TypeVar("R", bound=RivalrySettings)


class Rivalry(GeneticTrainer[R], Contest[R]):
    """A trainer that breeds rows of numbers by games."""

    has_fixed_fitness: ClassVar[bool] = False
    against: ClassVar[Mapping[str, Any] | None] = {**(Contest.against or {}), "fitness": "points"}

    def play_against(self, policy: Policy) -> None:
        super().play_against(policy)
        self.points = self.fitness(self.genes)

    @property
    @abstractmethod
    def length(self) -> int:
        """The number of genes of a genome."""

    @abstractmethod
    def players(self, genes: NDArray[Any]) -> Choose:
        """The function by which genomes (N, L) choose their moves."""

    def random_genomes(self, draw: np.random.Generator, count: int) -> NDArray[Any]:
        return self.repair(draw.random((count, self.length)))

    def mutate(self, genome: list[Any]) -> None:
        genome[:] = [random.gauss(gene, self.settings.power) for gene in genome]

    def repair(self, genes: NDArray[Any]) -> NDArray[Any]:
        return genes.clip(0.0, 1.0)

    def is_valid(self, genes: NDArray[Any]) -> bool:
        return bool(((genes >= 0) & (genes <= 1)).all())

    def fitness(self, genes: NDArray[Any]) -> NDArray[np.float64]:
        s, draw = self.settings, np.random.default_rng(self.key("peers"))
        peers = [before_in(draw.permutation(len(genes))) for _ in range(s.peers)]  # never itself: the one before in a ring
        groups = OpponentGroup("fixed", self.fixed, s.games // 2), OpponentGroup("peers", peers, s.games // 2)
        played = self.play_groups(self.players(genes), np.arange(len(genes)), *groups)

        def figure(games: Outcomes) -> NDArray[np.float64]:
            return (100 * games.points() if s.fitness == "points" else games.lengths()).mean(axis=1)

        return np.mean([np.mean([figure(games) for games in group], axis=0) for group in played], axis=0)

    def distance(self) -> float:
        """The mean difference between the genes of two genomes."""
        count = len(self.genes)
        weights = 2 * np.arange(count) - count + 1  # in rising order: how often each is the larger, less how often the smaller
        return float((weights @ np.sort(self.genes, axis=0)).mean()) / (count * (count - 1) / 2)


def genome_of(
    learnt: Mapping[str, NDArray[Any]], shape: tuple[int, ...], dtype: type, name: str, options: Mapping[str, str]
) -> NDArray[Any]:
    """The genome of a run; ValueError where it has another shape or type, or there are options, which no such run has."""
    refuse_options(name, options)
    check_arrays(learnt, {"genome": np.zeros(shape, dtype)})
    if not np.isfinite(learnt["genome"]).all():
        raise ValueError("the array genome has entries that are not finite; they must be numbers")
    return learnt["genome"]
