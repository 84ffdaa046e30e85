"""The networks that are shipped: for each game a safetensors file in its folder (`Known.networks`), and as JSON how it was made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ....agents.alphazero import Net
from ....games.game import Game
from ....games.registry import game_class, game_names
from ...ntuples.td_ntuple import TDNTuple
from ...runs.folder import read_arrays
from ...runs.plan import RunPlan
from .evaluator import Evaluator

GUIDES = "alphazero", TDNTuple.name
"""The trainers whose runs can guide AlphaZero's search."""


@cache
def load_shipped_network(game: Game) -> Net:
    """The network that is shipped for a game; ValueError where there is none."""
    files = files_of(game)
    if files is None or not files[0].exists():
        raise ValueError(
            f"no network is shipped for {game}; there are some for {', '.join(games_with_networks())}. Train one of your own: "
            f"ludus train alphazero {game} --run DIR, and play it by run:DIR"
        )
    weights, how = files
    made = json.loads(how.read_bytes())
    return network_of(RunPlan.of(made["trainer"], game, made["seed"], made["settings"]), read_arrays(weights))


def network_of(plan: RunPlan, learnt: Mapping[str, NDArray[Any]]) -> Net:
    """The network that a run of this plan has learnt, by its weights."""
    settings: Any = plan.settings
    if plan.trainer == TDNTuple.name:
        return TDNTuple.guide_of(plan.game, settings, learnt)
    return Evaluator(plan.game, settings.shape, learnt)


def games_with_networks() -> list[str]:
    """The specs of the games that networks are shipped for."""
    folders = [folder for name in game_names() if (folder := game_class(name).known.networks)]
    weights = [path for folder in folders for path in folder.glob("*.safetensors")]
    return sorted(json.loads(path.with_suffix(".json").read_bytes())["game"] for path in weights)


def files_of(game: Game) -> tuple[Path, Path] | None:
    """The files of the weights for a game, and of how they were made; None where the game has no folder for them."""
    folder, stem = game.known.networks, game.file_stem
    return folder and (folder / f"{stem}.safetensors", folder / f"{stem}.json")
