"""`Evolution`: what evolving players has in common, whatever their genomes are.

In each generation every genome plays paired games, both seats from each opening, against fixed policies, members of the hall
of fame and members of its own generation; all begin from the same openings, with the same luck. Its fitness is what it gets of
100 points, each of these three groups counting alike. The fittest then meet again, with the champion, over more games that none
of them has seen: who comes out first is the champion now, and joins the hall of fame. Then the next generation is bred.

Sources: for the hall of fame, Rosin, Belew: New methods for competitive coevolution, Evolutionary Computation 1997.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policies.policy import Policy
from ...agents.registry import make_policy
from ...arena.matches.keys import stream_keys
from ...envs.files.named_arrays import Arrays
from ...envs.games.game import Game
from ...envs.settings.bounds import Count, OneOf
from ...envs.settings.numbers import Range
from ..runs.trainer import Settings, Trainer
from .contest import Crowd, EvenCount, Openings, before_in, draw_openings, play_all
from .drawing import drawing
from .networks import ANSWERS, ARRAYS, SIGHTS, NetworkPolicy, Networks, inputs_of, outputs_wanted

LARGEST = 10**6


@dataclass(frozen=True)
class EvolutionSettings(Settings):
    """What all evolving can be told.

    Args:
        generations: how many there are.
        population: how many genomes each has.
        games: how many games each plays against each fixed policy, as many against the hall of fame, and as many against its
            own generation; an even number.
        opponents: specs of fixed policies that all play against, joined by +; none for nobody.
        fame: how many members of the hall of fame all play against.
        peers: how many members of the generation, drawn at random for each, each plays against.
        hall: how many past champions the hall of fame holds, the youngest.
        finalists: how many of the fittest meet the champion, and
        final_games: in how many games against each fixed policy, and as many against the hall of fame.
        opening_plies: how many random plies games begin with.
        sight: what a network sees: planes, every cell of every plane; balance, own minus other for each cell;
            lines, what each player has in each row, column and long diagonal that the other has nothing in.
        answer: what its outputs are: actions, a score for each action; afterstates, one output, what the position after an
            action is worth, finished games being worth what they bring.
    """

    generations: Count
    population: Annotated[int, Range(4, LARGEST)]
    games: EvenCount = 20
    opponents: tuple[str, ...] | None = ("random",)
    fame: Annotated[int, Range(0)] = 1
    peers: Annotated[int, Range(0)] = 0
    hall: Count = 10
    finalists: Count = 5
    final_games: EvenCount = 200
    opening_plies: Annotated[int, Range(0, LARGEST)] = 2
    sight: Annotated[str, OneOf(*SIGHTS)] = "balance"
    answer: Annotated[str, OneOf(*ANSWERS)] = "afterstates"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.opponents or self.fame or self.peers):
            raise ValueError("nobody to play against; set opponents, fame or peers")
        if self.fame > self.hall:
            raise ValueError(f"fame is {self.fame}; the hall of fame holds only {self.hall}")


PRESETS: dict[str, dict[str, Any]] = {
    "tictactoe": {"sight": "lines", "fame": 0, "games": 200, "final_games": 1000, "opening_plies": 0, "generations": 60},
    "quixo": {"sight": "lines", "opponents": ("random", "greedy"), "generations": 60},
    "othello": {"opponents": ("random", "greedy"), "generations": 60},
    "nim": {"sight": "planes"},
    "quarto": {"sight": "planes"},
}
"""Settings that have been found good for a game, whatever the genomes are."""

S = TypeVar("S", bound=EvolutionSettings)
Opponents = tuple[Sequence[Policy | NDArray[np.int64]], ...]
"""Groups of opponents: policies, or for each player the number of a network (P,)."""


class Evolution(Trainer[S]):
    """A trainer that breeds networks.

    Raises:
        ValueError: an opponent does not play the game, or the networks cannot see it so.
    """

    unit: ClassVar[str] = "generations"
    shared: ClassVar[tuple[str, ...] | None] = ("population", "sight", "answer")

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        super().__init__(game, settings, seed)
        self.inputs, self.width = inputs_of(game, settings.sight), outputs_wanted(game, settings.answer)
        self.fixed = [make_policy(spec, game) for spec in settings.opponents or ()]
        self.champion: Networks | None = None
        self.hall: list[Networks] = []
        self._done = 0

    # ---- what genomes are

    @abstractmethod
    def networks(self) -> Networks:
        """The networks of this generation's genomes, in their order."""

    @abstractmethod
    def breed(self, fitness: NDArray[np.float64]) -> dict[str, float]:
        """Makes the next generation.

        Args:
            fitness: of each genome of this one, in their order.

        Returns:
            What there is to plot of it.
        """

    @abstractmethod
    def genomes(self) -> Arrays:
        """The generation, and all else that breeding depends on."""

    @abstractmethod
    def restore_genomes(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes back to a generation.

        Raises:
            ValueError, KeyError: it is none.
        """

    # ---- a generation

    @property
    def done(self) -> int:
        return self._done

    @property
    def total(self) -> int:
        return self.settings.generations

    def advance(self) -> dict[str, float]:
        networks = self.networks()
        fitness = self._fitness(networks)
        told = {"best fitness": float(fitness.max()), "mean fitness": float(fitness.mean())}
        told["champion"] = self._crown(networks, fitness)
        sizes = np.diff(networks.nodes)
        told |= {"nodes": float(sizes.mean()), "links": len(networks.weights) / len(networks)}
        told |= self.breed(fitness)
        self._done += 1
        return told

    def _fitness(self, networks: Networks) -> NDArray[np.float64]:
        """What each network gets of 100 points."""
        s, count = self.settings, len(networks)
        crowd, everyone = self._crowd([networks, *self.hall]), np.arange(count)
        famous = [everyone * 0 + count + one for one in self._lots("fame", len(self.hall))[: s.fame]]
        rings = [self._lots(f"peers {k}", count) for k in range(s.peers)]  # each plays against the one before it
        peers = [before_in(ring) for ring in rings]
        return self._points(crowd, everyone, (self.fixed, famous, peers), "fitness", s.games // 2)

    def _crown(self, networks: Networks, fitness: NDArray[np.float64]) -> float:
        """Finds the champion, and says what it gets of 100 points in the final."""
        s = self.settings
        best = np.argsort(-fitness, kind="stable")[: s.finalists].tolist()
        candidates = [networks[one] for one in best] + ([self.champion] if self.champion else [])
        crowd, those = self._crowd([*candidates, *self.hall]), np.arange(len(candidates))
        famous = [those * 0 + len(candidates) + one for one in range(len(self.hall) if s.fame or s.peers else 0)]
        scores = self._points(crowd, those, (self.fixed, famous), "final", s.final_games // 2)
        first = int(scores.argmax())
        if self.champion is None or first < len(best):
            self.champion = candidates[first]
            self.hall = [*self.hall, self.champion][-s.hall :]
        return float(scores[first])

    def _points(self, crowd: Crowd, players: NDArray[np.int64], groups: Opponents, purpose: str, pairs: int) -> NDArray[np.float64]:
        """What players get of 100 points (P,), the mean over groups of opponents of the means over opponents.

        The first group is of fixed policies, each of which plays so many pairs of games; the others share as many among them.
        """
        found: list[NDArray[np.float64]] = []
        for place, group in enumerate(groups):
            names = [f"{purpose} {place} {k}" for k in range(len(group))]
            each = pairs if place == 0 else max(1, pairs // max(1, len(group)))
            games = [play_all(crowd, players, who, self._openings(name, each)) for who, name in zip(group, names, strict=True)]
            won = [finished.points() for finished in games]
            found += [np.mean(won, axis=(0, 2))] if won else []
        return 100 * np.mean(found, axis=0) if found else np.zeros(len(players))

    def _crowd(self, parts: list[Networks]) -> Crowd:
        return Crowd(self.game, Networks.joined(parts), self.settings.sight, self.settings.answer)

    def _openings(self, purpose: str, count: int) -> Openings:
        return draw_openings(self.game, self.seed, ("generation", str(self._done), purpose), count, self.settings.opening_plies)

    def _lots(self, purpose: str, count: int) -> NDArray[np.int64]:
        """The numbers from 0 to count - 1 in a random order."""
        return np.argsort(self._keys(purpose, count), kind="stable")

    def _keys(self, purpose: str, count: int) -> NDArray[np.uint64]:
        return stream_keys(self.game, self.seed, ("generation", str(self._done), purpose), np.arange(count))

    def key(self, purpose: str) -> int:
        """A number from which what is drawn in this generation for a purpose follows."""
        return int(self._keys(purpose, 1)[0])

    # ---- kept

    grows = "hall.*", "network.*", "genes.*", "species", "species.*", "layers", "layers.*"

    def state(self) -> Arrays:
        hall = Networks.joined(self.hall).document("hall") if self.hall else {}
        return {"done": np.array([self._done]), **hall, **(self.learnt() if self.champion else {}), **self.genomes()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        try:
            self.learn_on(state)
            self._done = int(state["done"][0])
        except (KeyError, IndexError, TypeError, ValueError, StopIteration, RuntimeError):
            raise ValueError(f"this is no state of {self.name} for {self.game} with these settings") from None

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the generation, the champion and the hall of fame."""
        self.champion, self.hall = None, []
        if state["done"][0] or "network.size" in state:
            self.champion = Networks.of(state, self.inputs, self.width)
            hall = Networks.of(state, self.inputs, self.width, "hall")
            self.hall = [hall[one] for one in range(len(hall))][-self.settings.hall :]
        self.restore_genomes(state)

    def learnt(self) -> Arrays:
        champion = self.champion or self.networks()[0]
        return champion.document()

    def artefacts(self) -> dict[str, bytes]:
        network = self.champion or self.networks()[0]
        title = f"{self.name}, {self.game}, seed {self.seed}"
        return {"network.svg": drawing(self.game, network, self.settings.sight, self.settings.answer, title)}

    @classmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        if options:
            raise ValueError(f"a run of {cls.name} has no option {', '.join(options)}; its policy has none")
        if others := sorted({*learnt} - {f"network.{name}" for name in ("size", *ARRAYS)}):
            raise ValueError(f"the array {others[0]} is one too many")
        network = Networks.of(learnt, inputs_of(game, settings.sight), outputs_wanted(game, settings.answer))
        if len(network) != 1:
            raise ValueError(f"the arrays hold {len(network)} networks, not one")
        return NetworkPolicy(game, network=network, sight=settings.sight, answer=settings.answer, title=cls.name)
