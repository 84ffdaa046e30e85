"""A population of neat-python: made without a file of its user's, bred with randomness of a key's own, turned into arrays and back.

neat-python draws from Python's global generator. `breed` seeds that for one generation, and puts it back as it was.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import neat
import numpy as np
from neat.genes import DefaultConnectionGene, DefaultNodeGene
from neat.graphs import feed_forward_layers
from neat.species import Species
from numpy.typing import NDArray

from ...envs.files.named_arrays import Arrays
from ...envs.files.writing import write_whole
from ..runs.global_random import drawn_from
from .kernels import ACTIVATIONS
from .networks import Networks

NODE = ("bias", "response", "time_constant")
"""The numbers of a node gene."""


STEP = 1.1
"""By what the distance within species changes while there are too many of them, or too few."""


class Counter:
    """What counts up, as `itertools.count` does, and says where it is.

    Args:
        value: what comes next.
    """

    def __init__(self, value: int) -> None:
        self.value = value

    def __iter__(self) -> Counter:
        return self

    def __next__(self) -> int:
        self.value += 1
        return self.value - 1


class Reproduction(neat.DefaultReproduction):
    """neat-python's reproduction, in which species share out the places of a generation even where most have their least size."""

    def _adjust_spawn_exact(self, spawn_amounts: list[int], pop_size: int, min_species_size: int) -> list[int]:
        """Adds places to the smallest species, or takes them from the largest, until there are as many as genomes.

        neat-python takes one from each species at most, and gives up if that does not do.
        """
        amounts = list(spawn_amounts)
        while (excess := sum(amounts) - pop_size) != 0:
            place = amounts.index(max(amounts) if excess > 0 else min(amounts))
            amounts[place] += -1 if excess > 0 else 1
        return amounts


