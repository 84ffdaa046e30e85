"""Facts about how a position is written, read and drawn.

Each check is a function over a `Position`; the first line of its docstring is the fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from xml.etree import ElementTree

import numpy as np

from ...core.plugins.loading import missing_library
from ...games.board_game import BoardGame
from ...games.drawing.clicks import Clicks
from ...games.drawing.raster import png
from ...games.game import StateArray
from ...games.kernels.rules import ONGOING
from ...games.linking import rules_of
from .finding import Wrong, facts_of
from .positions import Check, Position

SLIPS = ("", " ", "?", "²", "-1", "X", "a1 a1", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0")
"""Texts that are hardly a position of any game."""


def a_layout_names_its_sites_and_fits_the_actions(at: Position) -> Iterator[Wrong]:
    """A board as data names each site once, and has clicks and words for every action and a status for every symbol."""
    if not isinstance(at.game, BoardGame) or not np.array_equal(at.state, at.game.start):
        return
    layout, actions = at.game.layout, at.game.num_actions
    names = [site.name for site in layout.sites]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        yield Wrong("layout", f"two of its sites are named {twice[0]!r}")
    lengths = {
        "clicks": (len(layout.clicks), (0, actions)),
        "words.places": (len(layout.words.places), (1, actions)),
        "words.ongoing": (len(layout.words.ongoing), (1, len(layout.symbols))),
    }
    for field, (length, allowed) in lengths.items():
        if length not in allowed:
            yield Wrong("layout", f"{field} has {length} entries, not {allowed[0]} or {allowed[1]}")


def a_layout_has_what_stands_on_its_sites(at: Position) -> Iterator[Wrong]:
    """A board as data has every site that `contents`, `trace` and `winning` fill, every symbol and every mark."""
    if not isinstance(at.game, BoardGame):
        return
    layout = at.game.layout
    asked: list[tuple[str, Position, int | None, int]] = [("contents", at, None, len(layout.symbols) - 1)]
    asked += [("trace", at.after(action), action, len(layout.marks)) for action in at.some_actions[-1:]]
    if at.outcome != ONGOING:
        asked.append(("winning", at, None, 1))
    for name, where, action, most in asked:
        sites, given = np.zeros(len(layout.sites), np.int8), () if action is None else (action,)
        try:
            with np.errstate(over="ignore"):
                rules_of(type(at.game))[name](tuple(map(np.uint64, where.state)), *given, sites)
        except (IndexError, OverflowError) as error:
            yield Wrong(name, f"it fills a site that the layout lacks, or with what is no small number: {error}", action)
            continue
        if wrong := [number for number in sites.tolist() if not 0 <= number <= most]:
            yield Wrong(name, f"it writes {wrong[0]}; in the layout they are numbered from 0 to {most}", action)


def text_is_one_line(at: Position) -> Iterator[Wrong]:
    """A position's text is one line, not empty."""
    text = at.game.text(at.state)
    if not isinstance(text, str) or not text.strip() or len(text.splitlines()) != 1:
        yield Wrong("text", f"it is {text!r}")


def the_start_is_a_position(at: Position) -> Iterator[Wrong]:
    """The start written as text is accepted by `parse`."""
    if np.array_equal(at.state, at.game.start) and (refusal := _refusal(at)):
        yield Wrong("start_words" if _can_be_read_nearby(at) else "text", refusal)


def legal_actions_lead_to_positions(at: Position) -> Iterator[Wrong]:
    """The position after a legal action, written as text, is accepted by `parse`."""
    refusals = {action: _refusal(at.after(action)) for action in at.some_actions}
    for action, refusal in refusals.items():
        if refusal:
            others = not all(refusals.values())
            function = "legal" if others else "play" if _can_be_read_nearby(at.after(action)) else "text"
            yield Wrong(function, f"{refusal}; either legal or play is wrong there, or text or parse", action)
            return


def _refusal(at: Position) -> str:
    """What `parse` says against a position's text; empty where it accepts it."""
    text = at.game.text(at.state)
    try:
        at.game.parse(text)
    except ValueError as error:
        return f"parse refuses {text!r}, which text writes: {error}"
    return ""


def _can_be_read_nearby(at: Position) -> bool:
    """Whether some state that differs in one bit is read as it is written, so that text and parse are probably right."""
    for state in at.neighbours():
        with suppress(Exception):  # of a state that the game never sees
            if np.array_equal(at.game.parse(at.game.text(state)), state):
                return True
    return False


