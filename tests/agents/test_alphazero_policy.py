"""AlphaZero's policy: runs and shipped networks play, keys draw where they should, and what cannot play says why."""

from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.agents.alphazero import AlphaZeroPolicy

from ..helpers.games import keys, positions
from ..helpers.training.alphazero import evaluator


def test_where_games_may_go_round_in_circles_keys_draw_among_good_actions():
    game = ludus.make_game("quixo:size=4")
    states = np.repeat(positions(game, 20)[3:4], 60, axis=0)
    policy = AlphaZeroPolicy(game, simulations=20, net=evaluator("quixo:size=4"))
    actions = policy.act(states, keys(60))
    assert len(set(actions.tolist())) > 1
    assert (policy.act(states, keys(60)) == actions).all()
    assert (policy.act(states[:7], keys(60)[40:47]) == actions[40:47]).all()
    assert len(set(replace(policy, temperature=0.0).act(states, keys(60)).tolist())) == 1
    certain = AlphaZeroPolicy(ludus.make_game("othello:size=6"), simulations=20, net=evaluator("othello:size=6"))
    other = np.repeat(positions(certain.game, 20)[10:11], 60, axis=0)
    assert len(set(certain.act(other, keys(60)).tolist())) == 1
    assert len(set(replace(certain, temperature=2.0).act(other, keys(60)).tolist())) > 1


def test_in_a_match_a_position_left_before_counts_as_drawn_where_games_may_go_round_in_circles():
    game = ludus.make_game("quixo:size=4")
    policy = AlphaZeroPolicy(game, simulations=200, ahead=0, considered=32, temperature=0.0, net=evaluator("quixo:size=4"))
    state, liked = next(
        (state[None], liked)
        for state in positions(game, 40)
        if np.isfinite(liked := policy.preferences(state[None], keys(1))[0]).sum() > 5
        and 3 < (liked > 0).sum() < np.isfinite(liked).sum()
    )
    playing, better = policy.begin(2), int((liked > 0).sum())
    first = int(policy.act(state, keys(1))[0])
    taken = [int(playing.act(state, keys(1), np.array([0]))[0]) for _ in range(game.num_actions)]
    after = [bytes(game.play(state[0], action)) for action in taken]
    assert taken[0] == first
    assert len(set(after)) > 2
    assert all(liked[action] > 0 for action in taken)
    assert after[better] in after[:better]
    assert playing.act(state, keys(1), np.array([1]))[0] == first
    forgetful = replace(policy, repeats=False).begin(1)
    assert {int(forgetful.act(state, keys(1), np.array([0]))[0]) for _ in range(3)} == {first}


def test_what_is_proven_lost_or_no_better_than_a_draw_is_no_way_out_of_a_circle():
    game = ludus.make_game("quixo:size=3")
    policy = AlphaZeroPolicy(game, simulations=100, ahead=0, considered=20, net=evaluator("quixo:size=3"))
    states = positions(game, 60)
    liked, found = policy.preferences(states, keys(60)), policy.analyse(states, keys(60))
    assert (liked.argmax(axis=1) == found.actions).all()
    assert ((liked == -np.inf) == (game.masks(states) == 0)).all()
    others = liked < np.inf
    assert not (others & (liked > 0) & (found.proofs == -1)).any()
    assert not (others & (liked > 0) & ~(found.action_values > 0)).any()
    won = found.proofs.max(axis=1, where=found.proofs != 2, initial=-1) == 1
    assert won.any()
    assert (found.proofs[won][(liked > 0)[won]] == 1).all()


def test_the_more_likely_actions_are_drawn_more_often():
    """With one simulation nothing is known but the priors, and Gumbel's draws pick actions as often as these say."""
    game = ludus.make_game("nim", heaps=(40,), limit=3)

    def even(leaves):
        return np.tile([0.5, 0.3, 0.2], (len(leaves), 1)), np.zeros(len(leaves))

    policy = AlphaZeroPolicy(game, simulations=1, temperature=1.0, ahead=0, considered=1, net=even)
    drawn = policy.act(np.repeat(game.start[None], 20_000, axis=0), keys(20_000))
    assert np.bincount(drawn, minlength=3)[:3] / 20_000 == pytest.approx([0.5, 0.3, 0.2], abs=0.015)


def test_a_game_without_a_network_names_those_that_have_one(run):
    with pytest.raises(
        ValueError,
        match=r"no network is shipped for quixo:size=3; there are some for .*tictactoe.*ludus train alphazero quixo:size=3",
    ):
        ludus.make_policy("alphazero", "quixo:size=3")
