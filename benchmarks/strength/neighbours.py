"""Results of the examples with other libraries on tic-tac-toe, each run as its docstring says. Shown in docs/neighbours.md.

python -m benchmarks.strength.neighbours               # runs what is missing or out of date; Tianshou needs its own environment
python -m benchmarks.strength.neighbours tianshou      # there: pip install '.[tianshou]'
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from ..provenance import Part, Study, match_sources, table

FOLDER = Path(__file__).parents[2] / "examples" / "neighbours"
EXAMPLES = {
    # script: arguments, steps, training opponent
    "ppo_single_file.py": (["--game", "tictactoe", "--steps", "1000000"], "1,000,000", "the random player"),
    "tianshou_dqn.py": (["--steps", "20000"], "20,000", "itself"),
    "torchrl_aec.py": (["--rounds", "50"], "10,000", "itself"),
    "rllib_masks.py": (["--iterations", "20"], None, "the random player"),
}
WRAPPER, STEPS = "sb3_tutorial_wrapper.py", "20000"
NAMES = {"tutorial": "the tutorial's wrapper", "one seat": 'one seat, `opponent="random"`'}
LONG = 100
"""Examples that took more processor seconds are not repeated to check them."""
SCORE = re.compile(r"(\d+) won, (\d+) drawn, (\d+) lost of (\d+)")


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each example."""
    sources = (*match_sources("tictactoe", "random"), "agents/external/wrapped.py")
    commands = {script: arguments for script, (arguments, _, _) in EXAMPLES.items()} | {WRAPPER: ["--steps", STEPS]}
    return {
        script: Part(
            partial(ran, script, arguments), partial(again, script, arguments), (*sources, f"examples/neighbours/{script}")
        )
        for script, arguments in commands.items()
    }


def ran(script: str, arguments: list[str]) -> dict[str, Any]:
    """The output of an example, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, FOLDER / script, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"printed": done.stdout.splitlines(), "processor_seconds": round(seconds, 1)}


def again(script: str, arguments: list[str], kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """The scores, as stored and now; None for a long one, and for one that prints none."""
    was = [line for line in kept["printed"] if SCORE.search(line)]
    if not was or kept["processor_seconds"] > LONG:
        return None
    return was, [line for line in ran(script, arguments)["printed"] if SCORE.search(line)]


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The tables of the examples and of the tutorial's wrapper."""
    rows = list[list[str]]()
    for script, (_, steps, against) in EXAMPLES.items():
        if script in found:
            last = found[script]["printed"][-1]
            own = (
                [f"{steps}", against, f"{found[script]['processor_seconds']:.0f}", shares(last)]
                if steps
                else rllib(found[script], against)
            )
            rows.append([f"[`{script}`](../examples/neighbours/{script})", *own])
    figures = {"table": table(["example", "steps", "training opponent", "CPU seconds", "wins / draws"], rows)}
    if WRAPPER in found:
        figures["wrapper"] = table(
            [
                "",
                "training games that reported a loss",
                "wins with masks",
                "wins without",
                "of these 1000, lost by an illegal action",
            ],
            [wrapper(name, found[WRAPPER]["printed"]) for name in NAMES],
        )
        figures["wrapper.seconds"] = f"{found[WRAPPER]['processor_seconds']:.0f} s"
    return figures


def shares(line: str) -> str:
    """Wins and draws in %."""
    counted = SCORE.search(line)
    assert counted, line
    wins, draws, _, games = map(int, counted.groups())
    return f"{100 * wins / games:.1f} % / {100 * draws / games:.1f} %"


def rllib(found: dict[str, Any], against: str) -> list[str]:
    """RLlib counts its own steps, and reports the mean result of its training games."""
    steps, mean = re.findall(r"^(\d+) steps, mean result of a game (\S+)", found["printed"][-1])[0]
    return [
        f"{int(steps):,}",
        against,
        f"{found['processor_seconds']:.0f}, besides Ray's own processes",
        f"mean result {mean} while learning",
    ]


def wrapper(name: str, printed: list[str]) -> list[str]:
    """A row of the tutorial's wrapper: training games with a loss, then the scores with masks and without."""
    place = next(number for number, line in enumerate(printed) if line.startswith(f"{name}: "))
    reported = printed[place].partition(": ")[2].partition(" games")[0]
    masked, bare = printed[place + 1 : place + 3]
    return [NAMES[name], reported, *(shares(line).partition(" /")[0] for line in (masked, bare)), bare.rpartition(": ")[2]]


STUDY = Study(
    __file__,
    parts,
    shown,
    match_sources("tictactoe", "random"),
    0,
    ("torch", "stable-baselines3", "torchrl", "ray", "tianshou", "gymnasium", "pettingzoo"),
)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
