"""NEAT, neuro-evolution of augmenting topologies: networks that begin small and grow while they are bred.

A genome lists nodes and links. Mutations move weights, add a link between two nodes, or split one by a new node. Each link has
the number of the innovation that made it, so that two genomes can be crossed link by link however they have grown. Genomes
that have grown apart are kept in species, which share the offspring among them by their mean fitness, so that
new structure has time to become good. Species that have not improved for long die out.

The genomes, species and their breeding are neat-python's. The networks are not: a generation becomes arrays, and plays
in compiled code.

Sources: Stanley, Miikkulainen: Evolving neural networks through augmenting topologies, Evolutionary Computation 2002;
neat-python, https://neat-python.readthedocs.io.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeAlias

from ...core.bounds import Count, OneOf, Share
from ...core.numbers import Range
from ...core.plugins.loading import libraries
from .evolution import Evolution, EvolutionSettings, Population
from .kernels import ACTIVATIONS

CONNECTIONS = ("unconnected", "fs_neat", "full", "half")
Activation: TypeAlias = Annotated[str, OneOf(*ACTIVATIONS)]


@dataclass(frozen=True)
class NeatSettings(EvolutionSettings):
    """Settings of NEAT. Values of the paper are in parentheses.

    Args:
        population: the number of genomes in a generation (150).
        connected: the links of the first genomes: unconnected, none; fs_neat, from one input to all outputs; full; half of them,
            drawn at random (full).
        activation: what the nodes compute at first: identity, relu, tanh, sigmoid, gauss, sin, abs or clamped (sigmoid).
        activations: what a node's activation may change to, joined by +; none for no change.
        activation_rate: the probability that it changes (0).
        add_link: the probability that a genome gains a link (0.05; 0.3 in large populations).
        delete_link: the probability that it loses one (0).
        add_node: the probability that a node splits a link of a genome (0.03).
        delete_node: the probability that a genome loses a node (0).
        weight_rate: the probability that a weight, or a bias, moves (0.8 · 0.9).
        weight_power: the standard deviation of such a move.
        weight_new: the probability that a weight, or a bias, is drawn again (0.8 · 0.1).
        species: the wanted number of species; the distance between genomes of one species is adapted to it (not in the paper).
        distance: the distance at first (3).
        weight_distance: the distance for a difference of 1 between the weights of two genomes, on average over their links (0.4).
        stagnation: the number of generations without progress after which a species dies out (15).
        survivors: the number of the best species that never do.
        elites: the number of each species' best genomes that stay as they are (1, in species of more than five).
        parents: the best share of a species that has offspring.
    """

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
            raise ValueError(f"elites is {self.elites}; it must be at most a quarter of the population, {self.population // 4}")


class Neat(Evolution[NeatSettings]):
    """Breeds networks that grow, by NEAT."""

    name: ClassVar[str] = "neat"
    settings_class = NeatSettings
    shared: ClassVar[tuple[str, ...] | None] = ("population", "sight", "answer", "activation", "activations")

    def new_population(self, key: int) -> Population:
        with libraries("the trainer 'neat'", "evolution"):
            from .populations import NeatPopulation
        return NeatPopulation(self._sections(), key, self.settings.species)

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
        rates = {"mutate_rate": s.weight_rate, "mutate_power": s.weight_power, "replace_rate": s.weight_new}
        genome |= {f"{gene}_{name}": rate for gene in ("weight", "bias") for name, rate in rates.items()}
        return {
            "NEAT": {"pop_size": s.population},
            "DefaultGenome": genome,
            "DefaultSpeciesSet": {"compatibility_threshold": s.distance},
            "DefaultStagnation": {"max_stagnation": s.stagnation, "species_elitism": s.survivors},
            "Reproduction": {"elitism": s.elites, "survival_threshold": s.parents, "min_species_size": max(1, s.elites)},
        }
