"""The trainers there are, one line each, and policies out of the folders of their runs.

A run says which trainer made it; which code that is, only this table says, and what the user has registered or installed. So
loading a stranger's run executes nothing of his: what it holds is JSON and arrays.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from ..agents.policy import Policy
from ..envs.game import Game
from ..envs.plugins import Registry, attribute
from .trainer import Trainer

C = TypeVar("C", bound=type[Trainer[Any]])

TRAINERS: dict[str, str] = {
    # name on the command line, and kind of its runs: where
    "qlearning": "ludus.baselines.qlearning:QLearning",
    "montecarlo": "ludus.baselines.montecarlo:MonteCarlo",
    "td_ntuple": "ludus.baselines.td_ntuple:TDNTuple",
    "alphazero": "ludus.baselines.alphazero:AlphaZero",
    "neat": "ludus.baselines.neat:Neat",
    "layered_neat": "ludus.baselines.layered_neat:LayeredNeat",
    "evolved_table": "ludus.baselines.evolved_table:EvolvedTable",
    "evolved_preference": "ludus.baselines.evolved_preference:EvolvedPreference",
    "evolved_mixture": "ludus.baselines.evolved_mixture:EvolvedMixture",
    "maskable_ppo": "ludus.baselines.sb3.ppo:MaskedPPO",
    "ppo": "ludus.baselines.sb3.ppo:UnmaskedPPO",
    "dqn": "ludus.baselines.sb3.dqn:DeepQ",
}
EVERYTHING = "pip install 'ludus[train,evolution,rl]'"


def trainer_names() -> tuple[str, ...]:
    """The names of all trainers, those from outside last; none is loaded."""
    return TRAINER_CLASSES.names()


def trainer_class(name: str) -> type[Trainer[Any]]:
    """The class of a trainer by its name, or by `module:name`, which is imported.

    Raises:
        ValueError: there is no trainer of that name, the message naming the nearest; or a library that it needs is not installed.
    """
    with _libraries(f"the trainer {name!r}"):
        if place := TRAINER_CLASSES.place_in(name):
            return _adopted(attribute(place), name)
        return TRAINER_CLASSES.find(name)


def register_trainer(cls: C) -> C:
    """Adds a trainer from outside: `@register_trainer` before a subclass of `Trainer`.

    `ludus train` and `train` know it by its name then, and policies of its runs are loaded by it.

    Returns:
        The class, so that it can be used as a decorator.

    Raises:
        ValueError: its name is no word in lower case, or there is a trainer of that name.
    """
    TRAINER_CLASSES.add(cls.name, cls, (cls.__module__, cls.__qualname__))
    return cls


def load_run(folder: str | Path, game: Game, options: Mapping[str, str]) -> Policy:
    """The policy of a run, as far as it has come.

    Args:
        folder: the run's.
        game: what it is to play: the game that it has learnt.
        options: what the trainer's policies understand, as text.

    Raises:
        ValueError: it is no run, or of another game; it is damaged; or an option is unknown.
    """
    from .folder import Folder

    kept = Folder.open(Path(folder))
    plan = kept.plan
    if plan.game != game:
        raise ValueError(f"the run {folder} has learnt {plan.game}; it does not play {game}")
    return trainer_class(plan.trainer).policy_of(plan.game, plan.settings, kept.learnt(), **options)


def load_model(file: str, game: Game, options: Mapping[str, str]) -> Policy:
    """The policy of a model that Stable-Baselines3 saved, where it is trusted.

    Args:
        file: what its `save` wrote.
        game: what it is to play: the game that it was trained on.
        options: what stands behind it in a spec, as text.

    Raises:
        ValueError: it is not trusted, no model, or of another game; an option is unknown; Stable-Baselines3 is not installed.
    """
    with _libraries("a model of Stable-Baselines3"):
        return import_module("ludus.baselines.sb3.zips").load_zip(file, game, options)


def game_of_run(folder: str | Path) -> Game:
    """The game that a run has learnt.

    Raises:
        ValueError: it is no run.
    """
    from .folder import Folder

    return Folder.open(Path(folder)).plan.game


@contextmanager
def _libraries(what: str) -> Generator[None]:
    """Says what to install where something of ours needs a library that is not there.

    Raises:
        ValueError: that is so.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ValueError(f"{what} needs {error.name}, which is not installed; {EVERYTHING} brings it") from error


def _adopted(thing: Any, name: str) -> type[Trainer[Any]]:
    if not (isinstance(thing, type) and issubclass(thing, Trainer)):
        raise ValueError(f"{name} is {thing!r}, which is no trainer; a trainer is a subclass of ludus.baselines.Trainer")
    return register_trainer(thing)


TRAINER_CLASSES: Registry[type[Trainer[Any]]] = Registry("trainer", "trainers", TRAINERS, _adopted)
