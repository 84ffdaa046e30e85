"""Monte-Carlo tree search: a node is an object that knows its children by their actions, and a simulation is a recursion.

Every value is player 0's; player 1 chooses by its negative. With `evaluate`, a leaf gets priors, a value and children at once;
without, it is played out at random, and gets children at its second visit, each to be tried once in random order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, log, sqrt

import numpy as np

from ludus.envs import Game

MASK = 2**64 - 1


class Draws:
    """Random numbers from 0 to bound - 1, as docs and keys.py say: the n-th is made of the key and n."""

    def __init__(self, key: int) -> None:
        self.key, self.drawn = key, 0

    def below(self, bound: int) -> int:
        self.drawn += 1
        bits = (self.key + 0x9E3779B97F4A7C15 * self.drawn) & MASK
        bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & MASK
        bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & MASK
        bits ^= bits >> 31
        return (bits >> 32) * bound >> 32


@dataclass
class Node:
    """A position in the tree."""

    state: np.ndarray
    prior: float = 1.0
    turn: int = 0  # among unvisited children, the highest comes first
    visits: int = 0
    total: float = 0.0
    known: int | None = None
    children: dict[int, Node] = field(default_factory=dict)


@dataclass
class Search:
    """Settings, and what simulations need."""

    game: Game
    exploration: float
    formula: str = "uct"
    solver: bool = True
    rollouts: int = 1
    rollout_plies: int = 200
    draws: Draws | None = None
    evaluate: Callable | None = None

    def run(self, state: np.ndarray, simulations: int) -> tuple[Node, int]:
        """The root after so many simulations, fewer if it is proven before, and how many they were."""
        root = Node(state)
        if self.evaluate:
            root.total, root.visits = self.expand_and_evaluate(root), 1
        else:
            self.expand(root)
        done = 0
        while done < simulations and root.known is None:
            self.simulate(root)
            done += 1
        return root, done

    def simulate(self, node: Node) -> float:
        """One simulation through a node; its result."""
        result = self.game.outcome(node.state)
        if node.known is not None:
            value = node.known
        elif result is not None:
            value = result[0]
            if self.solver:
                node.known = value
        elif self.evaluate and not node.children:
            value = self.expand_and_evaluate(node)
        elif not node.children and node.visits == 0:
            value = sum(self.play_out(node.state) for _ in range(self.rollouts)) / self.rollouts
        else:
            if not node.children:
                self.expand(node)
            child = max(node.children.values(), key=lambda child: self.score(node, child))
            value = self.simulate(child)
            if child.known is not None:
                node.known = self.proof(node)
                value = value if node.known is None else node.known
        node.visits += 1
        node.total += value
        return value

    def side(self, node: Node) -> int:
        """1 where player 0 is to move, else -1."""
        return 1 - 2 * self.game.player(node.state)

    def expand(self, node: Node) -> None:
        for action in self.game.legal_actions(node.state):
            turn = self.draws.below(2**30) if self.draws else 0
            node.children[action] = Node(self.game.play(node.state, action), turn=turn)

    def expand_and_evaluate(self, node: Node) -> float:
        """Gives a node children with priors, and returns its value."""
        self.expand(node)
        priors, value = self.evaluate(node.state)
        total = sum(priors[action] for action in node.children)
        for action, child in node.children.items():
            child.prior = priors[action] / total if total else 1 / len(node.children)
            result = self.game.outcome(child.state)
            if self.solver and result is not None:
                child.known = result[0]
        node.known = self.proof(node)
        return value * self.side(node) if node.known is None else node.known

    def score(self, node: Node, child: Node) -> tuple[float, int]:
        """The selection score of a child."""
        if child.known is not None:
            return (-inf if child.known == -self.side(node) else child.known * self.side(node)), 0
        if child.visits == 0 and not self.evaluate:
            return inf, child.turn
        mean = child.total * self.side(node) / child.visits if child.visits else 0.0
        if self.formula == "puct":
            return mean + self.exploration * sqrt(node.visits) * (child.prior / (1 + child.visits)), 0
        return mean + self.exploration * sqrt(log(max(node.visits, 1))) * (child.prior / sqrt(max(child.visits, 1))), 0

    def proof(self, node: Node) -> int | None:
        """What a node's children prove about it: one win suffices, else all have to be known."""
        known = [None if child.known is None else child.known * self.side(node) for child in node.children.values()]
        if 1 in known:
            return self.side(node)
        return None if None in known else max(known) * self.side(node)

    def play_out(self, state: np.ndarray) -> int:
        for _ in range(self.rollout_plies):
            if self.game.outcome(state) is not None:
                break
            legal = self.game.legal_actions(state)
            state = self.game.play(state, legal[self.draws.below(len(legal))])
        result = self.game.outcome(state)
        return 0 if result is None else result[0]
