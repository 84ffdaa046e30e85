"""The rules of Othello, which [its page](../../docs/games/othello.md) describes.

A state is three words:

| word | bits | what |
|---|---|---|
| 0 | 0 to 63 | the cells of black, cell *c* in bit *c* |
| 1 | 0 to 63 | the cells of white |
| 2 | 0 | the player to move |
| 2 | 1 to 4 | the size |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from ...core.bounds import OneOf
from ..drawing.layout import Layout, Symbol, Wording
from ..drawing.svg import MARK, Field, disc, element
from ..evaluation import Evaluation
from ..kernels.arrays import Numbers
from ..kernels.bits import ONE, bit, count, number, spread, u64
from ..kernels.boards import holding, put
from ..kernels.rules import ONGOING, Permutation, Planes, Sites, State
from ..known import Known, read_known
from ..squares import SquareGame, field_layout, marks_notation

# On 4×4, cell 5 is b2; at the start
#
#     - - - -      black  0b0000_0010_0100_0000   cells 6 and 9
#     - O X -      white  0b0000_0100_0010_0000   cells 5 and 10
#     - X O -      word 2 0b0100_0                size 4, black to move
#     - - - -
#
# The cells of each size that have a neighbour to the left, and to the right; and all cells.
NOT_FIRST, NOT_LAST, CELLS = (np.zeros(9, np.uint64) for _ in range(3))
UNIT = 1_000_000
"""What the evaluation calls 1."""
for size_ in (4, 6, 8):
    CELLS[size_] = (1 << size_ * size_) - 1
    NOT_FIRST[size_] = sum(1 << cell for cell in range(size_ * size_) if cell % size_)
    NOT_LAST[size_] = sum(1 << cell for cell in range(size_ * size_) if (cell + 1) % size_)


def player(state: State) -> int:
    return number(state[2] & ONE)


def size_of(state: State) -> int:
    """Cells along a side of the board."""
    return number(state[2] >> ONE)


def sides(state: State) -> tuple[np.uint64, np.uint64]:
    """The discs of the player to move, and the opponent's."""
    if state[2] & ONE == u64(0):
        return state[0], state[1]
    return state[1], state[0]


def legal(state: State, word: int) -> np.uint64:
    own, other = sides(state)
    size = size_of(state)
    places = placements(own, other, size)
    passing = size * size
    bits = places if word == 0 else u64(0)
    if places == u64(0) and word == passing >> 6:
        bits |= bit(passing & 63)
    return bits


def placements(own: np.uint64, other: np.uint64, size: int) -> np.uint64:
    """The empty cells where a disc of `own` would flip discs of `other`."""
    n = u64(size)
    inner = other & NOT_FIRST[size] & NOT_LAST[size]
    cells = reach(own, inner, ONE) | reach(own, other, n)
    cells |= reach(own, inner, n - ONE) | reach(own, inner, n + ONE)
    return cells & ~(own | other) & CELLS[size]


def reach(own: np.uint64, other: np.uint64, step: np.uint64) -> np.uint64:
    """The cells just beyond unbroken rows of `other` that begin next to `own`, along one line, both ways."""
    up, down = rows(own, other, step)
    return (up << step) | (down >> step)


