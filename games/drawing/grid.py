"""Boards of squares as characters: names of cells, and a grid with coordinates.

Cells are numbered row by row and named as on a chessboard, with a1 at the top left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LETTERS = "abcdefgh"


def cell_name(cell: int, size: int) -> str:
    """The name of a cell: column letter, row number counted from the top."""
    return f"{chr(ord('a') + cell % size)}{cell // size + 1}"


def grid(symbols: Sequence[str], columns: int, marked: Iterable[int], below: Sequence[str]) -> str:
    """A board of symbols with coordinates; marked cells stand in brackets, and lines of text follow below."""
    marked = set(marked)
    width = max(map(len, symbols)) + 2

    def cell(number: int) -> str:
        symbol = "." if symbols[number] == "-" else symbols[number]
        return (f"[{symbol}]" if number in marked else symbol).center(width)

    header = "   " + "".join(LETTERS[column].center(width) for column in range(columns))
    starts = range(0, len(symbols), columns)
    rows = [f"{row:>2} " + "".join(map(cell, range(start, start + columns))) for row, start in enumerate(starts, 1)]
    return "\n".join(line.rstrip() for line in [header, *rows, *below])
