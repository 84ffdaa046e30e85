"""Reading ahead: what it settles is what brute force finds; what it settles the network is not asked about."""

import numpy as np
import pytest

import ludus
from ludus.games.kernels.arrays import Counts, Numbers, States
from ludus.games.kernels.rules import ONGOING, load
from ludus.oracles import make_oracle
from ludus.search.mcts.guided import GuidedSearch
from ludus.search.mcts.tree import NUM_COUNTERS, Counter, bound, search_proof

from ..helpers.agents.searched import assessments, endings, uniform, value_after
from ..naive.search import solved

PLENTY = 10**7
ENDGAMES = pytest.mark.parametrize(
    ("spec", "empty"),
    [
        ("tictactoe", 9),
        ("nim:heaps=2+3+4", None),
        ("nim:heaps=2+3+4,misere=true", None),
        ("quarto", 4),
        ("quarto:squares=true", 4),
        ("othello:size=4", 6),
    ],
)


def search_each(
    states: States, positions: int, results: Numbers, visited: Numbers, counters: Numbers, table: States, action_words: int
) -> None:
    """What reading ahead says of each state, and how many positions it visited for that; all share the table."""
    for row in range(states.shape[0]):
        results[row] = search_proof(load(states[row]), positions, counters, table, action_words)
        visited[row] = positions - counters[Counter.BUDGET]


def empty_table(entries):
    return np.zeros((entries, 2), np.uint64)


def read(game, states, positions, table):
    """Player 0's results, or ONGOING, and how many positions were visited."""
    results, visited = np.zeros((2, len(states)), np.int64)
    game.kernel(search_each)(states, positions, results, visited, np.zeros(NUM_COUNTERS, np.int64), table, game.action_words)
    return results, visited


def results_of(game, states):
    """Player 0's results by brute force."""
    known = {}
    return np.array([solved(game, state, known) * (1 - 2 * game.player(state)) for state in states])


def bound_each(states: States, questions: Counts, results: Numbers, counters: Numbers, table: States, action_words: int) -> None:
    """The bounds of states at depths with horizons, one question after the other."""
    counters[Counter.BUDGET] = PLENTY
    for row in range(states.shape[0]):
        depth, beyond = questions[row, 0], questions[row, 1]
        results[row] = bound(load(states[row]), depth, -1, 1, beyond, counters, table, action_words)


def minimax(game, state, depth, beyond, known):
    """Player 0's result by plain minimax, with the result `beyond` for games that last longer."""
    key = state.tobytes(), depth
    if key not in known:
        result, best = game.outcome(state), (max, min)[game.player(state)]
        if result is not None:
            known[key] = result[0]
        elif depth == 0:
            known[key] = beyond
        else:
            after = [game.play(state, action) for action in game.legal_actions(state)]
            known[key] = best(minimax(game, child, depth - 1, beyond, known) for child in after)
    return known[key]


@ENDGAMES
@pytest.mark.parametrize("entries", [2, 1024])
def test_what_is_settled_is_what_brute_force_finds_and_more_positions_settle_more(spec, empty, entries):
    game = ludus.make_game(spec)
    states = endings(game, 60, empty)
    expected, before, table = results_of(game, states), np.zeros(60, bool), empty_table(entries)
    for positions in (1, 10, 100, 1000, PLENTY):
        results, _ = read(game, states, positions, table)
        known = results != ONGOING
        assert (results[known] == expected[known]).all()
        assert (known >= before).all()
        before = known
    assert before.all()
    assert set(expected.tolist()) >= {-1, 1}


