"""AlphaZero: targets that the oracle makes exact, and the settings of many random plies."""

import numpy as np
import pytest

import ludus
from ludus.baselines.alphazero.selfplay.exact import exact_targets, oracle_of, with_exact_targets
from ludus.baselines.alphazero.selfplay.games import GameGroup
from ludus.baselines.alphazero.selfplay.samples import Samples
from ludus.oracles import OUT_OF_REACH

from ...helpers.training.alphazero import evaluator, selfplay
from ...naive.search import solved, solved_after


def played(game, games=16, **settings):
    """The positions of games that went the same, whatever the settings do to the targets."""
    _, ended, _ = selfplay(game, openings=2, **settings).play(GameGroup.new(game, games), evaluator(game.spec), 20, (5,))
    return ended


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=1+2+3", "quarto"])
def test_exact_targets_are_those_of_trying_everything(spec):
    game = ludus.make_game(spec)
    states = np.unique(played(game).states, axis=0) if spec != "quarto" else near_the_end(game, 24)  # of Quarto's 32 plies
    (values, keeping), known = exact_targets(game, states, oracle_of(game)), {}
    for state, target, kept in zip(states, values, keeping, strict=True):
        assert target == solved(game, state, known)
        tried = [action for action in game.legal_actions(state) if solved_after(game, state, action, known) == target]
        assert np.flatnonzero(kept).tolist() == tried
    assert len(set(values.tolist())) > 1


def near_the_end(game, plies, count=20):
    """Positions after a number of random plies."""
    return selfplay(game)._after(np.full(count, plies), np.random.default_rng(2))


def test_a_finished_games_positions_have_exact_targets_in_their_share():
    game = ludus.make_game("tictactoe")
    usual, whole, half = (played(game, 64, exact_share=share) for share in (0.0, 1.0, 0.5))
    exact, keeping = exact_targets(game, usual.states, oracle_of(game))
    assert (usual.states == whole.states).all()
    assert (whole.values == exact).all()
    assert (usual.values == exact).mean() < 0.9
    expected = np.where(keeping, usual.policies.astype(float) + 1e-3, 0)  # what search says of the actions that keep the value
    np.testing.assert_allclose(whole.policies, expected / expected.sum(axis=1, keepdims=True), atol=2e-3)
    exact, keeping = exact_targets(game, half.states, oracle_of(game))
    changed = (half.values == exact) & ((half.policies == 0) | keeping).all(axis=1)
    assert 0.4 < changed.mean() < 0.9


def test_what_the_oracle_does_not_know_keeps_the_targets_of_search():
    game = ludus.make_game("othello:size=6")
    start = game.start[None]
    samples = Samples(start, game.masks(start).astype(np.float16) / 4, np.array([0.3], np.float32), start)
    values, keeping = exact_targets(game, samples.states, oracle_of(game))
    assert values.tolist() == [OUT_OF_REACH]
    assert not keeping.any()
    same = with_exact_targets(game, samples)
    assert (same.policies == samples.policies).all()
    assert same.values == samples.values


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_lessons_are_their_share_of_all_positions_and_have_exact_targets(share):
    game = ludus.make_game("tictactoe")
    usual, more = played(game, 64), played(game, 64, long_openings=6, lesson_share=share)
    assert (more[: len(usual)].states == usual.states).all()
    taught = more[len(usual) :]
    assert len(taught) / len(more) == pytest.approx(share, abs=0.02)
    values, keeping = exact_targets(game, taught.states, oracle_of(game))
    assert (taught.values == values).all()
    assert ((taught.policies > 0) == keeping).all()
    assert {9 - game.text(state)[:9].count("-") for state in taught.states} == set(range(7))
