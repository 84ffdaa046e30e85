"""The output of commands and code on the pages.

python -m benchmarks.checks.transcripts        # runs what is missing or out of date
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from ..provenance import GRADING, MATCHES, Part, Study, match_sources, oracle_sources, repeated

COMMANDS = {
    "arena": "arena tictactoe --policies random greedy minimax:depth=4 perfect --games 200",
    "sampled": "grade othello --policy minimax:depth=2 --games 200",
    "exact": "grade tictactoe --policy mcts:simulations=20 --exact",
}
RATED = (
    *(f"arena/ratings/{name}.py" for name in ("ratings", "davidson", "score")),
    *("arena/matches/faults.py", "arena/tournament.py", "cli/commands/arena.py", "cli/terminal/output.py"),
)
GRADED = (*GRADING, "games/display.py", "cli/commands/grade.py", "cli/terminal/output.py")
DEPENDS = {
    "arena": ("tictactoe", ("random", "greedy", "minimax:depth=4", "perfect"), RATED),
    "sampled": ("othello", ("minimax:depth=2", "random"), GRADED),
    "exact": ("tictactoe", ("mcts:simulations=20",), GRADED),
}
"""The game and the policies of a command, and what else its output depends on."""
CODE = """import torch, ludus
from ludus.arena import evaluate

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 9, 64), torch.nn.ReLU(), torch.nn.Linear(64, 9))
print(repr(evaluate(net, "tictactoe")))

raw = evaluate(ludus.as_policy(net, "tictactoe", masked=False), "tictactoe")
print(f"{raw.faults.sum()} of {raw.games} games lost by an illegal action")
"""
FILES = "To see the games, move by move"


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each command, and one for the code."""
    played = {
        name: (*match_sources(game, *policies), *oracle_sources(game), *sources)
        for name, (game, policies, sources) in DEPENDS.items()
    }
    commands = {
        name: Part(partial(printed, command), partial(again, command), played[name], printed=True)
        for name, command in COMMANDS.items()
    }
    wrapped = ("agents/external/wrapped.py", "agents/external/nets.py")
    network = repeated(run_code, (*match_sources("tictactoe", "random"), "arena/ratings/score.py", *wrapped))
    return {**commands, "network": network._replace(printed=True)}


def printed(command: str) -> list[str]:
    """The lines that a command prints, without those that name files."""
    ludus = Path(sys.executable).with_name("ludus")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([ludus, *command.split()], stdout=subprocess.PIPE, text=True, check=True, cwd=folder)
    return [line.rstrip() for line in done.stdout.partition(FILES)[0].strip().splitlines()]


def again(command: str, kept: list[str]) -> tuple[Any, Any]:
    """The lines, as stored and now, without the last column of a tournament, which has times."""
    timed = command.startswith("arena")
    was, now = ([re.sub(r"\s+[\d,.]+$", "", line) if timed else line for line in lines] for lines in (kept, printed(command)))
    return was, now


def run_code() -> list[str]:
    """The lines that the code prints."""
    done = subprocess.run([sys.executable, "-c", CODE], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def shown(found: dict[str, Any]) -> dict[str, str]:
    """Each as a block of code."""
    figures = {name: block([f"$ ludus {command}", *found[name]]) for name, command in COMMANDS.items() if name in found}
    if lines := found.get("network"):
        printed_lines = iter(lines)
        code = ([line, f"# {next(printed_lines)}"] if line.startswith("print(") else [line] for line in CODE.strip().splitlines())
        figures["network"] = block([line for those in code for line in those], "python")
    return figures


def block(lines: list[str], language: str = "") -> str:
    """Lines as a block of code."""
    return "\n".join([f"```{language}", *lines, "```"])


STUDY = Study(__file__, parts, shown, MATCHES, 0, ("numpy", "llvmlite", "torch"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
