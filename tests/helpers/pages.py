"""Runs what stands in a page's blocks of shell commands: in this process, with short budgets, in the folder where it is called."""

import io
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import webbrowser
from dataclasses import fields
from pathlib import Path

import uvicorn

from ludus.baselines import trainer_class, trainer_names
from ludus.cli import main

MOST = {
    "games": 8,
    "games_per_pair": 8,
    "evaluate_games": 8,
    "moves": 8,
    "calibration": 8,
    "count": 4,
    "steps": 2048,
    "learn": 2048,
    "positions": 256,
    "generations": 1,
    "episodes": 50,
    "seeds": 1,
    "runs": 1,
    "boards": 64,
    "seconds": 0.1,
    "calls": 300,
    "nodes": 10_000,
}
"""The largest budgets, by the names that options, keywords and settings have."""
CALLING = ("annealing", "genetic", "local", "probe", "tabu")
"""Solvers whose budget is a number of calls."""
NOT_RUN = {
    r"(?:pip|make|export|\.ci/run|\.venv/bin/python|ludus cache --warm)\b": "installs, tests or compiles everything",
    r"python -m benchmarks": "measures for minutes; tests/project/test_studies.py runs a study",
    r"ray|vf-eval": "is another program, which needs a cluster or a model",
    r".*\bllm:": "asks a model",
    r".*--engine ray": "needs a cluster",
    r"(?!ludus engine).*--protocol": "plays all games of a protocol, which no option shortens",
    r"ludus train (?:alphazero othello|qlearning quixo|montecarlo othello|maskable_ppo qu)": "takes a minute even if it is short",
    r"ludus train alphazero tictactoe|.*runs/(?:t1|own)\b|ludus play.*alphazero": "needs a network; tests/baselines trains one",
    r"python examples/neighbours/ppo_single_file": "trains a network; tests/project/test_neighbours.py does so",
    r"ludus puzzle (?!setcover)": "searches for a minute even with few calls",
    r"ludus table quixo:size=4": "writes 820 MB",
    r"ludus web \w": "names what only its reader has",
    r"ludus page": "hands on what `make page` has built; tests/web/test_alone.py does so",
    r".*(?:PATH/TO|NAME|HEAD|/opt/|runs/quixo-original|runs/quarto)": "names what only its reader has",
}
"""Commands that cannot run in a test, and why."""


def cut(text: str) -> str:
    """A text with smaller numbers where it has budgets: `--games 200`, `games=1_000`, `calls=30000`, `learn(20_000)`."""
    names = "|".join(name.replace("_", "[-_]") for name in MOST)

    def smaller(match: re.Match[str]) -> str:
        most, number = MOST[match[2].replace("-", "_")], float(match[4].replace("_", ""))
        return f"{match[1]}{match[2]}{match[3]}{most:g}" if number > most else match[0]

    return re.sub(rf"(\b|--)\b({names})([ =(])([\d_]+(?:\.\d+)?)\b", smaller, text)


def shell(block: str) -> None:
    """Runs a block's commands, one after the other; each must end well."""
    uvicorn.Server.run = lambda self, sockets: [one.close() for one in sockets]  # it would wait for ever
    webbrowser.open = print
    for line in block.replace("\\\n", " ").splitlines():
        if shlex.split(line, comments=True) and not any(re.match(f"(?:{pattern})", line) for pattern in NOT_RUN):
            for command in cut(line).split(" && "):
                run(shlex.split(command, comments=True))


def run(words: list[str]) -> None:
    """Runs a command."""
    print("$", *words, flush=True)
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"quit\n"))
    match words:
        case ["ludus", *rest]:
            status = main(short(rest))
        case ["python", script, *rest]:
            sys.argv, sys.path[:0] = [script, *rest], [str(Path(script).parent)]
            runpy.run_path(script, run_name="__main__")
            status = 0
        case _:
            status = subprocess.call(words) if shutil.which(words[0]) else 0
    assert status == 0, f"{shlex.join(words)} ends with {status}"


def short(words: list[str]) -> list[str]:
    """A command with budgets where it has none of its own."""
    if words[0] == "puzzle":
        return [limit(word) if word.split(":")[0] in CALLING else word for word in words]
    names = {"arena": ["games"], "grade": ["games", "moves"], "bench": ["seconds", "runs", "boards"], "solve": ["seconds"]}
    names["train"] = [length_of(words)]
    if words[0] == "train" and not {"--resume", "--list", "--evaluate-games", "--against"} & {*words}:
        words = [*words, "--evaluate-every", "never"]
    long = () if {"--resume", "--list", "--exact"} & {*words} else names.get(words[0], ())
    return [*words, *(part for name in long if f"--{name}" not in words for part in (f"--{name}", f"{MOST[name]:g}"))]


def limit(solver: str) -> str:
    """A solver with a number of calls."""
    return solver if "calls=" in solver else f"{solver}{',' if ':' in solver else ':'}calls={MOST['calls']}"


def length_of(words: list[str]) -> str:
    """What the length of a training is called: of the trainer that is named, or of the one whose runs pages go on from."""
    trainer = next((word for word in words if word in trainer_names()), "qlearning")
    settings = {field.name for field in fields(trainer_class(trainer).settings_class)}
    return next(name for name in ("generations", "steps", "positions", "games") if name in settings)
