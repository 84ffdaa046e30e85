"""Neuro-evolution over layered networks: a genome is a list of layers; mutations add, remove and resize them.

A layer is a matrix of weights and a bias for each neuron, with ReLU between layers. Parents are selected by tournament, and the
best genomes stay. A child has layers of two parents, in their order (see `cross_genomes`), and one mutation: one layer more, one
layer fewer, another size of a layer, or otherwise weights that move. Its fitness is its points against random members of its
generation, and against the other opponents of the settings.

The original, which was called NEAT, had no species and no historical marks, took the largest of 44 outputs for an action of
Quixo, and won 70 % of its games against a random player; that is the preset `original`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import Count, Share
from ...core.files.named_arrays import Arrays
from ...core.numbers import Range
from .evolution import Evolution, EvolutionSettings, Population
from .kernels import IDENTITY, RELU, NetworkArrays
from .networks import Networks

Weights = NDArray[np.float64]


class Layer(NamedTuple):
    """One layer: weights (inputs, neurons) and biases (neurons,)."""

    weights: Weights
    biases: Weights


Genome = list[Layer]


@dataclass(frozen=True)
class LayeredNeatSettings(EvolutionSettings):
    """Settings of neuro-evolution over layered networks.

    Args:
        peers: the number of members of the generation, drawn at random for each, that each plays against. In the original, they
            are the only opponents.
        first_layers: the number of hidden layers of the first genomes.
        first_neurons: the number of neurons of each of these.
        most_layers: the maximum number of hidden layers.
        least_neurons: the minimum number of neurons of a hidden layer.
        most_neurons: the maximum number of neurons of a hidden layer.
        add_layer: the probability that a child gains a layer.
        remove_layer: the probability that it loses one.
        resize_layer: the probability that one of its layers is resized; otherwise its weights move.
        weight_rate: the probability that a weight moves.
        weight_power: the largest standard deviation of such a move; for some children it is less, down to a tenth.
        crossover: the probability that a child has two parents.
        tournament: the number of random genomes of which the fittest is a parent.
        elites: the number of the fittest genomes that stay as they are.
    """

    peers: Annotated[int, Range(0)] = 1
    first_layers: Annotated[int, Range(0)] = 1
    first_neurons: Count = 8
    most_layers: Annotated[int, Range(0)] = 3
    least_neurons: Count = 2
    most_neurons: Count = 24
    add_layer: Share = 0.03
    remove_layer: Share = 0.03
    resize_layer: Share = 0.06
    weight_rate: Share = 0.5
    weight_power: Annotated[float, Range(above=0)] = 0.3
    crossover: Share = 0.3
    tournament: Count = 4
    elites: Annotated[int, Range(0)] = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.add_layer + self.remove_layer + self.resize_layer > 1:
            raise ValueError("add_layer, remove_layer and resize_layer share one random number; their sum must be at most 1")
        for low, high in (
            ("first_layers", "most_layers"),
            ("least_neurons", "first_neurons"),
            ("first_neurons", "most_neurons"),
            ("tournament", "population"),
        ):
            if (given := getattr(self, low)) > (limit := getattr(self, high)):
                raise ValueError(f"{low} is {given}; it must be at most {high}, {limit}")
        if self.elites >= self.population:
            raise ValueError(f"elites is {self.elites}; it must be less than the population, {self.population}")


class LayeredNeat(Evolution[LayeredNeatSettings]):
    """Breeds networks of layers, which come and go."""

    name: ClassVar[str] = "layered_neat"
    settings_class = LayeredNeatSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": {"answer": "actions", "sight": "planes", "opponents": None, "fame": 0, "peers": 5, "finalists": 1},
    }

    def new_population(self, key: int) -> Population:
        return LayeredPopulation(self.settings, self.inputs, self.width, key)


class LayeredPopulation(Population):
    """Genomes as lists of layers.

    Args:
        settings: those of the trainer.
        inputs, width: the number of inputs and of outputs of each network.
        key: the source of the first generation.
    """

    def __init__(self, settings: LayeredNeatSettings, inputs: int, width: int, key: int) -> None:
        self.settings, self.inputs, self.width = settings, inputs, width
        draw = np.random.default_rng(key)
        sizes = [inputs, *[settings.first_neurons] * settings.first_layers, width]
        self.generation = [[random_layer(draw, *both) for both in pairwise(sizes)] for _ in range(settings.population)]

    def networks(self) -> Networks:
        return Networks.concatenate([network_of(genome) for genome in self.generation])

    def breed(self, fitness: NDArray[np.float64], key: int) -> dict[str, float]:
        s, draw = self.settings, np.random.default_rng(key)
        order = np.argsort(-fitness, kind="stable").tolist()
        children = [self.generation[index] for index in order[: s.elites]]
        while len(children) < s.population:
            child = self._parent(fitness, draw)
            if draw.random() < s.crossover:
                child = cross_genomes(child, self._parent(fitness, draw), s.most_layers, draw)
            children.append(mutate_genome(child, s, draw))
        self.generation = children
        return {"layers": float(np.mean([len(genome) for genome in children]))}

    def _parent(self, fitness: NDArray[np.float64], draw: np.random.Generator) -> Genome:
        """The winner of a tournament."""
        met = draw.integers(len(fitness), size=self.settings.tournament)
        return self.generation[int(met[fitness[met].argmax()])]

    def arrays(self) -> Arrays:
        layers = [layer for genome in self.generation for layer in genome]
        return {
            "genomes": np.array([len(genome) for genome in self.generation]),
            "layers": np.array([layer.weights.shape for layer in layers]),
            "layers.weights": np.concatenate([layer.weights.ravel() for layer in layers]),
            "layers.biases": np.concatenate([layer.biases for layer in layers]),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        shapes = arrays["layers"]
        weights = np.split(arrays["layers.weights"], np.cumsum(shapes.prod(axis=1))[:-1])
        biases = np.split(arrays["layers.biases"], np.cumsum(shapes[:, 1])[:-1])
        layers = iter([Layer(w.reshape(shape), b) for w, b, shape in zip(weights, biases, shapes.tolist(), strict=True)])
        generation = [[next(layers) for _ in range(count)] for count in arrays["genomes"].tolist()]
        if len(generation) != self.settings.population or any(
            sizes_of(g)[:: len(g)] != [self.inputs, self.width] for g in generation
        ):
            raise ValueError("there are other genomes, or other networks of genomes, than the settings say")
        self.generation = generation


def random_layer(draw: np.random.Generator, inputs: int, neurons: int) -> Layer:
    """A layer with random weights, scaled so that its neurons vary as its inputs do."""
    return Layer(draw.normal(0, (2 / inputs) ** 0.5, (inputs, neurons)), draw.normal(0, 0.1, neurons))


def sizes_of(genome: Genome) -> list[int]:
    """The number of inputs, and the number of neurons of each layer; ValueError where the layers do not fit together."""
    if any(a.weights.shape[1] != b.weights.shape[0] for a, b in pairwise(genome)):
        raise ValueError(f"layers of the shapes {[layer.weights.shape for layer in genome]} do not fit together")
    return [genome[0].weights.shape[0], *(layer.weights.shape[1] for layer in genome)]


def resize_layer(layer: Layer, inputs: int, neurons: int, draw: np.random.Generator) -> Layer:
    """A layer with other sizes: weights that it has stay where they are, and new ones are drawn at random."""
    resized = random_layer(draw, inputs, neurons)
    rows, columns = min(inputs, layer.weights.shape[0]), min(neurons, layer.weights.shape[1])
    resized.weights[:rows, :columns] = layer.weights[:rows, :columns]
    resized.biases[:columns] = layer.biases[:columns]
    return resized


def cross_genomes(first: Genome, second: Genome, most_hidden: int, draw: np.random.Generator) -> Genome:
    """A child of two genomes.

    Its number of hidden layers is drawn from that of the smaller parent to that of both together. They are random hidden layers of
    both parents, in order; the last layer is one parent's. Then layers are resized to fit together.
    """
    hidden = [*first[:-1], *second[:-1]]
    fewest = min(len(first), len(second)) - 1
    count = int(draw.integers(fewest, min(len(hidden), max(fewest, most_hidden)) + 1))
    chosen = [hidden[index] for index in sorted(draw.choice(len(hidden), count, replace=False).tolist())] if count else []
    layers = [*chosen, (first, second)[int(draw.integers(2))][-1]]
    sizes = [first[0].weights.shape[0], *(layer.weights.shape[1] for layer in layers)]
    return [resize_layer(layer, *both, draw) for layer, both in zip(layers, pairwise(sizes), strict=True)]


def mutate_genome(genome: Genome, s: LayeredNeatSettings, draw: np.random.Generator) -> Genome:
    """A genome with one mutation."""
    sizes, hidden = sizes_of(genome), len(genome) - 1
    chance = draw.random()
    if chance < s.add_layer and hidden < s.most_layers:
        index = int(draw.integers(hidden + 1))
        return add_layer(genome, index, int(draw.integers(s.least_neurons, s.most_neurons + 1)), draw)
    chance -= s.add_layer
    if 0 <= chance < s.remove_layer and hidden:
        index = int(draw.integers(hidden))
        rest = [*genome[:index], *genome[index + 1 :]]
        rest[index] = resize_layer(rest[index], sizes[index], sizes[index + 2], draw)
        return rest
    chance -= s.remove_layer
    if 0 <= chance < s.resize_layer and hidden:
        index, neurons = int(draw.integers(hidden)), int(draw.integers(s.least_neurons, s.most_neurons + 1))
        rest = list(genome)
        rest[index] = resize_layer(genome[index], sizes[index], neurons, draw)
        rest[index + 1] = resize_layer(genome[index + 1], neurons, sizes[index + 2], draw)
        return rest
    power = s.weight_power * 10.0 ** -draw.random()

    def move(numbers: Weights) -> Weights:
        return numbers + (draw.random(numbers.shape) < s.weight_rate) * draw.normal(0, power, numbers.shape)

    return [Layer(move(layer.weights), move(layer.biases)) for layer in genome]


def add_layer(genome: Genome, index: int, neurons: int, draw: np.random.Generator) -> Genome:
    """A genome with one more hidden layer, which passes its inputs on as far as it has neurons for them."""
    inputs = sizes_of(genome)[index]
    new = Layer(np.eye(inputs, neurons) + draw.normal(0, 0.1, (inputs, neurons)), np.zeros(neurons))
    return [*genome[:index], new, resize_layer(genome[index], neurons, genome[index].weights.shape[1], draw), *genome[index + 1 :]]


def network_of(genome: Genome) -> Networks:
    """The network of a genome, in which every neuron has a link from all of the layer before."""
    sizes = sizes_of(genome)
    inputs, neurons, starts, count = sizes[0], sizes[1:], np.cumsum([0, *sizes]), sum(sizes[1:])
    sources = [np.tile(np.arange(*ends), number) for ends, number in zip(pairwise(starts), neurons, strict=False)]
    kinds = np.repeat(np.array([RELU, IDENTITY], np.int8), [count - sizes[-1], sizes[-1]])
    return Networks(
        NetworkArrays(
            inputs=inputs,
            width=sizes[-1],
            nodes=np.array([0, count]),
            links=np.cumsum([0, *np.repeat(sizes[:-1], neurons)]),
            sources=np.concatenate(sources).astype(np.int32),
            weights=np.concatenate([layer.weights.T.ravel() for layer in genome]),
            biases=np.concatenate([layer.biases for layer in genome]),
            responses=np.ones(count),
            kinds=kinds,
            outputs=np.arange(starts[-2], starts[-1]),
        )
    )
