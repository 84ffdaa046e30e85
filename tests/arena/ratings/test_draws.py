"""How often equals draw: what the model says where the first move is worth much, in closed forms."""

import math

import numpy as np
import pytest

from ludus.arena.matches.games import Pairing
from ludus.arena.ratings.davidson import Davidson
from ludus.arena.ratings.ratings import ELO, rate
from ludus.arena.ratings.score import Score

MANY = 10**6


def equals(won, drawn, lost):
    """Games between equals in which seat 0 wins, draws and loses with these odds: openings (3, 3), from a's side."""
    first = np.array([won, drawn, lost], float)
    return np.rint(MANY * np.outer(first, first[::-1]) / first.sum() ** 2).astype(np.int64)


def rated(openings, **settings):
    empty = Score.empty(Pairing("nim", "a", "b"))
    return rate(
        [Score(empty.pairing, openings, *(getattr(empty, name) for name in ("plies", "faults", "moves", "seconds")))], **settings
    )


@pytest.mark.parametrize(("won", "drawn", "lost"), [(7, 2, 1), (1, 2, 7), (1, 1, 1), (90, 9, 1), (1, 98, 1)])
def test_the_share_of_draws_counts_the_advantage_of_the_first_move(won, drawn, lost):
    found = rated(equals(won, drawn, lost))
    whole = won + drawn + lost
    assert found.draws.part == pytest.approx(drawn / whole, abs=2e-4)
    assert found.draws.low < drawn / whole < found.draws.high
    assert found.draws.high - found.draws.low < 0.01
    assert found.first_move.elo == pytest.approx(400 * math.log10(won / lost), abs=1)
    assert found.difference("a", "b").elo == pytest.approx(0, abs=0.5)


def test_probabilities_are_those_of_the_model():
    strength, first, draw = 0.7, 0.4, -0.3
    model = Davidson(np.array([[0, 1], [1, 0]]), 2, np.array([False, True, True, True]))
    chances = model.probabilities(np.array([0.0, strength, first, draw]))
    for row, ahead in zip(chances, (first - strength, first + strength), strict=True):
        odds = np.exp([ahead / 2, draw, -ahead / 2])
        assert row == pytest.approx(odds / odds.sum(), abs=1e-12)


def test_the_first_move_belongs_to_seat_0_and_a_difference_to_its_policies():
    openings = np.zeros((3, 3), np.int64)
    openings[0, 2] = 3000  # a wins with the first move, and loses without it
    openings[0, 0] = 1000
    found = rated(openings)
    assert found.first_move.elo > 100
    assert found.elo["a"].elo > 0 > found.elo["b"].elo
    assert [*found.elo] == ["a", "b"]
    assert found.elo["a"].elo == pytest.approx(-found.elo["b"].elo)
    assert pytest.approx(400 / math.log(10)) == ELO
