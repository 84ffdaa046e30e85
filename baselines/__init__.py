"""Trainers: what makes policies. They stand on the environments, the policies and the arena.

from ludus.baselines import train

run = train("qlearning", "tictactoe", "runs/first", seed=1)
policy = run.policy()  # or, at any time: ludus.make_policy("run:runs/first", "tictactoe")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.plugins.loading import lazy

if TYPE_CHECKING:
    from .runs.exploiting import LearnedExploit, train_exploiter
    from .runs.loading import export_network, load_network
    from .runs.measure import Measure
    from .runs.networks import NetworkTrainer
    from .runs.registry import register_trainer, trainer_class, trainer_names
    from .runs.run import Run
    from .runs.target import TargetPolicy
    from .runs.trainer import Settings, Trainer
    from .runs.training import Execution, Start, resume, train

__all__ = [
    "Execution",
    "LearnedExploit",
    "Measure",
    "NetworkTrainer",
    "Run",
    "Settings",
    "Start",
    "TargetPolicy",
    "Trainer",
    "export_network",
    "load_network",
    "register_trainer",
    "resume",
    "train",
    "train_exploiter",
    "trainer_class",
    "trainer_names",
]

_HOMES = {
    "Execution": "runs.training",
    "LearnedExploit": "runs.exploiting",
    "Measure": "runs.measure",
    "NetworkTrainer": "runs.networks",
    "Run": "runs.run",
    "Settings": "runs.trainer",
    "Start": "runs.training",
    "TargetPolicy": "runs.target",
    "Trainer": "runs.trainer",
    "export_network": "runs.loading",
    "load_network": "runs.loading",
    "register_trainer": "runs.registry",
    "resume": "runs.training",
    "train": "runs.training",
    "train_exploiter": "runs.exploiting",
    "trainer_class": "runs.registry",
    "trainer_names": "runs.registry",
}

if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake
    __getattr__, __dir__ = lazy(__name__, _HOMES)
