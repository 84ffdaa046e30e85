"""The book of Othello's openings: its values follow from each other, it knows the board's symmetries, and it is played."""

import numpy as np

import ludus
from ludus.agents.minimax import Minimax
from ludus.search.patterns.book import CLOSE, names_of, shipped_book

from ..helpers.games import keys, positions

OTHELLO = ludus.make_game("othello")


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


def test_each_value_is_that_of_the_best_action():
    for seed in range(5):
        for state, _ in known_line(seed):
            worth = worth_of_all(state)
            assert shipped_book().values[names_of(state[None])[0]] == max(worth.values())


def test_it_plays_ten_plies_or_more_of_close_to_best_actions_and_not_always_the_same():
    lines = [known_line(seed) for seed in range(8)]
    assert min(map(len, lines)) >= 10
    for state, action in lines[0]:
        worth = worth_of_all(state)
        assert worth[action] >= max(worth.values()) - CLOSE
    assert len({tuple(action for _, action in one) for one in lines}) > 1


def test_what_it_does_not_know_is_searched():
    late = positions(OTHELLO, 60)[50][None]
    assert shipped_book().actions(late, keys(1)).tolist() == [-1]
    with_book, without = Minimax(OTHELLO, depth=2, book=True), Minimax(OTHELLO, depth=2)
    np.testing.assert_array_equal(with_book.act(late, keys(1)), without.act(late, keys(1)))
