"""N-tuples as the network of AlphaZero's search: priors follow the values one ply ahead, and a run plays with simulations."""

import numpy as np
import pytest

import ludus
from ludus.agents.alphazero import AlphaZeroPolicy
from ludus.arena import evaluate
from ludus.baselines import train
from ludus.baselines.ntuples.policy import SHARPNESS, NTupleNetwork

from ...helpers.games import keys, positions
from ...helpers.training.alphazero import NEVER


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "a"
    train("td_ntuple", "quixo:size=3", folder, games=300, measure=NEVER)
    return folder


def test_the_value_is_that_of_the_best_action_and_priors_grow_with_the_values(run):
    policy = ludus.make_policy(f"run:{run}", "quixo:size=3")
    game, states = policy.game, positions(policy.game, 100)
    states = states[[game.outcome(state) is None for state in states]]
    values_after = policy.values(states)
    priors, values = NTupleNetwork(policy)(states)
    for state, own, value, after_each in zip(states, priors, values, values_after, strict=True):
        mover = policy.game.player(state)
        worth = {}
        for action in policy.game.legal_actions(state):
            after = policy.game.play(state, action)
            if (result := policy.game.outcome(after)) is not None:
                worth[action] = result[mover]
            else:
                assert policy.game.player(after) != mover
                worth[action] = after_each[action]
        assert value == pytest.approx(max(worth.values()))
        powers = {action: np.exp(SHARPNESS * one) for action, one in worth.items()}
        expected = np.zeros(policy.game.num_actions)
        expected[[*powers]] = np.array([*powers.values()]) / sum(powers.values())
        assert own == pytest.approx(expected)


def test_a_run_searches_with_as_many_simulations_as_one_says(run):
    policy = ludus.make_policy(f"run:{run},simulations=30,ahead=0", "quixo:size=3")
    assert isinstance(policy, AlphaZeroPolicy)
    assert (policy.simulations, policy.ahead) == (30, 0)
    states = positions(policy.game, 40)
    actions = policy.act(states, keys(40))
    assert policy.game.masks(states)[np.arange(40), actions].all()
    assert [policy.act(states[row : row + 1], keys(40)[row : row + 1])[0] for row in range(40)] == actions.tolist()
    with pytest.raises(ValueError, match="no setting 'depth'"):
        ludus.make_policy(f"run:{run},simulations=30,depth=3", "quixo:size=3")


def test_searching_with_little_trained_values_beats_playing_by_them(tmp_path):
    train("td_ntuple", "quixo:size=4", tmp_path / "a", games=300, measure=NEVER)
    score = evaluate(f"run:{tmp_path / 'a'},simulations=60,ahead=0", "quixo:size=4", f"run:{tmp_path / 'a'}", 40, seed=1)
    assert score.wins > 3 * score.losses
