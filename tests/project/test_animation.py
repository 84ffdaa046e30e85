"""A game as an SVG file that moves."""

import runpy
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import ludus

from ..helpers.system.processes import ROOT

animation = runpy.run_path(str(ROOT / "docs" / "animation.py"))["animation"]
SVG = "{http://www.w3.org/2000/svg}"


def drawings(spec: str, moves: str) -> list[str]:
    """The positions of a game, drawn."""
    game = ludus.make_game(spec)
    state, drawn = game.start, [game.svg(game.start)]
    for move in moves.split(", "):
        state = game.play(state, action := game.action(move))
        drawn.append(game.svg(state, action))
    return drawn


def shapes(element: ElementTree.Element, named: dict[str, ElementTree.Element]) -> Iterator[tuple[Any, ...]]:
    """All that is drawn, in its order: tag, attributes without the id, text, and what is inside."""
    for part in element:
        drawn = named[part.get("href", "")[1:]] if part.tag == f"{SVG}use" else part
        yield drawn.tag, {name: value for name, value in drawn.attrib.items() if name != "id"}, drawn.text, [*shapes(drawn, named)]


def test_each_frame_of_an_animation_draws_what_its_picture_does_in_the_same_order():
    for spec, moves in {
        "quarto": "give 3, a1, give 5, b2",
        "othello": "d3, c3, c4, e3",
        "nim": "4-4, 3-1",
        "connect_four": "d, d, c",
    }.items():
        drawn = drawings(spec, moves)
        whole = ElementTree.fromstring(animation(drawn))
        named = {element.get("id", ""): element for element in whole.iter() if element.get("id")}
        found = [[*shapes(part, named)] for part in whole if part.get("class") == "f"]
        assert found == [[*shapes(ElementTree.fromstring(drawing), {})] for drawing in drawn], spec
