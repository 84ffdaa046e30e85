"""The pages in docs/ are up to date, their statements about games are true, and their links work."""

import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Any

import gymnasium
import pettingzoo
import pytest

from ludus.envs import Game, game_names, make_game

from ..helpers.system.processes import ROOT

DOCS = ROOT / "docs"
SECTIONS = [
    *("Observation", "Action mask", "Actions", "Rewards", "Positions as text", "State"),
    *("Known results", "In other libraries", "Version history"),
]
MEASURED = {"policies": "How strong the policies are"}
"""The sections after these, by the study that has their table."""
WORDS = {"heap-take", "10 lTrH", "give a", "d6"}  # no move's own name
every_game = pytest.mark.parametrize("name", game_names())


class Page:
    """A game's page: its heading, its table, its sections."""

    def __init__(self, name: str) -> None:
        text = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
        self.top, *sections = re.split(r"^### ", text, flags=re.MULTILINE)
        self.sections = {heading: body for heading, _, body in (section.partition("\n") for section in sections)}
        self.table = dict(re.findall(r"^\| (\w+) \| (.*) \|$", self.top, re.MULTILINE))


def coded(text: str) -> list[str]:
    """The texts in backticks."""
    return re.findall(r"`([^`]+)`", text)


def variants(name: str) -> list[Game]:
    return [make_game(spec) for spec in type(make_game(name)).variants]


@pytest.fixture(scope="module")
def building() -> Iterator[dict[str, Any]]:
    """The definitions of docs/build.py."""
    before = [*sys.path]
    sys.path.insert(0, str(DOCS))
    yield runpy.run_path(str(DOCS / "build.py"))
    sys.path[:] = before


def test_the_pictures_are_those_of_the_games(tmp_path: Path, building: dict[str, Any]):
    building["build"](tmp_path)
    built = {file.relative_to(tmp_path): file.read_text(encoding="utf-8") for file in tmp_path.rglob("*.svg")}
    images = DOCS / "images"
    standing = [*images.glob("*.svg"), *(file for folder in ("games", "planes") for file in (images / folder).iterdir())]
    assert {file.relative_to(images): file.read_text(encoding="utf-8") for file in standing} == built


def test_the_figures_on_the_pages_are_what_the_results_give(building: dict[str, Any]):
    found = building["figures"]()
    for page in building["pages"]():
        text = page.read_text(encoding="utf-8")
        assert text == building["filled"](text, found), f"{page.name} shows other figures than were measured; run `make docs`"


@every_game
def test_a_page_has_its_parts_in_their_order(name: str, building: dict[str, Any]):
    page, game = Page(name), make_game(name)
    assert page.top.startswith(f"# {game.title}\n\n![{game.title}: a game between two policies](../images/games/{name}.svg)\n")
    assert list(page.table) == ["PettingZoo", "Gymnasium", "Agents", "Actions", "Observation", "Settings"]
    figures = building["figures"]()
    assert list(page.sections) == [*SECTIONS, *(title for study, title in MEASURED.items() if f"{study}.{name}" in figures)]
    listed = re.findall(r"^\* v(\d+): ", page.sections["Version history"], re.MULTILINE)
    assert int(listed[0]) == game.version


@every_game
def test_the_calls_settings_and_agents_on_a_page_are_those_of_the_game(name: str):
    table, settings = Page(name).table, [field.name for field in fields(make_game(name))]
    calls = coded(table["PettingZoo"]) + coded(table["Gymnasium"])
    scope = {"pettingzoo": pettingzoo, "gym": gymnasium}
    assert [eval(call, scope).unwrapped.game for call in calls] == [make_game(name)] * 3
    assert coded(table["Agents"])[:2] == ["player_0", "player_1"]
    assert re.findall(r"`(\w+)`:", table["Settings"]) == settings
    assert settings or table["Settings"] == "none"


@every_game
def test_the_planes_shapes_and_numbers_of_actions_on_a_page_are_those_of_the_game(name: str):
    page = Page(name)
    rows = re.findall(r"^\| (\d+)(?: to (\d+))? \| ", page.sections["Observation"], re.MULTILINE)
    numbers = chain.from_iterable(range(int(first), int(last or first) + 1) for first, last in rows)
    assert list(numbers) == list(range(len(make_game(name).planes)))
    (observed,) = coded(page.table["Observation"])[:1]
    shapes = [text.replace("²", "**2").replace("largest heap", "largest_heap") for text in re.findall(r"\([^()]+\)", observed)]
    stated = set(map(int, re.findall(r"\d+", page.table["Actions"])))
    for game in variants(name):
        height, width = game.board
        known = {"heaps": height, "largest_heap": width, "size": height, "rows": height, "columns": width}
        known["actions"] = game.num_actions
        assert [eval(shape, known) for shape in shapes] == [game.shape, (game.num_actions,)], game.spec
        assert game.num_actions in stated or (name == "nim" and game != make_game(name))


@every_game
def test_the_moves_and_positions_on_a_page_are_those_of_the_game(name: str):
    sections = Page(name).sections
    assert set(coded(sections["Actions"])) - WORDS <= set(make_game(name).moves)
    examples = [text for text in coded(sections["Positions as text"]) if " " in text]
    assert examples
    for text in examples:
        assert any(reads(game, text) for game in variants(name)), text


def reads(game: Game, text: str) -> bool:
    """Whether the text is a position of this variant, and is written in the same way."""
    try:
        return game.text(game.parse(text)) == text
    except ValueError:
        return False


def test_the_sources_of_the_site_come_together_with_every_public_name_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(DOCS / "website")
    runpy.run_path(str(DOCS / "website" / "assembling.py"))["assemble"](tmp_path)  # refuses links and names that lead nowhere
    home = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert {"games/quarto", "reference/index", "tutorials/measure", "changelog", "trouble"} <= {*home.split("\n")}
    assert "autofunction:: ludus.arena.tournament" in (tmp_path / "reference" / "ludus.arena.md").read_text(encoding="utf-8")
    assert "def centre_first" in (tmp_path / "sources" / "examples" / "rate_your_function.py.md").read_text(encoding="utf-8")


def test_the_licences_of_all_dependencies_are_on_their_page():
    made = runpy.run_path(str(DOCS / "licences.py"))
    text = (DOCS / "licences.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([\w.-]+) \| (.*?) \| ", text, re.MULTILINE))
    needed: dict[str, list[str]] = {}
    for name, group in made["requirements"]():
        needed.setdefault(name, []).append(group)
    assert {"numpy", "torch", "openai", "pgx"} <= {*needed}
    assert {name: groups.split(", ") for name, groups in rows.items() if name != "package"} == needed
