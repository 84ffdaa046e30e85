"""Stable-Baselines3 and sb3-contrib as published, straight over the compiled boards.

from ludus.baselines.sb3 import BoardsVecEnv

envs = BoardsVecEnv("quarto", 64, opponent="easy")
model = MaskablePPO("MultiInputPolicy", envs)
"""

from __future__ import annotations

from ...core.plugins.loading import install_with

try:
    from .nets import BoardFeatures
    from .vec_env import BoardsVecEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"ludus.baselines.sb3 needs {error.name}; {install_with('rl')} brings it", name=error.name) from error

__all__ = ["BoardFeatures", "BoardsVecEnv"]
