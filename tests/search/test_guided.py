"""Guided search: its counts are those of a slow twin, with true values it plays perfectly, and it asks as it says it does."""

import numpy as np
import pytest

import ludus
from ludus.games.kernels.bits import number, u64
from ludus.games.kernels.rules import player
from ludus.search.mcts import forest as forests
from ludus.search.mcts import guided as guideds
from ludus.search.mcts.guided import GuidedSearch, InlineEvaluator
from ludus.search.mcts.tree import ROOT, UNKNOWN, Node

from ..helpers.agents.searched import assessment, assessments, counts, same, states_of, uniform, wins, with_wins
from ..helpers.games import EACH
from ..naive.mcts import Search

every_game = pytest.mark.parametrize("spec", EACH)


@every_game
@pytest.mark.parametrize("formula", ["puct", "uct"])
@pytest.mark.parametrize("solver", [True, False])
def test_counts_with_priors_and_values_are_those_of_the_slow_twin(spec, formula, solver):
    game = ludus.make_game(spec)
    states = np.concatenate([game.start[None], states_of(game, 4, seed=1)])
    found = GuidedSearch(game, 60, exploration=1.25, formula=formula, solver=solver).search(states, assessments(game))
    for i, state in enumerate(states):
        twin = Search(game, 1.25, formula, solver, evaluate=lambda state: assessment(game, state))
        root, done = twin.run(state, 60)
        side = 1 - 2 * game.player(state)
        assert found.visits[i].tolist() == counts(root, game)
        assert found.simulations[i] == done
        assert found.proofs[i] == (UNKNOWN if root.known is None else root.known * side)
        assert found.values[i] == pytest.approx(side * (root.total / root.visits if root.known is None else root.known))


@pytest.mark.parametrize("spec", [spec for spec in EACH if spec != "othello"])
@pytest.mark.parametrize("formula", ["puct", "uct", "gumbel"])
def test_a_win_in_one_is_seen_without_a_simulation_however_unlikely_it_is_said_to_be(spec, formula):
    game = ludus.make_game(spec)
    states = with_wins(game, 8)

    def evaluate(leaves):
        priors = game.masks(leaves).astype(np.float64)
        for row, state in enumerate(leaves):
            priors[row, wins(game, state)] = 0.0
        return priors, -np.ones(len(leaves))

    found = GuidedSearch(game, simulations=1, formula=formula).search(states, evaluate)
    assert (found.proofs == 1).all()
    assert not found.simulations.any()
    for state, action, policy in zip(states, found.actions, found.policy, strict=True):
        assert action in wins(game, state)
        assert np.flatnonzero(policy).tolist() == wins(game, state)


def test_priors_of_zero_for_every_legal_action_are_taken_as_equal():
    game = ludus.make_game("tictactoe")

    def nothing(leaves):
        return np.zeros((len(leaves), 9)), np.zeros(len(leaves))

    assert same(
        GuidedSearch(game, 50).search(game.start[None], nothing), GuidedSearch(game, 50).search(game.start[None], uniform(game))
    )


def test_noise_takes_its_share_of_the_priors_at_the_root_alone():
    game = ludus.make_game("tictactoe")
    state = game.position("XO------- X")
    noise = np.array([[9.0, 9.0, 3.0, 1.0, 0, 0, 0, 0, 0]])  # of the legal actions: three quarters c1, one quarter a2

    def evaluate(leaves):
        assert len(leaves) == 1
        return np.array([[0, 0, 0, 1.0, 1.0, 1.0, 1.0, 0, 0]]), [0.0]

    priors = {}
    for share in (0.0, 0.25, 1.0):
        search = GuidedSearch(game, 30, noise_share=share).begin(state[None], noise)
        for _ in range(6):
            search.back_up(*evaluate(search.select()))
        tree = search.forest
        first, count = tree.nodes[0, ROOT, Node.FIRST], tree.nodes[0, ROOT, Node.COUNT]
        priors[share] = tree.values[0, first : first + count, 3].tolist()
        inner = next(c for c in range(first, first + count) if tree.nodes[0, c, Node.COUNT])
        below = tree.nodes[0, inner, Node.FIRST]
        assert set(tree.values[0, below : below + tree.nodes[0, inner, Node.COUNT], 3].tolist()) <= {0.0, 1 / 3, 1 / 4}
    assert priors[0.0] == [0, 0.25, 0.25, 0.25, 0.25, 0, 0]
    assert priors[0.25] == pytest.approx([0.1875, 0.25, 0.1875, 0.1875, 0.1875, 0, 0])
    assert priors[1.0] == pytest.approx([0.75, 0.25, 0, 0, 0, 0, 0])


