"""The best answer to a policy, and expected results: on graphs with circles by brute force, and by playing games."""

from fractions import Fraction

import numpy as np

import ludus
from ludus.arena.grading.answers import probability_chooser
from ludus.arena.grading.seat import SeatAnalysis
from ludus.envs import make_game
from ludus.games.kernels.rules import ONGOING
from ludus.oracles.statespace.graph import Graph, explore, no_symmetries

from ...naive.grading import best_chain, chain

NOBODY_MORE = (Fraction(191, 192), Fraction(887, 945))
"""How often any policy at all can win tic-tac-toe against random play, as X and as O."""


def graph_against(policy, seat):
    """The positions that can come up against a policy that gives its probabilities."""
    chooser = probability_chooser(policy)
    return explore(policy.game, (chooser, None) if seat == 0 else (None, chooser))


# ---- against policies


def test_no_policy_wins_more_often_against_random_than_the_best_answer_does():
    random = ludus.make_policy("random", "tictactoe")
    for seat, most in enumerate(NOBODY_MORE[::-1]):
        analysis = SeatAnalysis(graph_against(random, seat), seat, None)
        moves = analysis.best_response(worth=(1, 0, 0))
        assert abs(analysis.games_against(analysis.moves_with(moves)).expected.loss_rate - float(most)) < 1e-12


# ---- circles


def some_graph(rng, positions, seat):
    """A small graph with circles: some positions ended, the others with one to three moves anywhere."""
    outcomes = np.full(positions, ONGOING, np.int8)
    ended = rng.permutation(np.arange(1, positions))[: rng.integers(1, 4)]
    outcomes[ended] = rng.integers(-1, 2, len(ended))
    counts = np.where(outcomes == ONGOING, rng.integers(1, 4, positions), 0)
    targets = np.concatenate([rng.choice(positions, count, replace=False) for count in counts]).astype(np.int32)
    movers = rng.integers(0, 2, positions).astype(np.int8)
    chances = np.concatenate([rng.dirichlet(np.full(count, 2.0)) for count in counts if count])
    starts = np.concatenate([[0], np.cumsum(counts)])
    return graph_of(outcomes, starts, targets, chances, movers)


def graph_of(outcomes, starts, targets, chances, movers):
    """A graph whose positions and actions do not matter."""
    game, nothing = make_game("nim"), np.zeros(len(outcomes), np.int32)
    states, actions = np.zeros((len(outcomes), 2), np.uint64), np.zeros(len(targets), np.int16)
    arrays = np.int8(movers), np.int8(outcomes), np.array(starts), np.int32(targets)
    return Graph(game, states, *arrays, actions, np.array(chances), nothing, no_symmetries(game))


def naively(graph, seat):
    """The moves and results of a graph in plain dictionaries, the results being the opponent's."""
    moves = []
    for i in range(len(graph)):
        part = slice(graph.starts[i], graph.starts[i + 1])
        moves.append(dict(zip(graph.targets[part].tolist(), graph.chances[part].tolist(), strict=True)))
    results = {i: int(o) * (2 * seat - 1) for i, o in enumerate(graph.outcomes.tolist()) if o != ONGOING}
    his = [i for i in range(len(graph)) if i not in results and graph.movers[i] != seat]
    return moves, results, his


def test_the_best_answer_is_the_best_of_all_answers_however_the_graph_goes_round():
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(300):
        seat = int(rng.integers(2))
        graph = some_graph(rng, 8, seat)
        analysis = SeatAnalysis(graph, seat, None)
        moves, results, his = naively(graph, seat)
        best = best_chain(moves, results, his)
        assert abs(-analysis.games_against(analysis.moves_with(analysis.response)).expected.result - best) < 1e-9
        at_random = [dict.fromkeys(to, 1 / len(to)) if i in his else to for i, to in enumerate(moves)]
        assert abs(-analysis.games_against().expected.result - chain(at_random, results)) < 1e-9
        seen.add(round(best, 6))
    assert {-1, 0, 1} < seen
    assert len(seen) > 30
