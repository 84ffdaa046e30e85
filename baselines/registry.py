"""The trainers there are, one line each, and policies out of the folders of their runs.

A run says which trainer made it; which code that is, only this table says. So loading a stranger's run executes nothing of
his: what it holds is JSON and arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from ..agents.policy import Policy
from ..envs.game import Game
from ..envs.specs import nearest
from .trainer import Trainer

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
    """The names of all trainers."""
    return tuple(TRAINERS)


def trainer_class(name: str) -> type[Trainer[Any]]:
    """The class of a trainer by its name.

    Raises:
        ValueError: there is no trainer of that name, the message naming the nearest; or a library that it needs is not installed.
    """
    if name not in TRAINERS:
        raise ValueError(f"there is no trainer {name!r}; {nearest(name, TRAINERS)}")
    return _loaded(TRAINERS[name], f"the trainer {name!r}")


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
    return _loaded("ludus.baselines.sb3.zips:load_zip", "a model of Stable-Baselines3")(file, game, options)


def game_of_run(folder: str | Path) -> Game:
    """The game that a run has learnt.

    Raises:
        ValueError: it is no run.
    """
    from .folder import Folder

    return Folder.open(Path(folder)).plan.game


def _loaded(place: str, what: str) -> Any:
    """What stands at a place of ours.

    Raises:
        ValueError: a library that it needs is not installed.
    """
    module, _, attribute = place.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise ValueError(f"{what} needs {error.name}, which is not installed; {EVERYTHING} brings it") from error
