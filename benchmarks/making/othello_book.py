"""Makes the opening book of `minimax:book=true`: `python -m benchmarks.making.othello_book [FILE]`, five minutes of a core.

The book grows from the start of the game. It next expands the position that the two players are likeliest to reach: a move that
is worth less than the best one, and each ply, makes its position less likely. All positions that can follow are searched, and their
values are backed up. So the book grows where strong players go.

Source: T. R. Lincke, Strategies for the automatic construction of opening books, Computers and Games (2000).
"""

from __future__ import annotations

import heapq
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ludus.core.files.named_arrays import npz_of
from ludus.core.files.writing import check_target, write_whole
from ludus.games.game import StateArray
from ludus.games.kernels.rules import ONGOING
from ludus.search.alphabeta.negamax import LARGEST_DEPTH, AlphaBeta
from ludus.search.patterns.book import FILE, names_of
from ludus.search.patterns.evaluation import EIGHT_BY_EIGHT as GAME
from ludus.search.patterns.evaluation import UNITS, shipped_patterns

POSITIONS = 4000
"""The positions of a book."""
NODES, PROBCUT = 300_000, 1.0
"""The limits of each search."""
AT_ONCE = 16
"""Positions that are expanded before all values are backed up again."""
PLY = UNITS // 2
"""What a ply costs, in units of the values."""
LARGEST = 64 * UNITS


@dataclass
class Node:
    """A position of the book.

    Args:
        state: the position (3,).
        value: its value for the player to move, in units.
        after: the positions that can follow it, by name, and whether the player to move is the same there; empty before it is
            expanded.
    """

    state: StateArray
    value: int
    after: list[tuple[bytes, bool]] = field(default_factory=list[tuple[bytes, bool]])


def main() -> None:
    """Makes the book and writes book.npz, to the path given or where `minimax` reads it."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    check_target(path)
    nodes = grow_book(POSITIONS, NODES)
    positions, values = np.stack([node.state for node in nodes.values()]), [node.value for node in nodes.values()]
    write_whole(path, npz_of({"positions": positions, "values": np.array(values, np.int16)}))


def grow_book(positions: int, limit: int) -> dict[bytes, Node]:
    """Grows a book of so many positions at least from the start of the game, each search with at most `limit` nodes: its nodes, by
    name."""
    margins = shipped_patterns().margins(PROBCUT, LARGEST_DEPTH)
    search = AlphaBeta(GAME, shipped_patterns(), LARGEST_DEPTH, nodes=limit, margins=margins)
    start = names_of(GAME.start[None])[0]
    nodes = {start: Node(GAME.start, 0)}
    while len(nodes) < positions:
        for name in likeliest(nodes, start):
            expand(nodes, name, search)
        back_up(nodes)
        print(f"{len(nodes):,} positions; the start is worth {nodes[start].value / UNITS:+.1f} discs", flush=True)
    return nodes


def likeliest(nodes: dict[bytes, Node], start: bytes) -> list[bytes]:
    """The positions to expand next, by what it costs both players to reach them."""
    names, costs, queue = list[bytes](), {start: 0}, [(0, start)]
    while queue and len(names) < AT_ONCE:
        cost, name = heapq.heappop(queue)
        node = nodes[name]
        if cost > costs[name]:
            continue
        if not node.after:
            if GAME.outcome(node.state) is None:
                names.append(name)
            continue
        for after, same in node.after:
            further = cost + node.value - worth(nodes[after], same) + PLY
            if further < costs.get(after, sys.maxsize):
                costs[after] = further
                heapq.heappush(queue, (further, after))
    return names


def expand(nodes: dict[bytes, Node], name: bytes, search: AlphaBeta) -> None:
    """Searches all positions that can follow a position."""
    state = nodes[name].state
    after = GAME.plays(np.repeat(state[None], len(GAME.legal_actions(state)), axis=0), GAME.legal_actions(state))
    names = names_of(after)
    nodes[name].after = [*zip(names, (GAME.players(after) == GAME.player(state)).tolist(), strict=True)]
    rows = [row for row, after_name in enumerate(names) if after_name not in nodes and names.index(after_name) == row]
    for row, value in zip(rows, values_of(after[rows], search), strict=True):
        nodes[names[row]] = Node(after[row], value)


def values_of(states: StateArray, search: AlphaBeta) -> list[int]:
    """The values of positions for the player to move, in units; of finished games those of a won one."""
    running, results = GAME.outcomes(states) == ONGOING, GAME.outcomes(states).astype(np.int64)
    values = LARGEST * results * np.where(GAME.players(states) == 0, 1, -1)
    if running.any():
        values[running] = np.clip(search.search(states[running], np.zeros(running.sum(), np.uint64)).values, -LARGEST, LARGEST)
    return values.tolist()


def back_up(nodes: dict[bytes, Node]) -> None:
    """Gives each expanded position the best value of those that follow it: positions with the most discs first."""
    discs = {name: int(np.bitwise_count(node.state[:2]).sum()) for name, node in nodes.items()}

    def order(name: bytes) -> tuple[int, bool]:
        return -discs[name], any(discs[after] == discs[name] for after, _ in nodes[name].after)  # a pass adds no disc

    for name in sorted(nodes, key=order):
        if nodes[name].after:
            nodes[name].value = max(worth(nodes[after], same) for after, same in nodes[name].after)


def worth(node: Node, same: bool) -> int:
    """A node's value for the player to move there (same), or for the other player."""
    return node.value if same else -node.value


if __name__ == "__main__":
    main()
