"""What policies think of positions: shares, values and proofs agree with the action they play and with perfect play."""

import numpy as np
import pytest

import ludus
from ludus.agents.alphazero import AlphaZeroPolicy
from ludus.agents.answers import UNPROVEN
from ludus.agents.minimax import Minimax
from ludus.oracles import make_oracle

from ..helpers.games import keys, positions

GAMES = pytest.mark.parametrize("spec", ["tictactoe", "quarto", "quixo:size=3", "othello:size=4", "nim"])


def even(game):
    """A network that knows nothing: the same number for each action, legal or not."""
    return lambda states: (np.ones((len(states), game.num_actions)), np.zeros(len(states)))


@GAMES
@pytest.mark.parametrize("policy", ["random", "greedy", "minimax:depth=3", "mcts:simulations=60", "perfect"])
def test_an_analysis_names_the_action_that_the_policy_plays(spec, policy):
    game = ludus.make_game(spec)
    states = positions(game, 12)
    made = ludus.make_policy(policy, game)
    assert made.analyse(states, keys(12)).actions.tolist() == made.act(states, keys(12)).tolist()


@GAMES
@pytest.mark.parametrize("policy", ["minimax:depth=6", "mcts:simulations=2000"])
def test_what_a_search_has_proven_is_what_perfect_play_says(spec, policy):
    game, oracle = ludus.make_game(spec), make_oracle(spec)
    states = np.array([state for state in positions(game, 60, seed=3) if oracle.reaches(state)][-8:])
    proofs = ludus.make_policy(policy, game).analyse(states, keys(len(states))).proofs
    assert proofs is not None
    for state, row in zip(states, proofs, strict=True):
        after = oracle.after(state)
        assert set(np.flatnonzero(row != UNPROVEN).tolist()) <= after.keys()
        assert all(row[action] in (UNPROVEN, solution.value) for action, solution in after.items())
    assert (proofs != UNPROVEN).any()


def test_shares_and_values_of_a_tree_search_are_of_legal_actions_alone():
    policy = ludus.make_policy("mcts:simulations=50,solver=false", "quixo")
    states = positions(policy.game, 6)
    analysis = policy.analyse(states, keys(6))
    assert analysis.visits is not None
    assert analysis.action_values is not None
    assert (analysis.visits.sum(axis=1) == 50).all()
    assert analysis.probabilities == pytest.approx(analysis.visits / 50)
    assert ((analysis.visits > 0) == ~np.isnan(analysis.action_values)).all()
    assert not analysis.visits[policy.game.masks(states) == 0].any()


def lines_of(policy, states):
    """The principal variations, played out: for each state its actions and where they lead."""
    analysis = policy.analyse(states, keys(len(states)))
    for state, action, line in zip(states, analysis.actions.tolist(), analysis.lines.tolist(), strict=True):
        actions = line[: line.index(-1)] if -1 in line else line
        assert actions[0] == action
        for reply in actions:
            assert reply in policy.game.legal_actions(state)
            state = policy.game.play(state, reply)
        assert set(line[len(actions) :]) <= {-1}
        yield actions, state


@GAMES
def test_the_line_that_a_tree_search_expects_begins_with_its_action_and_is_legal_to_its_end(spec):
    game = ludus.make_game(spec)
    guided = [AlphaZeroPolicy(game, simulations=60, formula=formula, net=even(game)) for formula in ("puct", "gumbel")]
    for policy in (ludus.make_policy("mcts:simulations=200", game), *guided):
        lengths = [len(actions) for actions, _ in lines_of(policy, positions(game, 6))]
        assert max(lengths) > 1


def test_the_evaluation_of_each_action_is_what_a_search_finds_after_it():
    game = ludus.make_game("othello:size=6")
    states, shallower = positions(game, 4), Minimax(game, depth=3)
    for state, row in zip(states, Minimax(game, depth=4).analyse(states, keys(4)).evaluations, strict=True):
        for action in game.legal_actions(state):
            after = game.play(state, action)
            if game.outcome(after) is None and not np.isnan(row[action]):
                sign = 1 if game.player(after) == game.player(state) else -1
                assert row[action] == sign * shallower.searcher.search(after[None], keys(1)).values[0]
