"""What commands and code of pages print: solved games (docs/search.md), and examples (docs/arena.md and docs/grading.md)."""

from __future__ import annotations

import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import ludus
from ludus.envs import Game
from ludus.games.quarto.rules import Quarto
from ludus.oracles.quarto.book import QuartoBook

from .. import RESULTS
from ..common import run, table
from ..runner import Rows, Study

# ---- solved games: the value of their starts, and how many of all boards are won, lost and drawn

LINES = {
    "quixo:size=3": "Quixo 3×3, all {boards} boards",
    "quixo:size=4": "Quixo 4×4, all {boards} boards",
    "quarto": "Quarto, the empty board",
    "quarto:squares=true": "Quarto with squares, the empty board",
    "othello:size=4": "Othello 4×4",
    "othello:size=6": "Othello 6×6",
    "connect_four:rows=4,columns=4": "Connect Four, 4 rows and 4 columns, all {boards} positions that can come up",
    "connect_four:rows=5,columns=4": "5 rows and 4 columns, all {boards}",
    "connect_four:rows=4,columns=5": "4 rows and 5 columns, all {boards}",
    "connect_four:rows=5,columns=5": "5 rows and 5 columns, all {boards}",
}
BOOK = "quarto's book"


def solve(game: str) -> dict[str, Any]:
    """What `ludus solve` says, without the position."""
    document = json.loads("\n".join(printed(f"solve {game} --json")))
    return {name: value for name, value in document.items() if name not in ("game", "position")}


def book() -> dict[str, int]:
    """The maximum number of placed pieces, and the numbers of won and lost classes."""
    shipped = QuartoBook.of(Quarto())
    assert shipped
    return {"placed": shipped.placed, "won": len(shipped.won), "lost": len(shipped.lost)}


def show_solved(rows: Rows) -> dict[str, str]:
    """A row for each game."""
    lines = list[list[str]]()
    for game, title in LINES.items():
        row = rows[game]
        counts = [row[name] for name in ("won", "lost", "drawn")] if "won" in row else []
        cells = [f"{count:,}" for count in counts] or ["", "", ""]
        lines.append([title.format(boards=f"{sum(counts):,}"), *cells, start(ludus.make_game(game), row), f"`ludus solve {game}`"])
    figures = {"table": table(["", "won for the side to move", "lost", "drawn", "the start", "command"], lines, align="lrrrll")}
    return figures | {f"book.{name}": f"{count:,}" for name, count in rows[BOOK].items()}


def start(game: Game, row: dict[str, Any]) -> str:
    """The value of the start in words."""
    every = len(row["best"]) == len(game.legal_actions(game.start))
    if "score" in row:
        winner = "black" if row["score"] > 0 else "white"
        return f"{winner} wins by {abs(row['score'])}{', whatever black begins with' if every else ''}"
    if row["value"] == 0:
        whatever = ", whichever piece is given" if isinstance(game, Quarto) else ", by every first move"
        return f"a draw{whatever if every else ''}"
    return f"{'won' if row['value'] > 0 else 'lost'} in {row['distance']} plies{', by every first move' if every else ''}"


# ---- examples

COMMANDS = {
    "arena": "arena tictactoe --policies random greedy minimax:depth=4 perfect --games 200",
    "sprt": "arena othello:size=6 --policies minimax:depth=3 minimax:depth=2 --sprt 0,20",
    "sampled": "grade othello --policy minimax:depth=2 --games 200",
    "exact": "grade tictactoe --policy mcts:simulations=20 --exact",
}
CODE = """import torch, ludus
from ludus.arena import evaluate

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 9, 64), torch.nn.ReLU(), torch.nn.Linear(64, 9))
print(repr(evaluate(net, "tictactoe")))

raw = evaluate(ludus.as_policy(net, "tictactoe", masked=False), "tictactoe")
print(f"{raw.faults.sum()} of {raw.games} games lost by an illegal action")
"""
FILES = "To see the games, move by move"


def printed(command: str) -> list[str]:
    """The lines that a command of `ludus` prints, without those that name files."""
    with tempfile.TemporaryDirectory() as folder:
        text = run(Path(sys.executable).with_name("ludus"), *command.split(), cwd=folder)
    return [line.rstrip() for line in text.partition(FILES)[0].strip().splitlines()]


def show_examples(rows: Rows) -> dict[str, str]:
    """Each as a block of code; in the code, a line that prints has what it prints under it."""
    figures = {name: block([f"$ ludus {command}", *rows[name]]) for name, command in COMMANDS.items()}
    code, prints = list[str](), iter(rows["network"])
    for line in CODE.strip().splitlines():
        code += [line, f"# {next(prints)}"] if line.startswith("print(") else [line]
    return {**figures, "network": block(code, "python")}


def block(lines: list[str], language: str = "") -> str:
    """Lines as a block of code."""
    return "\n".join([f"```{language}", *lines, "```"])


STUDIES = (
    Study(RESULTS / "solved.json", lambda: {**{game: partial(solve, game) for game in LINES}, BOOK: book}, show_solved),
    Study(
        RESULTS / "transcripts.json",
        lambda: {
            **{name: partial(printed, command) for name, command in COMMANDS.items()},
            "network": lambda: run(sys.executable, "-c", CODE).splitlines(),
        },
        show_examples,
        0,
        ("numpy", "llvmlite", "torch"),
    ),
)
