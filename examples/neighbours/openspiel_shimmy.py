"""OpenSpiel through Shimmy, and back: the same games in both, and OpenSpiel's Monte-Carlo player in the arena.

Shimmy makes OpenSpiel's games AEC environments too. The other way round, a bot of OpenSpiel's is a policy like any other.

python examples/neighbours/openspiel_shimmy.py --games 100
"""

import argparse

import numpy as np
import pettingzoo
import pyspiel
from shimmy import OpenSpielCompatibilityV0

import ludus
from ludus.arena import evaluate

TICTACTOE, THEIRS = ludus.make_game("tictactoe"), pyspiel.load_game("tic_tac_toe")


def same_game(ours, theirs, seed: int) -> bool:
    """Plays a random game in both environments; returns whether players, masks and rewards always agree."""
    random, agreed = np.random.default_rng(seed), True
    ours.reset()
    theirs.reset()
    while not any(ours.terminations.values()):
        seat, mask = ours.agent_selection, ours.action_mask()
        agreed &= theirs.agent_selection == seat and np.array_equal(theirs.infos[seat]["action_mask"], mask)
        action = int(random.choice(np.flatnonzero(mask)))
        ours.step(action)
        theirs.step(action)
    return agreed and ours.rewards == theirs.rewards and ours.terminations == theirs.terminations


def openspiel_mcts(states, keys) -> list[int]:
    """The actions of OpenSpiel's Monte-Carlo tree search, with 100 simulations per move, seeded by the keys."""
    seeds = (keys % 2**31).tolist()
    bots = [pyspiel.MCTSBot(THEIRS, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, 100, 10, True, seed, False) for seed in seeds]
    return [bot.step(in_openspiel(TICTACTOE.text(state))) for bot, state in zip(bots, states, strict=True)]


def in_openspiel(text: str) -> pyspiel.State:
    """OpenSpiel's state of a position of tic-tac-toe."""
    cells, state = [[cell for cell in range(9) if text[cell] == mark] for mark in "XO"], THEIRS.new_initial_state()
    while any(cells):
        state.apply_action(cells[state.current_player()].pop())
    return state


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--games", type=int, default=100)
    games = arguments.parse_args().games
    for name, theirs in (("tictactoe", "tic_tac_toe"), ("othello", "othello")):
        ours = pettingzoo.make("aec", f"ludus/{name}-v0")
        agreed = sum(same_game(ours, OpenSpielCompatibilityV0(game_name=theirs), seed) for seed in range(games))
        print(f"{name}: {agreed} of {games} random games are the same in both")
    for against in ("random", "perfect"):
        print(repr(evaluate(openspiel_mcts, "tictactoe", against, games=games, opening_plies=0)))
