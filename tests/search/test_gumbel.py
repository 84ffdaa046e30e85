"""Choosing by Gumbel: counts and policies are those of a slow twin, of mctx, and of a tree worked out by hand."""

import numpy as np
import pytest

import ludus
from ludus.search.mcts.guided import GuidedSearch
from ludus.search.mcts.gumbel import considered_visits
from ludus.search.mcts.tree import UNKNOWN

from ..helpers.agents.searched import assessment, assessments, counts, states_of, uniform
from ..helpers.games import EACH
from ..naive.gumbel import GumbelSearch, sequence

every_game = pytest.mark.parametrize("spec", EACH)


def luck_for(game, positions, seed=0):
    return np.random.default_rng(seed).gumbel(size=(positions, game.num_actions))


@every_game
@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize("simulations", [7, 40])
def test_counts_choices_and_policies_are_those_of_the_slow_twin(spec, solver, simulations):
    game = ludus.make_game(spec)
    states = np.concatenate([game.start[None], states_of(game, 4, seed=1)])
    luck = luck_for(game, len(states))
    search = GuidedSearch(game, simulations, formula="gumbel", solver=solver, considered=6, value_scale=0.3, value_visits=20.0)
    found = search.search(states, assessments(game), luck)
    for i, state in enumerate(states):
        how = {"solver": solver, "evaluate": lambda state: assessment(game, state), "considered": 6, "scale": 0.3, "added": 20.0}
        twin = GumbelSearch(game, 0.0, noise=luck[i], **how)
        root, done = twin.run(state, simulations)
        assert found.visits[i].tolist() == counts(root, game)
        assert found.simulations[i] == done
        assert found.proofs[i] == (UNKNOWN if root.known is None else root.known * (1 - 2 * game.player(state)))
        if root.known is None:
            improved = np.zeros(game.num_actions)
            improved[[*twin.improved(root)]] = [*twin.improved(root).values()]
            assert found.policy[i] == pytest.approx(improved, abs=1e-12)
            assert found.actions[i] == twin.choice()


def test_counts_and_policies_are_those_of_mctx():
    """Nim, two heaps of 20, three objects at most; mctx 0.0.71 found these, by `gumbel_muzero_policy` with the same noise."""
    game = ludus.make_game("nim:heaps=20+20,limit=3")

    def evaluate(leaves):
        reported = []
        for leaf in leaves:
            random = np.random.default_rng([*map(int, game.text(leaf).split()), game.player(leaf)])
            reported.append((random.integers(1, 64, 6) / 64, random.integers(-64, 65) / 64))
        return np.array([priors for priors, _ in reported]), np.array([value for _, value in reported])

    luck = np.random.default_rng(0).gumbel(size=(3, 6))
    search = GuidedSearch(game, 60, formula="gumbel", considered=4, solver=False)
    found = search.search(np.repeat(game.start[None], 3, axis=0), evaluate, luck)
    assert found.actions.tolist() == [3, 5, 3]
    assert found.visits.tolist() == [[0, 7, 23, 23, 7, 0], [0, 0, 7, 23, 7, 23], [0, 7, 0, 23, 23, 7]]
    assert found.policy.round(6).tolist() == [
        [0.007128, 0.000144, 0.000953, 0.004808, 0.958454, 0.028514],
        [0.004837, 0.009673, 0.004464, 0.000383, 0.980348, 0.000294],
        [0.006062, 0.02685, 0.025765, 0.928497, 0.012297, 0.000528],
    ]


@pytest.mark.parametrize("considered", [1, 2, 3, 4, 5, 7, 16])
@pytest.mark.parametrize("simulations", [1, 2, 7, 16, 50, 200])
def test_simulations_are_shared_out_by_sequential_halving(considered, simulations):
    expected = sequence(considered, simulations)
    assert [considered_visits(i, simulations, considered) for i in range(simulations)] == expected


# ---- proofs and signs


def test_a_move_that_is_proven_lost_has_no_part_in_the_policy():
    """X to move must block at c2; after any other move O wins at once."""
    game = ludus.make_game("tictactoe")
    state = game.position("X--OO-X-- X")
    found = GuidedSearch(game, 200, formula="gumbel").search(state[None], uniform(game))
    assert found.actions.tolist() == [5]
    lost = found.action_proofs[0] == -1
    assert lost.sum() >= 3
    assert (found.policy[0, lost] == 0).all()
    assert found.policy[0].sum() == pytest.approx(1)


# ---- the same, whatever is beside it; trees that are kept


def test_a_kept_tree_is_halved_anew():
    """Of the root's children the simulations of this search are shared out, whatever they had before."""
    game = ludus.make_game("othello")
    search = GuidedSearch(game, 64, formula="gumbel", considered=4, solver=False)

    def run(searching):
        while len(leaves := searching.select()):
            searching.back_up(*assessments(game)(leaves))
        return searching

    first = run(search.begin(game.start[None], luck_for(game, 1)))
    state = game.play(game.start, int(first.results().actions[0]))
    kept = search.begin(state[None], luck_for(game, 1, seed=1), first)
    before = kept.results().visits
    assert before.sum() > 0
    visits = run(kept).results().visits - before
    (legal,) = np.nonzero(game.masks(state[None])[0])
    assert len(legal) == 3
    assert sorted(visits[0, legal].tolist()) == [10, 27, 27]  # 3 · 10, then 2 · 16, then what is left to 64
