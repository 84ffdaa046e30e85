"""Writes the files of all formats anew, and what they say: `python -m tests.written.make`, where `python` is that of `.venv`."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ludus.arena import Tournament, tournament
from ludus.baselines import Execution, Measure, Run, train

from .reading import FILES, GRADE, GRADED, POLICIES, json_of, read

MOMENT = datetime(2026, 1, 1)
DEEP = {"boards": 4, "layers": (4,), "opponents": ("random", "self"), "pool": 2, "snapshot_every": 1}
ON_POLICY = DEEP | {"rollout": 8, "batch": 16, "steps": 128}
BRED = {"population": 8, "offspring": 8, "generations": 4}
RIVALS = {"population": 8, "games": 2, "peers": 1, "generations": 4}
SEARCH = {"blocks": 1, "channels": 2, "simulations": 4, "boards": 8, "batch": 16, "positions": 192, "window": 96}
RUNS: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    # name of the run: trainer, game, after how many parts it is stopped, settings that make its files small
    "qlearning": ("qlearning", GRADED, 8, {"games": 16}),
    "qlearning-rows": ("qlearning", "tictactoe", 8, {"games": 16, "rows": 16, "exploring_starts": 0.0, "opponent": "random"}),
    "montecarlo": ("montecarlo", GRADED, 8, {"games": 16, "tables": 2}),
    "montecarlo-states": ("montecarlo", GRADED, 8, {"games": 16, "values": "states", "visit": "every"}),
    "td_ntuple": ("td_ntuple", "tictactoe", 5, {"games": 10_000, "shapes": ("1x3", "d3"), "coherence": True, "stages": 2}),
    "td_ntuple-looks": ("td_ntuple", GRADED, 5, {"games": 10_000}),
    "alphazero": ("alphazero", "tictactoe", 3, SEARCH),
    "neat": ("neat", "tictactoe", 2, RIVALS | {"add_node": 0.5, "add_link": 0.5}),
    "layered_neat": ("layered_neat", GRADED, 2, RIVALS | {"first_neurons": 2, "most_neurons": 4}),
    "evolved_table": ("evolved_table", GRADED, 2, BRED),
    "evolved_preference": ("evolved_preference", GRADED, 2, BRED | RIVALS),
    "evolved_mixture": ("evolved_mixture", GRADED, 2, BRED | RIVALS),
    "maskable_ppo": ("maskable_ppo", GRADED, 2, ON_POLICY),
    "ppo": ("ppo", GRADED, 2, ON_POLICY),
    "dqn": ("dqn", GRADED, 2, DEEP | {"memory": 60, "batch": 8, "warm_up": 20, "target_every": 20, "steps": 1024}),
}
MEASURED = ("qlearning", "td_ntuple", "neat", "dqn")
"""The runs that are measured before they are stopped, and so have two checkpoints; the others stay small."""


def write_run(path: Path) -> None:
    trainer, game, parts, settings = RUNS[path.name]

    def stop(run: Run) -> None:
        if run.parts == parts and not run.evaluation_due:
            raise KeyboardInterrupt  # as Ctrl-C does

    measure = Measure(every="0.5", games=4, ladder=("random", "self")) if path.name in MEASURED else Measure("never")
    with suppress(KeyboardInterrupt):
        train(trainer, game, path, seed=1, measure=measure, execution=Execution(watch=stop), **settings)


def interrupt(_: Run | Tournament) -> None:
    raise KeyboardInterrupt


def write_run_from_another(path: Path) -> None:
    other = os.path.relpath(path.with_name("qlearning"))
    with suppress(KeyboardInterrupt):
        train("qlearning", GRADED, path, start_from=other, measure=Measure("never"), execution=Execution(watch=interrupt))


# ---- tournaments and games


def write_unfinished(path: Path) -> None:
    """Two games of twelve are played."""
    with suppress(KeyboardInterrupt):
        tournament(GRADED, POLICIES, 4, seed=1, store=path, watch=interrupt)


def write_saved(path: Path) -> None:
    moves = ["a1>c1", "undo", "a2>c2", "c1>a1"]
    typed = "".join(f"{line}\n" for line in [*moves, f"save {path}", "quit"])
    json_of("play", "quixo:size=3", "--against", "minimax:depth=1", "--seat", 1, "--seed", 5, typed=typed)


TOURNAMENT = "--games", 2, "--seed", 1, "--no-report", "--store"
COMMANDS: dict[str, tuple[object, ...]] = {
    # file: the command that writes it, before its name
    "finished.sqlite": ("arena", GRADED, "tictactoe", "--policies", *POLICIES, *TOURNAMENT),
    "spoken.sqlite": ("arena", GRADED, "--policies", "engine:python examples/engine.py", "random", *TOURNAMENT),
    "record.txt": ("replay", FILES / "finished.sqlite", "--export"),
    "table.npz": ("grade", GRADED, "--policy", "greedy", "--exact", "--best-response"),
    "answers.kept": GRADE,
    "positions.jsonl": ("positions", GRADED, "--count", 12, "--seed", 1, "--out"),
}


def write_by_command(path: Path) -> None:
    json_of(*COMMANDS[path.name], path)


WRITERS: dict[str, Callable[[Path], None]] = {
    **{f"runs/{name}": write_run for name in RUNS},
    "runs/qlearning-from-another": write_run_from_another,
    "unfinished.sqlite": write_unfinished,
    "saved.json": write_saved,
    **dict.fromkeys(COMMANDS, write_by_command),
}


CLOCKS: dict[str, dict[str, Any]] = {
    "time.perf_counter": {"return_value": 0.0},
    "time.strftime": {"return_value": f"{MOMENT:%Y-%m-%d %H:%M:%S} +0000"},
    "ludus.arena.matches.players.perf_counter": {"return_value": 0.0},
    "ludus.arena.store.store.datetime": {"now.return_value": MOMENT},
}
"""What reads the clock for these files. It stands still while they are written, so that only a change of a format changes them."""


def make() -> None:
    """Writes all files in place of those that are there."""
    shutil.rmtree(FILES, ignore_errors=True)
    FILES.joinpath("runs").mkdir(parents=True)
    with ExitStack() as stack:
        for clock, answers in CLOCKS.items():
            stack.enter_context(patch(clock, **answers))
        for name, write in WRITERS.items():
            write(FILES / name)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(read(name))}" for name in WRITERS)
    FILES.joinpath("expected.json").write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    make()
