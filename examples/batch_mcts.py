"""Monte-Carlo tree search on many boards at once, from nothing but a game's batch calls: `masks`, `plays`, `outcomes`, `players`.

Each board has a tree of arrays, and all trees take their steps together: select by UCB1, expand a node, play out with random moves,
back up. It is the search that `mcts` does in compiled code, in a form to read and to change; docs/arrays.md explains the calls.

    python examples/batch_mcts.py --game connect_four --simulations 100 --games 40
"""

import argparse
import time

import numpy as np

import ludus
from ludus.arena import evaluate
from ludus.rules import ONGOING

EXPLORATION = 2**0.5


def uniforms(keys, counts):
    """A number from 0 to 1 for each key and count (B,), uint64: what one board draws does not depend on the others."""
    bits = keys + np.uint64(0x9E3779B97F4A7C15) * counts
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        bits = (bits ^ bits >> np.uint64(shift)) * np.uint64(factor)
    return (bits ^ bits >> np.uint64(31)) / 2.0**64


class Trees:
    """A search tree for each of some positions (B, W). Node 0 is the root; a node's number is the simulation that made it."""

    def __init__(self, game, states, keys, simulations):
        boards, nodes, actions = len(states), simulations + 1, game.num_actions
        self.game, self.keys, self.draws = game, keys, np.zeros(boards, np.uint64)
        self.states = np.zeros((boards, nodes, game.num_words), np.uint64)
        self.masks = np.zeros((boards, nodes, actions), np.bool_)
        self.players = np.zeros((boards, nodes), np.int8)
        self.children = np.zeros((boards, nodes, actions), np.int64)  # 0: none yet
        self.visits = np.zeros((boards, nodes, actions))
        self.totals = np.zeros((boards, nodes, actions))  # of the node's mover
        self.add(np.arange(boards), 0, states)
        for node in range(1, nodes):
            self.simulate(node)

    def add(self, boards, node, states):
        self.states[boards, node] = states
        self.masks[boards, node] = self.game.masks(states)  # no action where the game is over
        self.players[boards, node] = self.game.players(states)

    def simulate(self, new):
        """One path from the root of every tree to its new node, or to the end of a game."""
        boards = np.arange(len(self.states))
        at, path = np.zeros(len(boards), np.int64), []
        going = self.masks[boards, at].any(1)
        while going.any():
            some = np.flatnonzero(going)
            action = self.select(some, at[some])
            path.append((some, at[some], action))
            child = self.children[some, at[some], action]
            fresh = child == 0
            after = self.game.plays(self.states[some[fresh], at[some[fresh]]], action[fresh])
            self.add(some[fresh], new, after)
            self.children[some[fresh], at[some[fresh]], action[fresh]] = new
            at[some] = np.where(fresh, new, child)
            going[some] = ~fresh & self.masks[some, at[some]].any(1)
        results = self.play_out(self.states[boards, at])
        for some, node, action in path:
            signs = 1 - 2 * self.players[some, node]
            self.visits[some, node, action] += 1
            self.totals[some, node, action] += signs * results[some]

    def select(self, boards, nodes):
        """The action with the highest upper confidence bound in each node; one that was never tried comes first."""
        visits, totals = self.visits[boards, nodes], self.totals[boards, nodes]
        tried = np.maximum(visits, 1)
        bounds = totals / tried + EXPLORATION * np.sqrt(np.log(visits.sum(1, keepdims=True) + 1) / tried)
        bounds[visits == 0] = np.inf
        bounds[~self.masks[boards, nodes]] = -np.inf
        return bounds.argmax(1)

    def play_out(self, states):
        """Player 0's results of random games from here (B,)."""
        states, results = states.copy(), self.game.outcomes(states)
        while len(rows := np.flatnonzero(results == ONGOING)):
            states[rows] = self.game.plays(states[rows], self.draw(self.game.masks(states[rows]), rows))
            results[rows] = self.game.outcomes(states[rows])
        return results

    def draw(self, masks, rows):
        """A legal action in each row, all equally likely."""
        self.draws[rows] += np.uint64(1)
        nth = (uniforms(self.keys[rows], self.draws[rows]) * masks.sum(1)).astype(np.int64)
        return (masks.cumsum(1) > nth[:, None]).argmax(1)


def searching(game, simulations):
    """The search as a policy: a function of rules' states (B, W) and keys (B,), which give the randomness of each board."""

    def search(states, keys):
        return Trees(game, states, keys, simulations).visits[:, 0].argmax(1)

    return ludus.as_policy(search, game, name=f"batch MCTS, {simulations} simulations")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--games", type=int, default=40)
    chosen = parser.parse_args()
    game, began = ludus.make_game(chosen.game), time.perf_counter()
    print(evaluate(searching(game, chosen.simulations), game, "minimax:depth=2", games=chosen.games))
    print(f"{time.perf_counter() - began:.1f} s")
