"""Specs as text: values in quotes, and paths with `~` and commas wherever one is named; and the bounds of settings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest

import ludus
from ludus.cli.parser import parser
from ludus.core import specs
from ludus.core.bounds import Bounded, Count, Length, OneOf, Share, allowed_values
from ludus.core.numbers import MANY, Range
from ludus.oracles.statespace.table import Table

READ = [  # a spec, and its settings
    ("a:path=x", {"path": "x"}),
    ('a:path="x,y",depth=2', {"path": "x,y", "depth": "2"}),
    ('a: path = "x, y" , depth=2,', {"path": "x, y", "depth": "2"}),
    ('a:path=" x "', {"path": " x "}),
    ('a:path="say ""x"""', {"path": 'say "x"'}),
    ('a:path=it"s', {"path": 'it"s'}),
    ("a:path=it's,depth=2", {"path": "it's", "depth": "2"}),
    ("a:path=x=1", {"path": "x=1"}),
    ("a:", {}),
]


@pytest.mark.parametrize(("spec", "settings"), READ)
def test_a_value_in_quotes_may_have_commas(spec, settings):
    assert specs.parse(spec) == ("a", settings)


@pytest.mark.parametrize("spec", ['a:path="x', 'a:path="', 'a:path="x"y', 'a:path="x,y', 'a:path="""'])
def test_a_quote_that_is_not_closed_is_refused(spec):
    with pytest.raises(ValueError, match="begins with a quote; a value in quotes ends with one"):
        specs.parse(spec)


@pytest.mark.parametrize("spec", ["a:x", "a:=x", "a:path=", 'a:"x"', "a:x,y=1"])
def test_a_part_that_is_not_a_setting_is_refused(spec):
    with pytest.raises(ValueError, match="is not a setting"):
        specs.parse(spec)


@pytest.mark.parametrize("value", ["x", "x,y", '"x"', 'x"y', 'a,"b",c', " x", "x=y", '",', ",,,"])
def test_a_spec_that_is_joined_reads_as_the_same_settings(value):
    assert specs.parse(specs.join("a", {"path": value, "depth": 3})) == ("a", {"path": value, "depth": "3"})


def test_code_in_quotes_in_a_spec_is_still_code():
    assert ludus.agents.registry.POLICIES.needs('minimax:evaluation="kalah:seeds"') == {"kalah:seeds": "kalah"}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with a table of Nim in a folder whose name has a comma, and an empty current folder."""
    (tmp_path / "home" / "a,b").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    game = ludus.make_game("nim:heaps=1+2")
    Table(game, game.start[None], np.array([0], np.int16)).write("~/a,b/t.npz")
    yield tmp_path / "home"
    assert not Path("~").exists()


def test_a_path_with_a_comma_is_written_in_quotes(home):
    policy = ludus.make_policy('table:path="~/a,b/t.npz"', "nim:heaps=1+2")
    assert policy.spec == 'table:path="~/a,b/t.npz"'
    assert ludus.make_policy(policy.spec, "nim:heaps=1+2") == policy


@pytest.mark.parametrize("option", ["store", "report", "best_response", "file", "folder"])
def test_an_option_that_is_a_path_takes_home(option, home):
    commands = {"file": "replay ~/x", "folder": "train qlearning nim --run=~/x", "best_response": "grade nim --best-response ~/x"}
    words = commands.get(option, f"arena nim --{option} ~/x").split()
    assert getattr(parser(words).parse_args(words), option) == home / "x"


# ---- bounds that fields declare: what they let through, and what they say of the rest


@dataclass(frozen=True)
class Sketch(Bounded):
    size: Annotated[int, OneOf(4, 6, 8)] = 8
    word: Annotated[str, OneOf("left", "right")] = "left"
    games: Count = 1
    part: Annotated[int, Range(1, 64)] | None = None
    share: Share = 0.5
    scale: Annotated[float, Range(above=0)] = 1.0
    cold: Annotated[float, Range(above=0, below=1)] = 0.5
    layers: Annotated[tuple[Annotated[int, Range(1, 512)], ...], Length(1, 3)] = (64,)
    quick: bool = False
    free: object = None


BOUNDS = {
    "size": ("4, 6 or 8", (4, 6, np.int64(8)), (5, 8.0, True, "8", None)),
    "word": ("left or right", ("left", "right"), ("up", "", 1, None)),
    "games": ("a whole number, 1 or more", (1, MANY, np.uint8(1)), (0, -1, 1.0, True, math.nan, MANY + 1, None, "1")),
    "part": ("a whole number from 1 to 64, or none", (None, 1, 64), (0, 65, 1.5, "none")),
    "share": ("from 0 to 1", (0, 1, 0.3, np.float32(0.5)), (-0.1, 1.1, math.nan, True, "0.5", 1j)),
    "scale": ("more than 0", (1e-300, MANY), (0, -1.0, math.inf, math.nan)),
    "cold": ("more than 0 and less than 1", (1e-9, 1 - 1e-9), (0, 1, 2)),
    "layers": ("1 to 3 whole numbers, each from 1 to 512", ((512, 1, 7),), ((), (1, 2, 3, 4), (0,), (513,), (1, 2.0), [1], None)),
    "quick": ("true or false", (True, np.False_), (1, "yes", None)),
}
"""Of each field: its bounds in words, values that it takes, and values that it refuses."""


def test_fields_with_bounds_list_them_in_words():
    assert allowed_values(Sketch) | {"quick": "true or false"} == {name: words for name, (words, *_) in BOUNDS.items()}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (_, good, _) in BOUNDS.items() for value in good])
def test_a_value_within_its_bounds_is_taken_as_it_is(name, value):
    assert getattr(Sketch(**{name: value}), name) is value


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (*_, bad) in BOUNDS.items() for value in bad])
def test_a_value_out_of_its_bounds_is_refused_with_what_is_allowed(name, value):
    with pytest.raises(ValueError, match=rf"^{name} is .*; it must be ") as error:
        Sketch(**{name: value})
    assert BOUNDS[name][0] in str(error.value) or f"to {MANY:,}" in str(error.value)


def test_names_that_only_type_checkers_import_do_not_stop_a_dataclass():
    @dataclass(frozen=True)
    class Local(Bounded):
        net: Unheard | None = None  # noqa: F821  # pyright: ignore[reportUndefinedVariable, reportUnknownVariableType]

    assert Local().net is None  # pyright: ignore[reportUnknownMemberType]
