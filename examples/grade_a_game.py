"""Grade every move of a game with the oracle: which kept the value, and which lost some.

python grade_a_game.py quixo:size=4 greedy minimax:depth=4
"""

import argparse

import numpy as np

import ludus
from ludus.oracles import make_oracle

arguments = argparse.ArgumentParser(description=__doc__)
for name, default in {"game": "tictactoe", "first": "random", "second": "greedy"}.items():
    arguments.add_argument(name, nargs="?", default=default)
spec, *names = vars(arguments.parse_args()).values()
game = ludus.make_game(spec)
oracle = make_oracle(game)
policies = [ludus.make_policy(name, game) for name in names]
keys = np.random.default_rng(0).integers(2**64, size=200, dtype=np.uint64)
WORDS = {1: "won", 0: "drawn", -1: "lost", None: "out of reach"}

state, value_lost = game.start, [0, 0]
for key in keys:
    if game.outcome(state) is not None:
        break
    player = game.player(state)
    action = int(policies[player].act(state[None], key[None])[0])
    before, after = oracle.solve(state), oracle.after(state)[action]
    lost = None if before.value is None or after.value is None else before.value - after.value
    value_lost[player] += lost or 0
    verdict = "" if not lost else f"  value lost: {lost}; best was {', '.join(map(game.move_name, before.best[:4]))}"
    print(f"{names[player]:>10} {game.move_name(action):8} {WORDS[before.value]:>12} -> {WORDS[after.value]:12}{verdict}")
    state = game.play(state, action)

print(f"\n{game.status(state)}; value lost: {names[0]} {value_lost[0]}, {names[1]} {value_lost[1]}")
