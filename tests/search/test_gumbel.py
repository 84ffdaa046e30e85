"""Choosing by Gumbel: counts and policies are those of a slow twin, of mctx, and of a tree worked out by hand."""

import numpy as np
import pytest

import ludus
from ludus.oracles import make_oracle
from ludus.search.mcts.guided import GuidedSearch, considered_visits
from ludus.search.mcts.tree import UNKNOWN

from ..helpers.agents.searched import assessment, assessments, counts, endings, states_of, uniform, value_after
from ..helpers.games import EACH
from ..naive.gumbel import GumbelSearch, sequence
from ..naive.search import solved

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
        twin = GumbelSearch(
            game,
            0.0,
            solver=solver,
            evaluate=lambda state: assessment(game, state),
            noise=luck[i],
            considered=6,
            scale=0.3,
            added=20.0,
        )
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
    """Nim, two heaps of 20, three objects at most; mctx 0.0.71 found these (tests/naive/by_mctx.py prints them)."""
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


def test_an_improved_policy_is_as_worked_out_by_hand():
    """Three objects, priors 0.5, 0.3 and 0.2, the start worth 0.2; two actions are considered and tried once each.

    What is left after the first is worth 0.4 to the opponent, after the second -0.6: so they are worth -0.4 and 0.6. The third
    counts as (0.2 + 2 · (0.5 · -0.4 + 0.3 · 0.6) / 0.8) / 3 = 0.05. From -0.4 … 0.6 to 0 … 1: 0, 1, 0.45, times 0.1 · (50 + 1).
    """
    game = ludus.make_game("nim:heaps=3")
    worth = {"3": 0.2, "2": 0.4, "1": -0.6}

    def evaluate(leaves):
        return np.repeat([[0.5, 0.3, 0.2]], len(leaves), axis=0), [worth[game.text(leaf).split()[0]] for leaf in leaves]

    found = GuidedSearch(game, 2, formula="gumbel", considered=2, solver=False).search(game.start[None], evaluate)
    weights = np.array([0.5, 0.3 * np.exp(5.1), 0.2 * np.exp(5.1 * 0.45)])
    assert found.visits.tolist() == [[1, 1, 0]]
    assert found.policy[0] == pytest.approx(weights / weights.sum(), abs=1e-12)
    assert found.actions.tolist() == [1]


@pytest.mark.parametrize("considered", [1, 2, 3, 4, 5, 7, 16])
@pytest.mark.parametrize("simulations", [1, 2, 7, 16, 50, 200])
def test_simulations_are_shared_out_by_sequential_halving(considered, simulations):
    expected = sequence(considered, simulations)
    assert [considered_visits(i, simulations, considered) for i in range(simulations)] == expected


def test_without_luck_the_likeliest_actions_are_considered():
    game = ludus.make_game("othello")
    priors = np.linspace(0.0, 1.0, 65)[None]
    search = GuidedSearch(game, 2, formula="gumbel", considered=2)
    found = search.search(game.start[None], lambda leaves: (np.repeat(priors, len(leaves), axis=0), np.zeros(len(leaves))))
    assert np.flatnonzero(found.visits[0]).tolist() == game.legal_actions(game.start)[-2:]


def test_luck_decides_what_is_considered_by_the_priors_odds():
    """With one action considered, what is tried is a draw from the priors."""
    game = ludus.make_game("tictactoe")
    priors = np.arange(1.0, 10.0) / 45
    states, luck = np.repeat(game.start[None], 20_000, axis=0), luck_for(game, 20_000)
    search = GuidedSearch(game, 1, formula="gumbel", considered=1)
    found = search.search(states, lambda leaves: (np.repeat(priors[None], len(leaves), axis=0), np.zeros(len(leaves))), luck)
    assert found.visits.mean(axis=0) == pytest.approx(priors, abs=0.012)
    assert np.array_equal(found.actions, found.visits.argmax(axis=1))


