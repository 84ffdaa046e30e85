"""`Evolution`: what trainers that evolve networks have in common, whatever their genomes are.

In each generation every genome plays against fixed policies, members of the hall of fame and members of its own generation
(contest.py); in a small game it can play against every line of play as well. Its fitness is its points of 100,
each of these groups counting alike. The fittest genomes then meet again, with the champion, in more games from new openings: the
best of them is the new champion, and joins the hall of fame. Then the next generation is bred.

Sources: for the hall of fame, Rosin, Belew: New methods for competitive coevolution, Evolutionary Computation 1997.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...core.bounds import Count, OneOf
from ...core.files.named_arrays import Arrays
from ...core.numbers import Range
from ...games.game import Game, StateArray
from ..runs.trainer import refuse_options
from .contest import MANY, Choose, Contest, ContestSettings, EvenCount, OpponentGroup, before_in, points_of_lines
from .drawing import draw_network
from .networks import ANSWERS, ARRAYS, SIGHTS, NetworkPolicy, Networks, inputs_of, outputs_of_answer


@dataclass(frozen=True)
class EvolutionSettings(ContestSettings):
    """Settings of all trainers that evolve networks.

    Args:
        population: the number of genomes in a generation.
        games: the number of games of each genome against each fixed policy, as many against the hall of fame, and as many against
            its own generation; an even number.
        every_line: whether all play against every line of play as well, which counts as one more opponent: for games with few
            positions, where the points against a random player then have no noise.
        fame: the number of members of the hall of fame that all play against.
        hall: the number of past champions in the hall of fame, the youngest.
        finalists: the number of the fittest genomes that meet the champion.
        final_games: the number of games there against each fixed policy, and as many against the hall of fame.
        sight: what a network sees: planes, every cell of every plane; balance, own minus other for each cell;
            lines, what each player has in each row, column and long diagonal where the other has nothing.
        answer: what its outputs mean: actions, a score for each action; afterstates, one output, the value of the position after an
            action, finished games having the value of their result.
    """

    population: Annotated[int, Range(4, MANY)] = 100
    every_line: bool = False
    fame: Annotated[int, Range(0)] = 1
    hall: Count = 10
    finalists: Count = 5
    final_games: EvenCount = 200
    sight: Annotated[str, OneOf(*SIGHTS)] = "balance"
    answer: Annotated[str, OneOf(*ANSWERS)] = "afterstates"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.opponents or self.every_line or self.fame or self.peers):
            raise ValueError("there is no opponent; set opponents, every_line, fame or peers")
        if self.fame > self.hall:
            raise ValueError(f"fame is {self.fame}; the hall of fame holds only {self.hall}")


S = TypeVar("S", bound=EvolutionSettings)


class Population(ABC):
    """A generation of genomes, whatever they are, and all else that breeding depends on."""

    @abstractmethod
    def networks(self) -> Networks:
        """The networks of the genomes, in their order."""

    @abstractmethod
    def breed(self, fitness: NDArray[np.float64], key: int) -> dict[str, float]:
        """Makes the next generation by the fitness of each genome of this one, in their order, and by a key; further metrics."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """All that the next generations depend on."""

    @abstractmethod
    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Goes back to arrays; ValueError, KeyError or IndexError where they are not those of such a population."""


