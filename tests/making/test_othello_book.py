"""The making of Othello's book: the same each time, and its values follow from each other."""

import numpy as np

import ludus
from benchmarks.making.othello_book import back_up, grow_book
from ludus.search.patterns.book import names_of

OTHELLO = ludus.make_game("othello")


def test_a_book_that_is_made_again_is_the_same_and_its_values_follow_from_each_other():
    first, second = grow_book(60, 500), grow_book(60, 500)
    assert {name: node.value for name, node in first.items()} == {name: node.value for name, node in second.items()}
    before = {name: node.value for name, node in first.items()}
    back_up(first)
    assert {name: node.value for name, node in first.items()} == before
    expanded = [node for node in first.values() if node.after]
    assert len(expanded) >= 5
    for node in expanded:
        assert len({name for name, _ in node.after}) == len({*names_of(children(node.state))})


def children(state):
    return np.array([OTHELLO.play(state, action) for action in OTHELLO.legal_actions(state)])