@every_game
def test_leaves_in_flight_are_counted_as_lost_and_so_lie_apart(spec):
    game = ludus.make_game(spec)
    states = np.array([state for state in [game.start, *states_of(game, 60)] if not ends(game, state)][:8])
    search = GuidedSearch(game, simulations=40, leaves=6, exploration=2.0).begin(states)
    evaluate = uniform(game)
    assert np.array_equal(search.select(), states)  # at first each tree has but its root to ask about
    search.back_up(*evaluate(states))
    leaves = search.select()
    choices = [min(6, len(game.legal_actions(state))) for state in states]
    assert len(leaves) == sum(choices)
    for state, rows in zip(states, np.split(leaves, np.cumsum(choices)[:-1]), strict=True):
        following = game.plays(np.repeat(state[None], len(rows), axis=0), game.legal_actions(state)[: len(rows)])
        assert np.array_equal(rows, following)  # priors and values being equal, the first actions come first
    search.back_up(*evaluate(leaves))
    while len(leaves := search.select()):
        search.back_up(*evaluate(leaves))
    found = search.results()
    assert (found.visits.sum(axis=1) == found.simulations).all()


def ends(game, state):
    """Whether some action ends the game."""
    actions = game.legal_actions(state)
    return (game.outcomes(game.plays(np.repeat(state[None], len(actions), axis=0), actions)) != 2).any()


def test_counting_as_lost_leaves_no_trace():
    """The root's value is the average of all that was said, each from the side of the root's player."""
    game = ludus.make_game("othello")
    heard = []

    def evaluate(leaves):
        priors, values = assessments(game)(leaves)
        heard.extend((values * np.where(game.players(leaves) == 0, 1, -1)).tolist())
        return priors, values

    found = GuidedSearch(game, simulations=64, leaves=8).search(game.start[None], evaluate)
    assert len(heard) == 65
    assert found.values.tolist() == [sum(heard) / 65]


@pytest.mark.parametrize(
    ("priors", "values", "words"),
    [
        (np.ones((1, 8)), np.zeros(1), r"priors of shape \(1, 9\) .* not \(1, 8\)"),
        (np.ones((1, 9)), np.zeros(2), r"values of shape \(1,\), not .* \(2,\)"),
        (np.full((1, 9), -1.0), np.zeros(1), "finite priors of 0 or more"),
        (np.full((1, 9), np.inf), np.zeros(1), "it gave inf"),
        (np.ones((1, 9)), np.full(1, np.nan), "values from -1 to 1, .* it gave nan"),
        (np.ones((1, 9)), np.full(1, -1.5), "values from -1 to 1, .* it gave -1.5"),
    ],
)
def test_answers_that_cannot_be_are_refused_and_may_be_given_again(priors, values, words):
    game = ludus.make_game("tictactoe")
    search = GuidedSearch(game, 10).begin(game.start[None])
    search.select()
    with pytest.raises(ValueError, match=words):
        search.back_up(priors, values)
    search.back_up(np.ones((1, 9)), np.zeros(1))
    assert len(search.select()) == 1


def stated(state, weights, priors):
    priors[0], priors[4] = weights[0], weights[1]
    return weights[2]


