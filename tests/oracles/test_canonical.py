"""Canonical forms: of two positions they are equal where some symmetry makes the positions so, and only there."""

import numpy as np
import pytest

import ludus
from ludus.oracles.statespace.canonical import canonical, canonical_observations

from ..helpers.games import positions
from ..helpers.looks import looks


def classes(forms):
    """Which rows are equal (B, B)."""
    return (forms[:, None] == forms[None]).all(axis=2)


@pytest.mark.parametrize("spec", ["nim", "tictactoe", "quarto", "quixo:size=3", "othello:size=4", "connect_four"])
def test_observations_have_the_same_canonical_form_where_a_symmetry_makes_them_equal_and_only_there(spec):
    game, count = ludus.make_game(spec), 3 if spec == "quarto" else 80
    states = positions(game, 12 * count)[-count:]
    which = np.random.default_rng(1).integers(len(game.symmetries.cells), size=len(states))
    states = np.vstack([states, game.permuted(states, which)])
    views = looks(game, states)
    expected = [[not own.isdisjoint(others) for others in views] for own in views]
    assert classes(canonical_observations(game, states)).tolist() == expected


@pytest.mark.parametrize("spec", ["quixo:size=3", "quixo", "othello:size=4"])
def test_exchanging_the_colours_changes_the_form_of_states_and_not_that_of_observations(spec):
    game = ludus.make_game(spec)
    states = positions(game, 40)[1:]
    exchanged = np.array([game.position(game.text(state).translate(str.maketrans("XO", "OX"))) for state in states])
    assert (canonical_observations(game, states) == canonical_observations(game, exchanged)).all()
    assert (canonical(game, states)[0] != canonical(game, exchanged)[0]).any(axis=1).all()


def test_many_positions_have_the_forms_that_they_have_alone(monkeypatch):
    game = ludus.make_game("quixo:size=4")
    states = positions(game, 50)
    whole = canonical_observations(game, states)
    monkeypatch.setattr("ludus.oracles.statespace.canonical.AT_ONCE", 7)
    assert (canonical_observations(game, states) == whole).all()
