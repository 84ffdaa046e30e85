"""Othello's patterns and its book: values follow from the cells and from each other, symmetries are known, and both play well."""

import numpy as np
import pytest

import ludus
from ludus.agents.minimax import Minimax
from ludus.arena import evaluate
from ludus.oracles import make_oracle
from ludus.search.alphabeta.negamax import AlphaBeta
from ludus.search.patterns.book import CLOSE, names_of, shipped_book
from ludus.search.patterns.evaluation import (
    MOST_MOVES,
    MOVES,
    SIZE,
    STAGES,
    STARTS,
    mirror_classes,
    patterns_from_tables,
    shipped_patterns,
)
from ludus.search.patterns.page import AT_ONCE, STEP, patterns_for_page

from ..helpers.games import keys, positions

OTHELLO = ludus.make_game("othello")
FAMILIES = (
    *("a1b1c1d1e1f1g1h1b2g2", "a1b1c1d1e1a2b2c2d2e2", "a1b1c1a2b2c2a3b3c3", "a2b2c2d2e2f2g2h2", "a3b3c3d3e3f3g3h3"),
    *("a4b4c4d4e4f4g4h4", "a8b7c6d5e4f3g2h1", "a7b6c5d4e3f2g1", "a6b5c4d3e2f1", "a5b4c3d2e1", "a4b3c2d1"),
)


def slow_sum(state, tables):
    """The sum over all different places of each family, read cell by cell, and the number of the players' moves."""
    marks, mover = OTHELLO.text(state).split()
    discs = 64 - marks.count("-")
    stage, total = (discs - 4) // 2, 0
    for family, start in zip(FAMILIES, STARTS, strict=True):
        cells = [8 * (int(family[i + 1]) - 1) + ord(family[i]) - ord("a") for i in range(0, len(family), 2)]
        places = {frozenset(place): place for turn in OTHELLO.symmetries.cells.tolist() if (place := [turn[c] for c in cells])}
        for place in places.values():
            digits = [{"-": 0, mover: 1}.get(marks[cell], 2) for cell in place]
            total += int(tables[stage, start + sum(digit * 3**i for i, digit in enumerate(digits))])
    own, other = (sum(action < 64 for action in OTHELLO.legal_actions(side)) for side in (state, passed(state)))
    return total + int(tables[stage, MOVES + discs % 2 * MOST_MOVES**2 + own * MOST_MOVES + other])


def passed(state):
    """The position with the other player to move."""
    return np.array([state[0], state[1], state[2] ^ np.uint64(1)])


def random_tables():
    return np.random.default_rng(1).integers(-127, 128, (STAGES, SIZE), np.int8)[:, mirror_classes()]


def searched(evaluation, states, depth=1):
    return AlphaBeta(OTHELLO, evaluation, depth=depth).search(states, keys(len(states))).values


def test_the_value_is_the_sum_over_the_places_of_all_families():
    tables = random_tables()
    evaluation = patterns_from_tables(tables)
    for state in positions(OTHELLO, 58)[1::6]:
        after = [OTHELLO.play(state, action) for action in OTHELLO.legal_actions(state)]
        assert not any(OTHELLO.outcome(child) for child in after)
        assert searched(evaluation, state[None])[0] == max(-slow_sum(child, tables) for child in after)


def test_the_numbers_of_the_page_are_about_those_of_the_package():
    rough, whole = patterns_for_page().tables.astype(int), shipped_patterns().tables.astype(int)
    np.testing.assert_array_equal(rough[::AT_ONCE], rough[AT_ONCE - 1 :: AT_ONCE])
    means = whole.reshape(-1, AT_ONCE, SIZE).mean(axis=1)
    assert np.abs(rough[::AT_ONCE] - means).max() <= STEP
    assert 0 < np.abs(rough[::AT_ONCE] - means).mean() < STEP / 4


def test_at_a_fixed_number_of_nodes_it_wins_nine_of_ten_games_against_the_classic_evaluation_four_plies_deep():
    engine = "minimax:evaluation=patterns,nodes=2000,endings=10"
    score = evaluate(engine, "othello", "minimax:depth=4", 60, seed=3)
    assert score.wins >= 54


def test_endings_are_played_for_the_best_score():
    player, oracle = Minimax(OTHELLO, depth=1, endings=10), make_oracle("othello")
    states = [state for state in positions(OTHELLO, 400) if int(state[0] | state[1]).bit_count() in (54, 56)]
    assert len(states) >= 10
    for state, action in zip(states, player.act(np.array(states), keys(len(states))), strict=True):
        assert action in oracle.solve(state).best


@pytest.mark.parametrize(
    ("game", "spec", "said"),
    [
        ("othello:size=6", "minimax:evaluation=patterns", "by patterns is of othello with size 8, not of othello:size=6"),
        ("quixo", "minimax:endings=10", "endings are solved for the best score, and quixo has no scores"),
        ("othello", "minimax:evaluation=patterns,mobility=3", "mobility does not count in the patterns evaluation"),
    ],
)
def test_what_it_cannot_do_is_a_sentence(game, spec, said):
    with pytest.raises(ValueError, match=said):
        ludus.make_policy(spec, game)


# ---- the book of openings


def worth_of_all(state):
    """What each action is worth to the player to move, by the shipped_book book; None for one that it does not know."""
    found = {}
    for action in OTHELLO.legal_actions(state):
        after = OTHELLO.play(state, action)
        value = shipped_book().values.get(names_of(after[None])[0])
        found[action] = None if value is None else value if OTHELLO.player(after) == OTHELLO.player(state) else -value
    return found


def known_line(seed):
    """The positions of a game by the book, as far as it goes."""
    state, rng, found = OTHELLO.start, np.random.default_rng(seed), []
    while (action := int(shipped_book().actions(state[None], rng.integers(2**64, size=1, dtype=np.uint64))[0])) >= 0:
        found.append((state, action))
        state = OTHELLO.play(state, action)
    return found


def test_it_plays_ten_plies_or_more_of_close_to_best_actions_and_not_always_the_same():
    """And each value is that of the best action."""
    lines = [known_line(seed) for seed in range(8)]
    assert min(map(len, lines)) >= 10
    for state, action in lines[0]:
        worth = worth_of_all(state)
        best = max(worth.values())
        assert worth[action] >= best - CLOSE
        assert shipped_book().values[names_of(state[None])[0]] == best
    assert len({tuple(action for _, action in one) for one in lines}) > 1


def test_what_it_does_not_know_is_searched():
    late = positions(OTHELLO, 60)[50][None]
    assert shipped_book().actions(late, keys(1)).tolist() == [-1]
    with_book, without = Minimax(OTHELLO, depth=2, book=True), Minimax(OTHELLO, depth=2)
    np.testing.assert_array_equal(with_book.act(late, keys(1)), without.act(late, keys(1)))