class Evolution(Contest[S]):
    """A trainer that breeds networks; it refuses games that they cannot see, or with too many lines of play."""

    shared: ClassVar[tuple[str, ...] | None] = ("population", "sight", "answer")
    against: ClassVar[Mapping[str, Any] | None] = {**(Contest.against or {}), "fame": 0, "every_line": False, "final_games": 20}

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        self.inputs, self.width = inputs_of(game, settings.sight), outputs_of_answer(game, settings.answer)
        self.champion: Networks | None = None
        self.hall: list[Networks] = []
        if settings.every_line:
            first_legal: Choose = lambda states, which, keys: game.masks(states).argmax(axis=1)  # noqa: E731
            points_of_lines(game, first_legal, np.arange(settings.population))  # refuses a game with too many
        self.population = self.new_population(self.key("first generation"))

    @abstractmethod
    def new_population(self, key: int) -> Population:
        """The first generation, by a key."""

    # ---- a generation

    def advance(self) -> dict[str, float]:
        networks = self.population.networks()
        fitness = self._fitness(networks)
        metrics = {"best fitness": float(fitness.max()), "mean fitness": float(fitness.mean())}
        metrics["champion"] = self._crown(networks, fitness)
        sizes = np.diff(networks.net.nodes)
        metrics |= {"nodes": float(sizes.mean()), "links": len(networks.net.weights) / len(networks)}
        metrics |= self.population.breed(fitness, self.key("breeding"))
        self._done += 1
        return metrics

    def _fitness(self, networks: Networks) -> NDArray[np.float64]:
        """The points of each network, of 100."""
        s, count = self.settings, len(networks)
        everyone = np.arange(count)
        famous = [np.full_like(everyone, count + member) for member in self._random_order("fame", len(self.hall))[: s.fame]]
        peers = [before_in(self._random_order(f"peers {k}", count)) for k in range(s.peers)]
        return self._points([networks, *self.hall], everyone, "fitness", s.games // 2, famous, peers)

    def _crown(self, networks: Networks, fitness: NDArray[np.float64]) -> float:
        """Finds the champion, and returns its points in the final, of 100."""
        s = self.settings
        best = np.argsort(-fitness, kind="stable")[: s.finalists].tolist()
        candidates = [networks[index] for index in best] + ([self.champion] if self.champion else [])
        players = np.arange(len(candidates))
        famous = [np.full_like(players, len(candidates) + member) for member in range(len(self.hall) if s.fame or s.peers else 0)]
        scores = self._points([*candidates, *self.hall], players, "final", s.final_games // 2, famous)
        first = int(scores.argmax())
        if self.champion is None or first < len(best):
            self.champion = candidates[first]
            self.hall = [*self.hall, self.champion][-s.hall :]
        return float(scores[first])

    def _points(
        self, networks: list[Networks], players: NDArray[np.int64], purpose: str, pairs: int, *rivals: list[NDArray[np.int64]]
    ) -> NDArray[np.float64]:
        """The points of players, of 100 (P,): the mean over groups of opponents of the means over opponents.

        Args:
            networks: all that play, numbered one after the other.
            players: the numbers of those whose points are wanted (P,).
            purpose: what openings are drawn for.
            pairs: the number of pairs of games against each fixed policy, and against each group of rivals together.
            rivals: groups of opponents beside the fixed policies: for each player the number of another one (P,).
        """
        everyone, s = Networks.concatenate(networks), self.settings

        def choose(states: StateArray, which: NDArray[np.int64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
            return everyone.choose(self.game, s.sight, s.answer, states, which)

        groups = [OpponentGroup(f"{purpose} 0", self.fixed, pairs)]
        groups += [OpponentGroup(f"{purpose} {n}", group, max(1, pairs // max(1, len(group)))) for n, group in enumerate(rivals, 1)]
        played = self.play_groups(choose, players, *groups)
        means = [np.mean([outcomes.points() for outcomes in group], axis=(0, 2)) for group in played]
        if s.every_line:
            means.append(points_of_lines(self.game, choose, players))
        return 100 * np.mean(means, axis=0) if means else np.zeros(len(players))

    def _random_order(self, purpose: str, count: int) -> NDArray[np.int64]:
        """The numbers from 0 to count - 1 in a random order."""
        return np.argsort(self.keys(purpose, count), kind="stable")

    # ---- its arrays

    grows = "hall.*", "network.*", "genes.*", "species", "species.*", "layers", "layers.*"

    def state(self) -> Arrays:
        hall = Networks.concatenate(self.hall).document("hall") if self.hall else {}
        return {"done": np.array([self._done]), **hall, **(self.learnt() if self.champion else {}), **self.population.arrays()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.learn_on(state)
        self._done = int(state["done"][0])

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the generation, the champion and the hall of fame."""
        self.champion, self.hall = None, []
        if state["done"][0] or "network.size" in state:
            self.champion = Networks.of(state, self.inputs, self.width)
            hall = Networks.of(state, self.inputs, self.width, "hall")
            self.hall = [hall[member] for member in range(len(hall))][-self.settings.hall :]
        self.population.restore(state)

    def learnt(self) -> Arrays:
        return self._best().document()

    def _best(self) -> Networks:
        return self.champion or self.population.networks()[0]

    def artefacts(self) -> dict[str, bytes]:
        title = f"{self.name}, {self.game}, seed {self.seed}"
        return {"network.svg": draw_network(self.game, self._best().net, self.settings.sight, self.settings.answer, title)}

    @classmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        refuse_options(cls.name, options)
        if others := sorted({*learnt} - {f"network.{name}" for name in ("size", *ARRAYS)}):
            raise ValueError(f"the arrays of a network have none that is called {others[0]}")
        network = Networks.of(learnt, inputs_of(game, settings.sight), outputs_of_answer(game, settings.answer))
        if len(network) != 1:
            raise ValueError(f"the arrays hold {len(network)} networks, not one")
        return NetworkPolicy(game, network=network, sight=settings.sight, outputs=settings.answer, title=cls.name)
