"""The numbers of Othello's patterns: mirror images share one, and least squares find them."""

import numpy as np

import ludus
from ludus.search.patterns.evaluation import LENGTHS, STARTS, mirror_classes
from tools.othello_patterns import features_of

from ..helpers.games import positions

OTHELLO = ludus.make_game("othello")


def test_each_place_has_a_number_and_its_mirror_image_the_same():
    same, states = mirror_classes(), positions(OTHELLO, 60)
    assert (same[same] == same).all()
    for family, (start, length) in enumerate(zip(STARTS, LENGTHS, strict=True)):
        different = len(np.unique(same[start : start + 3**length]))
        # what a mirror image leaves as it is: the cells on the axis, and one of each pair
        fixed = {0: 3**5, 1: 3**10, 2: 3**6}.get(family, 3 ** ((length + 1) // 2))
        assert different == (3**length + fixed) // 2
    turned = OTHELLO.permuted(states, np.full(len(states), 3))
    np.testing.assert_array_equal(np.sort(features_of(states, same)), np.sort(features_of(turned, same)))
