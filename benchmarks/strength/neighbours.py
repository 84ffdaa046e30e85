"""Results of the examples with other libraries on tic-tac-toe, each run as its docstring says. Shown in docs/neighbours.md.

Tianshou needs an environment of its own (`pip install '.[tianshou]'`): `python -m benchmarks neighbours tianshou` there.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from functools import partial
from typing import Any

from .. import RESULTS, ROOT
from ..common import table
from ..runner import Rows, Study

EXAMPLES = {
    "ppo_single_file.py": (["--game", "tictactoe", "--steps", "1000000"], "1,000,000", "the random player"),
    "tianshou_dqn.py": (["--steps", "20000"], "20,000", "itself"),
    "torchrl_aec.py": (["--rounds", "50"], "10,000", "itself"),
    "rllib_masks.py": (["--iterations", "20"], "", "the random player"),
}
"""Scripts with their arguments, steps and training opponents; RLlib counts its own steps."""
WRAPPER, STEPS = "sb3_tutorial_wrapper.py", ["--steps", "20000"]
NAMES = {"tutorial": "the tutorial's wrapper", "one seat": 'one seat, `opponent="random"`'}
SCORE = re.compile(r"(\d+) won, (\d+) drawn, (\d+) lost of (\d+)")


def cells() -> dict[str, Any]:
    """A cell for each example."""
    return {script: partial(run, script, arguments) for script, (arguments, _, _) in EXAMPLES.items()} | {
        WRAPPER: partial(run, WRAPPER, STEPS)
    }


def run(script: str, arguments: list[str]) -> dict[str, Any]:
    """The last lines that an example prints, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, ROOT / "examples" / "neighbours" / script, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"printed": done.stdout.splitlines()[-6:], "processor_seconds": round(seconds, 1)}


def show(rows: Rows) -> dict[str, str]:
    """The tables of the examples and of the tutorial's wrapper."""
    lines = list[list[str]]()
    for script, (_, steps, against) in EXAMPLES.items():
        last, seconds = rows[script]["printed"][-1], f"{rows[script]['processor_seconds']:.0f}"
        result = shares(last) if steps else ""
        if not steps:  # RLlib reports the mean result of its training games
            taken, mean = re.findall(r"^(\d+) steps, mean result of a game (\S+)", last)[0]
            steps, seconds, result = (
                f"{int(taken):,}",
                f"{seconds}, besides Ray's own processes",
                f"mean result {mean} while learning",
            )
        lines.append([f"[`{script}`](../examples/neighbours/{script})", steps, against, seconds, result])
    heads = [
        *("", "training games that reported a loss", "wins with masks", "wins without"),
        "of these 1000, lost by an illegal action",
    ]
    return {
        "table": table(["example", "steps", "training opponent", "CPU seconds", "wins / draws"], lines),
        "wrapper": table(heads, [wrapper(name, rows[WRAPPER]["printed"]) for name in NAMES]),
        "wrapper.seconds": f"{rows[WRAPPER]['processor_seconds']:.0f} s",
    }


def shares(line: str) -> str:
    """Wins and draws in %."""
    score = SCORE.search(line)
    assert score, line
    wins, draws, _, games = map(int, score.groups())
    return f"{100 * wins / games:.1f} % / {100 * draws / games:.1f} %"


def wrapper(name: str, printed: list[str]) -> list[str]:
    """A row of the tutorial's wrapper: training games with a loss, then the scores with masks and without."""
    place = next(number for number, line in enumerate(printed) if line.startswith(f"{name}: "))
    reported = printed[place].partition(": ")[2].partition(" games")[0]
    masked, bare = printed[place + 1 : place + 3]
    return [NAMES[name], reported, *(shares(line).partition(" /")[0] for line in (masked, bare)), bare.rpartition(": ")[2]]


LIBRARIES = ("torch", "stable-baselines3", "torchrl", "ray", "tianshou", "gymnasium", "pettingzoo")
STUDIES = (Study(RESULTS / "neighbours.json", cells, show, 0, LIBRARIES),)
