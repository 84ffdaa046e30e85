"""The tool that makes the book of Connect Four: goes on where it was stopped, and puts the whole book where the oracle reads it."""

import sys

import numpy as np
import pytest

import ludus
from benchmarks.making import connect_four_book as tool
from ludus.oracles.connect_four import book

SMALL = ludus.make_game("connect_four:rows=4,columns=4")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A small board, a cache and a package of its own."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tool, "ConnectFour", lambda: SMALL)
    monkeypatch.setattr(tool, "DEPTH", 6)
    monkeypatch.setattr(tool, "path_in_package", lambda game: tmp_path / "shipped.book")
    monkeypatch.setattr(sys, "argv", ["connect_four_book"])
    book.book_of.cache_clear()
    yield tmp_path
    book.book_of.cache_clear()


def test_the_tool_goes_on_from_what_is_known_and_ships_the_whole_book(folder, monkeypatch, capsys):
    build = tool.build_book
    monkeypatch.setattr(tool, "build_book", lambda game, discs, watch: build(game, discs, limited(watch), table_bits=12))
    tool.main()
    some = int(capsys.readouterr().out.split()[0].replace(",", ""))
    layer = next(layer for discs, layer in enumerate(book.layers_of(SMALL)) if discs == 6)
    assert 0 < some < len(layer)
    assert not (folder / "shipped.book").exists()
    monkeypatch.setattr(tool, "build_book", lambda game, discs, watch: build(game, discs, watch, table_bits=12))
    tool.main()
    assert f"{len(layer):,} of {len(layer):,} positions are known" in capsys.readouterr().out
    shipped = book.read_book(SMALL, folder / "shipped.book")
    assert shipped.discs == 6
    assert np.array_equal(shipped.states, book.book_of(SMALL).states)


def limited(watch):
    """The watch with a limit of nodes."""
    watch.words[1] = 3_000
    return watch
