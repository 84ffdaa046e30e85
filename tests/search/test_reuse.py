"""Trees that are kept from move to move hold what they held below the position that was reached, and are searched on."""

import numpy as np
import pytest

import ludus
from ludus.agents.mcts import Mcts
from ludus.search.mcts.guided import GuidedSearch
from ludus.search.mcts.tree import ROOT, UNKNOWN, Counter, Node, Value

from ..helpers.agents.searched import same, states_of, uniform
from ..helpers.games import EACH, keys, positions

every_game = pytest.mark.parametrize("spec", EACH)


def subtree(nodes, values, node):
    """A node and all below it: visits, total for player 0, proof for player 0, children by action."""
    turn = 1 - 2 * nodes[node, Node.CHOOSER]
    known = None if nodes[node, Node.PROOF] == UNKNOWN else int(nodes[node, Node.PROOF] * turn)
    first = nodes[node, Node.FIRST]
    children = {int(nodes[c, Node.ACTION]): subtree(nodes, values, c) for c in range(first, first + nodes[node, Node.COUNT])}
    for c in range(first, first + nodes[node, Node.COUNT]):
        assert nodes[c, Node.PARENT] == node
    return int(nodes[node, Node.VISITS]), float(values[node, Value.TOTAL] * turn), known, children


@every_game
@pytest.mark.parametrize("plies", [0, 1, 2, 4])
def test_a_kept_tree_is_the_part_below_the_position(spec, plies):
    game = ludus.make_game(spec)
    search = Mcts(game, simulations=4000, solver=game.name != "nim")
    for start in (game.start, game.play(game.start, game.legal_actions(game.start)[-1])):
        tree = search.new_forest()
        search.search(start[None], keys(1), [tree])
        nodes, values = tree.nodes[0].copy(), tree.values[0].copy()
        state, node = start, ROOT
        for _ in range(plies):
            children = nodes[nodes[node, Node.FIRST] :][: nodes[node, Node.COUNT]]
            if not len(children) or not children[:, Node.VISITS].max():
                return
            node = nodes[node, Node.FIRST] + children[:, Node.VISITS].argmax()
            state = game.play(state, int(nodes[node, Node.ACTION]))
        (kept,) = tree.begin(state[None], reuse=True)
        assert np.array_equal(replayed(game, nodes, kept, start), state)  # it may have been reached on another way
        assert nodes[kept, Node.VISITS] >= nodes[node, Node.VISITS]
        expected = subtree(nodes, values, kept)
        assert subtree(tree.nodes[0], tree.values[0], ROOT) == expected
        assert tree.nodes[0, ROOT, Node.CHOOSER] == game.player(state)
        assert tree.counters[0, Counter.USED] == size(expected)


def replayed(game, nodes, node, root):
    """The state at a node."""
    if node == ROOT:
        return root
    return game.play(replayed(game, nodes, nodes[node, Node.PARENT], root), int(nodes[node, Node.ACTION]))


def size(tree):
    return 1 + sum(map(size, tree[3].values()))


def test_a_kept_tree_is_searched_on_with_what_it_knew():
    game = ludus.make_game("othello")
    search = Mcts(game, simulations=500)
    tree = search.new_forest()
    first = search.search(game.start[None], keys(1), [tree])
    action = int(first.actions[0])
    state = game.play(game.start, action)
    again = search.search(state[None], keys(1, seed=1), [tree])
    assert again.simulations.tolist() == [500]
    assert again.visits.sum() == 500 + first.visits[0, action] - 1  # the first visit of a node is its own playout
    fresh = search.search(state[None], keys(1, seed=1))
    assert fresh.visits.sum() == 500


def test_a_position_that_the_tree_does_not_know_begins_anew():
    game = ludus.make_game("othello")
    search = Mcts(game, simulations=100)
    tree = search.new_forest()
    search.search(game.start[None], keys(1), [tree])
    other = positions(game, 30, seed=4)[25:26]
    assert same(search.search(other, keys(1), [tree]), search.search(other, keys(1)))


def test_kept_trees_depend_on_their_own_game_alone():
    game = ludus.make_game("othello:size=6")
    policy = Mcts(game, simulations=50, reuse=True)
    openings = states_of(game, 4)

    def moves(games):
        player, states, played = policy.begin(4), openings.copy(), []
        for ply in range(4):
            actions = player.act(states[games], keys(4, seed=ply)[games], games)
            states[games] = game.plays(states[games], actions)
            played.append(actions.tolist())
        return np.array(played)

    together = moves(np.arange(4))
    assert np.array_equal(moves(np.array([2, 0])), together[:, [2, 0]])


def test_a_kept_root_gets_its_noise_once():
    game = ludus.make_game("tictactoe")
    guided = GuidedSearch(game, 40, noise_share=0.5)
    evaluate = uniform(game)

    def run(search):
        while len(leaves := search.select()):
            search.back_up(*evaluate(leaves))
        return search

    first = run(guided.begin(game.start[None]))
    action = int(first.results().visits[0].argmax())
    state = game.play(game.start, action)
    noise = np.zeros((1, 9))
    noise[0, (action + 1) % 9] = 1
    kept = guided.begin(state[None], noise, first)
    begin = kept.forest.nodes[0, ROOT, Node.FIRST]
    mixed = (1 / 8 + noise[0, game.legal_actions(state)]) / 2  # half of each of eight equal priors, and half of the noise
    assert kept.forest.values[0, begin : begin + 8, 3].tolist() == mixed.tolist()
    again = guided.begin(state[None], 1 - noise, kept)
    assert again.forest.values[0, begin : begin + 8, 3].tolist() == mixed.tolist()
    before = again.results().visits.sum()
    assert before > 0
    assert run(again).results().visits.sum() == before + 40
