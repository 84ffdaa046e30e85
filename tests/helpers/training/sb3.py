"""Trainers of Stable-Baselines3 in small: short parts, one thread, no plots."""

import pytest
import torch

from .pictures import no_pictures

SMALL = {
    # short parts of each trainer
    "maskable_ppo": {"boards": 8, "rollout": 16, "batch": 64, "epochs": 2, "snapshot_every": 1, "pool": 2, "layers": (16,)},
    "ppo": {"boards": 8, "rollout": 16, "batch": 64, "epochs": 2, "opponents": ("self", "greedy"), "layers": (16,)},
    "dqn": {"boards": 4, "batch": 16, "memory": 300, "warm_up": 100, "target_every": 100, "snapshot_every": 1, "layers": (16,)},
}


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Small networks are quicker on one thread, above all where others use the cores."""
    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def no_plots(monkeypatch):
    """No plots, which take most of the time."""
    no_pictures(monkeypatch)
