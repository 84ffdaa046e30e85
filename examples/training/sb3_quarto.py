"""MaskablePPO learns Quarto on compiled boards, and is measured with masks. Needs `pip install '.[rl]'`.

python examples/training/sb3_quarto.py 1000000
"""

import argparse

import torch
from sb3_contrib import MaskablePPO

from ludus.arena import evaluate
from ludus.baselines.sb3 import BoardFeatures, BoardsVecEnv

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("steps", nargs="?", type=int, default=200_000)
steps = arguments.parse_args().steps
torch.set_num_threads(1)  # fastest for small networks
model = MaskablePPO(
    "MultiInputPolicy",  # for the Dict of planes and mask
    BoardsVecEnv("quarto", 64),  # 64 boards in one compiled call; the loser's -1 arrives
    n_steps=32,
    batch_size=512,
    n_epochs=4,
    learning_rate=1e-3,
    ent_coef=0.02,
    policy_kwargs={"features_extractor_class": BoardFeatures, "features_extractor_kwargs": {"convolutions": (32,)}},
    seed=0,
)
for opponent in ("random", "easy"):
    envs = BoardsVecEnv("quarto", 64, opponent=opponent)
    envs.seed(0)
    model.set_env(envs)
    model.learn(steps // 2, reset_num_timesteps=False)
    for against in ("random", "easy"):
        print(f"{model.num_timesteps:8,} steps, {evaluate(model, 'quarto', against=against, games=400)!r}")
