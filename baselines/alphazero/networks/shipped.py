"""The networks that are shipped: for each game a safetensors file in the folder `trained`, and a JSON file on how it was made."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ....agents.alphazero import Net
from ....games.game import Game
from ...ntuples.td_ntuple import TDNTuple
from ...runs.archive import read_arrays
from ...runs.plan import RunPlan
from .evaluator import Evaluator

FOLDER = Path(__file__).parent / "trained"
GUIDES = "alphazero", TDNTuple.name
"""The trainers whose runs can guide AlphaZero's search."""


@cache
def shipped(game: Game) -> Net:
    """The network that is shipped for a game.

    Raises:
        ValueError: no network is shipped for it.
    """
    weights, how = files_of(game.spec)
    if not weights.exists():
        raise ValueError(
            f"no network is shipped for {game}; there are some for {', '.join(shipped_games())}. Train one of your own: "
            f"ludus train alphazero {game} --run DIR, and play it by run:DIR"
        )
    made = json.loads(how.read_bytes())
    return network_of(RunPlan.of(made["trainer"], game, made["seed"], made["settings"]), read_arrays(weights))


def network_of(plan: RunPlan, learnt: Mapping[str, NDArray[Any]]) -> Net:
    """The network that a run has learnt.

    Args:
        plan: the run's plan.
        learnt: its weights.
    """
    settings: Any = plan.settings
    if plan.trainer == TDNTuple.name:
        return TDNTuple.network_of(plan.game, settings, learnt)
    return Evaluator(plan.game, settings.shape, learnt)


def shipped_games() -> list[str]:
    """The specs of the games that networks are shipped for."""
    return sorted(json.loads(path.read_bytes())["game"] for path in FOLDER.glob("*.json"))


def files_of(spec: str) -> tuple[Path, Path]:
    """The files of the weights for a game, and of how they were made."""
    slug = re.sub("[^a-z0-9]+", "-", spec)
    return FOLDER / f"{slug}.safetensors", FOLDER / f"{slug}.json"
