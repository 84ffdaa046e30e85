"""The rules of Connect Four, which [its page](../../docs/games/connect_four.md) describes.

A state is one word. A column takes seven bits from its lowest cell up: 1 for a disc of X, 0 for one of O, and a 1 above the
highest disc.

| word | bits | what |
|---|---|---|
| 0 | 0 to 48 | the columns, seven bits each, column a in the lowest |
| 0 | 49 | the player to move |
| 0 | 50 to 52 | the rows |
| 0 | 53 to 55 | the columns of the board |
| 0 | 56 to 58 | the length of a line |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import Range
from ..board_game import BoardGame
from ..drawing.clicks import Box
from ..drawing.grid import LETTERS
from ..drawing.layout import Layout, Site, Symbol, Wording
from ..drawing.svg import CELL, FIRST, MARGIN, PAPER, SECOND, Field, cell_box, cross, disc, element, ring
from ..evaluation import Evaluation
from ..game import StateArray, Symmetries
from ..kernels.arrays import Numbers
from ..kernels.bits import ONE, bit, count, leading, number, u64
from ..kernels.boards import holding, put
from ..kernels.rules import ONGOING, Permutation, Planes, Sites, State
from ..known import Known, read_known
from ..squares import field_layout, marks_notation

#     - - -      column a 0b0000110   O below, X on it, then the 1
#     X - -      column b 0b0000001   empty
#     O - X      column c 0b0000011   X, then the 1
HEIGHT = 7
"""Bits of a column: one more than it has cells."""
TURN, ROWS, COLUMNS, LINE = u64(49), u64(50), u64(53), u64(56)
BOARD, SETTING, COLUMN = u64((1 << 49) - 1), u64(7), u64(0x7F)
STEPS = (1, HEIGHT - 1, HEIGHT, HEIGHT + 1)
"""From a cell to the next in a column, in a diagonal that falls, in a row, in a diagonal that rises."""
FEET = u64(sum(1 << HEIGHT * column for column in range(7)))
"""The lowest bit of each of seven columns."""
GATHER = u64(sum(1 << 42 - 6 * column for column in range(7)))
"""Times this, the lowest bits of the columns come to bits 42 to 48."""
LIGHT, FRONT, EDGE = "#8fc1e3", "#7a5c3d", "#5b4636"
"""The colours of O's discs, as blue as O is elsewhere and brighter than X's, of the front of the board, and of its edges."""
HOLE = 26
"""The radius of a hole, in pixels of the drawing."""


def player(state: State) -> int:
    return number((state[0] >> TURN) & ONE)


def legal(state: State, word: int) -> np.uint64:
    full = (state[0] >> rows_of(state)) & FEET
    return ~((full * GATHER) >> u64(42)) & ((ONE << columns_of(state)) - ONE)


def rows_of(state: State) -> np.uint64:
    """The height of the board in cells."""
    return (state[0] >> ROWS) & SETTING


def columns_of(state: State) -> np.uint64:
    """The width of the board in cells."""
    return (state[0] >> COLUMNS) & SETTING


def line_of(state: State) -> int:
    """How many discs in a line win."""
    return number((state[0] >> LINE) & SETTING)


def play(state: State, action: int) -> State:
    shift = u64(HEIGHT * action)
    column = (state[0] >> shift) & COLUMN
    above = (ONE << (u64(63) - leading(column))) << shift  # the 1 above the discs
    return ((state[0] + (above << u64(1 - player(state)))) ^ (ONE << TURN),)


def outcome(state: State) -> int:
    mover = player(state)
    _, other = sides(state)
    if has_line(other, line_of(state)):
        return 1 if mover == 1 else -1
    return 0 if legal(state, 0) == u64(0) else ONGOING


def sides(state: State) -> tuple[np.uint64, np.uint64]:
    """The discs of the player to move, and the opponent's; bit 7·column + i is cell i of a column, counted from below."""
    filled = filled_cells(state)
    x = state[0] & filled
    return (x, filled ^ x) if player(state) == 0 else (filled ^ x, x)


def filled_cells(state: State) -> np.uint64:
    """The cells with a disc: all below the 1 of their column."""
    filled = state[0] & BOARD
    for step in (1, 2, 4):
        filled |= (filled >> u64(step)) & (FEET * u64((1 << HEIGHT - step) - 1))
    return (filled >> ONE) & (FEET * u64((1 << HEIGHT - 1) - 1))


