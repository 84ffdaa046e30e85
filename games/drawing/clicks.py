"""Clicks on a drawing: which places an action is made of, and what a click means.

An action is one click, or several in a row: in Quixo the cube to take, then the cell where it enters. Each game says by
`Game.clicks` where they go; `Clicks` follows them until they make an action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle on a drawing, in the pixels of its SVG, y downwards."""

    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Place(NamedTuple):
    """A place to click on a drawing: where it is, its name for people who do not see it, whether nothing lies there, and where
    the move comes to lie if it is elsewhere."""

    box: Box
    name: str
    empty: bool = False
    lands: Box | None = None


class Clicks:
    """What clicks mean in one position.

    Args:
        paths: for each legal action the places to click, one after the other; none where the drawing has no place for it.
    """

    def __init__(self, paths: Mapping[int, tuple[Box, ...]]) -> None:
        self._paths = paths
        self.done: tuple[Box, ...] = ()
        """The places that were clicked so far."""

    @property
    def open(self) -> list[Box]:
        """The places that can be clicked next."""
        count = len(self.done)
        begun = [path for path in self._paths.values() if path[:count] == self.done and len(path) > count]
        return [*dict.fromkeys(path[count] for path in begun)]

    def click(self, x: float, y: float) -> int | None:
        """The action that a click completes; None where it completes none.

        A click outside the open places starts over. Where the only action has no place on the drawing, such as a pass, any
        click takes it.
        """
        if len(self._paths) == 1 and not any(self._paths.values()):
            return next(iter(self._paths))
        if not any(box.holds(x, y) for box in self.open):
            self.done = ()
        self.done += tuple(box for box in self.open if box.holds(x, y))[:1]
        return next((action for action, path in self._paths.items() if path and path == self.done), None)
