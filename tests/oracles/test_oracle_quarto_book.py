"""The oracle's book of Quarto: made in parts, read whole or not at all, and in accord with the search."""

import numpy as np
import pytest

import ludus
from ludus.oracles import Solution
from ludus.oracles.book import forget_books
from ludus.oracles.files import read_arrays, write_arrays
from ludus.oracles.quarto import QuartoOracle
from ludus.oracles.quarto.book import QuartoBook
from ludus.search.watch import DONE, TOTAL, Watch

from ..helpers.agents.quarto import GIVES, PLACES, PLAIN, VARIANTS, after_each, every_variant, without_book


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache folder of its own, and no book but what is made there."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    monkeypatch.setattr(QuartoBook, "path", lambda game: tmp_path / "tables" / "made.book")
    forget_books()
    yield tmp_path
    forget_books()


def layer(game, placed):
    return next(layer for k, layer in enumerate(QuartoBook.layers(game)) if k == placed)


def test_a_book_is_made_in_parts_and_goes_on_where_it_was_left(cache):
    values = np.random.default_rng(13).integers(-1, 2, len(layer(PLAIN, 4))).astype(np.int8)
    missing = np.random.default_rng(14).choice(len(values), 40, replace=False)
    values[missing] = QuartoBook.unknown
    path = QuartoBook.progress_path(PLAIN, 4)
    write_arrays(path, values=values)
    watch = Watch(nodes=4_000_000)
    assert QuartoBook.build(PLAIN, 4, watch, table_bits=16) is None
    assert len(values) - 40 < watch.words[DONE] < len(values) == watch.words[TOTAL]
    again = Watch()
    assert QuartoBook.build(PLAIN, 4, again, table_bits=16) is not None
    assert again.words[DONE] == len(values)
    made = read_arrays(path, "")["values"]
    assert np.array_equal(np.delete(made, missing), np.delete(values, missing))
    states = layer(PLAIN, 4)[missing]
    assert made[missing].tolist() == [QuartoOracle(PLAIN).value(state) for state in states]


@every_variant
def test_the_upper_layers_of_a_book_follow_from_the_lowest(game, cache):
    states, rng = layer(game, 2), np.random.default_rng(15)
    values = rng.choice(np.array([-1, 0, 1], np.int8), len(states), p=[0.1, 0.1, 0.8])
    write_arrays(QuartoBook.progress_path(game, 2), values=values)
    made = QuartoBook.build(game, 2)
    assert made.placed == 2
    assert [made.value(state) for state in states] == values.tolist()
    for above in (layer(game, 1), layer(game, 0)):
        for state in above:
            replies = after_each(game, after_each(game, state[None], PLACES), GIVES)
            assert made.value(state) == max(-made.value(reply) for reply in replies)


def test_the_oracle_knows_what_is_in_its_book(cache):
    states, rng = layer(PLAIN, 2), np.random.default_rng(16)
    values = rng.choice(np.array([-1, 0, 1], np.int8), len(states), p=[0.1, 0.1, 0.8])
    write_arrays(QuartoBook.progress_path(PLAIN, 2), values=values)
    assert not QuartoOracle(PLAIN).reaches(PLAIN.start)
    QuartoBook.build(PLAIN, 2)
    oracle = QuartoOracle(PLAIN)
    assert QuartoBook.of(PLAIN).placed == 2
    for state, value in zip(states[::10], values[::10], strict=True):
        image = PLAIN.permuted(state[None], rng.integers(12288, size=1))[0]
        assert oracle.reaches(image)
        assert oracle.value(image) == value
    given = PLAIN.play(PLAIN.play(PLAIN.start, 16), 0)
    first = [oracle.book.value(PLAIN.play(given, action)) for action in PLAIN.legal_actions(given)]
    solution = oracle.solve(given)
    assert solution.value == max(-value for value in first)
    assert solution.best == tuple(a for a, v in zip(PLAIN.legal_actions(given), first, strict=True) if -v == solution.value)
    assert oracle.solve(PLAIN.start).value == -oracle.book.value(PLAIN.play(PLAIN.start, 16))
    assert len(oracle.solve(PLAIN.start).best) == 16


shipped = {spec: QuartoBook.of(game) for spec in VARIANTS if (game := ludus.make_game(spec))}


@pytest.mark.parametrize("spec", [spec for spec in VARIANTS if shipped[spec].placed >= 0])
def test_the_book_that_comes_with_ludus_says_what_the_search_finds(spec):
    made, game = shipped[spec], ludus.make_game(spec)
    oracle, rng = without_book(QuartoOracle(game)), np.random.default_rng(17)
    for k, states in zip(range(made.placed + 1), QuartoBook.layers(game), strict=False):
        for state in states[rng.integers(len(states), size=12 if k == 4 else 2 if k == 3 else 0)]:
            assert made.value(state) == oracle.value(state)


# L. Goossens, "Quarto", 1998: the game is a draw.
@pytest.mark.skipif(shipped["quarto"].placed < 0, reason="no book is shipped")
def test_the_empty_board_is_a_draw():
    oracle = QuartoOracle(PLAIN)
    assert oracle.reaches(PLAIN.start)
    assert oracle.solve(PLAIN.start) == Solution(0, tuple(range(16, 32)))
