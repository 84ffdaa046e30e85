"""`Networks`: feed-forward networks as flat arrays, one behind the other, and the policy of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policies.policy import Policy
from ...envs.games.game import Game, StateArray
from ...envs.games.linking import Linked, linked
from ...envs.native.threads import pool
from .kernels import ACTIONS, ACTIVATIONS, AFTERSTATES, BALANCE, LANES, LINES, PART, PLANES, Asked, Net, choose, outputs_of

SIGHTS = {"planes": PLANES, "balance": BALANCE, "lines": LINES}
"""What a network sees, by name: every cell of every plane; own minus other for each cell; for each row, column and long diagonal,
the squares of the shares of it that are own and that are the other's, 0 for both where both have something in it."""
ANSWERS = {"actions": ACTIONS, "afterstates": AFTERSTATES}
"""What a network is asked for, by name."""
ARRAYS = ("nodes", "links", "sources", "weights", "biases", "responses", "kinds", "outputs")


@dataclass(frozen=True, eq=False)
class Networks:
    """Feed-forward networks with equally many inputs and outputs.

    Args:
        inputs: how many inputs each has.
        width: how many outputs.
        nodes: where each network's nodes begin, in the order in which they are computed, and where the last one's end (N + 1,).
        links: likewise, where each node's links begin (M + 1,).
        sources: the slot that each link reads: that of an input, or that of a node of the same network, behind them (L,).
        weights: the weight of each link (L,).
        biases, responses: of each node (M,).
        kinds: the activation of each node, by its number in ACTIVATIONS (M,).
        outputs: the slots that are outputs (N · width,).
    """

    inputs: int
    width: int
    nodes: NDArray[np.int64]
    links: NDArray[np.int64]
    sources: NDArray[np.int32]
    weights: NDArray[np.float64]
    biases: NDArray[np.float64]
    responses: NDArray[np.float64]
    kinds: NDArray[np.int8]
    outputs: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.nodes) - 1

    @property
    def slots(self) -> int:
        """How many slots the largest takes up."""
        return self.inputs + int(np.diff(self.nodes).max(initial=0))

    @property
    def net(self) -> Net:
        """As kernels take them."""
        return Net(self.inputs, *(getattr(self, name) for name in ARRAYS))

    @classmethod
    def joined(cls, parts: Sequence[Networks]) -> Networks:
        """Networks one behind the other."""
        nodes, links = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
        for part in parts:
            nodes.append(part.nodes[1:] + nodes[-1][-1])
            links.append(part.links[1:] + links[-1][-1])
        rest = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS[2:]}
        return cls(parts[0].inputs, parts[0].width, np.concatenate(nodes), np.concatenate(links), **rest)

    def __getitem__(self, which: int) -> Networks:
        """One of them."""
        first, behind = self.nodes[which], self.nodes[which + 1]
        links = slice(self.links[first], self.links[behind])
        of_node, outputs = slice(first, behind), slice(which * self.width, (which + 1) * self.width)
        return Networks(
            self.inputs, self.width, self.nodes[which : which + 2] - first, self.links[first : behind + 1] - self.links[first],
            self.sources[links], self.weights[links], self.biases[of_node], self.responses[of_node], self.kinds[of_node],
            self.outputs[outputs],
        )  # fmt: skip

    def activate(self, game: Game, which: NDArray[np.int64], given: NDArray[np.float64]) -> NDArray[np.float64]:
        """The outputs (N, width) of the networks with these numbers (N,) for inputs (N, I). Neighbours of one number are quickest.

        Args:
            game: whose cache the compiled code lies in; it asks nothing of the rules.
        """
        found = np.empty((len(which), self.width))
        room = np.empty((len(which) // PART + 1, self.slots + 1, LANES))
        game.kernel(outputs_of)(pool(len(which)), 0, len(which), which, given, self.net, room, found)
        return found

    def choose(self, game: Game, sight: str, answer: str, states: StateArray, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """The action that network number which[i] likes best in state i (N,).

        Args:
            game: the game.
            sight: what it sees, of SIGHTS.
            answer: what its outputs stand for, of ANSWERS.
            states: unfinished positions (N, W).
            which: numbers of networks (N,).
        """
        count = len(states)
        actions = np.empty(count, np.int64)
        parts = count // PART + 1
        planes = np.empty((parts, game.shape[0], game.shape[1] * game.shape[2]), np.int8)
        room = np.empty((parts, self.slots + 1, LANES))
        asked = Asked(SIGHTS[sight], lines_of(game), ANSWERS[answer], game.action_words, self.width)
        states, which = np.ascontiguousarray(states), np.ascontiguousarray(which, np.int64)
        kernel = game.kernel(choose)
        kernel(pool(count), 0, count, states, which, asked, self.net, planes, room, actions)
        return actions

    def document(self, prefix: str = "network") -> dict[str, NDArray[Any]]:
        """The arrays by name, as files hold them."""
        size = np.array([self.inputs, self.width])
        return {f"{prefix}.size": size} | {f"{prefix}.{name}": getattr(self, name) for name in ARRAYS}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], inputs: int, width: int, prefix: str = "network") -> Networks:
        """The networks of a file, every one of them fit to be computed.

        Raises:
            ValueError: they are none, or have other inputs and outputs.
        """
        try:
            found = cls(inputs, width, *(np.ascontiguousarray(arrays[f"{prefix}.{name}"]) for name in ARRAYS))
            if not np.array_equal(arrays[f"{prefix}.size"], np.array([inputs, width])) or not found._is_sound():
                raise ValueError
        except (KeyError, TypeError, ValueError, IndexError):
            raise ValueError(f"the arrays hold no networks of {inputs} inputs and {width} outputs") from None
        return found

    def _is_sound(self) -> bool:
        """Whether nothing points outside: compiled code looks where the arrays say."""
        wanted = dict.fromkeys(("weights", "biases", "responses"), np.float64)
        wanted |= {"nodes": np.int64, "links": np.int64, "sources": np.int32, "kinds": np.int8, "outputs": np.int64}
        if any(getattr(self, name).dtype != kind or getattr(self, name).ndim != 1 for name, kind in wanted.items()):
            return False
        count, links = int(self.nodes[-1]), int(self.links[-1])
        rising = all(len(a) and a[0] == 0 and (np.diff(a) >= 0).all() for a in (self.nodes, self.links))
        lengths = (len(self.biases), len(self.responses), len(self.kinds), len(self.links) - 1) == (count,) * 4
        if not (rising and lengths and len(self.sources) == len(self.weights) == links):
            return False
        if not all(np.isfinite(getattr(self, name)).all() for name in ("weights", "biases", "responses")):
            return False
        if len(self.outputs) != len(self) * self.width or ((self.kinds < 0) | (self.kinds >= len(ACTIVATIONS))).any():
            return False
        own = self.inputs + np.arange(count) - np.repeat(self.nodes[:-1], np.diff(self.nodes))
        reach = np.repeat(own, np.diff(self.links))
        slots = np.repeat(self.inputs + np.diff(self.nodes), self.width)
        earlier = bool(((self.sources >= 0) & (self.sources < reach)).all())
        return earlier and bool(((self.outputs >= 0) & (self.outputs < slots)).all())


def inputs_of(game: Game, sight: str) -> int:
    """How many inputs a network has that sees a game so.

    Raises:
        ValueError: the game's planes are not the two players'.
    """
    planes, height, width = game.shape
    if sight == "planes":
        return planes * height * width
    if not game.planes_by_owner:
        raise ValueError(f"which cells are own is not to be seen in {game.spec}, so there is no {sight}; set sight to planes")
    return height * width if sight == "balance" else 2 * len(lines_of(game))


@cache
def lines_of(game: Game) -> NDArray[np.int64]:
    """The cells of the rows, the columns and the long diagonals of a game's board, -1 behind the last (L, n)."""
    height, width = game.board
    cells = np.arange(height * width).reshape(height, width)
    lines = [*cells, *cells.T, *([cells.diagonal(), cells[::-1].diagonal()] if height == width else [])]
    return np.array([np.pad(line, (0, max(height, width) - len(line)), constant_values=-1) for line in lines])


def outputs_wanted(game: Game, answer: str) -> int:
    """How many outputs a network has that is asked so."""
    return game.num_actions if answer == "actions" else 1


@dataclass(frozen=True)
class NetworkPolicy(Policy):
    """Plays what a network likes best, the lowest action of equals.

    Args:
        network: one network.
        sight: what it sees, of SIGHTS.
        answer: what its outputs stand for, of ANSWERS: a score for each action; or what the position after it is worth.
        title: what to call it.
    """

    name: ClassVar[str] = "network"

    network: Networks = field(repr=False, kw_only=True)
    sight: str = field(repr=False, kw_only=True)
    answer: str = field(repr=False, kw_only=True)
    title: str = field(default="network", repr=False, kw_only=True)

    @property
    def kernels(self) -> tuple[Linked, ...]:
        return linked(choose)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.network.choose(self.game, self.sight, self.answer, states, np.zeros(len(states), np.int64))

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        certain = np.zeros((len(states), self.game.num_actions))
        certain[np.arange(len(states)), self.act(states, np.zeros(len(states), np.uint64))] = 1.0
        return certain

    @property
    def spec(self) -> str:
        return self.title
