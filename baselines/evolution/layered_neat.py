"""Neuro-evolution over layered networks: a genome is a list of layers, which are added, removed and resized while it is bred.

A layer is a matrix of weights and a bias a neuron; between layers, ReLU. Parents are drawn by tournament, and the best stay. A
child has the layers of two parents, drawn in their order (see `crossed`), and one mutation: a layer more, a layer fewer, another
size of one, or else weights that move. Its fitness is what it gets against members of its generation that are drawn at random,
and against whom else the settings name.

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

from ...envs.files.named_arrays import Arrays
from ...envs.games.game import Game
from ...envs.settings.bounds import Count, Share
from ...envs.settings.numbers import Range
from .evolution import LARGEST, PRESETS, Evolution, EvolutionSettings
from .kernels import IDENTITY, RELU
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
        peers: how many members of the generation, drawn at random for each, each plays against. In the original, nobody else.
        first_layers: how many hidden layers the first genomes have, and
        first_neurons: how many neurons each of these.
        most_layers: how many hidden layers there may be,
        least_neurons: the fewest neurons of one, and
        most_neurons: the most.
        add_layer: with which probability a child gains a layer,
        remove_layer: loses one,
        resize_layer: has one resized; else its weights move:
        weight_rate: with which probability each, and
        weight_power: by how much at most; the standard deviation is this, or for some children less, down to a tenth.
        crossover: with which probability a child has two parents, not one.
        tournament: of how many genomes drawn at random the fittest is a parent.
        elites: how many of the fittest stay as they are.
    """

    generations: Count = 100
    population: Annotated[int, Range(4, LARGEST)] = 100
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
        if self.first_layers > self.most_layers:
            raise ValueError(f"first_layers is {self.first_layers}; it must be at most most_layers, {self.most_layers}")
        if not self.least_neurons <= self.first_neurons <= self.most_neurons:
            raise ValueError(
                f"layers of {self.first_neurons} neurons are not within the bounds, {self.least_neurons} to {self.most_neurons}"
            )
        if self.tournament > self.population:
            raise ValueError(f"tournament is {self.tournament}; it must be at most the population, {self.population}")
        if self.elites >= self.population:
            raise ValueError(f"elites is {self.elites}; it must be less than the population, {self.population}")