def cells_of_sides(state: State) -> tuple[np.uint64, np.uint64]:
    """The discs of the player to move, and the opponent's; bit c is cell c, numbered row by row from the top."""
    own, other = sides(state)
    return cells_of(state, own), cells_of(state, other)


def cells_of(state: State, discs: np.uint64) -> np.uint64:
    """Bits of `sides` as cells: bit c is cell c, numbered row by row from the top."""
    rows, columns = number(rows_of(state)), number(columns_of(state))
    cells = u64(0)
    for row in range(rows):
        cells |= row_at(discs, rows - 1 - row) << u64(row * columns)
    return cells


def row_at(discs: np.uint64, height: int) -> np.uint64:
    """The discs at a height above the lowest row; bit i is column i."""
    return ((((discs >> u64(height)) & FEET) * GATHER) >> u64(42)) & COLUMN


def has_line(discs: np.uint64, line: int) -> bool:
    """Whether some discs have a line in a column, a row or a diagonal."""
    starts = u64(0)
    for step in STEPS:
        starts |= line_starts(discs, line, step)
    return starts != u64(0)


def line_starts(discs: np.uint64, line: int, step: int) -> np.uint64:
    """The first cell of each line of some discs in one direction."""
    for _ in range(line - 1):
        discs &= discs >> u64(step)
    return discs


def observe(state: State, seat: int, planes: Planes) -> None:
    own, other = sides(state)
    if seat != player(state):
        own, other = other, own
    rows, columns = number(rows_of(state)), number(columns_of(state))
    for row in range(rows):
        for column in range(columns):
            place = u64(HEIGHT * column + rows - 1 - row)
            planes[0, row * columns + column] = (own >> place) & ONE
            planes[1, row * columns + column] = (other >> place) & ONE
    planes[2] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    moved = state[0] & ~BOARD
    for column in range(actions.shape[0]):
        moved |= ((state[0] >> u64(HEIGHT * column)) & COLUMN) << u64(HEIGHT * number(actions[column]))
    return (moved,)


def is_state(state: State, start: State) -> bool:
    used = FEET & ((ONE << (u64(HEIGHT) * columns_of(start))) - ONE)
    filled = filled_cells(state)
    tops = filled + used  # the 1 of each column that has one
    too_high = state[0] & BOARD & ~(used * ((u64(2) << rows_of(start)) - ONE))
    wrong = too_high | (tops & ~state[0]) | ((state[0] ^ start[0]) >> ROWS)
    x = count(state[0] & filled)
    return wrong == u64(0) and 2 * x - count(filled) == player(state)


def contents(state: State, sites: Sites) -> None:
    own, other = cells_of_sides(state)
    put(own, 1 + player(state), sites)
    put(other, 2 - player(state), sites)
    rows, columns = number(rows_of(state)), number(columns_of(state))
    for column in range(columns):
        height = height_of(state, column)
        sites[rows * columns + column] = 3 + (sites[(rows - height) * columns + column] if height > 0 else 0)


def height_of(state: State, column: int) -> int:
    """The discs in a column."""
    return 63 - number(leading((state[0] >> u64(HEIGHT * column)) & COLUMN))


def trace(state: State, action: int, sites: Sites) -> None:
    """The highest disc of the column."""
    row = number(rows_of(state)) - height_of(state, action)
    sites[row * number(columns_of(state)) + action] = 1


def winning(state: State, sites: Sites) -> None:
    _, winner = sides(state)
    line, won = line_of(state), u64(0)
    for step in STEPS:
        starts = line_starts(winner, line, step)
        for i in range(line):
            won |= starts << u64(step * i)
    put(cells_of(state, won), 1, sites)


def arrange(sites: Sites, mover: int, start: State, fault: Numbers) -> State:
    rows, columns = number(rows_of(start)), number(columns_of(start))
    word = start[0] | (u64(mover) << TURN)
    if count(holding(sites, 1)) - count(holding(sites, 2)) != mover:
        fault[0] = 1
    for column in range(columns):
        gap = -1
        for height in range(rows):
            cell = (rows - 1 - height) * columns + column
            if sites[cell] > 0 and gap < 0:
                word += bit(HEIGHT * column + height + (sites[cell] == 1))
            elif sites[cell] > 0 and fault[0] == 0:
                fault[0], fault[1] = 2, gap
            elif gap < 0:
                gap = cell
    if fault[0] == 0:
        fault[0] = fault_of_lines((word,))
    return (word,)


