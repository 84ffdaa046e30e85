"""Another face of Nim: two mice in a cellar."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from ...core.numbers import several, short_repr
from ..drawing.layout import Content, Layout
from ..game import StateArray
from .rules import Nim

COLOURS = ("red", "blue", "green", "yellow", "white", "black", "brown", "grey")
"""The baskets in their order."""


class Mice(Nim):
    """Two mice eat the nuts in some baskets: the heaps are baskets, and the objects are nuts."""

    player_names: ClassVar[tuple[str, str]] = ("Mia", "Tom")

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return COLOURS[: len(self.heaps)]

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(f"{take + 1} from {label}" for label in self.labels for take in range(self.largest_take))

    @property
    def explanation(self) -> str:
        baskets = [f"the {label} one holds {several(nuts, 'nut')}" for label, nuts in zip(self.labels, self.heaps, strict=True)]
        first = ", ".join(baskets[:-1]) + " and " * (len(baskets) > 1) + baskets[-1]
        most = f", but no more than {self.limit} in one night" if self.limit else ""
        end = "is caught by the cat, and loses" if self.misere else "has the cellar for itself, and wins"
        return (
            f"Two mice, Mia and Tom, live below a cellar with {several(len(baskets), 'basket')}: in the beginning {first}. Each "
            "night one of them comes up, Mia in the first night, Tom in the second, and so on in turn. The mouse chooses one "
            f"basket and eats one or more of its nuts{most}. It may not leave with an empty stomach, nor eat from two baskets in "
            f"one night. The mouse that eats the last nut of all {end}. A move is how many nuts to eat and from which basket, as "
            f"in {self.moves[0]}."
        )

    @cached_property
    def layout(self) -> Layout:
        layout, won = super().layout, "{winner} wins: the last nut is eaten"
        return replace(layout, words=replace(layout.words, wins=(won, won)))

    def contents(self, state: StateArray) -> tuple[Content, ...]:
        """The baskets, and how many nuts are in them."""
        rows = zip(self.labels, self.sizes(state), self.layout.sites[:: max(self.heaps)], strict=True)
        return tuple(Content(f"the {label} basket", site.box, several(nuts, "nut")) for label, nuts, site in rows)

    def picture(self, state: StateArray, action: int | None = None) -> str:
        touched = None if action is None else action // self.largest_take
        lines = [
            f"{'>' if basket == touched else ' '} {content.name}: {content.words}"
            for basket, content in enumerate(self.contents(state))
        ]
        return "\n".join([*lines, "", self.status(state)])

    def text(self, state: StateArray) -> str:
        return ", ".join(f"{label} {nuts}" for label, nuts in zip(self.labels, self.sizes(state), strict=True))

    def parse(self, text: str) -> StateArray:
        pattern = ", ".join(rf"{label} (\d+)" for label in self.labels)
        if not (match := re.fullmatch(pattern, text.strip(), re.ASCII)):
            raise ValueError(f"{short_repr(text)} is not a position of {self.title}; one reads {self.text(self.start)!r}")
        return super().parse(" ".join(match.groups()))
