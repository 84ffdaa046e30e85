"""The tool that makes the books of oracles: goes on where it was stopped, and puts the whole book where the oracle reads it."""

import sys

import pytest

import ludus
from benchmarks.making import books as tool
from ludus.oracles.book import forget_books
from ludus.oracles.connect_four.book import ConnectFourBook

SMALL = ludus.make_game("connect_four:rows=4,columns=4")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A small board, a cache and a package of its own."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(ConnectFourBook, "usual", 6)
    monkeypatch.setattr(ConnectFourBook, "path", lambda game: tmp_path / "shipped.book")
    monkeypatch.setattr(sys, "argv", ["books", SMALL.spec])
    forget_books()
    yield tmp_path
    forget_books()


def test_the_tool_goes_on_from_what_is_known_and_ships_the_whole_book(folder, monkeypatch, capsys):
    build = ConnectFourBook.build
    monkeypatch.setattr(ConnectFourBook, "build", lambda game, watch: build(game, None, limited(watch), table_bits=12))
    tool.main()
    some = int(capsys.readouterr().out.split()[0].replace(",", ""))
    layer = next(layer for discs, layer in enumerate(ConnectFourBook.layers(SMALL)) if discs == 6)
    assert 0 < some < len(layer)
    assert not (folder / "shipped.book").exists()
    monkeypatch.setattr(ConnectFourBook, "build", lambda game, watch: build(game, None, watch, table_bits=12))
    tool.main()
    assert f"{len(layer):,} of {len(layer):,} positions are known" in capsys.readouterr().out
    assert (folder / "shipped.book").exists()
    assert ConnectFourBook.of(SMALL).placed == 6


def limited(watch):
    """The watch with a limit of nodes."""
    watch.words[1] = 3_000
    return watch