@pytest.mark.parametrize("simulations", [2, 3, 4])
def test_the_action_played_is_never_worse_than_the_one_drawn_from_the_priors(simulations):
    """What the paper proves of as few simulations as one likes, if values are true: the policy is improved."""
    game, known = ludus.make_game("tictactoe"), {}
    states = np.array([state for state in states_of(game, 200) if len(game.legal_actions(state)) >= 4])
    luck, priors = luck_for(game, len(states)), np.random.default_rng(1).dirichlet(np.ones(9), len(states))

    def evaluate(leaves):
        rows = priors if len(leaves) == len(states) else np.ones((len(leaves), 9))
        return rows, np.array([solved(game, leaf, known) for leaf in leaves])

    search = GuidedSearch(game, simulations, formula="gumbel", considered=simulations, solver=False)
    played = search.search(states, evaluate, luck).actions
    drawn = np.where(game.masks(states) == 1, luck + np.log(priors), -np.inf).argmax(axis=1)
    gains = [
        value_after(game, state, int(action), known) - value_after(game, state, int(other), known)
        for state, action, other in zip(states, played, drawn, strict=True)
    ]
    assert min(gains) == 0
    assert np.mean(gains) > 0.1


# ---- proofs and signs


def truth_of(spec, count):
    """Positions of a game, and a function that knows the value of every position there is."""
    game, known = ludus.make_game(spec), {}
    if game.name == "quixo":
        oracle = make_oracle(spec)
        return states_of(game, count, seed=3), lambda state: oracle.solve(state).value
    empty = {"tictactoe": 9, "quarto": 4, "othello": 6}.get(game.name)
    return endings(game, count, empty, seed=3), lambda state: solved(game, state, known)


@pytest.mark.parametrize("formula", ["puct", "uct", "gumbel"])
@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe",
        "nim:heaps=2+3+4",
        "nim:heaps=2+3+4,misere=true",
        "quarto",
        "quarto:squares=true",
        "othello:size=4",
        "quixo:size=3",
    ],
)
def test_with_the_true_values_plugged_in_every_move_is_perfect(spec, formula):
    """Signs included: in Quarto a player places and gives in a row, in Othello one may have to pass."""
    game = ludus.make_game(spec)
    states, truth = truth_of(spec, 25)

    def evaluate(leaves):
        return np.ones((len(leaves), game.num_actions)), np.array([truth(leaf) for leaf in leaves])

    for settings in ({}, {"solver": False}, {"solver": False, "leaves": 3}):
        found = GuidedSearch(game, 100, formula=formula, considered=64, **settings).search(states, evaluate)
        for state, action, proof in zip(states, found.actions, found.proofs, strict=True):
            after = game.play(state, int(action))
            value = truth(after) if game.outcome(after) is None else game.outcome(after)[game.player(after)]
            assert value * (1 if game.player(after) == game.player(state) else -1) == truth(state)
            assert proof in (UNKNOWN, truth(state))


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


@pytest.mark.parametrize("formula", ["puct", "gumbel"])
def test_the_policy_of_a_proven_position_is_all_that_keeps_its_value(formula):
    """X wins at once at c1 and at a3."""
    game = ludus.make_game("tictactoe")
    state = game.position("XX-XOO--O X")
    found = GuidedSearch(game, 50, formula=formula).search(state[None], uniform(game))
    won = found.action_proofs[0] == 1
    assert found.proofs.tolist() == [1]
    assert won[found.actions[0]]
    assert found.policy[0].tolist() == (won / won.sum()).tolist()


@pytest.mark.parametrize("formula", ["puct", "uct"])
def test_by_the_other_formulas_the_policy_is_the_share_of_visits(formula):
    game = ludus.make_game("othello")
    found = GuidedSearch(game, 50, formula=formula).search(states_of(game, 4), assessments(game))
    assert found.policy == pytest.approx(found.visits / found.visits.sum(axis=1, keepdims=True))


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
