"""Programs of others as referees of the rules and of what moves lose: random games of Ludus, replayed by each.

    python -m benchmarks referees quartors --python PYTHON

PYTHON is an interpreter with the program, which may want another version than Ludus does: quartors wants Python 3.13, PlyBench
3.12. `make referees` makes them. A cell fails if anything differs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ludus.envs import Game, make_game
from ludus.oracles import make_oracle

from .. import RESULTS
from ..common import TITLES, table
from ..runner import Rows, Study

SCRIPT = Path(__file__).with_name("_referees.py")
GAMES = {
    "open_spiel": (("tictactoe", "nim", "othello", "connect_four"), 2000),
    "pgx": (("tictactoe", "othello", "connect_four"), 1000),
    "textarena": (("tictactoe", "nim", "othello", "connect_four"), 500),
    "kaggle-environments": (("connect_four",), 500),
    "rust-reversi": (("othello",), 5000),
    "quartors": (("quarto",), 2000),
    "plybench": (("tictactoe", "nim"), 2000),
}
"""Which games each has, by the name of its distribution, and how many are replayed of each."""
SHOWN = 3
"""How many differences an error names."""


def cells(python: str = sys.executable) -> dict[str, Any]:
    """The games that each program replays.

    Args:
        python: an interpreter with the program.
    """
    return {
        f"{referee} {spec}": partial(ask_referee, referee, spec, count, python)
        for referee, (specs, count) in GAMES.items()
        for spec in specs
    }


def ask_referee(referee: str, spec: str, count: int, python: str) -> dict[str, Any]:
    """How many games and positions a program has seen, all of which went as here.

    Raises:
        ValueError: something differs, or the program cannot be started.
    """
    games = "\n".join(map(json.dumps, random_games(make_game(spec), count, with_lost=referee == "plybench")))
    done = subprocess.run([python, str(SCRIPT), referee], input=games, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{referee} failed by {python}: {done.stderr.strip()[-500:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    if found["differences"]:
        shown = "\n".join(found["differences"][:SHOWN])
        raise ValueError(f"{referee} replays {len(found['differences']):,} of {found['games']:,} games otherwise:\n{shown}")
    return {name: found[name] for name in ("games", "positions", "version")}


def random_games(game: Game, count: int, *, with_lost: bool) -> Iterator[dict[str, Any]]:
    """Random games, with the legal moves of each ply and, if asked, what each move loses of the value."""
    random, oracle = np.random.default_rng(17), make_oracle(game)
    for _ in range(count):
        state, line, legal, lost = game.start, list[str](), list[list[str]](), list[dict[str, float]]()
        while game.outcome(state) is None:
            actions = game.legal_actions(state)
            legal.append([game.moves[action] for action in actions])
            if with_lost:
                values = oracle.action_values(np.repeat(state[None], len(actions), axis=0), actions).values
                lost.append(dict(zip(legal[-1], (values.max() - values).astype(float).tolist(), strict=True)))
            action = int(random.choice(actions))
            state = game.play(state, action)
            line.append(game.moves[action])
        outcome = game.outcome(state)
        assert outcome is not None
        names = {"spec": game.spec, "name": game.name, "settings": asdict(game), "moves": game.moves}
        yield {**names, "line": line, "legal": legal, "lost": lost, "result": outcome[0]}


def show(rows: Rows) -> dict[str, str]:
    """The programs with the games they saw."""
    names = {**TITLES, "connect_four": "Connect Four"}
    lines = [
        [
            f"{referee} {rows[f'{referee} {specs[0]}']['version']}",
            ", ".join(names[spec] for spec in specs),
            f"{sum(rows[f'{referee} {spec}']['games'] for spec in specs):,}",
            f"{sum(rows[f'{referee} {spec}']['positions'] for spec in specs):,}",
        ]
        for referee, (specs, _) in GAMES.items()
    ]
    return {"table": table(["program", "games of", "random games", "positions"], lines, align="llrr")}


STUDIES = (Study(RESULTS / "referees.json", cells, show, seed=17, usage="--python PYTHON"),)
