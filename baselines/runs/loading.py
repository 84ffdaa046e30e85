"""Policies out of what trainers and Stable-Baselines3 have kept.

A run holds JSON and arrays, and its trainer is looked up by name. So loading a stranger's run runs no code of the stranger's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...agents.policies.policy import Policy
from ...envs.games.game import Game
from ...envs.plugins.loading import libraries, named
from .folder import Folder
from .registry import INSTALL, TRAINER_CLASSES, trainer_class


def load_run(folder: str | Path, game: Game, options: Mapping[str, str], *, trust: bool = False) -> Policy:
    """The policy of a run, as far as it has come.

    Args:
        folder: the run's.
        game: what it is to play: the game that it has learnt.
        options: what the trainer's policies understand, as text.
        trust: whether code may run that the run names. Only a policy made of other policies needs it.

    Raises:
        ValueError: it is no run, or of another game; it is damaged; an option is unknown; or it needs code, without trust.
    """
    kept = Folder.open(Path(folder), trust=trust, asking=False)
    plan = kept.plan
    if plan.game != game:
        raise ValueError(f"the run {folder} has learnt {plan.game}; it does not play {game}")
    trainer, learnt = trainer_class(plan.trainer), kept.learnt()
    try:
        policy = trainer.policy_of(plan.game, plan.settings, learnt)
    except ValueError as error:
        raise ValueError(f"{kept.policy} does not fit its run: {error}; {kept.how_to_mend(kept.policy)}") from None
    return trainer.policy_of(plan.game, plan.settings, learnt, **options) if options else policy


def game_of_run(folder: str | Path) -> Game:
    """The game that a run has learnt.

    Raises:
        ValueError: it is no run.
    """
    return Folder.open(Path(folder), asking=False).plan.game


def is_foreign_run(folder: str | Path) -> bool:
    """Whether the trainer of a run does not come with ludus.

    Raises:
        ValueError: it is no run.
    """
    return TRAINER_CLASSES.is_foreign(Folder.open(Path(folder), asking=False).plan.trainer)


def load_model(file: str, game: Game, options: Mapping[str, str]) -> Policy:
    """The policy of a model that Stable-Baselines3 saved, where it is trusted.

    Args:
        file: what its `save` wrote.
        game: what it is to play: the game that it was trained on.
        options: what follows it in a spec, as text.

    Raises:
        ValueError: it is not trusted, no model, or of another game; an option is unknown; Stable-Baselines3 is not installed.
    """
    with libraries("a model of Stable-Baselines3", INSTALL):
        return named("ludus.baselines.sb3.zips:load_zip")(file, game, options)
