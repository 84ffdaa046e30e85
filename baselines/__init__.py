"""Trainers: what makes policies. They stand on the environments, the policies and the arena.

from ludus.baselines import train

run = train("qlearning", "tictactoe", "runs/first", seed=1)
policy = run.policy()  # or, at any time: ludus.make_policy("run:runs/first", "tictactoe")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..envs.lazy import lazy

if TYPE_CHECKING:
    from .measure import Measure
    from .registry import register_trainer, trainer_class, trainer_names
    from .run import Run
    from .trainer import Settings, Trainer
    from .training import resume, train

__all__ = ["Measure", "Run", "Settings", "Trainer", "register_trainer", "resume", "train", "trainer_class", "trainer_names"]

_HOMES = {
    "Measure": "measure",
    "Run": "run",
    "Settings": "trainer",
    "Trainer": "trainer",
    "register_trainer": "registry",
    "resume": "training",
    "train": "training",
    "trainer_class": "registry",
    "trainer_names": "registry",
}

if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake
    __getattr__, __dir__ = lazy(__name__, _HOMES)
