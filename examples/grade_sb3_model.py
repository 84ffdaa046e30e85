"""MaskablePPO measured while it learns tic-tac-toe, and graded against perfect play at the end. Needs `pip install '.[rl]'`.

python examples/grade_sb3_model.py 50000
"""

import argparse

import gymnasium as gym
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import ludus
from ludus.arena import evaluate, grade_exact

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("steps", nargs="?", type=int, default=20_000)
steps = arguments.parse_args().steps
torch.set_num_threads(1)  # fastest for small networks
envs = DummyVecEnv([lambda: gym.make("ludus/TicTacToe-v0", opponent="random") for _ in range(8)])
model = MaskablePPO("MultiInputPolicy", envs, n_steps=256, batch_size=256, seed=0)
while model.num_timesteps < steps:
    model.learn(steps // 4, reset_num_timesteps=False)
    print(f"{model.num_timesteps:6} steps: {evaluate(model, 'tictactoe', against='greedy', games=1000)!r}")

exact = grade_exact(model, "tictactoe")  # computed over all positions that can occur, not sampled
game = ludus.make_game("tictactoe")
for player, seat in zip(game.player_names, exact.seats, strict=True):
    line = " ".join(game.moves[action] for action in seat.line) if seat.line else "no game"
    print(f"as {player}: wins {seat.vs_random.win_rate:.1%}, draws {seat.vs_random.draw_rate:.1%} against random; loses {line}")
print(f"beatable: {exact.beatable}; {exact.optimal_rate:.1%} of its moves are perfect; value lost per move: {exact.value_lost:.3f}")
