"""Where names go beside the points of a plot, so that they cover neither points nor each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

CHARACTER, LINE, GAP, POINT = 6.2, 11.0, 8.0, 5.0
"""In pixels: the width of a character and the height of a line, the way from a point to its name, a point's radius."""
LONGEST = 21
"""Names are cut to so many characters."""


class Side(NamedTuple):
    """Where a name goes, from its point.

    Args:
        dx, dy: how far its edge, and its middle line, are away.
        align: which edge that is: left, right, or center for its middle; empty where there is no room for the name.
    """

    dx: float
    dy: float
    align: str


SIDES = (
    Side(GAP, 0, "left"),
    Side(-GAP, 0, "right"),
    Side(0, -LINE - 1, "center"),
    Side(0, LINE + 1, "center"),
    *(Side(x * 5, y * (LINE - 2), "left" if x > 0 else "right") for x in (1, -1) for y in (-1, 1)),
    *(Side(x * -24, y * (LINE + 1), "left" if x > 0 else "right") for x in (1, -1) for y in (-1, 1)),
)
NOWHERE = Side(0, 0, "")

Box = tuple[float, float, float, float]


def ranked(names: Sequence[str]) -> list[str]:
    """Names as they stand in a plot: where some are so long that they are cut, with their ranks before them."""
    long = max(map(len, names), default=0) > LONGEST
    return [f"{rank} {name}" if long else name for rank, name in enumerate(names, 1)]


def beside(points: Sequence[tuple[float, float]], names: Sequence[str], size: tuple[float, float]) -> Iterator[Side]:
    """A side for each name, the first that is free; who comes first has the choice.

    Args:
        points: in pixels, y downwards.
        names: of the points.
        size: of the plot.
    """
    taken: list[Box] = [(x - POINT, y - POINT, x + POINT, y + POINT) for x, y in points]
    for i, (point, name) in enumerate(zip(points, names, strict=True)):
        others = taken[:i] + taken[i + 1 :]
        boxes = {side: _box(point, name, side) for side in SIDES}
        side = next(
            (side for side, box in boxes.items() if _inside(box, size) and not any(_meet(box, one) for one in others)), NOWHERE
        )
        if side.align:
            taken.append(boxes[side])
        yield side


def _box(point: tuple[float, float], name: str, side: Side) -> Box:
    width = CHARACTER * min(len(name), LONGEST)
    left = point[0] + side.dx - {"left": 0, "center": width / 2, "right": width}[side.align]
    middle = point[1] + side.dy
    return left, middle - LINE / 2, left + width, middle + LINE / 2


def _inside(box: Box, size: tuple[float, float]) -> bool:
    return box[0] >= 0 and box[1] >= -LINE / 2 and box[2] <= size[0] + LINE / 2 and box[3] <= size[1]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