@pytest.mark.parametrize("numbers", [(1, 1, 18), (1, 1, np.nan), (1, np.inf, 0), (-1, 5, 0)])
def test_an_evaluator_that_is_compiled_in_and_says_what_cannot_be_is_refused(numbers):
    game = ludus.make_game("tictactoe")
    search = GuidedSearch(game, 50)
    with pytest.raises(ValueError, match="values from -1 to 1, for the player to move; stated gave others"):
        search.search(game.start[None], InlineEvaluator(stated, np.array(numbers, np.float64)))
    assert search.search(game.start[None], InlineEvaluator(stated, np.array([0, 2, -1.0]))).visits.any()


def test_noise_and_earlier_searches_that_do_not_fit_are_refused():
    game = ludus.make_game("tictactoe")
    earlier = GuidedSearch(game).begin(game.start[None])
    for formula, count, how, words in (
        ("puct", 1, {"noise": np.ones((1, 8))}, r"noise has shape \(1, 8\); it must have shape \(1, 9\)"),
        ("puct", 2, {"earlier": earlier}, "earlier search had 1 positions, this one has 2"),
        ("gumbel", 1, {"earlier": earlier}, "earlier search had formula=puct, this one has formula=gumbel"),
        ("ucb", 1, {}, "formula is 'ucb'; it must be puct, uct or gumbel"),
    ):
        with pytest.raises(ValueError, match=words):
            GuidedSearch(game, formula=formula).begin(np.repeat(game.start[None], count, axis=0), **how)


@pytest.mark.parametrize("evaluate", [assessments, lambda game: InlineEvaluator()], ids=["outside", "inline"])
def test_a_guided_search_with_no_room_says_so(evaluate, monkeypatch):
    monkeypatch.setattr(forests, "MAX_BYTES", 64 * 300)
    game = ludus.make_game("othello")
    with pytest.raises(MemoryError, match=r"the trees of 2 positions have no room .* search fewer positions"):
        GuidedSearch(game, simulations=500).search(np.repeat(game.start[None], 2, axis=0), evaluate(game))


# ---- an evaluation that is compiled in finds what it finds from outside


def leaning(state, weights, priors):
    """Priors from the weights, turned by the player to move, and a value from the first word of the state."""
    for action in range(priors.shape[0]):
        priors[action] = weights[(action + player(state)) % priors.shape[0]]
    return weights[priors.shape[0]] * float(number(state[0] & u64(63)) - 32)


def leaning_outside(game, weights):
    def evaluate(leaves):
        priors = np.stack([np.roll(weights[:-1], -int(mover)) for mover in game.players(leaves)])
        return priors, weights[-1] * ((leaves[:, 0] & np.uint64(63)).astype(np.int64) - 32.0)

    return evaluate


def weights_of(game):
    return np.append(np.random.default_rng(1).random(game.num_actions), 1 / 32)


@pytest.mark.parametrize("spec", ["tictactoe", "othello:size=6", "quarto"])
@pytest.mark.parametrize("formula", ["puct", "gumbel"])
def test_inside_is_found_what_is_found_from_outside(spec, formula, monkeypatch):
    monkeypatch.setattr(guideds, "SLICE", 100)
    monkeypatch.setattr("ludus.core.native.threads.SMALLEST_BATCH", 1)
    monkeypatch.setattr("ludus.core.native.threads.SMALLEST_PART", 1)
    game = ludus.make_game(spec)
    states, weights = states_of(game, 8), weights_of(game)
    search = GuidedSearch(game, 60, formula=formula, ahead=100)
    for noise in (None, np.random.default_rng(0).gumbel(size=(8, game.num_actions)) ** 2):
        found = search.search(states, InlineEvaluator(leaning, weights), noise)
        assert same(found, search.search(states, leaning_outside(game, weights), noise))
        assert np.array_equal(found.policy, search.search(states, leaning_outside(game, weights), noise).policy)