def fault_of_lines(state: State) -> int:
    """Which fault it is if more than the last disc has completed lines; 0 for no fault."""
    own, other = sides(state)
    line, was_over = line_of(state), has_line(other, line_of(state))
    for column in range(number(columns_of(state))):
        top = bit(HEIGHT * column + height_of(state, column)) >> ONE
        was_over = was_over and has_line(other & ~top, line)
    return 3 if has_line(own, line) else 4 if was_over else 0


def threats(own: np.uint64, line: int) -> np.uint64:
    """The cells that would complete a line of some discs, filled ones and those outside of the board too."""
    found = u64(0)
    for step in STEPS:
        above = ~u64(0)  # the cells with this many discs right above them in this direction
        for i in range(line):
            both = above
            for j in range(1, line - i):
                both &= own << u64(step * j)
            found |= both
            above &= own >> u64(step * (i + 1))
    return found


def board_cells(state: State) -> np.uint64:
    """All cells of the board."""
    used = FEET & ((ONE << (u64(HEIGHT) * columns_of(state))) - ONE)
    return used * ((ONE << rows_of(state)) - ONE)


def free_threats(state: State, weights: Numbers) -> int:
    """How many more free cells would complete a line of the mover's than of the opponent's."""
    own, other = sides(state)
    free, line = board_cells(state) & ~(own | other), line_of(state)
    return count(threats(own, line) & free) - count(threats(other, line) & free)


def middle_first(state: State, action: int) -> int:
    """Columns in the middle look best."""
    columns = number(columns_of(state))
    return -abs(2 * action + 1 - columns)


