"""Every policy of every game against a random player, half of the games from each seat: how strong, how fast.

python every_policy.py --games 200
"""

import argparse

import numpy as np
from rich.console import Console
from rich.table import Table

import ludus
from ludus.agents import policies_for
from ludus.arena import evaluate

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--games", type=int, default=200)
parser.add_argument("--seed", type=int, default=0)
chosen = parser.parse_args()

table = Table("game", "policy", "wins %", "draws %", "losses %", "µs a move")
for spec in ("nim", "tictactoe", "quarto", "quixo:size=4", "quixo", "othello:size=6", "othello"):
    game = ludus.make_game(spec)
    for name in policies_for(game):
        policy = ludus.make_policy(name, game)
        policy.act(game.start[None], np.zeros(1, np.uint64))  # compiles, which is not timed
        result = evaluate(policy, game, "random", chosen.games, seed=chosen.seed, opening_plies=0)
        percents = (f"{100 * count / result.games:.1f}" for count in (result.wins, result.draws, result.losses))
        table.add_row(spec, name, *percents, f"{1e6 * result.seconds_a_move[0]:.1f}")
    table.add_section()
Console(width=100).print(table)