def a_position_written_and_read_is_the_same(at: Position) -> Iterator[Wrong]:
    """A position written as text and read again is the same."""
    if _refusal(at):
        return  # another check's finding
    text = at.game.text(at.state)
    again = at.game.text(at.game.parse(text))
    if again != text:
        yield Wrong("parse", f"{text!r} is read as {again!r}")
        return
    try:
        same = np.array_equal(at.game.position(at.state), at.state)
    except ValueError:
        same = False
    if not same:
        yield Wrong("text", f"{text!r} is read as another state, which has the same text: text leaves something out")


def text_is_read_as_it_stands_or_refused(at: Position) -> Iterator[Wrong]:
    """Any text is read as it stands, or refused with a ValueError."""
    text, random = at.game.text(at.state), np.random.default_rng(at.seed)
    index = int(random.integers(len(text)))
    slips = [text[:index] + mark + text[index + 1 :] for mark in ("", "-", "9", "X", "?", " ")]
    for wrong in (*SLIPS, *slips, f"{text} 1", text.rpartition(" ")[0]):
        try:
            state = at.game.parse(wrong)
        except ValueError:
            continue
        except Exception as error:
            yield Wrong("parse", f"{wrong!r} raises {type(error).__name__}: {error}")
            return
        try:
            read = at.game.text(state)
        except Exception as error:
            yield Wrong("parse", f"{wrong!r} is accepted, and text fails for it with {type(error).__name__}: {error}")
            return
        if _parts(read) != _parts(wrong):
            yield Wrong("parse", f"{wrong!r} is read as {read!r}")
            return


def _parts(text: str) -> list[str | int]:
    """A text by its words, with numbers as numbers."""
    return [int(word) if word.isdecimal() else word for word in text.split()]


def pictures_are_text(at: Position) -> Iterator[Wrong]:
    """A picture is text, with any legal action marked or none."""
    for state, action in _positions_to_draw(at):
        picture = at.game.picture(state, action)
        if not isinstance(picture, str) or not picture.strip():
            yield Wrong("picture", f"it is {picture!r}", action)


def svg_is_well_formed(at: Position) -> Iterator[Wrong]:
    """A drawing is a well-formed SVG document, with any legal action marked or none."""
    for state, action in _positions_to_draw(at):
        svg = at.game.svg(state, action)
        try:
            root = ElementTree.fromstring(svg)
        except (ElementTree.ParseError, TypeError) as error:
            yield Wrong("svg", f"it is not well-formed: {error}", action)
            return
        if root.tag != "{http://www.w3.org/2000/svg}svg":
            yield Wrong("svg", f"its element is {root.tag!r}, not svg in SVG's namespace", action)


def drawings_become_pixels(at: Position) -> Iterator[Wrong]:
    """A drawing can be made into pixels, if what makes them is installed."""
    if (at.outcome == ONGOING and not np.array_equal(at.state, at.game.start)) or missing_library("render"):
        return  # the first and the last position do, since pixels take long
    try:
        image = png(at.game.svg(at.state))
    except Exception as error:
        yield Wrong("svg", f"resvg refuses it: {error}")
        return
    if not image.startswith(b"\x89PNG"):
        yield Wrong("svg", "resvg makes no PNG of it")


def clicks_tell_actions_apart(at: Position) -> Iterator[Wrong]:
    """Clicking an action's places on the drawing, in their order, takes that action; actions without any are typed."""
    paths = {action: at.game.clicks(at.state, action) for action in at.legal}
    for action, path in paths.items():
        clicks, taken = Clicks({other: places for other, places in paths.items() if places}), None
        for box in path:
            if taken is not None:
                break
            taken = clicks.click(box.x + box.width / 2, box.y + box.height / 2)
        if path and (taken != action or clicks.done != path):
            meaning = "none" if taken is None else f"action {taken}"
            yield Wrong("clicks", f"clicking the middles of {[tuple(box) for box in path]} takes {meaning}", action)
            return


def places_are_clicked_and_named(at: Position) -> Iterator[Wrong]:
    """`places` gives the boxes of `clicks`, each with a name."""
    for action in at.legal:
        places = at.game.places(at.state, action)
        if tuple(place.box for place in places) != at.game.clicks(at.state, action) or not all(place.name for place in places):
            yield Wrong("places", f"it gives {[tuple(place) for place in places]}", action)
            return


def _positions_to_draw(at: Position) -> list[tuple[StateArray, int | None]]:
    """The position by itself, and positions after an action, with the action."""
    return [(at.state, None), *((at.after(action).state, action) for action in at.some_actions[-2:])]


NOTATION: tuple[Check, ...] = facts_of(globals())
"""The facts about writing, reading and drawing."""
