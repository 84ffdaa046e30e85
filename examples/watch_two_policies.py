"""Watch two policies play a game, move by move.

python watch_two_policies.py quarto hard frontiers
python watch_two_policies.py othello:size=6 perfect mcts:simulations=400 --window
"""

import argparse

import pettingzoo

import ludus
from ludus.core import specs

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("game", nargs="?", default="quarto")
parser.add_argument("policies", nargs="*", default=["hard", "frontiers"])
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--window", action="store_true", help="show the game in a window instead of on the terminal")
chosen = parser.parse_args()

name, settings = specs.split(chosen.game)
game = ludus.make_game(chosen.game)
first, second = (ludus.make_policy(policy, game) for policy in chosen.policies)
env = pettingzoo.make("aec", f"ludus/{name}-v0", render_mode="human" if chosen.window else None, **settings)
env.reset(seed=chosen.seed)

for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        env.step(None)
        continue
    policy = first if agent == "player_0" else second
    action = policy(env)
    env.step(action)
    print(f"{agent} ({policy}) plays {game.move_name(action)}\n")
    if not chosen.window:
        print(game.picture(env.unwrapped.rules_state, action), "\n")
