"""The rules of Quarto, which [its page](../../docs/games/quarto.md) describes.

A state is two words:

| word | bits | what |
|---|---|---|
| 0 | 0 to 15 | the cells whose piece has the attribute 1, cell *c* in bit *c* |
| 0 | 16 to 31 | those of the attribute 2 |
| 0 | 32 to 47 | those of the attribute 4 |
| 0 | 48 to 63 | those of the attribute 8 |
| 1 | 0 to 15 | the occupied cells |
| 1 | 16 to 31 | the pieces given so far, the one in hand too |
| 1 | 32 to 35 | the piece in hand; 0 without one |
| 1 | 36 | 1 with a piece in hand |
| 1 | 37 | 1 where squares win |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations as orders
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..board_game import BoardGame
from ..drawing.clicks import Box
from ..drawing.grid import cell_name
from ..drawing.layout import Layout, Notation, Site, Symbol, Wording
from ..drawing.pieces import ATTRIBUTES, Attributes, describe, draw_piece, legend, letters
from ..drawing.svg import CELL, FAINT, FOOT, INK, MARGIN, MARK, TOUCHED, Field, label, ring
from ..game import StateArray, Symmetries
from ..kernels.arrays import Numbers
from ..kernels.bits import ONE, bit, count, has, number, spread, u64
from ..kernels.boards import put
from ..kernels.rules import ONGOING, Permutation, Planes, Sites, State
from ..known import Known, read_known
from ..squares import field_layout, lines, permutations, turns

BOARD = u64(0xFFFF)
GIVEN, HAND, IN_HAND, SQUARES = u64(16), u64(32), u64(36), u64(37)
EACH = u64(0x0001000100010001)
LIST, HAND_SITE = 16, 32
"""Sites of the layout, after the cells: those of pieces that are not given yet, and that of the piece in hand."""
LINES = np.array(
    [sum(1 << cell for cell in line) for line in lines(4)] + [0x33 << cell for cell in range(11) if cell % 4 < 3], np.uint64
)
"""The lines of the board as bits, and then the squares."""
FIRST_COLUMN, FIRST_ROW, CORNERS = EACH * u64(0x1111), EACH * u64(0x000F), EACH * u64(0x0777)
PIECES = range(16)


def player(state: State) -> int:
    return number((u64(count(state[1] & BOARD)) + (state[1] >> IN_HAND)) & ONE)


def legal(state: State, word: int) -> np.uint64:
    if has(state[1], 36):
        return ~state[1] & BOARD
    return ~state[1] & (BOARD << GIVEN)


def play(state: State, action: int) -> State:
    if action >= 16:
        piece = u64(action - 16)
        return state[0], state[1] | bit(action) | (piece << HAND) | (ONE << IN_HAND)
    piece = (state[1] >> HAND) & u64(15)
    attributes = (piece & ONE) | ((piece & u64(2)) << u64(15)) | ((piece & u64(4)) << u64(30)) | ((piece & u64(8)) << u64(45))
    return state[0] | (attributes << u64(action)), (state[1] | bit(action)) & ~(u64(31) << HAND)


def outcome(state: State) -> int:
    occupied = (state[1] & BOARD) * EACH
    squares = has(state[1], 37)
    if has_line(state[0], squares) or has_line(occupied & ~state[0], squares):
        return 1 - 2 * player(state)
    return 0 if state[1] & BOARD == BOARD else ONGOING


def has_line(boards: np.uint64, squares: bool) -> bool:
    """Whether any of four boards of 16 cells has a full row, column or diagonal (or 2×2 square)."""
    rows = boards & (boards >> u64(1)) & (boards >> u64(2)) & (boards >> u64(3)) & FIRST_COLUMN
    columns = boards & (boards >> u64(4)) & (boards >> u64(8)) & (boards >> u64(12)) & FIRST_ROW
    falling = boards & (boards >> u64(5)) & (boards >> u64(10)) & (boards >> u64(15)) & EACH
    rising = (boards >> u64(3)) & (boards >> u64(6)) & (boards >> u64(9)) & (boards >> u64(12)) & EACH
    lines = rows | columns | falling | rising
    if squares:
        lines |= boards & (boards >> u64(1)) & (boards >> u64(4)) & (boards >> u64(5)) & CORNERS
    return lines != u64(0)


def observe(state: State, seat: int, planes: Planes) -> None:
    for attribute in range(4):
        spread((state[0] >> u64(16 * attribute)) & BOARD, planes[attribute])
        spread(BOARD * ((state[1] >> u64(32 + attribute)) & ONE), planes[5 + attribute])
    spread(state[1] & BOARD, planes[4])
    spread(BOARD * ((state[1] >> IN_HAND) & ONE), planes[9])
    spread(~(state[1] >> GIVEN) & BOARD, planes[10])
    planes[11] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    boards = u64(0)
    rest = state[1] & (u64(3) << IN_HAND)
    for cell in range(16):
        if has(state[1], cell):
            piece = piece_on(state, cell)
            rest |= bit(number(cells[cell]))
            for attribute in range(4):
                if (actions[16 + piece] >> attribute) & 1:
                    boards |= bit(16 * attribute + number(cells[cell]))
    for piece in range(16):
        if has(state[1], 16 + piece):
            rest |= bit(number(actions[16 + piece]))
    if has(state[1], 36):
        in_hand = number((state[1] >> HAND) & u64(15))
        rest |= u64(actions[16 + in_hand] - 16) << HAND
    return boards, rest


def is_state(state: State, start: State) -> bool:
    placed, given = BOARD | (ONE << IN_HAND), BOARD << GIVEN
    beyond = ((state[1] ^ start[1]) >> SQUARES) | (state[0] & ~((state[1] & BOARD) * EACH))
    balance = count((state[1] ^ placed) & (placed | given))  # 17 - placed + given: as many, so that some are left to give
    return balance == 17 and beyond == u64(0)


def piece_on(state: State, cell: int) -> int:
    """The number of the piece on an occupied cell."""
    piece = 0
    for attribute in range(4):
        piece |= number((state[0] >> u64(16 * attribute + cell)) & ONE) << attribute
    return piece


def contents(state: State, sites: Sites) -> None:
    for i in range(16):
        if has(state[1], i):
            sites[i] = 1 + piece_on(state, i)
        if not has(state[1], 16 + i):
            sites[LIST + i] = 17 + i
    if has(state[1], 36):
        sites[HAND_SITE] = 33 + number((state[1] >> HAND) & u64(15))


def trace(state: State, action: int, sites: Sites) -> None:
    if action < 16:
        sites[action] = 1


def winning(state: State, sites: Sites) -> None:
    placed = state[1] & BOARD
    for i in range(19 if has(state[1], 37) else 10):
        for attribute in range(4):
            having = (state[0] >> u64(16 * attribute)) & BOARD
            if having & LINES[i] == LINES[i] or placed & ~having & LINES[i] == LINES[i]:
                put(LINES[i], 1, sites)


def arrange(sites: Sites, mover: int, start: State, fault: Numbers) -> State:
    state, twice = start, 16
    for site in range(HAND_SITE + 1):
        if sites[site] > 0 and (site < 16 or site == HAND_SITE):
            piece = (sites[site] - 1) & 15
            if has(state[1], 16 + piece) and piece < twice:
                twice, fault[0], fault[1] = piece, 1, site
            state = play(state, 16 + piece)
            if site < 16:
                state = play(state, site)
    if fault[0] == 0 and sites[HAND_SITE] > 0 and outcome(state) != ONGOING:
        fault[0] = 2
    return state


@dataclass(frozen=True)
class Quarto(BoardGame):
    """Quarto, a turn in two actions: place the piece in hand, then give one.

    Args:
        squares: whether a 2×2 square of pieces that share an attribute wins too.
    """

    name: ClassVar[str] = "quarto"
    title: ClassVar[str] = "Quarto"
    num_words: ClassVar[int] = 2
    planes: ClassVar[tuple[str, ...]] = (
        *(f"{pair[1]} pieces" for pair in ATTRIBUTES),
        "occupied cells",
        *(f"the piece in hand is {pair[1]}" for pair in ATTRIBUTES),
        "a piece is in hand",
        "pieces not given yet, by number",
        "ones",
    )
    wordings: ClassVar[tuple[tuple[str, str], ...]] = ((r"(\d+)", r"give \1"),)
    attributes: ClassVar[Attributes] = ATTRIBUTES
    """What people call the attributes of pieces."""
    known: ClassVar[Known] = read_known(Path(__file__).parent)
    variants: ClassVar[tuple[str, ...]] = ("quarto", "quarto:squares=true")

    squares: bool = False

    @property
    def board(self) -> tuple[int, int]:
        return 4, 4

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(cell_name(cell, 4) for cell in range(16))

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return (*self.labels, *(f"give {piece}" for piece in PIECES))

    @cached_property
    def actions_by_name(self) -> dict[str, int]:
        return {**{f"give {piece:x}": 16 + piece for piece in range(16)}, **super().actions_by_name}

    def count_empty(self, states: StateArray) -> NDArray[np.int64]:
        return 16 - np.bitwise_count(self.batch(states)[:, 1] & np.uint64(0xFFFF)).astype(np.int64)

    @property
    def explanation(self) -> str:
        lines = "row, column, diagonal or 2×2 square" if self.squares else "row, column or diagonal"
        kinds, (one, two, four, eight) = ", ".join(map(" or ".join, self.attributes)), (pair[1] for pair in self.attributes)
        where = self.label_words or "a column letter and a row number with row 1 at the top"
        return (
            f"The board has 4×4 cells, and there are 16 pieces, all different: {kinds}. A piece's number, 0 to 15, adds 1 if it "
            f"is {one}, 2 if {two}, 4 if {four} and 8 if {eight}. First, player 0 gives player 1 a piece. From then on a player "
            "places the piece in hand on an empty cell, and then gives the opponent one of the pieces left to place. Whoever "
            f"places a piece that completes a {lines} of four pieces with a property in common wins. A full board without one is "
            f"a draw. A move is the name of the cell to place the piece in hand on, {where}, or give and the number of the piece "
            "to give, as in give 7."
        )

    @property
    def start_words(self) -> tuple[int, ...]:
        return 0, self.squares << 37

    @cached_property
    def symmetries(self) -> Symmetries:
        """32 ways to lay the board (8 with squares) times 384 to rename the pieces: 12288 (3072)."""
        boards = turns(4) if self.squares else _boards()
        pieces = [
            [16 + (sum((piece >> old & 1) << new for new, old in enumerate(order)) ^ flip) for piece in range(16)]
            for order in orders(range(4))
            for flip in range(16)
        ]
        cells = np.repeat(np.array(boards, np.int16), len(pieces), axis=0)
        return Symmetries(cells, np.hstack([cells, np.tile(np.array(pieces, np.int16), (len(boards), 1))]))

    def _notes(self, symbols: list[int]) -> list[str]:
        left = [f"{piece:>2} {letters(piece, self.attributes)}" for piece in range(16) if symbols[LIST + piece]]
        rows = ["   ".join(left[row : row + 4]) for row in range(0, len(left), 4)] or ["none"]
        listed = [f"{'not given:' if row == 0 else '':<13}{pieces}" for row, pieces in enumerate(rows)]
        return [*listed, "", f"pieces: {', '.join(legend(self.attributes))}"]

    @cached_property
    def layout(self) -> Layout:
        field = Field(4, right=260, colour="#7d9a86", line="#6b8874")
        for cell in range(16):
            field.circle(*field.centre(cell), 27, "none", stroke="#6b8874", stroke_width=2)
        field.text(326, 32, "not given yet", 13, FAINT, "start")
        names = legend(self.attributes)
        for row, half in enumerate((names[:2], names[2:])):
            field.text(326, 260 + 13 * row, ", ".join(half), 9.5, FAINT, "start")
        list_sites = (Site(f"give {p}", Box(318 + p % 4 * 56, 34 + p // 4 * 52, 56, 52)) for p in PIECES)
        side = 4 * CELL + 2 * MARGIN
        return field_layout(
            field,
            Notation(
                groups=(tuple(range(16)), (HAND_SITE,)),
                patterns=(
                    (
                        "[0-9a-f-]{16} [0-9a-f-]",
                        f"{{text}} is not a position of {self.title}: it takes 16 cells, each a hexadecimal digit or -, "
                        "a space and the piece in hand or -, as in '0-------------5- 3'",
                    ),
                ),
                faults=(
                    "{text} cannot be: piece {symbol} is there twice",
                    "{text} cannot be: the game is over, so no piece is in hand",
                ),
                any_case=True,
            ),
            *list_sites,
            Site("in hand", Box(468, 278, 56, 56)),
            names=self.labels,
            symbols=piece_symbols(self.attributes),
            words=Wording(
                ongoing=(
                    "{mover} to give a piece",
                    *(f"{{mover}} to place piece {p}: {describe(p, self.attributes)}" for _ in range(3) for p in PIECES),
                ),
                site=HAND_SITE,
            ),
            clicks=tuple((site,) for site in range(HAND_SITE)),
            marks=(TOUCHED,),
            is_under=True,
            panels=(Box(0, 0, side, side), Box(side - 10, 0, 230, side + FOOT)),
        )


def piece_symbols(attributes: Attributes) -> tuple[Symbol, ...]:
    """The pieces on the board, those not given yet, and the one in hand."""
    chars, words = [f"{piece:x}" for piece in PIECES], [describe(piece, attributes) for piece in PIECES]
    return (
        Symbol("-", "empty"),
        *(
            Symbol(chars[p], words[p], draw_piece(p) + label(p, -30, -21, 10, INK, "start"), f"{p:>2} {letters(p, attributes)}")
            for p in PIECES
        ),
        *(Symbol(chars[p], words[p], draw_piece(p, 0.72) + label(p, 0, 27, 9.5, FAINT)) for p in PIECES),
        *(
            Symbol(
                chars[p], words[p], label(f"in hand: {p}", -170, -13, 13, FAINT, "start") + ring(27, MARK, 3) + draw_piece(p, 0.9)
            )
            for p in PIECES
        ),
    )


def _boards() -> list[tuple[int, ...]]:
    """The 32 permutations of the cells that take lines to lines: rotations, reflections, and two exchanges of rows and columns."""
    halves = [1, 0, 3, 2], [0, 2, 1, 3]
    exchanges = [[4 * order[cell // 4] + order[cell % 4] for cell in range(16)] for order in halves]
    return permutations([turns(4)[1], turns(4)[2], *exchanges])