@dataclass(frozen=True)
class ConnectFour(BoardGame):
    """Connect Four.

    Args:
        rows: the height of the board in cells.
        columns: the width of the board in cells.
        line: how many discs in a line win.
    """

    name: ClassVar[str] = "connect_four"
    title: ClassVar[str] = "Connect Four"
    player_names: ClassVar[tuple[str, str]] = ("X", "O")
    num_words: ClassVar[int] = 1
    planes: ClassVar[tuple[str, ...]] = ("own discs", "the opponent's discs", "ones")
    planes_by_owner: ClassVar[bool] = True
    signs: ClassVar[str] = "XO"
    wordings: ClassVar[tuple[tuple[str, str], ...]] = (
        (r"([a-g])[1-6]", r"\1"),  # the cell where the disc comes to rest
        *((str(column), letter) for column, letter in enumerate(LETTERS[:7], 1)),
    )
    variants: ClassVar[tuple[str, ...]] = (
        "connect_four",
        "connect_four:rows=4,columns=4",
        "connect_four:rows=5,columns=6",
        "connect_four:rows=4,columns=5,line=3",
    )
    evaluation: ClassVar[Evaluation] = Evaluation(free_threats, middle_first)
    known: ClassVar[Known] = read_known(Path(__file__).parent, sides=cells_of_sides)

    rows: Annotated[int, Range(4, 6)] = 6
    columns: Annotated[int, Range(4, 7)] = 7
    line: Annotated[int, Range(3, 5)] = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.line > max(self.rows, self.columns):
            raise ValueError(f"line is {self.line}; on {self.rows} rows and {self.columns} columns it must be 3 or 4")

    @property
    def board(self) -> tuple[int, int]:
        return self.rows, self.columns

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(LETTERS[: self.columns])

    @cached_property
    def cell_names(self) -> tuple[str, ...]:
        """The names of the cells: their column and row."""
        return tuple(f"{label}{row}" for row in range(1, self.rows + 1) for label in self.labels)

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return self.labels

    @cached_property
    def actions_by_name(self) -> dict[str, int]:
        numbers = {str(column + 1): column for column in range(self.columns)}
        cells = {name: cell % self.columns for cell, name in enumerate(self.cell_names)}
        return numbers | cells | super().actions_by_name

    def action(self, move: str, state: StateArray | None = None) -> int:
        action, name = super().action(move), move.strip().lower()
        if state is None or name not in self.cell_names or action not in self.legal_actions(state):
            return action
        lands = self.cell_names[self.landing_cell(state, action)]
        if name != lands:
            raise ValueError(f"a disc in column {self.moves[action]} falls to {lands}, not to {name}; row 1 is at the top")
        return action

    @property
    def start_words(self) -> tuple[int, ...]:
        feet = sum(1 << HEIGHT * column for column in range(self.columns))
        return (feet | self.rows << 50 | self.columns << 53 | self.line << 56,)

    @property
    def explanation(self) -> str:
        first, second = self.player_names
        *others, last = self.labels
        example = self.labels[self.columns // 2]
        move = (
            f"the name of a column, {self.label_words}, as in {example}; from the left the columns are {', '.join(others)} and "
            f"{last}"
            if self.label_words
            else f"the letter of a column, as in {example}; columns are a to {last} from the left, and row 1 is at the top"
        )
        return (
            f"Two players, {first} and {second}, take turns dropping a disc into one of the {self.columns} columns of an upright "
            f"board with {self.rows} rows; {first} begins. A disc falls to the lowest free cell of its column; a full column "
            f"cannot be chosen. Whoever first has {self.line} discs in an unbroken line, horizontally, vertically or diagonally, "
            f"wins. A full board without such a line is a draw. A move is {move}."
        )

    @cached_property
    def symmetries(self) -> Symmetries:
        """The board as it is, and its mirror image."""
        cells = np.arange(self.num_cells, dtype=np.int16).reshape(self.board)
        columns = np.arange(self.columns, dtype=np.int16)
        return Symmetries(np.array([cells.ravel(), cells[:, ::-1].ravel()]), np.array([columns, columns[::-1]]))

    def count_discs(self, states: StateArray) -> NDArray[np.int64]:
        """How many discs lie on each of many boards (B,)."""
        states = self.batch(states)
        discs = np.zeros(len(states), np.int64)
        for column in range(self.columns):
            bits = (states[:, 0] >> u64(HEIGHT * column)) & COLUMN
            discs += np.frexp(bits)[1] - 1
        return discs

    def landing_cell(self, state: StateArray, action: int) -> int:
        """The lowest free cell of a column that is not full."""
        discs = int(self.single(state)[0]) >> HEIGHT * action & 0x7F
        return (self.rows - discs.bit_length()) * self.columns + action

    @cached_property
    def layout(self) -> Layout:
        columns = (
            Site(f"column {self.moves[i]}", Box(MARGIN + i * CELL, MARGIN, CELL, self.rows * CELL)) for i in range(self.columns)
        )
        title = f"{self.title} on {self.rows} rows and {self.columns} columns"
        x, o = self.signs
        symbols = (
            Symbol("-", "empty"),
            Symbol(x, x, disc(HOLE + 1, FIRST) + cross(9, "#f0bdb5", 4.5)),  # a sign, so that no one needs to tell red from blue
            Symbol(o, o, disc(HOLE + 1, LIGHT) + ring(10, SECOND, 4.5)),
            # of columns: what the next disc will lie on
            *(Symbol("-", words) for words in ("on the bottom", f"on {x}", f"on {o}")),
        )
        faults = (
            f"{{text}} cannot be: {x} moves first, so with {{{x}}} {x} and {{{o}}} {o} it is not {{mover}}'s turn",
            "{text} cannot be: {site} is empty below a disc, and discs fall to the lowest free cell",
            "{text} cannot be: {mover} has a line, so the game was over before the last disc",
            "{text} cannot be: {other} had a line before the last disc, so the game was over",
        )
        return field_layout(
            Field(self.columns, rows=self.rows, colour=PAPER, line=None),
            marks_notation(title, self.columns, self.rows, faults, self.signs),
            *columns,
            names=self.cell_names,
            symbols=symbols,
            words=Wording(places=("{site}, falls to {lands} {words}",)),
            clicks=tuple((self.num_cells + column,) for column in range(self.columns)),
            lands=True,
            front=element(
                "path", d=front_outline(self.rows, self.columns), fill=FRONT, fill_rule="evenodd", stroke=EDGE, stroke_width=2
            ),
            marks=(ring(28, PAPER, 4),),
            motion="fall",
        )


def front_outline(rows: int, columns: int) -> str:
    """The outline of the front of the board: discs are seen through its holes."""
    x, width, height = MARGIN + 2, columns * CELL - 4, rows * CELL - 4
    sides = f"h{width}a8 8 0 0 1 8 8v{height}a8 8 0 0 1-8 8h-{width}a8 8 0 0 1-8-8v-{height}a8 8 0 0 1 8-8z"
    hole = f"a{HOLE} {HOLE} 0 1 0 {2 * HOLE} 0a{HOLE} {HOLE} 0 1 0-{2 * HOLE} 0z"
    boxes = [cell_box(cell, columns) for cell in range(rows * columns)]
    holes = [f"M{box.x + CELL // 2 - HOLE} {box.y + CELL // 2}{hole}" for box in boxes]
    return f"M{x} {x - 8}{sides}{''.join(holes)}"
