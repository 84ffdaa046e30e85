"""The oracle of Quarto: its values against brute force, its forms of symmetric positions against counts, and its book."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ludus
from ludus.oracles import UNKNOWN, Solution
from ludus.oracles.book import forget_books
from ludus.oracles.files import write_arrays
from ludus.oracles.quarto import QuartoOracle
from ludus.oracles.quarto.book import QuartoBook
from ludus.oracles.quarto.symmetry import canonical
from ludus.search.watch import Watch

from ..helpers.agents.searched import endings, wins
from ..naive.search import solved, solved_after

VARIANTS = ["quarto", "quarto:squares=true"]
every_variant = pytest.mark.parametrize("game", [ludus.make_game(spec) for spec in VARIANTS], ids=VARIANTS)
PLAIN = ludus.make_game("quarto")
PLACES, GIVES = range(16), range(16, 32)


def without_book(oracle):
    """The oracle, as if it had no book."""
    oracle.__dict__["book"] = QuartoBook(oracle.game, -1)
    return oracle


def after_each(game, states, actions):
    """All positions after one of some actions, whether a game is over or not."""
    return np.concatenate([game.plays(able := states[~taken(states, a)], np.full(len(able), a)) for a in actions])


def taken(states, bit):
    return (states[:, 1] >> np.uint64(bit) & np.uint64(1)).astype(bool)


def random_position(game, placed, rng, in_hand=True):
    """An unfinished position with so many pieces on random cells."""
    while True:
        pieces, cells = rng.permutation(16), rng.permutation(16)
        digits = ["-"] * 16
        for piece, cell in zip(pieces[:placed], cells, strict=False):
            digits[cell] = f"{piece:x}"
        try:
            state = game.parse(f"{''.join(digits)} {pieces[placed]:x}")
        except ValueError:  # there is a line
            continue
        return state if in_hand else game.parse(f"{''.join(digits)} -")


# ---- values and best actions


@every_variant
def test_values_and_best_actions_are_those_of_full_minimax(game):
    oracle, known, seen = QuartoOracle(game), {}, set()
    for state in [state for state in endings(game, 150, 5) if not wins(game, state)]:  # which would be found at once
        value = solved(game, state, known)
        best = tuple(action for action in game.legal_actions(state) if solved_after(game, state, action, known) == value)
        assert oracle.solve(state) == Solution(value, best)
        assert oracle.value(state) == oracle.value_and_action(state)[0] == value
        assert oracle.value_and_action(state)[1] in best
        assert oracle.choose(state, 12345) in best
        seen.add(value)
    assert seen == {1, 0, -1}


def test_what_the_search_remembers_changes_no_answer():
    rng = np.random.default_rng(5)
    states = [random_position(PLAIN, placed, rng, in_hand) for placed in (5, 6, 7) for in_hand in (True, False) for _ in range(4)]
    oracle = QuartoOracle(PLAIN, table_bits=6)
    assert [oracle.solve(state) for state in states] == [QuartoOracle(PLAIN).solve(state) for state in states]
    assert [oracle.value(state) for state in reversed(states)] == [QuartoOracle(PLAIN).value(state) for state in reversed(states)]


def test_threads_may_ask_at_the_same_time():
    rng = np.random.default_rng(6)
    oracle, states = QuartoOracle(PLAIN), [random_position(PLAIN, 6, rng) for _ in range(24)]
    with ThreadPoolExecutor(4) as team:
        assert list(team.map(oracle.solve, states)) == [QuartoOracle(PLAIN).solve(state) for state in states]


# ---- symmetry


def classes(game, states):
    return np.unique(canonical(game, states), axis=0)


# Numbers of positions up to symmetry: facts of the game, computed independently of this code.
BOARDS, WITH_PIECE = [1, 2, 40, 454], [1, 8, 148, 3382, 91746]


@pytest.mark.parametrize(
    ("layer", "known", "between"),
    [(PLAIN.start[None], BOARDS, (GIVES, PLACES)), (PLAIN.play(PLAIN.start, 16)[None], WITH_PIECE, (PLACES, GIVES))],
    ids=["boards", "with a piece in hand"],
)
def test_positions_up_to_symmetry_are_as_many_as_are_known(layer, known, between):
    for count in known:
        layer = classes(PLAIN, layer)
        assert len(layer) == count
        for actions in between:
            layer = after_each(PLAIN, layer, actions)


@every_variant
def test_all_images_of_a_position_have_one_form_which_is_one_of_them(game):
    rng, count = np.random.default_rng(8), len(game.symmetries.cells)
    assert count == (3072 if game.squares else 12288)
    for placed in (0, 1, 3, 4, 7, 11):
        for in_hand in (True, False):
            state = random_position(game, placed, rng, in_hand)
            images = game.permuted(np.repeat(state[None], count, axis=0), np.arange(count))
            forms = np.unique(canonical(game, images), axis=0)
            assert len(forms) == 1
            assert (images == forms[0]).all(axis=1).any()


# ---- reach, limits, settings


@every_variant
def test_what_is_reached_is_solved_and_what_is_not_is_unknown(game):
    oracle = without_book(QuartoOracle(game, placed=9))
    rng = np.random.default_rng(9)
    for placed in (0, 3, 8, 9, 12):
        state = random_position(game, placed, rng)
        assert oracle.reaches(state) == (placed >= 9)
        if placed < 9:
            assert oracle.solve(state) == UNKNOWN
            assert oracle.value(state) is oracle.choose(state, 1) is None
            assert oracle.value_and_action(state) is None
    assert oracle.reaches(game.parse("0123------------ -"))
    assert oracle.solve(game.parse("0123------------ -")) == Solution(1)
    beyond = random_position(game, 7, rng)
    assert oracle.solve(beyond, Watch()) == QuartoOracle(game).solve(beyond)


# ---- the book


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
    first = {action: -oracle.book.value(PLAIN.play(given, action)) for action in PLAIN.legal_actions(given)}
    best = tuple(action for action, value in first.items() if value == max(first.values()))
    assert oracle.solve(given) == Solution(max(first.values()), best)


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
