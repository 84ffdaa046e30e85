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
    "neat": "ludus.baselines.neat:Neat",
    "layered_neat": "ludus.baselines.layered_neat:LayeredNeat",
    "evolved_table": "ludus.baselines.evolved_table:EvolvedTable",
    "evolved_preference": "ludus.baselines.evolved_preference:EvolvedPreference",
    "evolved_mixture": "ludus.baselines.evolved_mixture:EvolvedMixture",
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
    module, _, attribute = TRAINERS[name].partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise ValueError(f"the trainer {name!r} needs {error.name}, which is not installed; {EVERYTHING} brings it") from error


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


def game_of_run(folder: str | Path) -> Game:
    """The game that a run has learnt.

    Raises:
        ValueError: it is no run.
    """
    from .folder import Folder

    return Folder.open(Path(folder)).plan.game
