"""Ships the network of a finished run: `python -m benchmarks.making.networks RUN`.

It also measures the network without search, and writes the results into the JSON file: a test compares later versions with them.
After a change of the game's oracle, and with it of the exam, `python -m benchmarks.making.networks GAME` measures a shipped
network again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ludus.agents.alphazero import AlphaZeroPolicy, Net
from ludus.arena.evaluate import evaluate
from ludus.baselines.alphazero.networks.shipped import GUIDES, files_of, load_shipped_network, network_of
from ludus.baselines.alphazero.selfplay.exact import known_positions
from ludus.baselines.runs.folder import Folder, write_arrays
from ludus.baselines.runs.metrics import read_table
from ludus.baselines.runs.registry import trainer_class
from ludus.core.files.writing import make_folder, write_whole
from ludus.games.game import Game
from ludus.games.registry import make_game

GAMES, SEED = 200, 1
"""The number of games of a network without search against random play, and their seed."""


def ship_network(run: Path) -> Path:
    """Ships the network of a finished run; ValueError where it is none, or its game has no folder for networks."""
    folder = Folder.open(run)
    document, plan = folder.document, folder.plan
    if plan.trainer not in GUIDES or not folder.finished:
        raise ValueError(f"{run} is not a finished run of {' or '.join(GUIDES)}")
    files = files_of(plan.game)
    if files is None:
        raise ValueError(f"{plan.game.title} has no folder for networks; name one as `networks` in its `known`")
    weights, how = files
    made: dict[str, Any] = {
        **plan.document(),
        "commands": [session["command"] for session in document["sessions"]],
        "versions": document["sessions"][-1]["versions"],
        "processors": document["sessions"][-1]["machine"]["processors"],
        "seconds": document["seconds"],
        "without search": without_search(plan.game, network_of(plan, folder.learnt())),
    }
    if plan.origin:
        made["from"] |= describe_start(Folder.open(Path(plan.origin.run)))
    make_folder(weights.parent)
    write_arrays(weights, folder.learnt())
    write_document(how, made)
    return weights


def describe_start(folder: Folder) -> dict[str, Any]:
    """What made the network that another run started from: its plan and commands, how much it had done, in how many seconds."""
    plan, last = folder.plan, read_table(folder.path / "metrics.csv")[-1]
    made = {**plan.document(), "commands": [session["command"] for session in folder.document["sessions"]]}
    return {**made, "done": last[trainer_class(plan.trainer).unit], "seconds": last["seconds"]}


def measure_again(game: Game) -> Path:
    """Measures the network that is shipped for a game again, and notes it beside it; ValueError where there is none."""
    net, files = load_shipped_network(game), files_of(game)
    assert files is not None  # they were loaded
    how = files[1]
    write_document(how, json.loads(how.read_bytes()) | {"without search": without_search(game, net)})
    return how


def write_document(how: Path, made: dict[str, Any]) -> None:
    """Writes how a network was made."""
    write_whole(how, (json.dumps(made, indent=1) + "\n").encode())


def without_search(game: Game, net: Net) -> dict[str, Any]:
    """The strength of a network by its policy alone: `exam`, the number of test positions and the measurements on them
    (selfplay/exact.py), and `against random`: games, wins, draws and losses."""
    exam, policy = known_positions(game), AlphaZeroPolicy(game, simulations=1, considered=1, solver=False, ahead=0, net=net)
    score = evaluate(policy, game, "random", GAMES, seed=SEED)
    return {
        "exam": {"positions": len(exam.states), **exam.measure(net)},
        "against random": {name: getattr(score, name) for name in ("games", "wins", "draws", "losses")},
    }


if __name__ == "__main__":
    what = sys.argv[1]
    print(ship_network(Path(what)) if Path(what).exists() else measure_again(make_game(what)))
