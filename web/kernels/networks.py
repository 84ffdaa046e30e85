"""The shipped networks in a page: files of rounded weights, which kernels evaluate for `alphazero`.

A file has a head (core/files/named_arrays.py) and numbers:

    residual    (search/residual.py) for each layer its biases and the scales of its rows, float32; then for each layer its weights,
                int8, to be multiplied by the scale of their row: a STEPS-th of their standard deviation, or more where one would
                not fit. So most of them are small, and gzip makes of a file a fifth of the original.
    ntuples     (baselines/ntuples) the weights, int8: scale · sinh(bend · w), as small weights are many and large ones matter. The
                head has for each family of places the cells of each, and the orders of cells whose patterns are the same.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...baselines.ntuples.kernels import NOT_LEGAL, write_values
from ...baselines.ntuples.looks import looks_of
from ...baselines.ntuples.policy import SHARPNESS, NTupleNetwork, NTuplePolicy
from ...baselines.ntuples.shapes import families, places_and_orders, usual_shapes
from ...baselines.ntuples.td_ntuple import TDNTuple
from ...baselines.runs.folder import read_arrays
from ...core.files.named_arrays import Arrays, join_head
from ...games.game import Game, StateArray
from ...games.kernels.queries import masks, observations
from ...games.linking import LinkedKernel, linked
from ...search.residual import ResidualLayers, evaluate_network, new_scratch

STEPS = 14
FINEST = 0.006
"""The step between the smallest weights of n-tuples."""
LARGEST = 127
EPSILON = 1e-5
"""What batch norm adds to a variance."""
PriorsAndValues = tuple[NDArray[np.float64], NDArray[np.float64]]


class PageNetwork(ABC):
    """The network that a page has for a game. Called with states (n, W), it gives priors (n, A) and values (n,) as in the page.

    Args:
        game: the game.
        arrays: the weights of the shipped network.
        settings: those of the run that made it.
    """

    def __init__(self, game: Game, arrays: Arrays, settings: dict[str, Any]) -> None:
        self.game, self._arrays, self._settings = game, arrays, settings

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.game.file_stem}.network"

    @property
    @abstractmethod
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that evaluate it."""

    @abstractmethod
    def encode(self) -> bytes:
        """The bytes of its file, whose head has the network's `kind` for JavaScript."""

    @abstractmethod
    def __call__(self, states: StateArray) -> PriorsAndValues: ...


def network_for_page(game: Game) -> PageNetwork | None:
    """The network that a page has for a game, if one is shipped for it and `Known.networks_in_page` is set."""
    folder = game.known.networks
    if folder is None or not game.known.networks_in_page or not (weights := folder / f"{game.file_stem}.safetensors").exists():
        return None
    made = json.loads(weights.with_suffix(".json").read_bytes())
    cls = NTuplesInPage if made["trainer"] == TDNTuple.name else ResidualInPage
    return cls(game, read_arrays(weights), made["settings"])


# ---- residual networks


class FoldedLayer(NamedTuple):
    """A layer: the biases of its outputs (outputs,), and their weights (outputs, inputs)."""

    biases: NDArray[np.float64]
    weights: NDArray[np.float64]


class RoundedLayer(NamedTuple):
    """A layer as its file has it; the scales are those of its rows (outputs,)."""

    biases: NDArray[np.float32]
    scales: NDArray[np.float32]
    weights: NDArray[np.int8]


