"""Trainers: what makes policies. They stand on the environments, the policies and the arena.

from ludus.baselines import train

run = train("qlearning", "tictactoe", "runs/first", seed=1)
policy = run.policy()  # or, at any time: ludus.make_policy("run:runs/first", "tictactoe")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .measure import Measure
    from .registry import trainer_class, trainer_names
    from .run import Run
    from .trainer import Settings, Trainer
    from .training import resume, train

__all__ = ["Measure", "Run", "Settings", "Trainer", "resume", "train", "trainer_class", "trainer_names"]

_HOMES = {
    "Measure": "measure",
    "Run": "run",
    "Settings": "trainer",
    "Trainer": "trainer",
    "resume": "training",
    "train": "training",
    "trainer_class": "registry",
    "trainer_names": "registry",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
