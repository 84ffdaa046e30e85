"""Quarto's pieces: their attributes in words and letters, and their pictures."""

from __future__ import annotations

from .svg import disc, square

Attributes = tuple[tuple[str, str], ...]
ATTRIBUTES: Attributes = (("light", "dark"), ("short", "tall"), ("round", "square"), ("solid", "hollow"))
"""Attribute a of a piece is the first word where bit a of its number is 0, and the second where it is 1."""


def legend(attributes: Attributes = ATTRIBUTES) -> tuple[str, ...]:
    """What a piece's letters and its number stand for."""
    return tuple(f"{zero}/{one.capitalize()} +{1 << a}" for a, (zero, one) in enumerate(attributes))


def describe(piece: int, attributes: Attributes = ATTRIBUTES) -> str:
    """A piece's attributes in words."""
    return ", ".join(pair[piece >> attribute & 1] for attribute, pair in enumerate(attributes))


def letters(piece: int, attributes: Attributes = ATTRIBUTES) -> str:
    """The initials of a piece's attributes, a capital where the bit is 1: `lTrH` is light, tall, round, hollow."""
    return "".join(pair[1][0].upper() if piece >> a & 1 else pair[0][0] for a, pair in enumerate(attributes))


def draw_piece(piece: int, scale: float = 1) -> str:
    """SVG of a piece around the point 0 0: its colour, height (size), outline and hole are its attributes."""
    fill, edge, hole = ("#6a3b23", "#2f180c", "#e5d3b0") if piece & 1 else ("#f3dfb6", "#a98b52", "#4a3a26")
    reach, rim = (24 if piece & 2 else 15.5) * scale, {"stroke": edge, "stroke_width": 2.5}
    body = square(round(reach * 1.76, 4), fill, rx=3, **rim) if piece & 4 else disc(round(reach, 4), fill, **rim)
    return body + (disc(round(7.5 * scale, 4), hole) if piece & 8 else "")
