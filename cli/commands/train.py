"""`ludus train NAME GAME --run DIR`: learns to play a game, and keeps the run; `ludus train --resume DIR` goes on with one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ...arena.engines.engines import ENGINES
from ...baselines.registry import trainer_class, trainer_names
from ...baselines.runs.folder import Folder
from ...baselines.runs.measure import Measure
from ...baselines.runs.run import Run
from ...baselines.runs.start import folder_of
from ...baselines.runs.training import CHECKPOINT_SECONDS, resume, train
from ...envs.plugins import place_of
from ...envs.settings.listed import settings_of
from ...envs.settings.specs import nearest, written
from ..terminal.display import display
from ..terminal.numbers import games, seconds, whole
from ..terminal.output import print_json, print_table, refuse, show

TOLD = 105
"""Columns of the terminal that the bar takes; what the last part told has the rest."""
PREFIX = "setting "
"""What the settings of a trainer are called among the command's own, so that none hides another."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Who learns what, and where it is kept."""
    parser.add_argument("trainer", nargs="?", help=f"the trainer: {', '.join(trainer_names())}")
    parser.add_argument("game", nargs="?", help="a game's spec, as nim:misere=true")
    parser.add_argument("--run", dest="folder", type=Path, metavar="DIR", help="the folder to keep the run in, new or empty")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="go on with the run in this folder")
    parser.add_argument(
        "--from",
        metavar="run:DIR",
        help="begin with what that run has learnt, and its settings but for those that are given; trainer and game may be left out",
    )
    parser.add_argument("--trust", action="store_true", help="with --resume or --from: let code run that the run names")
    parser.set_defaults(seed=None)  # so that one that is given where it says nothing is refused
    parser.add_argument("--preset", metavar="NAME", help="settings to begin with instead of the defaults")
    parser.add_argument("--list", action="store_true", help="the trainers, or the settings and presets of one")
    parser.add_argument(
        "--evaluate-every", metavar="HOW", help="measure after every share of the training, as 0.25; or 60s; or never"
    )
    parser.add_argument("--evaluate-games", action=games(), metavar="N", help=f"games against each policy ({Measure.games})")
    parser.add_argument(
        "--against",
        nargs="+",
        metavar="SPEC",
        help="whom to measure against (random, greedy, minimax, perfect); self is the learner when it was measured last",
    )
    parser.add_argument(
        "--workers", action=whole(1), default=1, help="processes for what the trainer hands out, as games against itself (1)"
    )
    parser.add_argument("--engine", default="local", choices=ENGINES, help="where they run (local)")
    parser.add_argument(
        "--checkpoint-seconds",
        action=seconds(or_none=True),
        metavar="S",
        default=CHECKPOINT_SECONDS,
        help=f"between checkpoints ({CHECKPOINT_SECONDS:g})",
    )


def more_arguments(parser: argparse.ArgumentParser, given: Sequence[str]) -> None:
    """The settings of the trainer that is named, each an option of its own.

    Raises:
        ValueError: an option that neither the command nor the trainer has.
    """
    behind = given[given.index("train") + 1 :]
    name = _trainer_of_run(behind) or _trainer_named(parser, behind)
    settings = [] if name is None else [*settings_of(trainer_class(name).settings_class)]
    group = parser.add_argument_group(f"settings of {name}" if name else "settings", None if name else "name a trainer to see them")
    for setting in settings:
        bounds = f"; {setting.allowed}" if setting.allowed else ""
        meaning = f"{setting.meaning} ({setting.default}{bounds})".replace("%", "%%")
        option = group.add_argument(_option(setting.name), metavar="VALUE", default=argparse.SUPPRESS, help=meaning)
        option.dest = PREFIX + setting.name
    known = {option for action in parser._actions for option in action.option_strings}  # pyright: ignore[reportPrivateUsage]
    for word in (word.partition("=")[0] for word in behind if word.startswith("--")):
        if name and not any(option.startswith(word) for option in known):
            told = nearest(word, map(_option, (setting.name for setting in settings)))
            raise ValueError(f"neither the command nor the trainer {name} has {word}; {told}")


def run(chosen: argparse.Namespace) -> None:
    """Trains, and tells what came of it."""
    if chosen.list:
        show_trainers(chosen)
        return
    settings = {name.removeprefix(PREFIX): value for name, value in vars(chosen).items() if name.startswith(PREFIX)}
    folder = chosen.resume or chosen.folder
    try:
        with followed(chosen.json) as watch:
            rest: dict[str, Any] = {"checkpoint_seconds": chosen.checkpoint_seconds, "watch": watch}
            rest |= {"workers": chosen.workers, "engine": chosen.engine}
            done = go_on(chosen, settings, rest) if chosen.resume else begin(chosen, settings, rest)
    except KeyboardInterrupt:
        if folder and (folder / "run.json").exists():
            print(f"ludus: {Folder.open(folder, trust=chosen.trust).how_far}", file=sys.stderr)
        raise
    show(done, chosen.json)


