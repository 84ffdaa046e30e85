"""N-tuples in games that are read by their observations: they learn as where the cells are declared, and say where they cannot."""

from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.arena import evaluate
from ludus.baselines import train
from ludus.baselines.ntuples.looks import looks_of
from ludus.baselines.ntuples.shapes import patterns_of
from ludus.baselines.ntuples.td_ntuple import TDNTuple, TDNTupleSettings
from ludus.games.connect_four import ConnectFour
from ludus.rules import Known

from ...helpers.games import positions
from ...naive.ntuples import Tables


def begun(game, seed=0, **settings):
    return TDNTuple(game, TDNTupleSettings(**settings), seed)


class Undeclared(ConnectFour):
    """Connect Four, of whose cells nothing is declared."""

    known = Known()
    __module__ = ConnectFour.__module__  # where its rules are


@pytest.mark.parametrize("stages", [1, 2])
def test_what_is_learnt_of_a_game_read_by_observations_is_what_slow_tables_learn(hexes, stages):
    # the planes of Hex tell the seats apart, so a cell looks empty in two ways, and n-tuples cannot say how full the board is
    game = hexes if stages == 1 else Undeclared(rows=4, columns=5)
    made = begun(game, 3, games=3, shapes=("1x3", "d3", "2x2"), rate=0.5, exploration=0.2, stages=stages)
    tables = Tables(game, made.settings.shapes, stages, by_mover=game is hexes)
    for number in range(3):
        rate = made.settings.rate * (1 - number / 3)
        tables.learn(made.seed, number, rate, made.settings)
    made.advance()
    policy, seen = made.policy(), set()
    for state in positions(game, 40)[::5]:
        values = policy.values(state[None])[0]
        legal = game.legal_actions(state)
        np.testing.assert_allclose(values[legal], [tables.after(state, action) for action in legal], rtol=0, atol=1e-12)
        seen |= {*values[legal].tolist()}
    assert len(seen) > 20


@pytest.mark.parametrize("spec", ["othello:size=6", "connect_four", "connect_four:rows=5,columns=6"])
def test_games_whose_cells_have_owners_are_learnt_alike_by_their_observations(spec, monkeypatch):
    game, shapes = ludus.make_game(spec), ("1x4", "d4", "2x2")
    by_cells = begun(game, 3, games=20, shapes=shapes, rate=0.5)
    by_cells.advance()
    states = positions(game, 40)[::5]
    values = by_cells.policy().values(states)
    monkeypatch.setattr(type(game), "known", replace(game.known, sides=None))
    looks_of.cache_clear()
    patterns_of.cache_clear()
    by_observations = begun(game, 3, games=20, shapes=shapes, rate=0.5)
    by_observations.advance()
    np.testing.assert_allclose(by_observations.policy().values(states), values, rtol=0, atol=1e-6)
    assert len(np.unique(values)) > 20
    looks_of.cache_clear()
    patterns_of.cache_clear()


def test_a_game_with_other_looks_than_sides_is_learnt():
    policy = train("td_ntuple", "nim:heaps=1+2+3", seed=1, games=3000).policy()
    # Bouton: lost for the player to move with nim-sum 0; who moves second and knows it wins every game
    score = evaluate(policy, "nim:heaps=1+2+3", "perfect", 100, seed=1, opening_plies=0)
    assert score.wins >= 50
    assert looks_of(ludus.make_game("nim:heaps=1+2+3")).count == 2
