"""The only way up: what lower folders use of higher ones, by its place, imported at first use.

Imports run one way (CONTRIBUTING.md). What a lower package needs of a higher one, because a user names it there, is listed in this
table and nowhere else, but for the oracle that a game names (games/known.py).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from .loading import load_object

PLACES = {
    # envs ask agents: an opponent, as `make` takes it
    "as_policy": "ludus.agents:as_policy",
    "is_model": "ludus.agents:is_model",
    "is_module": "ludus.agents:is_module",
    # agents ask baselines: `run:FOLDER`, `sb3:FILE.zip`, and the networks that `alphazero` plays with
    "load_run": "ludus.baselines.runs.loading:load_run",
    "game_of_run": "ludus.baselines.runs.loading:game_of_run",
    "is_foreign_run": "ludus.baselines.runs.loading:is_foreign_run",
    "load_model": "ludus.baselines.runs.loading:load_model",
    "shipped_network": "ludus.baselines.alphazero.networks.shipped:load_shipped_network",
    # agents ask text: `engine:COMMAND`, `llm:model=NAME`
    "make_engine": "ludus.text.engines:make_engine",
    "make_llm": "ludus.text.models:make_llm",
    # Gymnasium asks puzzles: the environments of its ids
    "setcover": "ludus.puzzles.setcover:SetCoverEnv",
    "bitstring": "ludus.puzzles.bitstring:BitStringEnv",
    "portfolio": "ludus.puzzles.portfolio:PortfolioEnv",
}


def above(name: str) -> Any:
    """The object that the table lists under a name.

    Raises:
        ModuleNotFoundError: it needs a library that is not installed.
    """
    return load_object(PLACES[name])


def is_installed(name: str) -> bool:
    """Whether the folder of an entry is installed; that of the puzzles can be left out."""
    return find_spec(".".join(PLACES[name].split(".")[:2])) is not None
