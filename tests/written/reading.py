"""What a file says, as JSON: of runs and tables what their policies choose, of all else what commands print with `--json`."""

import contextlib
import io
import json
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import ludus
from ludus.cli import main

FILES = Path(__file__).with_name("files")
GRADED = "nim:heaps=1+2+3"
"""The game of the tables, grades and positions."""
POLICIES = ("random", "greedy", "minimax:depth=2")
"""Those of the tournaments."""
LINES, PLIES = 3, 4
"""How many lines of play policies are asked along, and how far."""
SAMPLED = ("maskable_ppo", "ppo")
"""Trainers whose policies say the numbers of their network only where they draw their actions."""
GRADE = "grade", GRADED, "--policy", "greedy", "--exact", "--answers"
"""The command of the answers, before their file."""


def json_of(*words: object, typed: str = "") -> Any:
    """What a command prints with `--json` while these lines are typed."""
    printed, complaints = io.StringIO(), io.StringIO()
    with patch("sys.stdin", io.StringIO(typed)), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaints):
        status = main([*map(str, words), "--json"])
    assert status in (None, 0), f"ludus {' '.join(map(str, words))}\n{complaints.getvalue()}"
    return json.loads(printed.getvalue())


def choices(policy: str, spec: str) -> dict[str, Any]:
    """What a policy thinks of a few positions: its actions, and all numbers that it gives."""
    game = ludus.make_game(spec)
    states = [game.start]
    for line in range(LINES):
        state = game.start
        for ply in range(PLIES):
            legal = game.legal_actions(state)
            state = game.play(state, legal[(5 * ply + line) % len(legal)])
            if game.outcome(state) is not None:
                break
            states.append(state)
    keys = np.arange(1, 1 + len(states), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    analysis = vars(ludus.make_policy(policy, game).analyse(np.array(states), keys))
    numbers = {name: np.nan_to_num(array).tolist() for name, array in analysis.items() if array is not None}
    return {"positions": [game.text(state) for state in states], **numbers}


def read_run(path: Path) -> Any:
    plan = json.loads((path / "run.json").read_text(encoding="utf-8"))
    option = ",sample=true" if plan["trainer"] in SAMPLED else ""
    return choices(f"run:{path}{option}", plan["game"])


def read_games(path: Path) -> Any:
    """Each game of a store or a record: how it ended, move by move, and what was said in it."""
    return [read_game(path, game["pairing"], game["number"]) for game in json_of("replay", path, "--no-oracle")["games"]]


def read_game(path: Path, pairing: int, number: int) -> Any:
    game = json_of("replay", path, "--no-oracle", "--pairing", pairing, "--game", number)
    names = "game", "players", "number", "key", "opening", "result", "ending", "start", "end"
    moves = [[move["policy"], move["move"], move["position"]] for move in game["moves"]]
    return {**{name: game[name] for name in names}, "moves": moves, "said": game.get("said")}


def read_tournament(path: Path) -> Any:
    """The games of a finished tournament, and the table and ratings that follow; not their intervals, whose method may improve."""
    results = json_of("arena", "--resume", path, "--no-report")
    names = "game", "a", "b", "games", "wins", "draws", "losses", "by_seat", "nodes_a_game"
    pairs = [{name: pair[name] for name in names} for pair in results["pairs"]]
    ratings = {game: {name: rating[:1] for name, rating in of.items()} for game, of in results["ratings"].items()}
    return {"games": read_games(path), "pairs": pairs, "ratings": ratings}


def read_positions(path: Path) -> Any:
    """What perfect play says of each position in a file of them, which must be what the file says."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    solutions = [json_of("solve", row["game"], row["position"]) for row in rows]
    for row, solution in zip(rows, solutions, strict=True):
        best = [move["move"] for move in row["moves"] if move["value"] == row["value"]]
        assert (solution["value"], solution["best"]) == (row["value"], best), row
    return [{name: solution[name] for name in ("position", "value", "best")} for solution in solutions]


READERS: dict[str, Callable[[Path], Any]] = {
    "runs/*": read_run,
    "finished.sqlite": read_tournament,
    "unfinished.sqlite": read_games,
    "spoken.sqlite": read_games,
    "record.txt": read_games,
    "saved.json": lambda path: json_of("play", "--load", path, typed="quit\n"),
    "table.npz": lambda path: choices(f"table:path={path}", GRADED),
    "answers.kept": lambda path: json_of(*GRADE, path),
    "positions.jsonl": read_positions,
}
"""The reader of each kind of file."""


def read(name: str, folder: Path = FILES) -> Any:
    """What a file in a folder says."""
    (reader,) = (reader for kind, reader in READERS.items() if fnmatch(name, kind))
    return reader(folder / name)
