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
    "runs.exploiting": ("LearnedExploit", "train_exploiter"),
    "runs.loading": ("export_network", "load_network"),
    "runs.measure": ("Measure",),
    "runs.networks": ("NetworkTrainer",),
    "runs.registry": ("register_trainer", "trainer_class", "trainer_names"),
    "runs.run": ("Run",),
    "runs.target": ("TargetPolicy",),
    "runs.trainer": ("Settings", "Trainer"),
    "runs.training": ("Execution", "Start", "resume", "train"),
}

if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake
    __getattr__, __dir__ = lazy(__name__, _HOMES)
