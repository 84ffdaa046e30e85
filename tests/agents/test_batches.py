"""States and keys that do not fit: a sentence, and no memory read behind them."""

import numpy as np
import pytest

import ludus

from ..helpers.games import keys


@pytest.mark.parametrize(
    "spec", ["random", "greedy", "minimax:depth=1", "expectimax:depth=1", "mcts:simulations=4", "perfect", "nim_sum"]
)
def test_states_and_keys_that_do_not_fit_are_answered_in_a_sentence(spec):
    game = ludus.make_game("nim")
    policy, states = ludus.make_policy(spec, game), np.repeat(game.start[None], 8, axis=0)
    with pytest.raises(ValueError, match=r"8 states take one key each, an array \(8,\); got shape \(1,\)"):
        policy.act(states, keys(1))
    with pytest.raises(ValueError, match=r"this is one state; pass state\[None\]"):
        policy.act(game.start, keys(len(game.start)))
    with pytest.raises(ValueError, match=r"states of nim have shape \(B, 2\) and type uint64; got \(8, 2\) and int64"):
        policy.act(states.astype(np.int64), keys(8))
    with pytest.raises(ValueError, match=r"got \(8, 3\)"):
        policy.act(np.zeros((8, 3), np.uint64), keys(8))


@pytest.mark.parametrize("spec", ["easy", "frontiers", "hard"])
def test_quartos_policies_take_a_key_for_each_state(spec):
    policy = ludus.make_policy(spec, "quarto")
    with pytest.raises(ValueError, match="2 states take one key each"):
        policy.act(np.repeat(policy.game.start[None], 2, axis=0), keys(1))


def test_a_game_takes_one_action_for_each_state():
    game = ludus.make_game("quixo")
    with pytest.raises(ValueError, match=r"5 states take one action each, an array \(5,\); got shape \(1,\)"):
        game.plays(np.repeat(game.start[None], 5, axis=0), [4])
    with pytest.raises(ValueError, match=r"pass state\[None\]"):
        game.masks(game.start)
