"""The oracle of Quarto: its values against brute force, and its forms of symmetric positions against counts."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ludus.oracles import UNKNOWN, Solution
from ludus.oracles.quarto import QuartoOracle
from ludus.oracles.quarto.symmetry import canonical
from ludus.search.watch import Watch

from ..helpers.agents.quarto import GIVES, PLACES, PLAIN, after_each, every_variant, without_book
from ..naive import quarto as naive


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


def wary_position(node, empty, in_hand, rng):
    """A position of the naive game after random moves, those that lose at once avoided; or one where the game is over."""
    while not node.outcome() and (16 - len(node.board) > empty or bool(node.hand) != in_hand):
        moves = node.legal()
        rng.shuffle(moves)
        node = next((after for move in moves if not loses_at_once(after := node.play(move))), node.play(moves[0]))
    return node


def loses_at_once(node):
    return bool(node.outcome()) or (bool(node.hand) and len(node.board) < 15 and any(node.play(m).outcome() for m in node.legal()))


def value_of(node, known):
    """The value for the player to move, by full minimax."""
    key = frozenset(node.board.items()), node.hand
    if key not in known:
        outcome = node.outcome()
        known[key] = outcome[node.player] if outcome else max(after for _, after in values_after(node, known))
    return known[key]


def values_after(node, known):
    """Each move, and the value of what it leads to for the player who makes it."""
    after = [(move, node.play(move)) for move in node.legal()]
    return [(move, value_of(n, known) * (1 if n.player == node.player else -1)) for move, n in after]


# ---- values and best actions


@every_variant
@pytest.mark.parametrize("in_hand", [True, False])
def test_values_and_best_actions_are_those_of_full_minimax(game, in_hand):
    rng, oracle, seen = np.random.default_rng(1), QuartoOracle(game), set()
    for empty in [0, 1, 2, 3, 4, 4, 5, 5] * 6:
        node, known = wary_position(naive.Quarto.start(game.squares), empty, in_hand, rng), {}
        state, value = game.parse(node.text()), value_of(node, known)
        best = [game.action(move) for move, after in values_after(node, known) if after == value] if not node.outcome() else []
        assert oracle.solve(state) == Solution(value, tuple(sorted(best)))
        assert oracle.value(state) == value
        if best:
            assert oracle.value_and_action(state)[0] == value
            assert oracle.value_and_action(state)[1] in best
            assert oracle.choose(state, int(rng.integers(2**63))) in best
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
