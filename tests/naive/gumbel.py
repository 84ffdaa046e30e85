"""Gumbel AlphaZero's choices, as the paper writes them: logits, completed values, softmax, over the nodes of naive/mcts.py."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log, log2

import numpy as np

from .mcts import Node, Search


def sequence(considered: int, simulations: int) -> list[int]:
    """How often the action that each simulation tries has been tried before, in sequential halving's order."""
    if considered == 1:
        return [*range(simulations)]
    found: list[int] = []
    tries, racing = [0] * considered, considered
    while len(found) < simulations:
        for _ in range(max(1, int(simulations / (ceil(log2(considered)) * racing)))):
            found += tries[:racing]
            tries[:racing] = [n + 1 for n in tries[:racing]]
        racing = max(2, racing // 2)
    return found[:simulations]


@dataclass
class GumbelSearch(Search):
    """A search by Gumbel: `noise` is a draw for each action."""

    formula: str = "gumbel"
    noise: np.ndarray | None = None
    considered: int = 16
    scale: float = 0.1
    added: float = 50.0
    simulations: int = 0
    root: Node | None = None
    raw_values: dict[int, float] | None = None
    latest: tuple = (None, 0, {})  # the node whose policy was computed last, with how many visits, and the policy

    def run(self, state: np.ndarray, simulations: int) -> tuple[Node, int]:
        self.simulations, self.root, self.raw_values = simulations, None, {}
        return super().run(state, simulations)

    def expand_and_evaluate(self, node: Node) -> float:
        self.root = self.root or node
        value = super().expand_and_evaluate(node)
        self.raw_values[id(node)] = value * self.side(node)
        return value

    def lost(self, node: Node, child: Node) -> bool:
        return child.known == -self.side(node)

    def visited(self, child: Node) -> bool:
        return child.visits > 0 or child.known is not None

    def worth(self, node: Node, child: Node) -> float:
        return self.side(node) * (child.total / child.visits if child.known is None else child.known)

    def improved(self, node: Node) -> dict[int, float]:
        """The improved policy: of each action that is not proven lost."""
        children = {action: child for action, child in node.children.items() if not self.lost(node, child)}
        visited = [child for child in children.values() if self.visited(child)]
        value = self.raw_values[id(node)]
        if visited:
            visits = sum(child.visits for child in visited)
            mean = sum(child.prior * self.worth(node, child) for child in visited) / sum(child.prior for child in visited)
            value = (value + visits * mean) / (1 + visits)
        completed = np.array([self.worth(node, child) if self.visited(child) else value for child in children.values()])
        completed = (completed - completed.min()) / max(completed.max() - completed.min(), 1e-8)
        most = max(child.visits for child in children.values())
        logits = np.log([child.prior for child in children.values()]) + (self.added + most) * self.scale * completed
        shares = np.exp(logits - logits.max())
        return dict(zip(children, shares / shares.sum(), strict=True))

    def score(self, node: Node, child: Node) -> tuple[float, ...]:
        if self.lost(node, child):
            return -inf, -inf
        if self.latest[0] is not node or self.latest[1] != node.visits:
            self.latest = node, node.visits, self.improved(node)
        improved = self.latest[2]
        action = next(action for action, other in node.children.items() if other is child)
        visits = sum(node.children[action].visits for action in improved)
        if node is not self.root:
            return (improved[action] - child.visits / (1 + visits),)
        done = sum(child.visits for child in node.children.values())
        turn = sequence(min(self.considered, len(node.children)), self.simulations)[done]
        return child.visits == turn, self.noise[action] + log(improved[action])

    def choice(self) -> int:
        """The action to play: a proven win, or the best of the most tried."""
        children = self.root.children
        won = [action for action, child in children.items() if child.known == self.side(self.root)]
        if won or self.root.known is not None:
            return won[0] if won else -1
        improved = self.improved(self.root)
        return max(improved, key=lambda action: (children[action].visits, self.noise[action] + log(improved[action])))
