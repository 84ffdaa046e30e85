"""N-tuples in games that are read by their observations: they learn as where the cells are declared, and say where they cannot."""

import numpy as np
import pytest

import ludus
from ludus.arena import evaluate, grade_exact
from ludus.baselines import train
from ludus.baselines.ntuples.looks import looks_of
from ludus.baselines.ntuples.shapes import patterns_of, usual_shapes
from ludus.baselines.ntuples.td_ntuple import TDNTuple, TDNTupleSettings

from ...helpers.games import positions
from ...helpers.outside.maze import Maze
from ...naive.ntuples import Tables


def begun(game, seed=0, **settings):
    return TDNTuple(game, TDNTupleSettings(**settings), seed)


def test_what_is_learnt_of_a_game_from_outside_is_what_slow_tables_learn(four):
    made = begun(four, 3, games=3, shapes=("1x3", "d3", "2x2"), rate=0.5, exploration=0.2, stages=2)
    tables = Tables(four, made.settings.shapes, made.settings.stages)
    for number in range(3):
        rate = made.settings.rate * (1 - number / 3)
        tables.learn(made.seed, number, rate, made.settings)
    made.advance()
    policy, seen = made.policy(), set()
    for state in positions(four, 40)[::5]:
        values = policy.values(state[None])[0]
        legal = four.legal_actions(state)
        np.testing.assert_allclose(values[legal], [tables.after(state, action) for action in legal], rtol=0, atol=1e-12)
        seen |= {*values[legal].tolist()}
    assert len(seen) > 20


def test_a_game_with_other_looks_than_sides_is_learnt():
    policy = train("td_ntuple", "nim:heaps=1+2+3", seed=1, games=3000).policy()
    # Bouton: lost for the player to move with nim-sum 0; who moves second and knows it wins every game
    score = evaluate(policy, "nim:heaps=1+2+3", "perfect", 100, seed=1, opening_plies=0)
    assert score.wins >= 50
    assert looks_of(ludus.make_game("nim:heaps=1+2+3")).count == 2


def test_a_game_with_two_moves_in_a_row_and_cycles_is_learnt():
    game = Maze(11)
    learnt, random = (grade_exact(policy, game) for policy in (train("td_ntuple", game, games=3000).policy(), "random"))
    assert learnt.value_lost < random.value_lost / 2
    assert learnt.value_thrown < random.value_thrown / 2


@pytest.mark.parametrize(
    ("spec", "settings", "says"),
    [
        ("quarto", {}, "n-tuples distinguish up to 64 looks of a cell; quarto has"),
        ("connectfour", {"shapes": ("5x5",)}, "has 25 cells; it may have 1 to 12"),
        ("connectfour", {"shapes": ("1x8",)}, "the shape '1x8' does not fit on a board of 6×7 cells"),
        ("maze", {"shapes": ("1x12",)}, "does not fit"),
    ],
)
def test_what_is_beyond_their_limits_is_a_sentence(four, spec, settings, says):
    game = {"connectfour": four, "maze": Maze(0)}.get(spec) or ludus.make_game(spec)
    with pytest.raises(ValueError, match=says):
        begun(game, **settings)


def test_shapes_with_too_many_patterns_are_refused_and_not_usual(monkeypatch, four):
    monkeypatch.setattr("ludus.baselines.ntuples.shapes.MOST_PATTERNS", 3**4)
    patterns_of.cache_clear()
    with pytest.raises(ValueError, match="the shape '2x3' has too many patterns: each of its 6 cells has 3 looks"):
        begun(four, shapes=("2x3",))
    assert usual_shapes(four) == ("1x4", "d4", "2x2")


def test_a_deeper_search_needs_declared_cells(four):
    made = begun(four)
    with pytest.raises(ValueError, match="in connectfour the depth of n-tuples is 1, not 3; it can be larger in games with"):
        made.policy_of(four, made.settings, made.learnt(), depth="3")