class LayeredNeat(Evolution[LayeredNeatSettings]):
    """Breeds networks of layers, which come and go."""

    name: ClassVar[str] = "layered_neat"
    settings_class = LayeredNeatSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        **PRESETS,
        "quixo": {**PRESETS["quixo"], "generations": 30},
        "original": {"answer": "actions", "sight": "planes", "opponents": None, "fame": 0, "peers": 5, "finalists": 1},
    }

    def __init__(self, game: Game, settings: LayeredNeatSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        draw = np.random.default_rng(self.key("first generation"))
        sizes = [self.inputs, *[settings.first_neurons] * settings.first_layers, self.width]
        self.generation = [[fresh(draw, *both) for both in pairwise(sizes)] for _ in range(settings.population)]

    def networks(self) -> Networks:
        return Networks.joined([network_of(genome) for genome in self.generation])

    def breed(self, fitness: NDArray[np.float64]) -> dict[str, float]:
        s, draw = self.settings, np.random.default_rng(self.key("breeding"))
        order = np.argsort(-fitness, kind="stable").tolist()
        children = [self.generation[one] for one in order[: s.elites]]
        while len(children) < s.population:
            child = self._parent(fitness, draw)
            if draw.random() < s.crossover:
                child = crossed(child, self._parent(fitness, draw), s.most_layers, draw)
            children.append(mutated(child, s, draw))
        self.generation = children
        return {"layers": float(np.mean([len(genome) for genome in children]))}

    def _parent(self, fitness: NDArray[np.float64], draw: np.random.Generator) -> Genome:
        """The fittest of a few."""
        met = draw.integers(len(fitness), size=self.settings.tournament)
        return self.generation[int(met[fitness[met].argmax()])]

    def genomes(self) -> Arrays:
        layers = [layer for genome in self.generation for layer in genome]
        return {
            "genomes": np.array([len(genome) for genome in self.generation]),
            "layers": np.array([layer.weights.shape for layer in layers]),
            "layers.weights": np.concatenate([layer.weights.ravel() for layer in layers]),
            "layers.biases": np.concatenate([layer.biases for layer in layers]),
        }

    def restore_genomes(self, state: Mapping[str, NDArray[Any]]) -> None:
        shapes = state["layers"]
        weights = np.split(state["layers.weights"], np.cumsum(shapes.prod(axis=1))[:-1])
        biases = np.split(state["layers.biases"], np.cumsum(shapes[:, 1])[:-1])
        layers = iter([Layer(w.reshape(shape), b) for w, b, shape in zip(weights, biases, shapes.tolist(), strict=True)])
        generation = [[next(layers) for _ in range(count)] for count in state["genomes"].tolist()]
        if len(generation) != self.settings.population or any(
            sizes_of(g)[:: len(g)] != [self.inputs, self.width] for g in generation
        ):
            raise ValueError
        self.generation = generation


def fresh(draw: np.random.Generator, inputs: int, neurons: int) -> Layer:
    """A layer with random weights, scaled so that its neurons vary as its inputs do."""
    return Layer(draw.normal(0, (2 / inputs) ** 0.5, (inputs, neurons)), draw.normal(0, 0.1, neurons))


def sizes_of(genome: Genome) -> list[int]:
    """How many inputs there are, and how many neurons each layer has.

    Raises:
        ValueError: the layers do not fit together.
    """
    if any(a.weights.shape[1] != b.weights.shape[0] for a, b in pairwise(genome)):
        raise ValueError(f"layers of the shapes {[layer.weights.shape for layer in genome]} do not fit together")
    return [genome[0].weights.shape[0], *(layer.weights.shape[1] for layer in genome)]


def fitted(layer: Layer, inputs: int, neurons: int, draw: np.random.Generator) -> Layer:
    """A layer made to have other sizes: what there is stays where it is, and what is missing is drawn anew."""
    made = fresh(draw, inputs, neurons)
    rows, columns = min(inputs, layer.weights.shape[0]), min(neurons, layer.weights.shape[1])
    made.weights[:rows, :columns] = layer.weights[:rows, :columns]
    made.biases[:columns] = layer.biases[:columns]
    return made


def crossed(first: Genome, second: Genome, most_hidden: int, draw: np.random.Generator) -> Genome:
    """A child of two genomes.

    How many layers it has is drawn between what the smaller parent has and what both have together less the layers at the ends,
    which they share. These are drawn from both parents' hidden layers, in order; the end is one parent's; then sizes are mended.
    """
    hidden = [*first[:-1], *second[:-1]]
    fewest = min(len(first), len(second)) - 1
    count = int(draw.integers(fewest, min(len(hidden), max(fewest, most_hidden)) + 1))
    chosen = [hidden[one] for one in sorted(draw.choice(len(hidden), count, replace=False).tolist())] if count else []
    layers = [*chosen, (first, second)[int(draw.integers(2))][-1]]
    sizes = [first[0].weights.shape[0], *(layer.weights.shape[1] for layer in layers)]
    return [fitted(layer, *both, draw) for layer, both in zip(layers, pairwise(sizes), strict=True)]


def mutated(genome: Genome, s: LayeredNeatSettings, draw: np.random.Generator) -> Genome:
    """A genome with one mutation."""
    sizes, hidden = sizes_of(genome), len(genome) - 1
    chance = draw.random()
    if chance < s.add_layer and hidden < s.most_layers:
        place = int(draw.integers(hidden + 1))
        return with_layer(genome, place, int(draw.integers(s.least_neurons, s.most_neurons + 1)), draw)
    chance -= s.add_layer
    if 0 <= chance < s.remove_layer and hidden:
        place = int(draw.integers(hidden))
        rest = [*genome[:place], *genome[place + 1 :]]
        rest[place] = fitted(rest[place], sizes[place], sizes[place + 2], draw)
        return rest
    chance -= s.remove_layer
    if 0 <= chance < s.resize_layer and hidden:
        place, neurons = int(draw.integers(hidden)), int(draw.integers(s.least_neurons, s.most_neurons + 1))
        rest = list(genome)
        rest[place] = fitted(genome[place], sizes[place], neurons, draw)
        rest[place + 1] = fitted(genome[place + 1], neurons, sizes[place + 2], draw)
        return rest
    power = s.weight_power * 10.0 ** -draw.random()
    return [Layer(*(moved(part, s.weight_rate, power, draw) for part in layer)) for layer in genome]


def with_layer(genome: Genome, place: int, neurons: int, draw: np.random.Generator) -> Genome:
    """A genome with one more hidden layer, that hands on what it is given as far as it has neurons for it."""
    inputs = sizes_of(genome)[place]
    new = Layer(np.eye(inputs, neurons) + draw.normal(0, 0.1, (inputs, neurons)), np.zeros(neurons))
    return [*genome[:place], new, fitted(genome[place], neurons, genome[place].weights.shape[1], draw), *genome[place + 1 :]]


def moved(numbers: Weights, rate: float, power: float, draw: np.random.Generator) -> Weights:
    """Numbers, each of which is moved with a probability."""
    return numbers + (draw.random(numbers.shape) < rate) * draw.normal(0, power, numbers.shape)


def network_of(genome: Genome) -> Networks:
    """The network of a genome: every neuron linked with all of the layer before it."""
    sizes = sizes_of(genome)
    inputs, neurons, starts = sizes[0], sizes[1:], np.cumsum([0, *sizes])
    into = np.repeat(sizes[:-1], neurons)
    sources = [
        np.tile(np.arange(start, start + before), count) for start, before, count in zip(starts, sizes, neurons, strict=False)
    ]
    kinds = np.full(sum(neurons), RELU, np.int8)
    kinds[-sizes[-1] :] = IDENTITY
    return Networks(
        inputs, sizes[-1], np.array([0, sum(neurons)]), np.cumsum([0, *into]), np.concatenate(sources).astype(np.int32),
        np.concatenate([layer.weights.T.ravel() for layer in genome]), np.concatenate([layer.biases for layer in genome]),
        np.ones(sum(neurons)), kinds, np.arange(starts[-2], starts[-1]),
    )  # fmt: skip
