"""`Start`: what another run has learnt, for a new run to start with.

A new run takes the arrays of the last checkpoint of the other run. Everything else is new: the seed, the amount of training, and
schedules such as that of the learning rate. It saves what it took in its own folder, so the other run may be deleted.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from ...core.files.named_arrays import Arrays
from ...core.files.writing import path_of
from ...core.plugins import find_refused
from ...core.specs import unquote, value_text
from ...games.game import Game
from ...games.registry import make_game
from .archive import checksum_of
from .folder import Folder
from .measure import Measure
from .plan import Origin, RunPlan
from .registry import trainer_class
from .run import KEPT, Run
from .trainer import Trainer

RUN = "run:"


class Start(NamedTuple):
    """What another run has learnt.

    Args:
        folder: that of the other run.
        state: the state of its trainer at its last checkpoint.
    """

    folder: Folder
    state: Arrays

    @classmethod
    def of(cls, run: str | Path, *, trust: bool = False) -> Start:
        """What the run in a folder has learnt; `run:DIR` and `DIR` mean the same.

        Args:
            run: the folder.
            trust: whether code that its settings name may run.

        Raises:
            ValueError: it is not a run, it is damaged, or it has saved nothing yet.
        """
        folder = Folder.open(folder_of(run), trust=trust)
        kept = folder.checkpoint()
        if kept is None:
            raise ValueError(f"the run {folder.path} has saved nothing yet that a new run could start from")
        return cls(folder, {name: array for name, array in kept.items() if not name.startswith(KEPT)})

    def plan(self, trainer: str, game: str | Game, seed: int | None, preset: str | None, given: Mapping[str, Any]) -> RunPlan:
        """The plan of a run that starts from here, with the settings of the other run except for those given.

        Args:
            trainer, game: the same as in the other run.
            seed: the source of all randomness; None for one more than in the other run, so that its random numbers differ.
            preset: must be None.
            given: settings to change.

        Raises:
            ValueError: another trainer or game, a preset, a setting that does not fit what was learnt, or untrusted code.
        """
        other, path = self.folder.plan, self.folder.path
        if trainer != other.trainer:
            raise ValueError(f"{path} is a run of {other.trainer}; a run of {trainer} cannot start from it")
        if make_game(game) != other.game:
            raise ValueError(f"the run {path} has learnt {other.game}; a run of {make_game(game)} cannot start from it")
        if preset is not None:
            raise ValueError(f"the new run starts with the settings of {path}; leave out the preset {preset!r}")
        shared = trainer_class(trainer).shared
        if shared is None:
            raise ValueError(f"runs of the trainer {trainer!r} cannot start from others: it has no Trainer.learn_on")
        if others := other.differences({name: value for name, value in given.items() if name in shared}):
            raise ValueError(f"what the run {path} has learnt does not fit: {others}; {', '.join(shared)} must stay the same")
        settings = asdict(other.settings)
        for refused in find_refused(*(value for name, value in settings.items() if name not in given)):
            refused.refuse()
        origin = Origin(str(path), checksum_of(self.state).tobytes().hex())
        seed = (other.seed + 1) % 2**64 if seed is None else seed
        return RunPlan.of(trainer, other.game, seed, {**settings, **given}, origin=origin)

    def hand_over(self, trainer: Trainer[Any]) -> None:
        """Lets a new trainer start with what was learnt.

        Raises:
            ValueError: it does not fit.
        """
        try:
            trainer.learn_on(self.state)
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError, StopIteration) as error:
            raise ValueError(f"{trainer.name} cannot start from the run {self.folder.path}: {error}") from None


def folder_of(run: str | Path) -> Path:
    """The folder that `run:DIR` or `DIR` names."""
    return path_of(unquote(str(run).removeprefix(RUN)))


def how_to_learn_on(folder: Folder, given: Mapping[str, Any]) -> str:
    """The advice for a run that cannot be resumed with other settings: the command of a new run that starts from it.

    A limit that is larger than what is done becomes the difference.
    """
    plan = folder.plan
    shared, changed = trainer_class(plan.trainer).shared, plan.changed(given)
    if shared is None or not changed.keys().isdisjoint(shared):
        return "leave settings out, or start another run with --run"
    trainer = Run(plan, plan.begin(), Measure("never"), folder).trainer
    limit = changed.get(trainer.unit)
    if isinstance(limit, int) and limit > trainer.done:
        changed[trainer.unit] = limit - trainer.done
    options = [word for name, value in changed.items() for word in (f"--{name.replace('_', '-')}", value_text(value))]
    path = str(folder.path)
    new = next(name for number in range(2, 10**9) if not Path(name := f"{path}-{number}").exists())
    command = shlex.join(["ludus", "train", "--from", RUN + path, "--run", new, *options])
    return f"leave settings out, or start a new run with what it has learnt in its {trainer.done:,} {trainer.unit}: {command}"