class ResidualInPage(PageNetwork):
    """A residual network with flat heads."""

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(observations, masks, evaluate_network)

    def __call__(self, states: StateArray) -> PriorsAndValues:
        kernel, game = self.game.kernel(evaluate_network), self.game
        _, height, width = game.shape
        planes = game.observations(states, game.players(states)).reshape(len(states), game.shape[0], -1)
        logits, values = np.empty((len(states), game.num_actions)), np.empty((len(states), 1))
        scratch = new_scratch(game.shape, self._layers)
        for row in range(len(states)):
            kernel(planes[row], height, width, self._layers, scratch, logits[row], values[row])
        powers = np.exp(np.where(game.masks(states) != 0, logits - logits.max(axis=1, keepdims=True), -np.inf))
        return powers / powers.sum(axis=1, keepdims=True), values[:, 0]

    @cached_property
    def rounded_layers(self) -> list[RoundedLayer]:
        """All layers in the order in which they are used, batch norm folded into their weights."""
        parts = ("first", "second", *(["lines.mixed"] if self._has_lines else []))
        blocks = [f"blocks.{block}.{part}" for block in range(self._settings["blocks"]) for part in parts]
        folded = {name: _fold(self._arrays, name) for name in ("stem", *blocks, "policy.0", "value.0.0")}
        trunk, policy, value = [folded[name] for name in ("stem", *blocks)], folded["policy.0"], folded["value.0.0"]
        heads = [policy, _linear(self._arrays, "policy.3"), value, *(_linear(self._arrays, f"value.{place}") for place in (1, 3))]
        return [_round(layer) for layer in (*trunk, *heads)]

    @property
    def _has_lines(self) -> bool:
        return bool(self._settings.get("lines"))

    @cached_property
    def _layers(self) -> ResidualLayers:
        """The layers as kernels take them."""
        rows = [
            np.column_stack([layer.biases, layer.scales[:, None].astype(np.float64) * layer.weights]).ravel()
            for layer in self.rounded_layers
        ]
        weights = np.concatenate(rows).astype(np.float64)
        return ResidualLayers(weights, self._settings["channels"], self._settings["blocks"], int(self._has_lines))

    def encode(self) -> bytes:
        head = {
            "kind": "residual",
            "channels": self._settings["channels"],
            "blocks": self._settings["blocks"],
            "lines": int(self._has_lines),
            "layers": [layer.weights.shape for layer in self.rounded_layers],
        }
        floats = b"".join(part.astype("<f4").tobytes() for layer in self.rounded_layers for part in layer[:2])
        return join_head(head, floats + b"".join(layer.weights.tobytes() for layer in self.rounded_layers))


def _fold(arrays: Arrays, name: str) -> FoldedLayer:
    """A convolution and its batch norm as one layer."""
    weights = arrays[f"{name}.0.weight"].astype(np.float64)
    parts = ("weight", "bias", "running_mean", "running_var")
    scale, shift, mean, variance = (arrays[f"{name}.1.{part}"].astype(np.float64) for part in parts)
    factors = scale / np.sqrt(variance + EPSILON)
    return FoldedLayer(shift - mean * factors, weights.reshape(len(weights), -1) * factors[:, None])


def _linear(arrays: Arrays, name: str) -> FoldedLayer:
    return FoldedLayer(arrays[f"{name}.bias"].astype(np.float64), arrays[f"{name}.weight"].astype(np.float64))


def _round(layer: FoldedLayer) -> RoundedLayer:
    scales = np.maximum(layer.weights.std(axis=1) / STEPS, abs(layer.weights).max(axis=1) / LARGEST)
    scales = np.maximum(scales, 1e-9).astype(np.float32)  # a row of zeros has a scale, too
    whole = np.clip(np.rint(layer.weights / scales[:, None]), -LARGEST, LARGEST).astype(np.int8)
    return RoundedLayer(layer.biases.astype(np.float32), scales, whole)


# ---- n-tuples


class NTuplesInPage(PageNetwork):
    """Values that n-tuples have learnt."""

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return (LinkedKernel(write_values, looks_of(self.game).plugs),)

    def __call__(self, states: StateArray) -> PriorsAndValues:
        return self._network(states)

    @cached_property
    def _network(self) -> NTupleNetwork:
        weights = FINEST / self._bend * np.sinh(self._bend * self._whole.astype(np.float64))
        policy = NTuplePolicy(self.game, shapes=self._shapes, stages=self._settings["stages"], weights=weights.astype(np.float32))
        return NTupleNetwork(policy)

    @property
    def _shapes(self) -> tuple[str, ...]:
        return tuple(self._settings["shapes"] or usual_shapes(self.game))

    @cached_property
    def _whole(self) -> NDArray[np.int8]:
        """The weights as whole numbers."""
        bent = np.arcsinh(self._arrays["weights"].astype(np.float64) * (self._bend / FINEST)) / self._bend
        return np.clip(np.rint(bent), -LARGEST, LARGEST).astype(np.int8)

    @cached_property
    def _bend(self) -> float:
        """The bend by which LARGEST stands for the largest weight, found by halving."""
        largest, low, high = float(abs(self._arrays["weights"]).max()), 1e-6, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if FINEST / middle * np.sinh(middle * LARGEST) > largest else (middle, high)
        return high

    def encode(self) -> bytes:
        looks = looks_of(self.game)
        whole = [places_and_orders(family, looks.turns) for family in families(self.game, self._shapes)]
        head = {
            "kind": "ntuples",
            "cells": looks.turns.shape[1],
            "looks": looks.count,
            "codes": looks.codes.tolist(),
            "stages": self._settings["stages"],
            "families": [{"places": places, "orders": orders} for places, orders in whole],
            "scale": FINEST / self._bend,
            "bend": self._bend,
            "not_legal": NOT_LEGAL,
            "sharpness": SHARPNESS,
        }
        return join_head(head, self._whole.tobytes())