class Breeding:
    """A population under way.

    Args:
        sections: the settings of neat-python, by section and name; names that `USUAL` has may be left out.
        key: from which the first generation follows.
    """

    def __init__(self, sections: Mapping[str, Mapping[str, Any]], key: int) -> None:
        self.config = config_of(sections)
        self.config.genome_config.node_indexer = Counter(self.config.genome_config.num_outputs)
        with drawn_from(key):
            self.population = neat.Population(self.config)
        self._count_on(genome=max(self.population.population) + 1, species=max(self.population.species.species) + 1)

    def _count_on(self, genome: int, species: int) -> None:
        """Has neat-python count with counters that can be asked."""
        self.population.reproduction.genome_indexer = Counter(genome)
        self.population.species.indexer = Counter(species)

    @property
    def genomes(self) -> list[Any]:
        """The genomes of this generation, in their order."""
        return list(self.population.population.values())

    @property
    def species(self) -> int:
        """How many species there are."""
        return len(self.population.species.species)

    @property
    def distance(self) -> float:
        """How far apart genomes of one species may be."""
        return self.config.species_set_config.compatibility_threshold

    @distance.setter
    def distance(self, value: float) -> None:
        self.config.species_set_config.compatibility_threshold = value

    def breed(self, fitness: NDArray[np.float64], key: int, species: int) -> None:
        """Makes the next generation, by neat-python's own reproduction and speciation.

        Args:
            fitness: of each genome.
            key: all randomness.
            species: how many species there should be: the distance within them follows.
        """

        def assign(genomes: list[tuple[int, Any]], config: Any) -> None:
            for (_, genome), reached in zip(genomes, fitness.tolist(), strict=True):
                genome.fitness = reached

        with drawn_from(key):
            self._make_room(fitness)
            self.population.run(assign, 1)
        self.population.reproduction.ancestors.clear()  # it would grow for ever, and nobody asks
        if self.species != species:
            self.distance *= STEP if self.species > species else 1 / STEP

    def _make_room(self, fitness: NDArray[np.float64]) -> None:
        """Lets the worst species go while there are too many for each to keep its least size, at which neat-python gives up."""
        least = max(self.config.reproduction_config.min_species_size, 1)
        reached = dict(zip(self.population.population, fitness.tolist(), strict=True))
        species = self.population.species.species
        best = {key: (max(reached[one] for one in group.members), key) for key, group in species.items()}
        order = sorted(species, key=best.__getitem__)
        for key in order[: max(0, len(order) - self.config.pop_size // least)]:
            del species[key]

    # ---- as arrays

    def arrays(self) -> Arrays:
        """All that the next generations depend on."""
        population, species = self.population, self.population.species
        groups = [species.species[key] for key in sorted(species.species)]
        counters = [
            population.generation,
            population.reproduction.genome_indexer.value,
            species.indexer.value,
            self.config.genome_config.node_indexer.value,
            population.reproduction.innovation_tracker.global_counter,
        ]
        return {
            "counters": np.array(counters),
            "distance": np.array([self.distance]),
            **genes_of(self.genomes),
            "species": np.array([[s.key, s.created, s.last_improved, s.representative.key] for s in groups]).reshape(-1, 4),
            "species.fitness": _numbers([s.fitness for s in groups]),
            "species.members": np.array([key for s in groups for key in s.members]),
            "species.sizes": np.array([len(s.members) for s in groups], np.int64),
            "species.histories": np.array([reached for s in groups for reached in s.fitness_history], np.float64),
            "species.ages": np.array([len(s.fitness_history) for s in groups], np.int64),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Goes back to arrays.

        Raises:
            ValueError, KeyError, IndexError: they are none of a population with these settings.
        """
        genomes = {genome.key: genome for genome in genomes_of(arrays)}
        generation, next_genome, next_species, next_node, innovation = arrays["counters"].tolist()
        species = self.config.species_set_type(self.config.species_set_config, self.population.reporters)
        members = iter(arrays["species.members"].tolist())
        histories = iter(arrays["species.histories"].tolist())
        rest = arrays["species.sizes"].tolist(), _values(arrays["species.fitness"]), arrays["species.ages"].tolist()
        for (key, created, improved, representative), size, fitness, age in zip(arrays["species"].tolist(), *rest, strict=True):
            group: Any = Species(key, created)
            species.species[key] = group
            group.last_improved, group.fitness = improved, fitness
            group.fitness_history = [next(histories) for _ in range(age)]
            group.update(genomes[representative], {one: genomes[one] for one in (next(members) for _ in range(size))})
            species.genome_to_species |= dict.fromkeys(group.members, key)
        self.population = neat.Population(self.config, (genomes, species, generation))
        self._count_on(next_genome, next_species)
        self.distance = float(arrays["distance"][0])
        self.config.genome_config.node_indexer = Counter(next_node)
        self.population.reproduction.innovation_tracker.global_counter = innovation


def genes_of(genomes: list[Any]) -> Arrays:
    """Genomes as arrays, every gene in its place: what is drawn from them depends on their order."""
    nodes = [gene for genome in genomes for gene in genome.nodes.values()]
    links = [gene for genome in genomes for gene in genome.connections.values()]
    return {
        "genomes": np.array([[g.key, len(g.nodes), len(g.connections)] for g in genomes]).reshape(-1, 3),
        "genomes.fitness": _numbers([g.fitness for g in genomes]),
        "genes.nodes": np.array([[n.key, ACTIVATIONS.index(n.activation)] for n in nodes]).reshape(-1, 2),
        "genes.node_values": np.array([[getattr(n, name) for name in NODE] for n in nodes], np.float64).reshape(-1, len(NODE)),
        "genes.links": np.array([[*c.key, c.innovation, c.enabled] for c in links]).reshape(-1, 4),
        "genes.weights": np.array([c.weight for c in links], np.float64),
    }


def genomes_of(arrays: Mapping[str, NDArray[Any]]) -> Generator[Any]:
    """The genomes of arrays."""
    nodes = zip(arrays["genes.nodes"].tolist(), arrays["genes.node_values"].tolist(), strict=True)
    links = zip(arrays["genes.links"].tolist(), arrays["genes.weights"].tolist(), strict=True)
    for (key, node_count, link_count), fitness in zip(arrays["genomes"].tolist(), _values(arrays["genomes.fitness"]), strict=True):
        genome: Any = neat.DefaultGenome(key)
        genome.fitness = fitness
        for _ in range(node_count):
            (place, kind), values = next(nodes)
            gene: Any
            gene = genome.nodes[place] = DefaultNodeGene(place)
            gene.activation, gene.aggregation = ACTIVATIONS[kind], "sum"
            for name, value in zip(NODE, values, strict=True):
                setattr(gene, name, value)
        for _ in range(link_count):
            (source, target, innovation, enabled), weight = next(links)
            link: Any
            link = genome.connections[source, target] = DefaultConnectionGene((source, target), innovation)
            link.weight, link.enabled = weight, bool(enabled)
        yield genome


def network_of(genome: Any, config: Any) -> Networks:
    """The network that a genome stands for, its nodes in the order in which neat-python's own network computes them."""
    inputs, outputs = config.genome_config.input_keys, config.genome_config.output_keys
    enabled = [link for link in genome.connections.values() if link.enabled]
    layers, required = feed_forward_layers(inputs, outputs, [link.key for link in enabled])
    order = [node for layer in layers for node in layer]
    slots = {key: place for place, key in enumerate([*inputs, *order])}
    into: dict[int, list[Any]] = {node: [] for node in order}
    for link in enabled:
        source, target = link.key
        if target in into and (source in required or source < 0):
            into[target].append(link)
    links = [link for node in order for link in into[node]]
    genes = [genome.nodes[node] for node in order]
    return Networks(
        len(inputs), len(outputs), np.array([0, len(order)]), np.cumsum([0, *(len(into[node]) for node in order)]),
        np.array([slots[link.key[0]] for link in links], np.int32), np.array([link.weight for link in links], np.float64),
        np.array([gene.bias for gene in genes], np.float64), np.array([gene.response for gene in genes], np.float64),
        np.array([ACTIVATIONS.index(gene.activation) for gene in genes], np.int8), np.array([slots[node] for node in outputs]),
    )  # fmt: skip


# ---- settings of neat-python

USUAL: dict[str, dict[str, Any]] = {
    "NEAT": {
        "fitness_criterion": "max", "fitness_threshold": 0, "no_fitness_termination": True, "reset_on_extinction": True,
    },
    "DefaultGenome": {
        "feed_forward": True, "num_hidden": 0, "single_structural_mutation": False, "structural_mutation_surer": "default",
        "compatibility_disjoint_coefficient": 1.0, "compatibility_weight_coefficient": 0.5,
        "activation_default": "tanh", "activation_mutate_rate": 0.0,
        "aggregation_default": "sum", "aggregation_mutate_rate": 0.0, "aggregation_options": "sum",
        "bias_init_mean": 0.0, "bias_init_stdev": 1.0, "bias_init_type": "gaussian", "bias_replace_rate": 0.1,
        "bias_mutate_rate": 0.7, "bias_mutate_power": 0.5, "bias_max_value": 30.0, "bias_min_value": -30.0,
        "response_init_mean": 1.0, "response_init_stdev": 0.0, "response_init_type": "gaussian", "response_replace_rate": 0.0,
        "response_mutate_rate": 0.0, "response_mutate_power": 0.0, "response_max_value": 30.0, "response_min_value": -30.0,
        "time_constant_init_mean": 1.0, "time_constant_init_stdev": 0.0, "time_constant_init_type": "gaussian",
        "time_constant_replace_rate": 0.0, "time_constant_mutate_rate": 0.0, "time_constant_mutate_power": 0.0,
        "time_constant_max_value": 10.0, "time_constant_min_value": 0.01,
        "weight_init_mean": 0.0, "weight_init_stdev": 1.0, "weight_init_type": "gaussian", "weight_replace_rate": 0.1,
        "weight_mutate_rate": 0.8, "weight_mutate_power": 0.5, "weight_max_value": 30.0, "weight_min_value": -30.0,
        "enabled_default": True, "enabled_mutate_rate": 0.0, "enabled_rate_to_true_add": 0.2, "enabled_rate_to_false_add": 0.0,
    },
    "DefaultSpeciesSet": {},
    "DefaultStagnation": {"species_fitness_func": "max"},
    "Reproduction": {},
}  # fmt: skip
"""What neat-python wants to be told besides what the trainer's settings say."""


def config_of(sections: Mapping[str, Mapping[str, Any]]) -> Any:
    """A configuration of neat-python, which reads files alone: one is written, read, and gone."""
    lines: list[str] = []
    for section, usual in USUAL.items():
        lines += [f"[{section}]", *(f"{name} = {value}" for name, value in {**usual, **sections.get(section, {})}.items())]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "neat.ini"
        write_whole(path, "\n".join(lines).encode())
        return neat.Config(neat.DefaultGenome, Reproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation, str(path))


def _numbers(values: list[float | None]) -> NDArray[np.float64]:
    """Numbers, and what is not there yet as no number."""
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _values(numbers: NDArray[np.float64]) -> list[float | None]:
    return [None if value != value else value for value in numbers.tolist()]
