"""The evaluation by patterns: it adds up what lies on the cells, knows the board's symmetries, and plays well."""

import numpy as np
import pytest

import ludus
from ludus.agents.minimax import Minimax
from ludus.arena import evaluate
from ludus.oracles import make_oracle
from ludus.search.alphabeta.negamax import AlphaBeta
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
        (
            "othello:size=6",
            "minimax:evaluation=patterns",
            "by patterns is of othello with size 8, not of othello:size=6",
        ),
        ("quixo", "minimax:endings=10", "endings are solved for the best score, and quixo has no scores"),
        ("othello", "minimax:endings=30", "endings is 30; it must be a whole number from 0 to 24"),
        ("othello", "minimax:evaluation=patterns,mobility=3", "mobility does not count in the patterns evaluation"),
    ],
)
def test_what_it_cannot_do_is_a_sentence(game, spec, said):
    with pytest.raises(ValueError, match=said):
        ludus.make_policy(spec, game)
