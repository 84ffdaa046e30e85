"""`ludus train NAME GAME --run DIR`: trains a policy for a game; `ludus train --resume DIR` resumes a run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeElapsedColumn, TimeRemainingColumn

from ...baselines.runs.folder import Folder, folder_of
from ...baselines.runs.measure import Measure
from ...baselines.runs.registry import presets_of, trainer_class, trainer_names
from ...baselines.runs.run import Run
from ...baselines.runs.training import Execution, Start, resume, train
from ...core.plugins import parse_code
from ...core.specs import settings_of, value_text
from ...core.workers.pool import ENGINES
from ...games.registry import game_class, game_names
from ..terminal.display import display, plain
from ..terminal.options import games, pathname, seconds, whole
from ..terminal.output import print_json, print_table, refuse, show

BAR_WIDTH = 105
"""Columns of the terminal for the progress bar; the metrics have the rest."""
PREFIX = "setting "
"""Begins the argparse names of a trainer's settings, so that none hides an option of the command."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options that all trainers share."""
    add = parser.add_argument
    add("trainer", nargs="?", help=f"name of the trainer: {', '.join(trainer_names())}")
    add("game", nargs="?", help="spec of the game, for example nim:misere=true")
    add("--run", dest="folder", action=pathname(), metavar="DIR", help="new or empty folder for the run")
    add("--resume", action=pathname(), metavar="DIR", help="resume the run in this folder")
    add(
        "--from",
        metavar="run:DIR",
        help="start from the policy of another run, with its settings unless you give others; TRAINER and GAME are then optional",
    )
    add("--trust", action="store_true", help="with --resume or --from: allow code named in the run to run")
    parser.set_defaults(seed=None)  # to refuse a seed where it has no effect
    add("--preset", metavar="NAME", help="a named set of settings (see --list)")
    add("--list", action="store_true", help="list the trainers, or the settings and presets of one")
    add(
        "--evaluate-every",
        metavar="HOW",
        help="when to measure: after each share of the training (0.25), each time span (60s), or never",
    )
    add("--evaluate-games", action=games(), metavar="N", help=f"games against each opponent (default: {Measure.games})")
    add(
        "--against",
        nargs="+",
        metavar="SPEC",
        help="opponents for measuring (default: random, greedy, minimax, perfect); self: the policy as last measured",
    )
    add("--workers", action=whole(1), default=1, help="processes for work such as self-play games (default: 1)")
    add("--engine", default="local", choices=ENGINES, help="workers on this machine or on a Ray cluster")
    add("--keep-games", action=pathname(), metavar="FOLDER", help="folder for the games that alphazero plays against itself")
    add(
        "--checkpoint-seconds",
        action=seconds(or_none=True),
        metavar="S",
        default=Execution.checkpoint_seconds,
        help=f"seconds between checkpoints (default: {Execution.checkpoint_seconds:g})",
    )


def more_arguments(parser: argparse.ArgumentParser, given: Sequence[str]) -> None:
    """Adds an option for each setting of the given trainer."""
    words = [word for word in given[given.index("train") + 1 :] if word not in ("-h", "--help")]
    name = _trainer_in(parser, words)
    settings = [] if name is None else [*settings_of(trainer_class(name).settings_class)]
    about = "in parentheses: what its publication used, where that is known" if name else "name a trainer to see them"
    group = parser.add_argument_group(f"settings of {name}" if name else "settings", about)
    for setting in settings:
        bounds = f"; {setting.allowed}" if setting.allowed else ""
        meaning = f"{setting.meaning} [default: {setting.default}{bounds}]".replace("%", "%%")
        option = group.add_argument(_option(setting.name), metavar="VALUE", default=argparse.SUPPRESS, help=meaning)
        option.dest = PREFIX + setting.name


def run(chosen: argparse.Namespace) -> None:
    """Trains, and prints the results."""
    if chosen.list:
        show_trainers(chosen)
        return
    settings = {name.removeprefix(PREFIX): value for name, value in vars(chosen).items() if name.startswith(PREFIX)}
    folder = chosen.resume or chosen.folder
    try:
        with show_progress(chosen.json) as watch:
            execution = Execution(chosen.workers, chosen.engine, chosen.checkpoint_seconds, watch, chosen.keep_games)
            finished = resume_run(chosen, settings, execution) if chosen.resume else begin(chosen, settings, execution)
    except KeyboardInterrupt:
        if folder and (folder / "run.json").exists():
            print(f"ludus: {Folder.open(folder, trust=chosen.trust).progress_note}", file=sys.stderr)
        raise
    show(finished, chosen.json)


