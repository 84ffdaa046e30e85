"""A small pen for SVG, and the frame that all boards are drawn in: a field of cells, coordinates, a line below."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

from .clicks import Box

INK, FAINT, PAPER = "#2b2a33", "#8b8794", "#f6f2ea"
"""Colours of text and lines, of coordinates and other small print, and of the background."""
FRAME, FIELD, FIELD_LINE = "#5b4636", "#e9d8b8", "#c9b48c"
"""Colours of the frame of a board, of its cells, and of the lines between them."""
MARK = "#8f4bc9"
"""The colour that marks the last move: neither player's, nor that of a value."""
FIRST, SECOND = "#b3352f", "#22577a"
"""The colours of player 0 and of player 1."""
FONT = "DejaVu Sans, Verdana, FreeSans, Free Sans, sans-serif"
CELL, MARGIN, FOOT = 64, 30, 40
"""The side of a cell, the margin around a board, and the height of the line of text below it, in pixels."""


def element(tag: str, text: str = "", **attributes: Any) -> str:
    """An SVG element; `_` in the name of an attribute stands for `-`."""
    written = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f"<{tag}{written}>{escape(text)}</{tag}>" if text else f"<{tag}{written}/>"


class Pen:
    """Collects SVG elements; coordinates are in pixels, y downwards."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.elements: list[str] = []
        self.rectangle(0, 0, width, height, PAPER)

    def _add(self, tag: str, text: str = "", **attributes: Any) -> None:
        self.elements.append(element(tag, text, **attributes))

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str, *, round: float = 0, **more: Any) -> None:
        """A filled rectangle, its corner given; `round` is the radius of its corners. `more` are attributes of SVG."""
        self._add("rect", x=x, y=y, width=width, height=height, fill=fill, rx=round, **more)

    def circle(self, x: float, y: float, radius: float, fill: str, **more: Any) -> None:
        """A filled circle, its middle given."""
        self._add("circle", cx=x, cy=y, r=radius, fill=fill, **more)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str, width: float, **more: Any) -> None:
        """A line from one point to another, with round ends."""
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width, stroke_linecap="round", **more)

    def polygon(self, points: list[tuple[float, float]], fill: str, **more: Any) -> None:
        """A filled polygon of points (x, y)."""
        self._add("polygon", points=" ".join(f"{x:g},{y:g}" for x, y in points), fill=fill, **more)

    def path(self, outline: str, fill: str, **more: Any) -> None:
        """A filled outline in SVG's own words (the attribute `d`); what lies inside of two of its parts is a hole."""
        self._add("path", d=outline, fill=fill, fill_rule="evenodd", **more)

    def text(self, x: float, y: float, text: str, size: float, fill: str = INK, anchor: str = "middle", **more: Any) -> None:
        """A line of text on a baseline; `anchor` says which part of it stands at x: "start", "middle" or "end"."""
        self.elements.append(label(text, x, y, size, fill, anchor, **more))

    def finish(self) -> str:
        """The drawing as one SVG document."""
        return document(self.width, self.height, "".join(self.elements))


def document(width: float, height: float, elements: str, motion: str = "") -> str:
    """Elements as one SVG document of this size; `motion` is that of a layout."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"' + (
        f' data-motion="{motion}"' if motion else ""
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{elements}</svg>'


def caption_at(x: float, y: float, template: str = "{status}", anchor: str = "start") -> str:
    """A line of a layout's `caption`: the status, on a baseline that begins there."""
    return label(template, x, y, 15, INK, anchor)


# ---- symbols and marks of a layout, around the point 0 0


def disc(radius: float, fill: str, **more: Any) -> str:
    """A filled circle."""
    return element("circle", r=radius, fill=fill, **more)


def square(side: float, fill: str, **more: Any) -> str:
    """A filled square; `rx` among `more` is the radius of its corners."""
    return element("rect", x=-side / 2, y=-side / 2, width=side, height=side, fill=fill, **more)


def ring(reach: float, colour: str, width: float) -> str:
    """An O of the given radius."""
    return disc(reach, "none", stroke=colour, stroke_width=width)


def cross(reach: float, colour: str, width: float) -> str:
    """An X of the given half-width."""
    ends = ((-reach, reach), (reach, -reach))
    return "".join(
        element("line", x1=-reach, y1=y1, x2=reach, y2=y2, stroke=colour, stroke_width=width, stroke_linecap="round")
        for y1, y2 in ends
    )


def label(text: object, x: float, y: float, size: float, fill: str, anchor: str = "middle", **more: Any) -> str:
    """A line of text on a baseline; `anchor` says which part of it stands at x: "start", "middle" or "end"."""
    return element("text", str(text), x=x, y=y, font_family=FONT, font_size=size, fill=fill, text_anchor=anchor, **more)


TOUCHED = square(CELL - 4, MARK, rx=4, fill_opacity=0.35)
"""Marks a cell as the one that the last move touched."""
FRAMED = "".join(square(CELL - 8, "none", rx=9, stroke=colour, stroke_width=width) for colour, width in ((PAPER, 7), (INK, 4)))
"""Frames a cell that won the game."""


def cell_box(cell: int, columns: int) -> Box:
    """Where a field of this many columns has a cell."""
    row, column = divmod(cell, columns)
    return Box(MARGIN + column * CELL, MARGIN + row * CELL, CELL, CELL)


class Field(Pen):
    """A pen on a field of `columns` by `rows` cells (by default a square), with coordinates around it and a line of text below.

    A layout leaves that text out, and says it for each position, `below`.
    `line` is the colour of the lines between the cells; None draws none.
    """

    def __init__(
        self,
        columns: int,
        below: str = "",
        *,
        rows: int | None = None,
        right: float = 0,
        colour: str = FIELD,
        line: str | None = FIELD_LINE,
    ) -> None:
        self.rows = rows = columns if rows is None else rows
        super().__init__(MARGIN * 2 + columns * CELL + right, MARGIN * 2 + rows * CELL + FOOT - 12)
        self.columns = columns
        self.elements += _empty(columns, rows, colour, line)
        self.below = MARGIN, MARGIN + rows * CELL + 32
        if below:
            self.text(*self.below, below, 15, INK, "start")

    def centre(self, cell: int) -> tuple[float, float]:
        """Where the middle of a cell lies."""
        box = cell_box(cell, self.columns)
        return box.x + CELL / 2, box.y + CELL / 2


@cache
def _empty(columns: int, rows: int, colour: str, line: str | None) -> tuple[str, ...]:
    """The elements of a field without anything on it: a page draws hundreds of positions, and this in each."""
    pen, width, height = Pen(0, 0), columns * CELL, rows * CELL
    pen.rectangle(MARGIN - 6, MARGIN - 6, width + 12, height + 12, FRAME, round=8)
    pen.rectangle(MARGIN, MARGIN, width, height, colour, round=3)
    if line:
        for i in range(1, columns):
            pen.line(MARGIN + i * CELL, MARGIN, MARGIN + i * CELL, MARGIN + height, line, 1.5)
        for i in range(1, rows):
            pen.line(MARGIN, MARGIN + i * CELL, MARGIN + width, MARGIN + i * CELL, line, 1.5)
    for i in range(columns):
        pen.text(MARGIN + (i + 0.5) * CELL, MARGIN - 12, "abcdefgh"[i], 13, FAINT)
    for i in range(rows):
        pen.text(MARGIN - 17, MARGIN + (i + 0.5) * CELL + 5, str(i + 1), 13, FAINT)
    return tuple(pen.elements[1:])  # without the paper
