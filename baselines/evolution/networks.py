"""`Networks`: feed-forward networks as flat arrays, one after the other, and the policy of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...core.files.named_arrays import check_arrays
from ...core.native.threads import pool
from ...games.batches import one_each
from ...games.game import Game, StateArray
from ...games.linking import LinkedKernel, linked
from . import kernels
from .kernels import ACTIVATIONS, LANES, PART, Interface, NetworkArrays

SIGHTS = {"planes": kernels.PLANES, "balance": kernels.BALANCE, "lines": kernels.LINES}
"""The sights of a network, by name: every cell of every plane; own minus other for each cell; for each row, column and long
diagonal, the squares of the shares of it that are own and that are the other's, 0 for both where both have something in it."""
ANSWERS = {"actions": kernels.ACTIONS, "afterstates": kernels.AFTERSTATES}
"""The meanings of a network's outputs, by name."""
ARRAYS: dict[str, type] = {
    "nodes": np.int64,
    "links": np.int64,
    "sources": np.int32,
    "weights": np.float64,
    "biases": np.float64,
    "responses": np.float64,
    "kinds": np.int8,
    "outputs": np.int64,
}
"""The arrays of `NetworkArrays` by name, in order, and their types."""


@dataclass(frozen=True, eq=False)
class Networks:
    """Networks as arrays, and what can be done with them."""

    net: NetworkArrays

    def __len__(self) -> int:
        return len(self.net.nodes) - 1

    @classmethod
    def concatenate(cls, parts: Sequence[Networks]) -> Networks:
        """Networks one after the other."""
        nodes, links = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
        for part in parts:
            nodes.append(part.net.nodes[1:] + nodes[-1][-1])
            links.append(part.net.links[1:] + links[-1][-1])
        rest = (np.concatenate([getattr(part.net, name) for part in parts]) for name in [*ARRAYS][2:])
        return cls(NetworkArrays(*parts[0].net[:2], np.concatenate(nodes), np.concatenate(links), *rest))

    def __getitem__(self, which: int) -> Networks:
        """One of them."""
        net = self.net
        start, stop = net.nodes[which], net.nodes[which + 1]
        links, nodes = slice(net.links[start], net.links[stop]), slice(start, stop)
        return Networks(
            net._replace(
                nodes=net.nodes[which : which + 2] - start,
                links=net.links[start : stop + 1] - net.links[start],
                **{name: getattr(net, name)[links] for name in ("sources", "weights")},
                **{name: getattr(net, name)[nodes] for name in ("biases", "responses", "kinds")},
                outputs=net.outputs[which * net.width : (which + 1) * net.width],
            )
        )

    def activate(self, game: Game, which: NDArray[np.int64], given: NDArray[np.float64]) -> NDArray[np.float64]:
        """The outputs (N, width) of the networks with these numbers (N,) for inputs (N, I). Neighbours of one number are quickest.
        The game's cache holds the compiled code; its rules play no part."""
        outputs = np.empty((len(which), self.net.width))
        game.kernel(kernels.outputs_of)(pool(len(which)), 0, len(which), which, given, self.net, self._room(len(which)), outputs)
        return outputs

    def choose(self, game: Game, sight: str, answer: str, states: StateArray, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """The action that network number which[i] prefers in state i (N,); sight and answer are of SIGHTS and ANSWERS."""
        count, room = len(states), self._room(len(states))
        actions = np.empty(count, np.int64)
        planes = np.empty((len(room), game.shape[0], game.shape[1] * game.shape[2]), np.int8)
        interface = Interface(SIGHTS[sight], lines_of(game), ANSWERS[answer], game.action_words)
        states, which = game.batch(states), one_each(which, np.int64, "network", count)
        game.kernel(kernels.choose)(pool(count), 0, count, states, which, interface, self.net, planes, room, actions)
        return actions

    def _room(self, rows: int) -> NDArray[np.float64]:
        """Scratch memory for a batch of rows: the lanes of the largest network for each part."""
        slots = self.net.inputs + int(np.diff(self.net.nodes).max(initial=0))
        return np.empty((rows // PART + 1, slots + 1, LANES))

    def document(self, prefix: str = "network") -> dict[str, NDArray[Any]]:
        """The arrays by name, as files hold them."""
        return {f"{prefix}.size": np.array(self.net[:2])} | {f"{prefix}.{name}": getattr(self.net, name) for name in ARRAYS}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], inputs: int, width: int, prefix: str = "network") -> Networks:
        """The networks of a file, checked, so that compiled code reads nothing outside of them; ValueError where the arrays are
        invalid, or have other inputs and outputs."""
        try:
            given = {name: np.ascontiguousarray(arrays[f"{prefix}.{name}"]) for name in ARRAYS}
            check_arrays(given, {name: np.empty(0, kind) for name, kind in ARRAYS.items()}, "*")
            net = NetworkArrays(inputs, width, *given.values())
            if not np.array_equal(arrays[f"{prefix}.size"], np.array([inputs, width])) or not _is_sound(net):
                raise ValueError
        except (KeyError, TypeError, ValueError, IndexError):
            raise ValueError(f"the arrays hold no networks of {inputs} inputs and {width} outputs") from None
        return cls(net)


def _is_sound(net: NetworkArrays) -> bool:
    """Whether arrays fit together, and nothing points outside."""
    count, links = int(net.nodes[-1]), int(net.links[-1])
    rising = all(len(a) and a[0] == 0 and (np.diff(a) >= 0).all() for a in (net.nodes, net.links))
    lengths = (len(net.biases), len(net.responses), len(net.kinds), len(net.links) - 1) == (count,) * 4
    finite = all(np.isfinite(array).all() for array in (net.weights, net.biases, net.responses))
    if not (rising and lengths and finite and len(net.sources) == len(net.weights) == links):
        return False
    if len(net.outputs) != (len(net.nodes) - 1) * net.width:
        return False
    sizes = np.diff(net.nodes)
    slots = net.inputs + np.arange(count) - np.repeat(net.nodes[:-1], sizes)
    limits: list[tuple[NDArray[Any], Any]] = [
        (net.kinds, len(ACTIVATIONS)),
        (net.sources, np.repeat(slots, np.diff(net.links))),
        (net.outputs, np.repeat(net.inputs + sizes, net.width)),
    ]
    return all(bool(((numbers >= 0) & (numbers < limit)).all()) for numbers, limit in limits)


def inputs_of(game: Game, sight: str) -> int:
    """The number of inputs of a network with a sight, of SIGHTS; ValueError where the planes of the game do not show which cells
    are own."""
    planes, height, width = game.shape
    if sight == "planes":
        return planes * height * width
    if not game.planes_by_owner:
        raise ValueError(f"the observations of {game.spec} do not show whose a cell is, which {sight} needs; set sight to planes")
    return height * width if sight == "balance" else 2 * len(lines_of(game))


@cache
def lines_of(game: Game) -> NDArray[np.int64]:
    """The cells of the rows, the columns and the long diagonals of a game's board, -1 after the last (L, n)."""
    height, width = game.board
    cells = np.arange(height * width).reshape(height, width)
    lines = [*cells, *cells.T, *([cells.diagonal(), cells[::-1].diagonal()] if height == width else [])]
    return np.array([np.pad(line, (0, max(height, width) - len(line)), constant_values=-1) for line in lines])


def outputs_of_answer(game: Game, answer: str) -> int:
    """The number of outputs of a network with an answer, of ANSWERS."""
    return game.num_actions if answer == "actions" else 1


@dataclass(frozen=True)
class NetworkPolicy(Policy):
    """Plays the action that a network prefers, the lowest of equals.

    Args:
        network: one network.
        sight: what it sees, of SIGHTS.
        outputs: what its outputs mean, of ANSWERS: a score for each action; or the value of the position after it.
    """

    name: ClassVar[str] = "network"

    network: Networks = field(repr=False, kw_only=True)
    sight: str = field(repr=False, kw_only=True)
    outputs: str = field(repr=False, kw_only=True)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(kernels.choose)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.network.choose(self.game, self.sight, self.outputs, states, np.zeros(len(states), np.int64))

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return np.eye(self.game.num_actions)[self.act(states, np.zeros(len(states), np.uint64))]
