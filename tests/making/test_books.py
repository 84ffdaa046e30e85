"""The tool that makes the books of oracles puts the whole book where the oracle reads it."""

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


def test_the_tool_ships_the_whole_book(folder, monkeypatch, capsys):
    build = ConnectFourBook.build
    monkeypatch.setattr(ConnectFourBook, "build", lambda game, watch: build(game, None, watch, table_bits=12))
    tool.main()
    layer = next(layer for discs, layer in enumerate(ConnectFourBook.layers(SMALL)) if discs == 6)
    assert f"{len(layer):,} of {len(layer):,} positions are known" in capsys.readouterr().out
    assert (folder / "shipped.book").exists()
    assert ConnectFourBook.of(SMALL).placed == 6
