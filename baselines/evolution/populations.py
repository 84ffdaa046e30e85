"""A population of neat-python: made from settings, bred with its own random numbers, converted to arrays and back.

neat-python draws from Python's global generator, which is seeded for each generation, and restored afterwards.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import neat
import numpy as np
from neat.genes import DefaultConnectionGene, DefaultNodeGene
from neat.graphs import feed_forward_layers
from neat.species import Species
from numpy.typing import NDArray

from ...core.files.named_arrays import Arrays
from ...core.files.writing import write_whole
from .contest import seed_global_random
from .evolution import Population
from .kernels import ACTIVATIONS, NetworkArrays
from .networks import Networks

NODE = ("bias", "response", "time_constant")
"""The numbers of a node gene."""
STEP = 1.1
"""The factor by which the distance within species changes while there are too many or too few of them."""


class Counter(Iterator[int]):
    """Counts up from a value as `itertools.count` does, but can be read."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __next__(self) -> int:
        self.value += 1
        return self.value - 1


class Reproduction(neat.DefaultReproduction):
    """neat-python's reproduction, which also fills a generation where most species have their minimum size."""

    def _adjust_spawn_exact(self, spawn_amounts: list[int], pop_size: int, min_species_size: int) -> list[int]:
        """Adds children to the smallest species, or takes them from the largest, until there are as many as genomes.

        neat-python takes at most one from each species, and raises an error if that is not enough.
        """
        amounts = list(spawn_amounts)
        while (excess := sum(amounts) - pop_size) != 0:
            index = amounts.index(max(amounts) if excess > 0 else min(amounts))
            amounts[index] += -1 if excess > 0 else 1
        return amounts


