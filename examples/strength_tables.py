"""How strong the classic policies are: the tables of earlier attempts at these games, played again.

python strength_tables.py --games 200
"""

import argparse
import time
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

import ludus
from ludus.agents.minimax import Minimax
from ludus.arena import evaluate

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--games", type=int, default=200, help="games a match, half of them from each seat (200)")
parser.add_argument("--seed", type=int, default=0)
chosen = parser.parse_args()


@dataclass(frozen=True)
class Counting(Minimax):
    """Minimax that counts the nodes it visits."""

    visited: list[int] = field(default_factory=list, repr=False)

    def act(self, states, keys):
        found = self.search(states, keys)
        self.visited.append(int(found.nodes.sum()))
        return found.actions


def match(table: Table, game: str, first, second: str) -> None:
    """Plays a match and adds its row."""
    first = ludus.make_policy(first, game)
    second = ludus.make_policy(second, game)
    evaluate(first, game, second, 2)  # compiles, which is not timed
    if isinstance(first, Counting):
        first.visited.clear()
    began = time.perf_counter()
    result = evaluate(first, game, second, chosen.games, seed=chosen.seed, opening_plies=0)
    seconds = (time.perf_counter() - began) / result.games
    percent = [f"{100 * count / result.games:.1f}" for count in (result.wins, result.draws, result.losses)]
    nodes = f"{sum(first.visited) / result.games:,.0f}" if isinstance(first, Counting) else ""
    table.add_row(game, f"{first} – {second}", *percent, nodes, f"{1000 * seconds:.2f}")


table = Table("game", "match", "win %", "draw %", "loss %", "nodes a game", "ms a game")
othello = ludus.make_game("othello:size=6")
for depth in (1, 3, 5, 7):
    match(table, "othello:size=6", Counting(othello, depth=depth), "random")
for depth in (1, 3, 5, 7):
    match(table, "othello:size=6", Counting(othello, depth=depth, mobility=3.0), "random")
for depth in (1, 3, 5):
    match(table, "othello:size=6", Counting(othello, depth=depth, prune=False, table=False), "random")
match(table, "othello:size=6", "expectimax:depth=3", "random")
for first, second in [
    ("hard", "easy"),
    ("hard", "random"),
    ("easy", "random"),
    ("frontiers", "random"),
    ("minimax:depth=4", "random"),
]:
    match(table, "quarto", first, second)
for policy in ("minimax:depth=3", "minimax:depth=5,evaluation=plain", "greedy", "mcts:simulations=400"):
    match(table, "quixo", policy, "random")
for game in ("nim", "tictactoe", "quixo:size=3", "quixo:size=4", "quarto", "othello:size=6"):
    match(table, game, "perfect", "random")
Console(width=140).print(table)