@pytest.mark.parametrize(
    ("spec", "deepest"), [("quixo:size=3", 4), ("tictactoe", 6), ("nim:heaps=2+3+4", 6), ("nim:heaps=1+2+3,misere=true", 6)]
)
@pytest.mark.parametrize("entries", [2, 4096])
def test_whatever_was_asked_before_bounds_lie_between_those_of_plain_minimax_and_the_truth(spec, deepest, entries):
    game, random = ludus.make_game(spec), np.random.default_rng(7)
    some = endings(game, 6, 7, seed=2)
    after = np.array([game.play(state, action) for state in some for action in game.legal_actions(state)[:3]])
    states = np.concatenate([some, after[game.outcomes(after) == ONGOING]])
    states = np.ascontiguousarray(states[random.integers(len(states), size=400)])
    questions = np.stack([random.integers(1, deepest + 1, 400), random.choice([-1, 1], 400)], axis=1)
    results, table = np.zeros(400, np.int64), empty_table(entries)
    game.kernel(bound_each)(states, questions, results, np.zeros(NUM_COUNTERS, np.int64), table, game.action_words)
    known, signs = {-1: {}, 1: {}}, 1 - 2 * np.array([game.player(state) for state in states])
    truth = signs * make_oracle(game).values(states)
    asked = zip(states, questions.tolist(), strict=True)
    minimax_results = np.array([minimax(game, state, depth, beyond, known[beyond]) for state, (depth, beyond) in asked])
    towards = -questions[:, 1]
    assert (towards * minimax_results <= towards * results).all()
    assert (towards * results <= towards * truth).all()
    assert (minimax_results != truth).any()


def test_games_without_an_end_are_settled_where_a_win_can_be_forced():
    """3×3 Quixo goes round in circles; it is won from the start (Tanaka and others, arXiv 2007.15895)."""
    game = ludus.make_game("quixo:size=3")
    for positions, result in ((PLENTY, 1), (20, ONGOING)):
        assert read(game, game.start[None], positions, empty_table(2))[0].tolist() == [result]


@pytest.mark.parametrize("formula", ["puct", "gumbel"])
def test_with_plenty_of_it_the_network_is_asked_about_roots_alone_and_play_is_perfect(formula):
    game, known, asked = ludus.make_game("quarto"), {}, []
    states = endings(game, 40, 4, seed=4)

    def evaluate(leaves):
        asked.extend(leaves)
        return uniform(game)(leaves)

    found = GuidedSearch(game, 32, formula=formula, ahead=PLENTY).search(states, evaluate)
    assert np.array_equal(asked, states)
    assert found.proofs.tolist() == [solved(game, state, known) for state in states]
    for state, action, proof in zip(states, found.actions, found.proofs, strict=True):
        assert value_after(game, state, int(action), known) == proof


@pytest.mark.parametrize("formula", ["puct", "uct", "gumbel"])
def test_at_the_root_it_is_read_as_far_as_root_ahead_says_where_that_is_more(formula):
    """Four plies from the end each action is proven at its first visit, and beyond the actions nothing is left to search."""
    game, known = ludus.make_game("quarto"), {}
    states = endings(game, 40, 4, seed=5)
    found = GuidedSearch(game, 200, formula=formula, root_ahead=PLENTY, considered=32).search(states, assessments(game))
    assert found.proofs.tolist() == [solved(game, state, known) for state in states]
    assert found.visits.max() == 1


def test_a_position_that_was_settled_in_an_earlier_search_is_searched_by_itself():
    """It has no children that tell what to play."""
    game, known = ludus.make_game("quarto"), {}
    guided = GuidedSearch(game, 16, ahead=PLENTY)

    def run(search):
        while len(leaves := search.select()):
            search.back_up(*uniform(game)(leaves))
        return search

    for state in endings(game, 20, 4, seed=6):
        search = run(guided.begin(state[None]))
        after = game.play(state, int(search.results().actions[0]))
        if game.outcome(after) is None:
            found = run(guided.begin(after[None], earlier=search)).results()
            assert found.proofs[0] == solved(game, after, known)
            assert value_after(game, after, int(found.actions[0]), known) == found.proofs[0]
            assert found.policy[0].sum() == pytest.approx(1)