def begin(chosen: argparse.Namespace, settings: dict[str, Any], execution: Execution) -> Run:
    """Starts a new run, and trains to its end."""
    other: str | None = vars(chosen)["from"]
    start = None if other is None else Start.of(other, trust=chosen.trust)
    if start is None:
        refuse(chosen, "it applies only to --resume and --from, because what you type is trusted anyway", "trust")
    trainer, game = chosen.trainer, chosen.game
    if start:
        trainer, game = trainer or start.folder.plan.trainer, game or start.folder.plan.game
    if trainer:
        trainer_class(trainer)  # raises if there is no such trainer
    if not (trainer and game and chosen.folder):
        raise ValueError("name a trainer, a game and a folder, for example: ludus train qlearning tictactoe --run runs/first")
    return train(
        trainer,
        game,
        chosen.folder,
        seed=chosen.seed,
        preset=chosen.preset,
        start_from=start,
        measure=measure_of(chosen),
        execution=execution,
        **settings,
    )


def resume_run(chosen: argparse.Namespace, settings: dict[str, Any], execution: Execution) -> Run:
    """Resumes a run, and trains to its end."""
    fixed = ("trainer", "game", "folder", "from", "preset", "evaluate_every", "evaluate_games", "against", "seed")
    refuse(chosen, "a run is resumed as it was started", *fixed)
    return resume(chosen.resume, settings, trust=chosen.trust, execution=execution)


def measure_of(chosen: argparse.Namespace) -> Measure:
    """How to measure the run."""
    every = Measure.every if chosen.evaluate_every is None else chosen.evaluate_every
    games = Measure.games if chosen.evaluate_games is None else chosen.evaluate_games
    return Measure(every, games, chosen.against and tuple(chosen.against))


def show_trainers(chosen: argparse.Namespace) -> None:
    """Lists the trainers, or the settings of one."""
    if chosen.json:
        print_json({name: trainer_document(name) for name in ([chosen.trainer] if chosen.trainer else trainer_names())})
    elif chosen.trainer:
        document = trainer_document(chosen.trainer)
        rows = [(setting["name"], setting["meaning"], setting["allowed"], setting["default"]) for setting in document["settings"]]
        print_table(document["what"], ["setting", "meaning", "allowed", "default"], rows, left=3)
        rows = [
            (name, ", ".join(f"{k}={value_text(v)}" for k, v in preset.items())) for name, preset in document["presets"].items()
        ]
        if rows:
            print_table("", ["preset", "settings"], rows, left=2)
    else:
        rows = [(name, trainer_document(name)["what"], ", ".join(trainer_document(name)["presets"])) for name in trainer_names()]
        print_table("", ["trainer", "what it does", "presets"], rows, left=3)


def trainer_document(name: str) -> dict[str, Any]:
    """A trainer for JSON: what it does, its settings and presets; or what it needs if that is not installed."""
    try:
        trainer = trainer_class(name)
    except ValueError as error:
        if name not in trainer_names():
            raise
        return {"what": str(error), "settings": [], "presets": {}}
    settings = [setting._asdict() for setting in settings_of(trainer.settings_class)]
    presets = presets_of(trainer, map(game_class, game_names()))
    return {"what": (trainer.__doc__ or "").split("\n")[0], "settings": settings, "presets": presets}


@contextmanager
def show_progress(silent: bool) -> Generator[Callable[[Run], None]]:
    """Shows progress and the latest metrics on the terminal; yields the function to call after each part of the training."""
    columns = (
        plain("{task.description}"),
        BarColumn(20),
        TaskProgressColumn(),
        plain("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        plain("{task.fields[metrics]}"),
    )
    progress = Progress(*columns)
    bar = progress.add_task("", total=None, rate="", metrics="")
    start: tuple[int, float] | None = None
    num_evaluations = 0
    with display(progress, silent=silent) as live:

        def watch(run: Run) -> None:
            nonlocal start, num_evaluations
            trainer = run.trainer
            start = start or (trainer.done, run.seconds)
            done, seconds = trainer.done - start[0], run.seconds - start[1]
            progress.update(
                bar,
                description=f"{run.plan.trainer}: {run.plan.game}",
                total=trainer.total,
                completed=trainer.done,
                rate=f"{done / seconds:,.0f} {trainer.unit}/s" if seconds else "",
                metrics=run.latest_metrics[: max(0, live.console.width - BAR_WIDTH)],
            )
            midway = trainer.total <= 10 * trainer.done and not run.over  # at the end the result has the warnings
            if len(run.evaluations) > num_evaluations and midway and not silent:
                for warning in run.warnings:
                    live.console.print(f"After {trainer.done:,} {trainer.unit}: {warning}", markup=False, soft_wrap=True)
            num_evaluations = len(run.evaluations)

        yield watch


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _trainer_in(parser: argparse.ArgumentParser, words: Sequence[str]) -> str | None:
    """The trainer that is given by its name, or by a run to resume or to start from."""
    chosen, left = parser.parse_known_args(words)  # the options of a trainer are left, and a value of one may stand for the trainer
    if run := chosen.resume or vars(chosen)["from"]:
        return Folder.open(folder_of(run), trust=chosen.trust).plan.trainer
    named = (word for word in (chosen.trainer, chosen.game, *left) if word in trainer_names())
    return next(named, chosen.trainer if parse_code(chosen.trainer or "") else None)