def begin(chosen: argparse.Namespace, settings: dict[str, Any], rest: dict[str, Any]) -> Run:
    """A new run, to its end."""
    start_from: str | None = vars(chosen)["from"]
    other = None if start_from is None else Folder.open(folder_of(start_from), trust=chosen.trust).plan
    if other is None:
        refuse(chosen, "it is for a run that is gone on with, by --resume or --from; what you type is trusted", "trust")
    trainer, game = (chosen.trainer or other.trainer, chosen.game or other.game) if other else (chosen.trainer, chosen.game)
    if not (trainer and game and chosen.folder):
        raise ValueError("say who learns what and where to keep it, as: ludus train qlearning tictactoe --run runs/first")
    return train(
        trainer,
        game,
        chosen.folder,
        seed=chosen.seed,
        preset=chosen.preset,
        start_from=start_from,
        trust=chosen.trust,
        measure=measure_of(chosen),
        **rest,
        **settings,
    )


def go_on(chosen: argparse.Namespace, settings: dict[str, Any], rest: dict[str, Any]) -> Run:
    """A run that was begun, to its end."""
    named = {"trainer": "the trainer", "game": "the game", "folder": "--run"}
    for what in (*named, "from", "preset", "evaluate_every", "evaluate_games", "against", "seed"):
        if getattr(chosen, what) is not None:
            given = named.get(what, f"--{what.replace('_', '-')}")
            raise ValueError(f"--resume goes on with a run as it was begun; leave out {given}")
    return resume(chosen.resume, settings, trust=chosen.trust, **rest)


def measure_of(chosen: argparse.Namespace) -> Measure:
    """How the run is to be measured."""
    every = Measure.every if chosen.evaluate_every is None else chosen.evaluate_every
    games = Measure.games if chosen.evaluate_games is None else chosen.evaluate_games
    return Measure(every, games, chosen.against and tuple(chosen.against))


def show_trainers(chosen: argparse.Namespace) -> None:
    """The trainers; or what one of them can be told."""
    if chosen.json:
        print_json({name: told_of(name) for name in ([chosen.trainer] if chosen.trainer else trainer_names())})
    elif chosen.trainer:
        told = told_of(chosen.trainer)
        rows = [(setting["name"], setting["meaning"], setting["allowed"], setting["default"]) for setting in told["settings"]]
        print_table(told["what"], ["setting", "meaning", "allowed", "default"], rows, left=3)
        rows = [(name, ", ".join(f"{k}={written(v)}" for k, v in preset.items())) for name, preset in told["presets"].items()]
        if rows:
            print_table("", ["preset", "settings"], rows, left=2)
    else:
        rows = [(name, told_of(name)["what"], ", ".join(told_of(name)["presets"])) for name in trainer_names()]
        print_table("", ["trainer", "what it does", "presets"], rows, left=3)


def told_of(name: str) -> dict[str, Any]:
    """What a trainer does, its settings and its presets; of one that is not installed, what it needs."""
    try:
        trainer = trainer_class(name)
    except ValueError as error:
        if name not in trainer_names():
            raise
        return {"what": str(error), "settings": [], "presets": {}}
    settings = [setting._asdict() for setting in settings_of(trainer.settings_class)]
    return {"what": (trainer.__doc__ or "").split("\n")[0], "settings": settings, "presets": dict(trainer.presets)}


@contextmanager
def followed(silent: bool) -> Generator[Callable[[Run], None]]:
    """What to call as a run goes on: shows on the terminal, on stderr, how far it is and what its last part told."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(20),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[told]}"),
    )
    progress = Progress(*columns)
    bar = progress.add_task("", total=None, rate="", told="")
    with display(progress, silent=silent) as live:
        begun: list[tuple[int, float]] = []

        def watch(run: Run) -> None:
            trainer, last = run.trainer, run.rows[-1] if run.rows else {}
            begun.append((trainer.done, run.seconds))
            done, seconds = trainer.done - begun[0][0], run.seconds - begun[0][1]
            rate = f"{done / seconds:,.0f} {trainer.unit}/s" if seconds else ""
            told = ", ".join(f"{k} {v:.3g}" for k, v in last.items() if k not in ("part", "seconds", trainer.unit))
            what = f"{run.plan.trainer}: {run.plan.game}"
            progress.update(
                bar,
                description=what,
                total=trainer.total,
                completed=trainer.done,
                rate=rate,
                told=told[: max(0, live.console.width - TOLD)],
            )

        yield watch


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _trainer_named(parser: argparse.ArgumentParser, words: Sequence[str]) -> str | None:
    """The first word that names a trainer and does not belong to an option."""
    options = {option: action.nargs for action in parser._actions for option in action.option_strings}  # pyright: ignore[reportPrivateUsage]
    alone = [word for before, word in pairwise(("", *words)) if options.get(before, 0) == 0]
    return next((word for word in alone if word in trainer_names()), next((word for word in alone[:1] if place_of(word)), None))


def _trainer_of_run(words: Sequence[str]) -> str | None:
    """The trainer of the run that `--resume` or `--from` names."""
    options = "--resume", "--from"
    after = [b for a, b in pairwise(words) if a in options]
    after += [word.partition("=")[2] for word in words if word.partition("=")[0] in options and "=" in word]
    return Folder.open(folder_of(after[0]), trust="--trust" in words).plan.trainer if after else None
