"""NEAT, neuro-evolution of augmenting topologies: networks that begin small and grow while they are bred.

A genome lists nodes and links. Mutations move weights, add a link between two nodes, or split one by a new node. Each link has
the number of the innovation that it came with, so that two genomes can be crossed link by link however they have grown; and
genomes that have grown apart are kept in species, which share out the offspring among them by their mean fitness, so that
what is new has time to become good. Species that have not got better for long die out.

The genomes, species and their breeding are neat-python's. The networks are not: a generation is laid out as arrays, and plays
in compiled code.

Sources: Stanley, Miikkulainen: Evolving neural networks through augmenting topologies, Evolutionary Computation 2002;
neat-python, https://neat-python.readthedocs.io.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...envs.files.named_arrays import Arrays
from ...envs.games.game import Game
from ...envs.settings.bounds import Count, OneOf, Share
from ...envs.settings.numbers import Range
from .evolution import LARGEST, PRESETS, Evolution, EvolutionSettings
from .kernels import ACTIVATIONS
from .networks import Networks

CONNECTIONS = ("unconnected", "fs_neat", "full", "half")
Activation: TypeAlias = Annotated[str, OneOf(*ACTIVATIONS)]


@dataclass(frozen=True)
class NeatSettings(EvolutionSettings):
    """Settings of NEAT. Where the paper has another value, it is named.

    Args:
        population: how many genomes each generation has (150).
        connected: what the first genomes' links are: none; fs_neat, one input to all outputs; full; half of them, drawn at
            random (full).
        activation: what the nodes compute at first: identity, relu, tanh, sigmoid, gauss, sin, abs or clamped (sigmoid).
        activations: what a node's activation may change to, joined by +; none for no change.
        activation_rate: with which probability it changes (0).
        add_link: with which probability a genome gains a link (0.05; 0.3 in large populations), and
        delete_link: loses one (0).
        add_node: with which probability a link of a genome is split by a node (0.03), and
        delete_node: one goes (0).
        weight_rate: with which probability a weight, or a bias, is moved (0.8 · 0.9), and
        weight_power: by how much, the standard deviation, and
        weight_new: with which probability it is drawn anew (0.8 · 0.1).
        species: how many species there should be; how far apart genomes of one species may be follows (none).
        distance: how far that is at first (3).
        weight_distance: how far a difference of 1 between weights sets genomes apart, in means over their links (0.4).
        stagnation: after how many generations a species that has not got better dies out (15), but
        survivors: the best so many species never do.
        elites: how many of each species' best stay as they are (1, in species of more than five).
        parents: the best share of a species that has offspring.
    """

    generations: Count = 100
    population: Annotated[int, Range(4, LARGEST)] = 100
    connected: Annotated[str, OneOf(*CONNECTIONS)] = "full"
    activation: Activation = "tanh"
    activations: tuple[Activation, ...] | None = None
    activation_rate: Share = 0.0
    add_link: Share = 0.1
    delete_link: Share = 0.03
    add_node: Share = 0.05
    delete_node: Share = 0.02
    weight_rate: Share = 0.7
    weight_power: Annotated[float, Range(0)] = 0.4
    weight_new: Share = 0.03
    species: Count = 8
    distance: Annotated[float, Range(above=0)] = 3.0
    weight_distance: Annotated[float, Range(0)] = 0.5
    stagnation: Count = 20
    survivors: Count = 2
    elites: Annotated[int, Range(0)] = 2
    parents: Share = 0.2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.elites > self.population // 4:
            raise ValueError(f"elites is {self.elites}; a species keeps that many, so a quarter of the population is the most")


class Neat(Evolution[NeatSettings]):
    """Breeds networks that grow, by NEAT."""

    name: ClassVar[str] = "neat"
    settings_class = NeatSettings
    shared: ClassVar[tuple[str, ...] | None] = ("population", "sight", "answer", "activation", "activations")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        **PRESETS,
        "quixo_actions": {"answer": "actions", "connected": "fs_neat", "fame": 0, "games": 60, "final_games": 1000},
    }

    def __init__(self, game: Game, settings: NeatSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        try:
            from .populations import Breeding, genes_of, network_of
        except ImportError as error:
            raise ValueError(f"neat needs neat-python ({error}); install it with: pip install 'ludus[evolution]'") from None
        self._genes_of, self._network_of = genes_of, network_of
        self.breeding = Breeding(self._sections(), self.key("first generation"))

    def networks(self) -> Networks:
        return Networks.joined([self._network_of(genome, self.breeding.config) for genome in self.breeding.genomes])

    def breed(self, fitness: NDArray[np.float64]) -> dict[str, float]:
        self.breeding.breed(fitness, self.key("breeding"), self.settings.species)
        return {"species": float(self.breeding.species)}

    def genomes(self) -> Arrays:
        return self.breeding.arrays()

    def restore_genomes(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.breeding.restore(state)

    def _sections(self) -> dict[str, dict[str, Any]]:
        """The settings as neat-python names them."""
        s = self.settings
        genome = {
            "num_inputs": self.inputs,
            "num_outputs": self.width,
            "initial_connection": {"fs_neat": "fs_neat_nohidden", "half": "partial_direct 0.5"}.get(s.connected, s.connected),
            "activation_default": s.activation,
            "activation_options": " ".join(dict.fromkeys((s.activation, *(s.activations or ())))),
            "activation_mutate_rate": s.activation_rate,
            "conn_add_prob": s.add_link,
            "conn_delete_prob": s.delete_link,
            "node_add_prob": s.add_node,
            "node_delete_prob": s.delete_node,
            "compatibility_weight_coefficient": s.weight_distance,
        }
        for value in ("weight", "bias"):
            genome |= {f"{value}_mutate_rate": s.weight_rate, f"{value}_mutate_power": s.weight_power}
            genome |= {f"{value}_replace_rate": s.weight_new}
        return {
            "NEAT": {"pop_size": s.population},
            "DefaultGenome": genome,
            "DefaultSpeciesSet": {"compatibility_threshold": s.distance},
            "DefaultStagnation": {"max_stagnation": s.stagnation, "species_elitism": s.survivors},
            "Reproduction": {"elitism": s.elites, "survival_threshold": s.parents, "min_species_size": max(1, s.elites)},
        }
