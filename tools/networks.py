"""Ships the network of a finished run: `python -m tools.networks RUN`.

It also measures the network without search, and writes the results into the JSON file: a test compares later versions with them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ludus.agents.alphazero import AlphaZeroPolicy, Net
from ludus.arena.evaluate import evaluate
from ludus.baselines.alphazero.networks.shipped import GUIDES, files_of, network_of
from ludus.baselines.alphazero.selfplay.exact import known_positions
from ludus.baselines.runs.archive import write_arrays
from ludus.baselines.runs.folder import Folder
from ludus.core.files.writing import make_folder, write_whole
from ludus.games.game import Game

GAMES, SEED = 200, 1
"""The number of games of a network without search against random play, and their seed."""


def ship_network(run: Path) -> Path:
    """Ships the network of a finished run.

    Raises:
        ValueError: it is no such run, or not finished, or its game has no folder for networks.
    """
    folder = Folder.open(run)
    document, plan = folder.document, folder.plan
    if plan.trainer not in GUIDES or not folder.finished:
        raise ValueError(f"{run} is not a finished run of {' or '.join(GUIDES)}")
    files = files_of(plan.game)
    if files is None:
        raise ValueError(f"{plan.game.title} has no folder for networks; name one as `networks` in its `known`")
    weights, how = files
    made = {
        **plan.document(),
        "commands": [session["command"] for session in document["sittings"]],
        "versions": document["sittings"][-1]["versions"],
        "processors": document["sittings"][-1]["machine"]["processors"],
        "seconds": document["seconds"],
        "without search": without_search(plan.game, network_of(plan, folder.learnt())),
    }
    make_folder(weights.parent)
    write_arrays(weights, folder.learnt())
    write_whole(how, (json.dumps(made, indent=1) + "\n").encode())
    return weights


def without_search(game: Game, net: Net) -> dict[str, Any]:
    """The strength of a network by its policy alone.

    Args:
        game: the game and variant.
        net: the network.

    Returns:
        `exam`: the number of test positions and the measurements on them (selfplay/exact.py);
        `against random`: games, wins, draws and losses.
    """
    exam, policy = known_positions(game), AlphaZeroPolicy(game, simulations=1, considered=1, solver=False, ahead=0, net=net)
    score = evaluate(policy, game, "random", GAMES, seed=SEED)
    return {
        "exam": {"positions": len(exam.states), **exam.measure(net)},
        "against random": {name: getattr(score, name) for name in ("games", "wins", "draws", "losses")},
    }


if __name__ == "__main__":
    print(ship_network(Path(sys.argv[1])))