class NeatPopulation(Population):
    """A population, generation by generation.

    Args:
        sections: the settings of neat-python, by section and name; those of neat.ini may be left out.
        key: the source of the first generation.
        species: the wanted number of species: the distance within them is adapted to it.
    """

    def __init__(self, sections: Mapping[str, Mapping[str, Any]], key: int, species: int) -> None:
        self.config, self.wanted = config_of(sections), species
        self.config.genome_config.node_indexer = Counter(self.config.genome_config.num_outputs)
        with seed_global_random(key):
            self.population = neat.Population(self.config)
        self._count_on(max(self.population.population) + 1, max(self.population.species.species) + 1)

    def _count_on(self, genome: int, species: int) -> None:
        """Gives neat-python counters that can be read."""
        self.population.reproduction.genome_indexer = Counter(genome)
        self.population.species.indexer = Counter(species)

    @property
    def genomes(self) -> list[Any]:
        """The genomes of this generation, in their order."""
        return list(self.population.population.values())

    @property
    def num_species(self) -> int:
        """The number of species."""
        return len(self.population.species.species)

    def networks(self) -> Networks:
        return Networks.concatenate([network_of(genome, self.config) for genome in self.genomes])

    def breed(self, fitness: NDArray[np.float64], key: int) -> dict[str, float]:
        """Makes the next generation by neat-python's own reproduction and speciation."""

        def assign(genomes: list[tuple[int, Any]], config: Any) -> None:
            for (_, genome), reached in zip(genomes, fitness.tolist(), strict=True):
                genome.fitness = reached

        with seed_global_random(key):
            self._make_room(fitness)
            self.population.run(assign, 1)
        self.population.reproduction.ancestors.clear()  # nothing reads it, and it would grow without end
        if self.num_species != self.wanted:
            self.config.species_set_config.compatibility_threshold *= STEP if self.num_species > self.wanted else 1 / STEP
        return {"species": float(self.num_species)}

    def _make_room(self, fitness: NDArray[np.float64]) -> None:
        """Removes the worst species while there are too many for their minimum sizes: neat-python raises an error then."""
        least = max(self.config.reproduction_config.min_species_size, 1)
        reached = dict(zip(self.population.population, fitness.tolist(), strict=True))
        species = self.population.species.species
        best = {key: (max(reached[member] for member in group.members), key) for key, group in species.items()}
        for key in sorted(species, key=best.__getitem__)[: max(0, len(species) - self.config.pop_size // least)]:
            del species[key]

    # ---- as arrays

    def arrays(self) -> Arrays:
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
            "distance": np.array([self.config.species_set_config.compatibility_threshold]),
            **genes_of(self.genomes),
            "species": np.array([[s.key, s.created, s.last_improved, s.representative.key] for s in groups]).reshape(-1, 4),
            "species.fitness": np.array([s.fitness for s in groups], np.float64),
            "species.members": np.array([key for s in groups for key in s.members]),
            "species.sizes": np.array([len(s.members) for s in groups], np.int64),
            "species.histories": np.array([reached for s in groups for reached in s.fitness_history], np.float64),
            "species.ages": np.array([len(s.fitness_history) for s in groups], np.int64),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
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
            group.update(genomes[representative], {member: genomes[member] for member in (next(members) for _ in range(size))})
            species.genome_to_species |= dict.fromkeys(group.members, key)
        self.population = neat.Population(self.config, (genomes, species, generation))
        self._count_on(next_genome, next_species)
        self.config.species_set_config.compatibility_threshold = float(arrays["distance"][0])
        self.config.genome_config.node_indexer = Counter(next_node)
        self.population.reproduction.innovation_tracker.global_counter = innovation


def genes_of(genomes: list[Any]) -> Arrays:
    """Genomes as arrays, genes in their order: what breeding draws depends on it."""
    nodes = [gene for genome in genomes for gene in genome.nodes.values()]
    links = [gene for genome in genomes for gene in genome.connections.values()]
    return {
        "genomes": np.array([[g.key, len(g.nodes), len(g.connections)] for g in genomes]).reshape(-1, 3),
        "genomes.fitness": np.array([g.fitness for g in genomes], np.float64),
        "genes.nodes": np.array([[n.key, ACTIVATIONS.index(n.activation)] for n in nodes]).reshape(-1, 2),
        "genes.node_values": np.array([[getattr(n, name) for name in NODE] for n in nodes], np.float64).reshape(-1, len(NODE)),
        "genes.links": np.array([[*c.key, c.innovation, c.enabled] for c in links]).reshape(-1, 4),
        "genes.weights": np.array([c.weight for c in links], np.float64),
    }


def genomes_of(arrays: Mapping[str, NDArray[Any]]) -> Iterator[Any]:
    """The genomes of arrays."""
    nodes = zip(arrays["genes.nodes"].tolist(), arrays["genes.node_values"].tolist(), strict=True)
    links = zip(arrays["genes.links"].tolist(), arrays["genes.weights"].tolist(), strict=True)
    for (key, node_count, link_count), fitness in zip(arrays["genomes"].tolist(), _values(arrays["genomes.fitness"]), strict=True):
        genome: Any = neat.DefaultGenome(key)
        genome.fitness = fitness
        for _ in range(node_count):
            (index, kind), values = next(nodes)
            gene: Any
            gene = genome.nodes[index] = DefaultNodeGene(index)
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
    """The network of a genome, its nodes in the order in which neat-python's own network computes them."""
    inputs, outputs = config.genome_config.input_keys, config.genome_config.output_keys
    enabled = [link for link in genome.connections.values() if link.enabled]
    layers, required = feed_forward_layers(inputs, outputs, [link.key for link in enabled])
    into: dict[int, list[Any]] = {node: [] for layer in layers for node in layer}
    slots = {key: index for index, key in enumerate([*inputs, *into])}
    for link in enabled:
        source, target = link.key
        if target in into and (source in required or source < 0):
            into[target].append(link)
    links = [link for of_node in into.values() for link in of_node]
    genes = [genome.nodes[node] for node in into]
    return Networks(
        NetworkArrays(
            inputs=len(inputs),
            width=len(outputs),
            nodes=np.array([0, len(into)]),
            links=np.cumsum([0, *map(len, into.values())]),
            sources=np.array([slots[link.key[0]] for link in links], np.int32),
            weights=np.array([link.weight for link in links], np.float64),
            biases=np.array([gene.bias for gene in genes], np.float64),
            responses=np.array([gene.response for gene in genes], np.float64),
            kinds=np.array([ACTIVATIONS.index(gene.activation) for gene in genes], np.int8),
            outputs=np.array([slots[node] for node in outputs]),
        )
    )


# ---- settings of neat-python


def config_of(sections: Mapping[str, Mapping[str, Any]]) -> Any:
    """A configuration of neat-python, which only reads files: one is written, read, and removed."""
    parser = ConfigParser()
    parser.read(Path(__file__).with_name("neat.ini"), "utf-8")
    parser.read_dict(sections)
    text = io.StringIO()
    parser.write(text)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "neat.ini"
        write_whole(path, text.getvalue().encode())
        return neat.Config(neat.DefaultGenome, Reproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation, str(path))


def _values(numbers: NDArray[np.float64]) -> list[float | None]:
    """Numbers, with None for NaN: numpy converts None to NaN, but not back."""
    return [None if value != value else value for value in numbers.tolist()]
