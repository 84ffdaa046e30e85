"""`Genetic`: what genetic algorithms have in common, whatever the genes mean.

A population of genomes, rows of genes. In each generation parents are drawn by their fitness, and have offspring, each
a mutated parent or a cross of two; the fittest of both, as many as there were, are the next generation. Of equals the
children stay: so what makes no difference keeps changing, and a population does not settle so soon. The fittest of all plays.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...arena.matches.keys import stream_keys
from ...envs.files.named_arrays import Arrays, check_arrays
from ...envs.games.game import Game
from ...envs.settings.bounds import Count
from ..runs.global_random import drawn_from
from ..runs.trainer import Settings, Trainer
from .pictures import History, picture
from .settings import BreedingSettings

TOLD = ("best fitness", "mean fitness", "diversity")


@dataclass(frozen=True)
class GeneticSettings(BreedingSettings, Settings):
    """What all genetic algorithms can be told.

    Args:
        generations: how many there are.
    """

    generations: Count = 200


S = TypeVar("S", bound=GeneticSettings)


class Genetic(Trainer[S]):
    """A trainer that breeds rows of genes.

    Raises:
        ValueError: what breeds them is not installed.
    """

    unit: ClassVar[str] = "generations"
    shared: ClassVar[tuple[str, ...] | None] = ("population",)
    lasting: ClassVar[bool]
    """Whether a genome's fitness is the same in every generation."""

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        try:
            from .breeding import Breeding, Selection, survivors
        except ImportError as error:
            raise ValueError(f"{self.name} needs DEAP ({error}); install it with: pip install 'ludus[evolution]'") from None
        selection = Selection(settings.selection, settings.tournament)
        self._breeding = Breeding(selection, settings.mutation, settings.crossover, settings.share, self.mutate)
        self._survivors = survivors
        self._done = 0
        self.genes = self.first(np.random.default_rng(self.key("first generation")))
        self.points = self.fitness(self.genes)
        self.history = History.empty(len(TOLD))

    # ---- what genes mean

    @abstractmethod
    def first(self, draw: np.random.Generator) -> NDArray[Any]:
        """The genomes of the first generation (N, L)."""

    @abstractmethod
    def mutate(self, genome: list[Any]) -> None:
        """Mutates a genome in place, by Python's global generator."""

    def mended(self, genes: NDArray[Any]) -> NDArray[Any]:
        """Genomes (N, L) that breeding left as genomes must not be, as they must."""
        return genes

    @abstractmethod
    def fitness(self, genes: NDArray[Any]) -> NDArray[np.float64]:
        """The points of genomes in this generation (N,), none negative."""

    @abstractmethod
    def distance(self) -> float:
        """How far two genomes of the generation are apart, the mean over genes and pairs."""

    def told(self) -> dict[str, float]:
        """What else there is to plot of a generation."""
        return {}

    @property
    def best(self) -> NDArray[Any]:
        """The fittest genome (L,)."""
        return self.genes[int(self.points.argmax())]

    # ---- a generation

    @property
    def done(self) -> int:
        return self._done

    @property
    def total(self) -> int:
        return self.settings.generations

    def advance(self) -> dict[str, float]:
        with drawn_from(self.key("breeding")):
            children = self.mended(self._breeding(self.genes, self.points, self.settings.offspring))
        self._done += 1
        everyone = np.concatenate([children, self.genes])
        points = np.concatenate([self.fitness(children), self.points]) if self.lasting else self.fitness(everyone)
        rows = self._survivors(points, self.settings.population)
        self.genes, self.points = everyone[rows], points[rows]
        numbers = float(self.points.max()), float(self.points.mean()), self.distance()
        self.history = self.history.with_row(numbers)
        return dict(zip(TOLD, numbers, strict=True)) | self.told()

    def key(self, purpose: str) -> int:
        """A number from which what is drawn in this generation for a purpose follows."""
        return int(stream_keys(self.game, self.seed, ("generation", str(self._done), purpose), np.arange(1))[0])

    # ---- kept

    grows = ("history",)

    def state(self) -> Arrays:
        return {
            "done": np.array([self._done]),
            "genes": self.genes.copy(),
            "points": self.points.copy(),
            "history": self.history.rows.copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        done = int(state["done"][0]) if state.get("done", np.zeros(0)).shape == (1,) else -1
        wanted = {**self.state(), "history": np.zeros((max(done, 0), len(TOLD)))}
        shapes = [{name: (array.shape, array.dtype) for name, array in arrays.items()} for arrays in (state, wanted)]
        if done < 0 or shapes[0] != shapes[1] or not self.sound(state["genes"]):
            raise ValueError(f"this is no state of {self.name} for {self.game} with these settings")
        self._done = done
        self.genes, self.points = state["genes"].copy(), state["points"].copy()
        self.history = History(state["history"].copy())

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the generation and its fitness. A fitness that lasts is computed again, since the settings may have changed it."""
        genes, points = state["genes"], state["points"]
        shapes = [(one.shape, one.dtype) for one in (genes, points, self.genes, self.points)]
        if shapes[:2] != shapes[2:] or not self.sound(genes):
            raise ValueError(f"these are no genomes of {self.name} for {self.game} with these settings")
        self.genes, self.points = genes.copy(), self.fitness(genes) if self.lasting else points.copy()

    @abstractmethod
    def sound(self, genes: NDArray[Any]) -> bool:
        """Whether arrays of the right shape are genomes."""

    def learnt(self) -> Arrays:
        return {"genome": self.best.copy()}

    def artefacts(self) -> dict[str, bytes]:
        drawn = picture({self.settings.selection: self.history}, f"{self.name}, {self.game}, seed {self.seed}")
        return {"evolution.png": drawn} if drawn else {}


def genome_of(
    learnt: Mapping[str, NDArray[Any]], shape: tuple[int, ...], dtype: type, name: str, options: Mapping[str, str]
) -> NDArray[Any]:
    """The genome that was learnt.

    Raises:
        ValueError: there is none of this shape and type, or there are options, which no such run takes.
    """
    if options:
        raise ValueError(f"a run of {name} takes no options, such as {next(iter(options))}")
    check_arrays(learnt, {"genome": np.zeros(shape, dtype)})
    if not np.isfinite(learnt["genome"]).all():
        raise ValueError("the array genome holds what is no number")
    return learnt["genome"]
