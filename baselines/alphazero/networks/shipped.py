"""The networks that are shipped: one safetensors file per game in the folder `trained`, and beside it, as JSON, how it was made.

`python -m ludus.baselines.alphazero.networks.shipped RUN` ships the network of a finished run. It also measures the network without
search, and writes the results into the JSON file, so that a test can compare them with those of later versions.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ....agents.alphazero import AlphaZeroPolicy, Net
from ....arena.evaluate import evaluate
from ....core.files.writing import make_folder, write_whole
from ....games.game import Game
from ...ntuples.td_ntuple import TDNTuple
from ...runs.archive import read_arrays, write_arrays
from ...runs.folder import Folder
from ...runs.plan import RunPlan
from ..selfplay.known import known_positions
from .evaluator import Evaluator

FOLDER = Path(__file__).parent / "trained"
GUIDES = "alphazero", TDNTuple.name
"""The trainers whose runs can guide AlphaZero's search."""
GAMES, SEED = 200, 1
"""The number of games of a network without search against random play, and their seed."""


@cache
def shipped(game: Game) -> Net:
    """The network that is shipped for a game.

    Raises:
        ValueError: no network is shipped for it.
    """
    weights, how = _files(game.spec)
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


def without_search(game: Game, net: Net) -> dict[str, Any]:
    """The strength of a network by its policy alone.

    Args:
        game: the game and variant.
        net: the network.

    Returns:
        `exam`: the number of test positions and the measurements on them (selfplay/known.py);
        `against random`: games, wins, draws and losses.
    """
    exam, policy = known_positions(game), AlphaZeroPolicy(game, simulations=1, considered=1, solver=False, ahead=0, net=net)
    score = evaluate(policy, game, "random", GAMES, seed=SEED)
    return {
        "exam": {"positions": len(exam.states), **exam.measure(net)},
        "against random": {name: getattr(score, name) for name in ("games", "wins", "draws", "losses")},
    }


def take_in(run: Path) -> Path:
    """Ships the network of a finished run.

    Raises:
        ValueError: it is no such run, or not finished.
    """
    folder = Folder.open(run)
    document, plan = folder.document, folder.plan
    if plan.trainer not in GUIDES or not folder.finished:
        raise ValueError(f"{run} is not a finished run of {' or '.join(GUIDES)}")
    weights, how = _files(plan.game.spec)
    made = {
        **plan.document(),
        "commands": [session["command"] for session in document["sittings"]],
        "versions": document["sittings"][-1]["versions"],
        "processors": document["sittings"][-1]["machine"]["processors"],
        "seconds": document["seconds"],
        "without search": without_search(plan.game, network_of(plan, folder.learnt())),
    }
    make_folder(FOLDER)
    write_arrays(weights, folder.learnt())
    write_whole(how, (json.dumps(made, indent=1) + "\n").encode())
    return weights


def _files(spec: str) -> tuple[Path, Path]:
    """The files of the weights for a game, and of how they were made."""
    slug = re.sub("[^a-z0-9]+", "-", spec)
    return FOLDER / f"{slug}.safetensors", FOLDER / f"{slug}.json"


if __name__ == "__main__":
    print(take_in(Path(sys.argv[1])))