def rows(start: np.uint64, other: np.uint64, step: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The discs of `other` in unbroken rows that begin next to `start`, up and down along one line, six at most.

    The first two are found one by one, the others two at a time.
    """
    up = other & (start << step)
    down = other & (start >> step)
    up |= other & (up << step)
    down |= other & (down >> step)
    pairs_up = other & (other << step)
    pairs_down = other & (other >> step)
    twice = step + step
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    return up, down


def play(state: State, action: int) -> State:
    own, other = sides(state)
    size = size_of(state)
    if action < size * size:
        placed = bit(action)
        flipped = flips(placed, own, other, size)
        own |= flipped | placed
        other ^= flipped
    if state[2] & ONE == u64(0):
        return own, other, state[2] ^ ONE
    return other, own, state[2] ^ ONE


def flips(placed: np.uint64, own: np.uint64, other: np.uint64, size: int) -> np.uint64:
    """The discs of `other` that a disc of `own` on an empty cell flips."""
    n = u64(size)
    inner = other & NOT_FIRST[size] & NOT_LAST[size]
    flipped = flanked_discs(placed, own, inner, ONE) | flanked_discs(placed, own, other, n)
    return flipped | flanked_discs(placed, own, inner, n - ONE) | flanked_discs(placed, own, inner, n + ONE)


def flanked_discs(placed: np.uint64, own: np.uint64, other: np.uint64, step: np.uint64) -> np.uint64:
    """The discs of `other` between the placed disc and the next of `own`, along one line, both ways."""
    up, down = rows(placed, other, step)
    if own & (up << step) == u64(0):
        up = u64(0)
    if own & (down >> step) == u64(0):
        down = u64(0)
    return up | down


def outcome(state: State) -> int:
    own, other = sides(state)
    size = size_of(state)
    if placements(own, other, size) != u64(0) or placements(other, own, size) != u64(0):
        return ONGOING
    difference = count(state[0]) - count(state[1])
    return 1 if difference > 0 else -1 if difference < 0 else 0


def observe(state: State, seat: int, planes: Planes) -> None:
    spread(state[0] if seat == 0 else state[1], planes[0])
    spread(state[1] if seat == 0 else state[0], planes[1])
    planes[2] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    black, white = u64(0), u64(0)
    for cell in range(cells.shape[0]):
        to = u64(cells[cell])
        black |= ((state[0] >> u64(cell)) & ONE) << to
        white |= ((state[1] >> u64(cell)) & ONE) << to
    return black, white, state[2]


def is_state(state: State, start: State) -> bool:
    discs, middle = state[0] | state[1], start[0] | start[1]
    wrong = (state[0] & state[1]) | (discs & ~CELLS[size_of(start)]) | (middle & ~discs)
    return (wrong | ((state[2] ^ start[2]) & ~ONE)) == u64(0)


def contents(state: State, sites: Sites) -> None:
    own, other = sides(state)
    put(placements(own, other, size_of(state)), 3, sites)
    put(state[0], 1, sites)
    put(state[1], 2, sites)


def trace(state: State, action: int, sites: Sites) -> None:
    if action < sites.shape[0]:
        sites[action] = 1


def arrange(sites: Sites, mover: int, start: State, fault: Numbers) -> State:
    black, white = holding(sites, 1), holding(sites, 2)
    if (start[0] | start[1]) & ~(black | white) != u64(0):
        fault[0] = 1
    return black, white, start[2] | u64(mover)


def corners_and_discs(state: State, weights: Numbers) -> int:
    """The weighted sum of what the mover has more of than the opponent: corners, discs, and moves.

    Each is the difference over the sum, 0 where neither has any; weights in millionths.
    """
    own, other = sides(state)
    size = size_of(state)
    corners = corner_cells(size)
    total = share(count(own & corners), count(other & corners), weights[0]) + share(count(own), count(other), weights[1])
    if weights[2] != 0:
        moves, answers = placements(own, other, size), placements(other, own, size)
        total += share(count(moves), count(answers), weights[2])
    return total


def share(own: int, other: int, weight: int) -> int:
    """The difference over the sum, times a weight, towards 0."""
    if own == other:
        return 0
    return (own - other) * weight // (own + other) if own > other else -((other - own) * weight // (own + other))


def corner_cells(size: int) -> np.uint64:
    """The four corners of the board."""
    row = ONE | (ONE << u64(size - 1))
    return row | (row << u64(size * (size - 1)))


def corners_first(state: State, action: int) -> int:
    """Corners look best."""
    size = size_of(state)
    return UNIT if action < size * size and (corner_cells(size) >> u64(action)) & ONE != u64(0) else 0


@dataclass(frozen=True)
class Othello(SquareGame):
    """Othello on a square board.

    Args:
        size: cells along a side.
    """

    name: ClassVar[str] = "othello"
    title: ClassVar[str] = "Othello"
    player_names: ClassVar[tuple[str, str]] = ("black", "white")
    num_words: ClassVar[int] = 3
    planes: ClassVar[tuple[str, ...]] = ("own discs", "the opponent's discs", "ones")
    wordings: ClassVar[tuple[tuple[str, str], ...]] = ((r"--|ps|pa|@@@@|skip", "pass"),)
    variants: ClassVar[tuple[str, ...]] = ("othello", "othello:size=6", "othello:size=4")
    evaluation: ClassVar[Evaluation] = Evaluation(corners_and_discs, corners_first, (5 * UNIT, 2 * UNIT, 0), UNIT)
    known: ClassVar[Known] = read_known(Path(__file__).parent, sides=sides)

    size: Annotated[int, OneOf(4, 6, 8)] = 8

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        return (*((cell,) for cell in range(self.size**2)), ())

    @property
    def explanation(self) -> str:
        board = f"{'an' if self.size == 8 else 'a'} {self.size}×{self.size} board"
        (first, second), (x, o) = self.player_names, self.signs
        where = self.label_words or "a column letter and a row number with row 1 at the top"
        return (
            f"{first.capitalize()} ({x}) and {second} ({o}) take turns placing discs of their color on {board}; {first} begins. "
            "A disc must be placed on an empty cell so that, in at least one of the eight directions, a straight line of one "
            "or more of the opponent's discs lies between it and another disc of the player. All discs in all such lines are "
            "turned over. Who has no such cell passes, and may pass only then. The game ends when neither player can place a "
            f"disc; whoever has more discs wins, and equally many is a draw. A move is the name of a cell, {where}, or pass."
        )

    @property
    def start_words(self) -> tuple[int, ...]:
        first = self.size * (self.size // 2 - 1) + self.size // 2 - 1
        below = first + self.size
        return 1 << first + 1 | 1 << below, 1 << first | 1 << below + 1, self.size << 1

    @cached_property
    def layout(self) -> Layout:
        (first, second), (x, o) = self.player_names, self.signs
        shadow = element("circle", cy=2, r=26, fill="#0c2a1e", fill_opacity=0.35)
        return field_layout(
            Field(self.size, colour="#2f7d5b", line="#256549"),
            marks_notation(
                f"{self.title} on {self.size}×{self.size}",
                self.size,
                faults=("{text} cannot be: the four cells in the middle are never empty",),
                signs=self.signs,
            ),
            names=self.labels,
            symbols=(
                Symbol("-", "empty"),
                Symbol(x, first, shadow + disc(26, "#24232b", stroke="#0d0c10", stroke_width=1.5)),
                Symbol(o, second, shadow + disc(26, "#f7f4ec", stroke="#c9c3b4", stroke_width=1.5)),
                Symbol("-", "empty", disc(5, "#1f5a41")),  # where a disc may be placed
            ),
            words=Wording(
                ongoing=(f"{{mover}} to move · {{{x}}} {first}, {{{o}}} {second}",),
                wins=(f"{{winner}} wins {{{x}}}–{{{o}}}", f"{{winner}} wins {{{o}}}–{{{x}}}"),
                draw=f"a draw {{{x}}}–{{{o}}}",
                key=f" ({x} is {first})",
            ),
            clicks=self.paths,
            marks=(disc(7, MARK),),
            motion="turn",
            counted=(1, 2),
        )
