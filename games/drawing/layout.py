"""A board as data: what a game says once about its drawing, its notation and its words.

A `Layout` declares sites, where something can stand or be clicked, and symbols, which stand on them. Kernels of the game
(games/kernels/rules.py: `contents`, `trace`, `winning`, `arrange`) tell which symbol stands where. From both follow positions as
text, drawings, places to click and the words beside them: here for Python, in web/kernels/boards.js for a page without a server,
which reads the same layout as JSON. So a template is a text with names in braces, and a pattern is a regular expression that means
the same in both languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from ...core.numbers import short_repr
from .clicks import Box, Place
from .svg import document


class Site(NamedTuple):
    """Where a symbol can stand or a click go: its name, and its box on the drawing, in whose middle symbols are drawn."""

    name: str
    box: Box

    @property
    def centre(self) -> str:
        """The middle of the box, as SVG writes a point."""
        return f"{self.box.x + self.box.width / 2:g} {self.box.y + self.box.height / 2:g}"


class Content(NamedTuple):
    """What stands on a site, for people who do not see it: the site's name and box, and the symbol's words."""

    name: str
    box: Box
    words: str


class Symbol(NamedTuple):
    """What can stand on a site; number 0 of a layout is nothing.

    Args:
        char: how positions write it; where several symbols have one character, it is read as the first. "-" counts as empty.
        words: what it is, for people who do not see it.
        svg: its drawing, around the point 0 0.
        letters: how pictures of characters write it; empty for `char`.
    """

    char: str
    words: str
    svg: str = ""
    letters: str = ""


@dataclass(frozen=True)
class Notation:
    """How a position is written: groups of sites with a space between them, then who moves.

    The refusals and faults are templates, with the names `text`, the text in quotes; `mover` and `other`, as `movers` writes
    them; each symbol's character, for how many of it there are; `site` and `symbol`, the name and character of the site at fault.

    Args:
        groups: the sites of each group, in the order of their characters.
        patterns: what a text must match as a whole, one after the other, and what is said of one that does not.
        faults: what is said of the faults 1, 2, … that `arrange` finds.
        movers: how the players are written; empty where positions do not say who moves.
        counts: whether a group is written as the number of its sites with symbol 1, which are its first; fault 1 is then a
            number for which a group has no room.
        any_case: whether capitals are read as small letters.
    """

    groups: tuple[tuple[int, ...], ...]
    patterns: tuple[tuple[str, str], ...]
    faults: tuple[str, ...] = ()
    movers: str = ""
    counts: bool = False
    any_case: bool = False

    def split(self, text: str) -> list[str]:
        """The parts of a position's text, one a group, and then who moves.

        Raises:
            ValueError: it does not match a pattern.
        """
        stripped = text.strip().lower() if self.any_case else text.strip()
        for pattern, refusal in self.patterns:
            if not re.fullmatch(pattern, stripped):
                raise ValueError(refusal.format_map({"text": short_repr(text)}))
        return stripped.split()


@dataclass(frozen=True)
class Wording:
    """The words beside a board, as templates.

    Args:
        ongoing: the status of an unfinished game, where `mover` is the name of who moves; one for each symbol on `site`, or
            one for all. Each symbol's character stands for how many of it there are, as in all templates of a status.
        wins: the status of a game that player 0, or player 1, has won; `winner` is the name.
        draw: the status of a drawn game.
        site: the site that tells which of `ongoing` is meant.
        places: the name of a place to click; one for each action, or one for all: `move`, `site`, the name of the place's site,
            `words` of what stands there, and `lands`, the name of the site where the move comes to lie.
        key: what follows the status in pictures of characters.
    """

    ongoing: tuple[str, ...] = ("{mover} to move",)
    wins: tuple[str, str] = ("{winner} wins", "{winner} wins")
    draw: str = "a draw"
    site: int = 0
    places: tuple[str, ...] = ("{site}, {words}",)
    key: str = ""


@dataclass(frozen=True)
class Layout:
    """A board as data. What is drawn lies in this order: `behind`, symbols, `front`, marks, frames, the status.

    Args:
        width, height: the size of the drawing, in pixels.
        sites: the cells first, in their order, then all else that can be filled or clicked.
        symbols: what can stand on a site, number 0 for nothing.
        notation: how positions are written.
        words: the words beside the board.
        clicks: the sites that one clicks for each action, in their order; none where it has no place. Of two actions neither has
            the other's sites as the first of its own. Empty for the site of each action's trace, as far as it is drawn.
        lands: whether a move comes to lie elsewhere than where one clicks: on the site of its trace.
        behind, front: SVG of all that does not change, below and above the symbols.
        marks: what the last move leaves, drawn on the sites of its trace: mark 1 first.
        is_under: whether the marks lie below the symbols.
        motion: how a page shows what changed: "turn", where a symbol that took another's place turns over; "fall", where what a
            move puts on the board comes from above it; "slide", where a move pushes all between the site where it takes something
            and the one where that enters; empty where a symbol comes from the site where it stood before, or from nowhere.
        counted: the symbols of player 0 and of player 1 whose numbers are the score; empty where nothing is counted.
        frame: SVG around a site that won.
        caption: SVG of what is said: a template with the names `status` and, where a notation counts, `count1`, `count2`, … for
            the numbers of its groups.
        panels: the parts of a wide drawing, from left to right, that a narrow page puts below one another.
    """

    width: float
    height: float
    sites: tuple[Site, ...]
    symbols: tuple[Symbol, ...]
    notation: Notation
    behind: str
    caption: str
    words: Wording = field(default_factory=Wording)
    clicks: tuple[tuple[int, ...], ...] = ()
    lands: bool = False
    front: str = ""
    marks: tuple[str, ...] = ()
    is_under: bool = False
    motion: str = ""
    counted: tuple[int, ...] = ()
    frame: str = ""
    panels: tuple[Box, ...] = ()

    # ---- notation

    def write(self, symbols: Sequence[int], mover: int) -> str:
        """The position in which these symbols stand on the sites, as text."""
        notation, chars = self.notation, self._chars
        if notation.counts:
            groups = map(str, self._count_groups(symbols))
        else:
            groups = ("".join([chars[symbols[site]] for site in group]) for group in notation.groups)
        return " ".join([*groups, *notation.movers[mover : mover + 1]])

    def read(self, text: str) -> tuple[list[int], int]:
        """The symbol of each site, and who moves, from a position's text.

        Raises:
            ValueError: it does not read so.
        """
        notation, symbols = self.notation, [0] * len(self.sites)
        parts = notation.split(text)
        for group, part in zip(notation.groups, parts, strict=False):
            if notation.counts and int(part) > len(group):
                raise ValueError(self.describe_fault(text, symbols, 0, 1, 0))
            held = [1] * int(part) if notation.counts else map(self._chars.index, part)
            for site, symbol in zip(group, held, strict=False):
                symbols[site] = symbol
        return symbols, notation.movers.index(parts[-1]) if notation.movers else 0

    def describe_fault(self, text: str, symbols: Sequence[int], mover: int, fault: int, site: int) -> str:
        """What is wrong with a position that `arrange` refuses."""
        movers = {"mover": self.notation.movers[mover : mover + 1], "other": self.notation.movers[1 - mover : 2 - mover]}
        at = {"site": self.sites[site].name, "symbol": self._chars[symbols[site]]}
        return self.notation.faults[fault - 1].format_map({**self._count(symbols), "text": short_repr(text), **movers, **at})

    @cached_property
    def _chars(self) -> list[str]:
        return [symbol.char for symbol in self.symbols]

    def _count(self, symbols: Sequence[int]) -> dict[str, int]:
        """How many of each symbol there are, by their characters."""
        return {symbol.char: symbols.count(number) for number, symbol in reversed([*enumerate(self.symbols)])}

    def _count_groups(self, symbols: Sequence[int]) -> list[int]:
        """How many sites of each group hold symbol 1."""
        return [[symbols[site] for site in group].count(1) for group in self.notation.groups]

    # ---- words

    def status(self, symbols: Sequence[int], outcome: tuple[int, int] | None, mover: int, names: Sequence[str]) -> str:
        """How a position stands, in words."""
        words = self.words
        if outcome is None:
            template = words.ongoing[symbols[words.site] if len(words.ongoing) > 1 else 0]
            return self._fill(template, symbols, mover=names[mover])
        if outcome[0] == 0:
            return self._fill(words.draw, symbols)
        winner = outcome.index(1)
        return self._fill(words.wins[winner], symbols, winner=names[winner])

    def _fill(self, template: str, symbols: Sequence[int], **more: str) -> str:
        return template.format_map({**self._count(symbols), **more})

    def places(self, symbols: Sequence[int], action: int, move: str, trace: int) -> tuple[Place, ...]:
        """Where one clicks to take an action, one place after the other; `trace` is the first site of its trace."""
        lands = self.sites[trace]
        template = self.words.places[action if len(self.words.places) > 1 else 0]
        places = list[Place]()
        for site in self.path(action, trace):
            name, box = self.sites[site]
            symbol = self.symbols[symbols[site]]
            said = template.format_map({"move": move, "site": name, "words": symbol.words, "lands": lands.name})
            places.append(Place(box, said, symbol.char == "-", lands.box if self.lands else None))
        return tuple(places)

    def contents(self, symbols: Sequence[int]) -> tuple[Content, ...]:
        """What stands on each site, in words."""
        return tuple(Content(*site, self.symbols[symbol].words) for site, symbol in zip(self.sites, symbols, strict=True))

    def path(self, action: int, trace: int) -> tuple[int, ...]:
        """The sites that one clicks for an action."""
        return self.clicks[action] if self.clicks else (trace,)

    @property
    def needs_trace(self) -> bool:
        """Whether places depend on where a move comes to lie."""
        return self.lands or not self.clicks

    # ---- drawing

    def draw(self, symbols: Sequence[int], marks: Sequence[int], won: Sequence[int], caption: str) -> str:
        """The position as an SVG document.

        Args:
            symbols, marks, won: for each site the number of its symbol, the number of its mark, and whether it won.
            caption: the status, below the board.
        """
        fallen = [self.motion == "fall" and mark > 0 for mark in marks]
        stand = [self._symbol(*at) for at in zip(range(len(symbols)), symbols, fallen, strict=True)]
        left = [self._around(site, "data-mark", str(mark), self.marks[mark - 1]) for site, mark in enumerate(marks) if mark]
        frames = [self._around(site, "data-won", "true", self.frame) for site, mark in enumerate(won) if mark]
        counts = enumerate(self._count_groups(symbols) if self.notation.counts else (), 1)
        said = self.caption.format_map({"status": escape(caption), **{f"count{group}": count for group, count in counts}})
        under, over = (left, []) if self.is_under else ([], left)
        elements = [self.behind, *under, *stand, self.front, *over, *frames, said]
        return document(self.width, self.height, "".join(elements), self.motion)

    def _symbol(self, site: int, symbol: int, has_fallen: bool) -> str:
        """A symbol on its site. Those are a few texts, again and again."""
        key = site, symbol, has_fallen
        if key not in self._symbol_drawings:
            box, (char, _, svg, _) = self.sites[site].box, self.symbols[symbol]
            more = f' data-falls="{box.y + box.height / 2:g}"' if has_fallen else ""
            self._symbol_drawings[key] = self._around(site, "data-symbol", char, svg, more) if svg else ""
        return self._symbol_drawings[key]

    @cached_property
    def _symbol_drawings(self) -> dict[tuple[int, int, bool], str]:
        return {}

    def _around(self, number: int, attribute: str, value: str, svg: str, more: str = "") -> str:
        site = self.sites[number]
        return f'<g data-site="{site.name}" {attribute}="{value}" transform="translate({site.centre})"{more}>{svg}</g>'

    # ---- for the page

    def as_json(self) -> Mapping[str, Any]:
        """The layout as JSON takes it, for boards.js."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}


def _plain(value: Any) -> Any:
    """Records as dictionaries, tuples as they are."""
    fields = getattr(value, "__dataclass_fields__", None)
    return {name: getattr(value, name) for name in fields} if fields else value
