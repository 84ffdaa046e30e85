"""Solved games: the value of their starts, and how many of all boards are won, lost and drawn. Shown in docs/search.md.

python -m benchmarks.checks.solved
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import ludus
from ludus.envs import Game
from ludus.games.quarto.rules import Quarto
from ludus.oracles.quarto.book import path_in_package, read_book

from ..provenance import RULES, Part, Study, oracle_sources, repeated, table

LINES = {
    "quixo:size=3": "Quixo 3×3, all {boards} boards",
    "quixo:size=4": "Quixo 4×4, all {boards} boards",
    "quarto": "Quarto, the empty board",
    "quarto:squares=true": "Quarto with squares, the empty board",
    "othello:size=4": "Othello 4×4",
    "othello:size=6": "Othello 6×6",
}
BOOK = "quarto's book"


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game."""
    games = {game: Part(partial(measured, game), partial(again, game), oracle_sources(game)) for game in LINES}
    return {**games, BOOK: repeated(book, oracle_sources("quarto"))}


def measured(game: str) -> dict[str, Any]:
    """The output of `ludus solve`."""
    command = Path(sys.executable).with_name("ludus")
    done = subprocess.run([command, "solve", game, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def book() -> dict[str, int]:
    """The book that comes with ludus: the maximum number of placed pieces, and the numbers of won and lost classes."""
    found = read_book(Quarto(), path_in_package(Quarto()))
    assert found
    return {"placed": found.placed, "won": len(found.won), "lost": len(found.lost)}


def again(game: str, kept: dict[str, Any]) -> tuple[Any, Any]:
    """All but nodes and seconds, as stored and now."""
    now = measured(game)
    return tuple({name: value for name, value in found.items() if name not in ("nodes", "seconds")} for found in (kept, now))


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each game."""
    rows = list[list[str]]()
    for game, one in ((game, found[game]) for game in LINES if game in found):
        counts = [one[name] for name in ("won", "lost", "drawn")] if "won" in one else []
        title = LINES[game].format(boards=f"{sum(counts):,}")
        cells = [f"{count:,}" for count in counts] or ["", "", ""]
        rows.append([title, *cells, start(ludus.make_game(game), one), f"`ludus solve {game}`"])
    figures = {"table": table(["", "won for the side to move", "lost", "drawn", "the start", "command"], rows, align="lrrrll")}
    return figures | {f"book.{name}": f"{count:,}" for name, count in found.get(BOOK, {}).items()}


def start(game: Game, found: dict[str, Any]) -> str:
    """The value of the start in words."""
    every = len(found["best"]) == len(game.legal_actions(game.start))
    if "score" in found:
        winner = "black" if found["score"] > 0 else "white"
        return f"{winner} wins by {abs(found['score'])}{', whatever black begins with' if every else ''}"
    if found["value"] == 0:
        return "a draw, whichever piece is given" if every else "a draw"
    return f"{'won' if found['value'] > 0 else 'lost'} in {found['distance']} plies{', by every first move' if every else ''}"


STUDY = Study(__file__, parts, shown, (*RULES, "oracles"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
