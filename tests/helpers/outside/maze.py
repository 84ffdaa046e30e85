"""A game from outside for tests: random graphs with cycles, in which the same player may move twice, and games end in all ways."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ludus.rules import ONGOING, Game, Permutation, Planes, State, Symmetries, number, u64

GRAPHS, ROWS, COLUMNS, WAYS = 12, 4, 10, 3
NODES = ROWS * COLUMNS
GRAPH = u64(8)

_draws = np.random.default_rng(5)
MOVERS = _draws.integers(2, size=(GRAPHS, NODES)).astype(np.int8)
ENDS = np.where(_draws.random((GRAPHS, NODES)) < 0.2, _draws.integers(-1, 2, size=(GRAPHS, NODES)), ONGOING).astype(np.int8)
ENDS[:, 0] = ONGOING
LEADS = _draws.integers(NODES, size=(GRAPHS, NODES, WAYS)).astype(np.int16)
OPEN = _draws.integers(1, 1 << WAYS, size=(GRAPHS, NODES)).astype(np.int64)


def node(state: State) -> int:
    return number(state[0] & u64(0xFF))


def graph(state: State) -> int:
    return number(state[0] >> GRAPH)


def player(state: State) -> int:
    return MOVERS[graph(state), node(state)]


def legal(state: State, word: int) -> np.uint64:
    return u64(OPEN[graph(state), node(state)])


def play(state: State, action: int) -> State:
    return ((state[0] >> GRAPH) << GRAPH | u64(LEADS[graph(state), node(state), action]),)


def outcome(state: State) -> int:
    return ENDS[graph(state), node(state)]


def observe(state: State, seat: int, planes: Planes) -> None:
    planes[:2] = 0
    planes[0 if player(state) == seat else 1, node(state)] = 1
    planes[2] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    return state


@dataclass(frozen=True)
class Maze(Game):
    """A walk on one of the graphs."""

    graph: int = 0

    name: ClassVar[str] = "maze"
    title: ClassVar[str] = "Maze"
    num_words: ClassVar[int] = 1
    planes: ClassVar[tuple[str, ...]] = ("here, own move", "here, the opponent's move", "ones")
    variants: ClassVar[tuple[str, ...]] = ("maze",)
    board: ClassVar[tuple[int, int]] = (ROWS, COLUMNS)  # pyright: ignore[reportIncompatibleMethodOverride]
    max_plies: ClassVar[int] = 100  # pyright: ignore[reportIncompatibleMethodOverride]

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return ("left", "ahead", "right")

    @property
    def start_words(self) -> tuple[int, ...]:
        return (self.graph << 8,)

    @cached_property
    def symmetries(self) -> Symmetries:
        return Symmetries(np.arange(NODES, dtype=np.int16)[None], np.arange(WAYS, dtype=np.int16)[None])

    def text(self, state: np.ndarray) -> str:
        return str(int(state[0] & u64(0xFF)))

    def parse(self, text: str) -> np.ndarray:
        return np.array([int(text) | self.graph << 8], np.uint64)

    def picture(self, state: np.ndarray, action: int | None = None) -> str:
        return f"at {self.text(state)}"


def solved_by_hand(game: Maze) -> dict[int, tuple[int, int | None]]:
    """Value for the player to move, and plies to the end, of every node of a graph: layer by layer, in plain Python."""
    ends, movers, leads = ENDS[game.graph].tolist(), MOVERS[game.graph].tolist(), LEADS[game.graph].tolist()
    ways = {n: {leads[n][a] for a in range(WAYS) if OPEN[game.graph, n] >> a & 1} for n in range(NODES) if ends[n] == ONGOING}
    known = {n: (ends[n], 0) for n in range(NODES) if ends[n] in (1, -1)}  # as player 0 sees it
    for plies in range(1, NODES + 1):
        for n in [n for n in ways if n not in known]:
            sign = 1 - 2 * movers[n]
            after = [known.get(to) for to in ways[n]]
            if (sign, plies - 1) in after:
                known[n] = sign, plies
            elif all(one is not None and one[0] == -sign and one[1] < plies for one in after):
                known[n] = -sign, plies
    found = dict.fromkeys(range(NODES), (0, None))
    return found | {n: (value * (1 - 2 * movers[n]), plies) for n, (value, plies) in known.items()}
