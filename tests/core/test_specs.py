"""Specs as text: values in quotes, and paths with `~` and commas wherever one is named."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.cli.parser import parser
from ludus.core import specs
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
    ('a:path="x=1,y=2"', {"path": "x=1,y=2"}),
    ("a:", {}),
    ("a:,,", {}),
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
