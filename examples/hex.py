"""Hex, a game from outside in one file: everything that works for Ludus's own games works for it, too.

Two players take turns to put a stone on a free cell of a rhombus of hexagons. X moves first and connects the upper side with the
lower one, O the left side with the right one, by a chain of stones of their own. One of them always does: there are no draws.

Rules: https://en.wikipedia.org/wiki/Hex_(board_game), without the swap of sides after the first move

      a   b   c          cells are numbered row by row; b2, in the middle,
    1   0   1   2        touches b1, c1, a2, c2, a3 and b3
      2   3   4   5
        3   6   7   8

    gym.make("hex:ludus/Hex-v0", size=4)
    ludus --import hex play hex:size=4 --against mcts
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar

import gymnasium as gym
import numpy as np
import pettingzoo

import ludus
from ludus.arena import evaluate
from ludus.rules import (
    FAINT,
    FIELD,
    FIELD_LINE,
    FIRST,
    INK,
    MARK,
    ONE,
    ONGOING,
    PAPER,
    SECOND,
    BoardGame,
    Box,
    Layout,
    Numbers,
    Pen,
    Permutation,
    Planes,
    Range,
    Site,
    Sites,
    State,
    Symbol,
    Symmetries,
    bit,
    caption_at,
    cell_name,
    count,
    disc,
    holding,
    label,
    marks_notation,
    number,
    put,
    register_game,
    ring,
    spread,
    u64,
)

# Words 0 and 1 are the cells of X and of O, as bits; word 2 is the size of the board.
LEFT = np.array([sum(1 << row * size for row in range(size)) for size in range(9)], np.uint64)
"""The leftmost cell of each row, on a board of each size."""


def player(state: State) -> int:
    return count(state[0]) - count(state[1])


def legal(state: State, word: int) -> np.uint64:
    return board_cells(number(state[2])) & ~(state[0] | state[1])


def board_cells(size: int) -> np.uint64:
    """All cells."""
    return LEFT[size] * upper_side(size)


def upper_side(size: int) -> np.uint64:
    """The cells of the first row."""
    return (ONE << u64(size)) - ONE


def play(state: State, action: int) -> State:
    if player(state) == 0:
        return state[0] | bit(action), state[1], state[2]
    return state[0], state[1] | bit(action), state[2]


def outcome(state: State) -> int:
    size = number(state[2])
    if are_connected(state[0], upper_side(size), size * (size - 1), size):
        return 1
    if are_connected(state[1], LEFT[size], size - 1, size):
        return -1
    return ONGOING


def are_connected(stones: np.uint64, side: np.uint64, far: int, size: int) -> bool:
    """Whether a chain of stones leads from one side of the board to the opposite one, which lies this many cells on."""
    reached, before = stones & side, u64(0)
    while reached != before:
        before = reached
        reached |= neighbours(reached, size) & stones
    return reached & (side << u64(far)) != u64(0)


def neighbours(cells: np.uint64, size: int) -> np.uint64:
    """The cells that touch some others: beside, above and below them."""
    row = u64(size)
    not_first, not_last = cells & ~LEFT[size], cells & ~(LEFT[size] << (row - ONE))
    beside = (not_first >> ONE) | (not_last << ONE)
    return beside | (cells >> row) | (not_last >> (row - ONE)) | (cells << row) | (not_first << (row - ONE))


def observe(state: State, seat: int, planes: Planes) -> None:
    spread(state[0] if seat == 0 else state[1], planes[0])
    spread(state[1] if seat == 0 else state[0], planes[1])
    planes[2] = 1 - seat
    planes[3] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    x, o = u64(0), u64(0)
    for cell in range(cells.shape[0]):
        to = u64(cells[cell])
        x |= ((state[0] >> u64(cell)) & ONE) << to
        o |= ((state[1] >> u64(cell)) & ONE) << to
    return x, o, state[2]


def is_state(state: State, start: State) -> bool:
    beyond = (state[0] | state[1]) & ~board_cells(number(start[2]))
    return (state[2] ^ start[2]) | (state[0] & state[1]) | beyond == u64(0) and 0 <= player(state) <= 1


def contents(state: State, sites: Sites) -> None:
    put(state[0], 1, sites)
    put(state[1], 2, sites)


def trace(state: State, action: int, sites: Sites) -> None:
    sites[action] = 1


def arrange(sites: Sites, mover: int, start: State, fault: Numbers) -> State:
    x, o = holding(sites, 1), holding(sites, 2)
    if count(x) - count(o) != mover:
        fault[0] = 1
    return x, o, start[2]


@register_game
@dataclass(frozen=True)
class Hex(BoardGame):
    """Hex.

    Args:
        size: cells along a side of the board.
    """

    name: ClassVar[str] = "hex"
    title: ClassVar[str] = "Hex"
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    num_words: ClassVar[int] = 3
    planes: ClassVar[tuple[str, ...]] = ("own stones", "the opponent's stones", "ones for X, who connects up and down", "ones")
    planes_by_owner: ClassVar[bool] = True
    variants: ClassVar[tuple[str, ...]] = ("hex", "hex:size=3", "hex:size=8")

    size: Annotated[int, Range(3, 8)] = 5

    @property
    def board(self) -> tuple[int, int]:
        return self.size, self.size

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(cell_name(cell, self.size) for cell in range(self.num_cells))

    @property
    def start_words(self) -> tuple[int, ...]:
        return 0, 0, self.size

    @cached_property
    def symmetries(self) -> Symmetries:
        """The board as it is, and after half a turn."""
        cells = np.arange(self.num_cells, dtype=np.int16)
        both = np.array([cells, cells[::-1]])
        return Symmetries(both, both)

    @cached_property
    def layout(self) -> Layout:
        size, last = self.size, self.num_cells - 1
        centres = [(70 + 52 * column + 26 * row, 55 + 45 * row) for row in range(size) for column in range(size)]
        right, bottom = centres[last]
        pen = Pen(right + 70, bottom + 90)
        for start, stop, across, down, colour in (
            (0, size - 1, 0, -38, FIRST),
            (last + 1 - size, last, 0, 38, FIRST),
            (0, last + 1 - size, -33, 19, SECOND),
            (size - 1, last, 33, -19, SECOND),
        ):
            (x1, y1), (x2, y2) = centres[start], centres[stop]
            pen.line(x1 + across, y1 + down, x2 + across, y2 + down, colour, 8)
        for (x, y), name in zip(centres, self.moves, strict=True):
            corners = [(x, y - 30), (x + 26, y - 15), (x + 26, y + 15), (x, y + 30), (x - 26, y + 15), (x - 26, y - 15)]
            pen.polygon(corners, FIELD, stroke=FIELD_LINE, stroke_width=1.5)
            pen.text(x, y + 4, name, 11, FAINT)
        fault = "{text} cannot be: X moves first, so X has as many stones as O, or one more when O is to move"
        return Layout(
            width=pen.width,
            height=pen.height,
            sites=tuple(Site(name, Box(x - 26, y - 22.5, 52, 45)) for (x, y), name in zip(centres, self.moves, strict=True)),
            symbols=(
                Symbol("-", "empty"),
                *(
                    Symbol(mark, mark, disc(21, colour, stroke=INK, stroke_width=3) + label(mark, 0, 7, 20, PAPER))
                    for mark, colour in (("X", FIRST), ("O", SECOND))
                ),
            ),
            notation=marks_notation(f"Hex of size {size}", size, faults=(fault,)),
            clicks=tuple((cell,) for cell in range(self.num_cells)),
            behind="".join(pen.elements),
            marks=(ring(21, MARK, 3),),
            caption=caption_at(20, bottom + 75),
        )


if __name__ == "__main__":
    game = ludus.make_game("hex")
    print("perft 1 to 5:", [game.perft(depth) for depth in range(1, 6)])

    random = ludus.make_policy("random", game)
    result = evaluate(random, game, random, games=10_000)
    print(f"random against random: {result.wins} wins, {result.draws} draws, {result.losses} losses")

    env = pettingzoo.make("aec", "ludus/hex-v0")
    env.reset(seed=0)
    for _ in env.agent_iter():
        env.step(None if any(env.last()[2:4]) else random(env))

    envs = gym.make_vec("ludus/Hex-v0", num_envs=1024, opponent="random")
    observation, info = envs.reset(seed=0)
    print("planes of 1024 boards:", observation["observation"].shape)
    print(game.picture(game.parse("--X-- -OX-- -XOO- XO--- ----- X".replace(" ", "", 4))))
