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
    width = max(map(len, symbols)) + 2
    lines = [LETTERS[:columns], *_rows(_cells(symbols, marked), columns)]
    rows = ["".join(cell.center(width) for cell in line) for line in lines]
    numbered = [f"{row or '':>2} {line}" for row, line in enumerate(rows)]
    return "\n".join(line.rstrip() for line in [*numbered, *below])


def labelled_grid(symbols: Sequence[str], columns: int, labels: Sequence[str], marked: Iterable[int], below: Sequence[str]) -> str:
    """A board of symbols without coordinates. Each cell's name stands before its symbol, or each column's name above the column.

    Args:
        symbols, columns, marked, below: as for `grid`.
        labels: the names of all cells, or of all columns.
    """
    cells = _cells(symbols, marked)
    if len(labels) == len(cells):
        lines = _rows([f"{label} {cell}" for label, cell in zip(labels, cells, strict=True)], columns)
    else:
        lines = [labels, *_rows(cells, columns)]
    width = max(len(cell) for line in lines for cell in line) + 3
    return "\n".join(line.rstrip() for line in ["".join(cell.ljust(width) for cell in line) for line in lines] + [*below])


def _cells(symbols: Sequence[str], marked: Iterable[int]) -> list[str]:
    """The symbols as they are drawn: a dot on empty cells, brackets on marked ones."""
    marked, drawn = set(marked), ["." if symbol == "-" else symbol for symbol in symbols]
    return [f"[{symbol}]" if cell in marked else symbol for cell, symbol in enumerate(drawn)]


def _rows(cells: Sequence[str], columns: int) -> list[Sequence[str]]:
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]
