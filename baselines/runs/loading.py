"""Loads the policies of runs, and of models that Stable-Baselines3 saved.

A run consists of JSON and arrays, and its trainer is looked up by name. So loading a run from a stranger runs none of their code.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...agents.policy import Policy
from ...agents.registry import POLICIES
from ...core.files.writing import path_of
from ...core.plugins import RefusedSpecError, UntrustedSpec
from ...core.plugins.loading import libraries, load_object
from ...core.specs import quote, settings_in
from ...games.game import Game
from .folder import Folder, folder_of
from .registry import EXTRAS, TRAINER_CLASSES, trainer_class


def load_run(folder: str | Path, game: Game, options: Mapping[str, str], *, trust: bool = False) -> Policy:
    """The policy of a run at its last checkpoint.

    Args:
        folder: that of the run.
        game: the game to play: the one that the run has learnt.
        options: settings of the policy, as text.
        trust: whether code that the run names may run. Only a policy made of other policies needs it.

    Raises:
        ValueError: it is not a run, or of another game; it is damaged; an option is unknown; or it needs untrusted code.
    """
    path = path_of(folder)
    run = Folder.open(path, trust=trust)
    plan = run.plan
    if plan.game != game:
        raise ValueError(f"the run {folder} has learnt {plan.game}; it does not play {game}")
    trainer, learnt = trainer_class(plan.trainer), run.learnt()
    try:
        policy = trainer.policy_of(plan.game, plan.settings, learnt)
    except RefusedSpecError:
        raise
    except ValueError as error:
        raise ValueError(f"{run.policy} does not fit its run: {error}; {run.how_to_repair(run.policy)}") from None
    title = f"run:{quote(str(path))}"
    if options:
        usual, policy = policy, trainer.policy_of(plan.game, plan.settings, learnt, **options)
        given = {name: getattr(policy, name, text) for name, text in options.items()}
        others = {name: value for name, value in given.items() if getattr(usual, name, None) != value}
        title = ",".join([title, *settings_in(others)])
    return policy.with_title(title)


def load_network(run: str | Path, *, trust: bool = False) -> Any:
    """The network of a run at its last checkpoint: a `torch.nn.Module` of its own, as `Run.network` gives it.

    Args:
        run: the folder of the run, as `run:DIR` or `DIR`.
        trust: whether code that the run names may run, as the function that makes a network of one's own.

    Raises:
        ValueError: it is not a run, or is damaged; its trainer has no network of torch; or it needs untrusted code, or a library
            that is not installed.
    """
    folder = Folder.open(folder_of(run), trust=trust)
    plan = folder.plan
    return trainer_class(plan.trainer).network_of(plan.game, plan.settings, folder.learnt())


def game_of_run(folder: str | Path) -> Game:
    """The game that a run has learnt.

    Raises:
        ValueError: it is not a run.
    """
    return Folder.open(path_of(folder)).plan.game


def is_foreign_run(folder: str | Path) -> bool:
    """Whether the trainer of a run does not come with ludus, or its settings name code, as a network of one's own.

    Raises:
        ValueError: it is not a run.
    """
    plan = Folder.open(path_of(folder)).plan
    named = [value for value in plan.settings.by_name().values() if isinstance(value, (str, UntrustedSpec))]
    in_settings = any(isinstance(value, UntrustedSpec) or POLICIES.is_foreign(value) for value in named)
    return in_settings or TRAINER_CLASSES.is_foreign(plan.trainer)


def load_model(file: str, game: Game, options: Mapping[str, str]) -> Policy:
    """The policy of a model that Stable-Baselines3 saved, if it is trusted.

    Args:
        file: the file that `save` wrote.
        game: the game to play: the one that the model was trained on.
        options: settings after the file in a spec, as text.

    Raises:
        ValueError: it is not trusted, not a model, or of another game; an option is unknown; Stable-Baselines3 is not installed.
    """
    with libraries("a model of Stable-Baselines3", EXTRAS):
        return load_object("ludus.baselines.sb3.zips:load_zip")(file, game, options)
