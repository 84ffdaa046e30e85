"""Training runs and their results. Shown in docs/training.md.

python -m benchmarks.strength.training --missing               # trains the runs that do not exist yet, into runs/
python -m benchmarks.strength.training neat td_ntuple          # updates those of some trainers

An interrupted run is continued. Seeds were fixed before any run. Beside a long run there is the result of a short one, by which a
change of its sources is checked; runs that use torch repeat on the same kind of processor alone.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ludus.arena import evaluate, grade_exact
from ludus.baselines.runs.folder import Folder
from ludus.baselines.runs.registry import TRAINERS
from ludus.core.files.writing import make_folder, write_whole

from ..provenance import GRADING, MATCHES, Part, Study, match_sources, oracle_sources, table
from ..provenance.fingerprint import fingerprint

ROOT = Path(__file__).parents[2]
LONG = 30.0
"""Runs that took more seconds are not repeated to check them, but begun: see `SHORT`."""
SHORT = {
    "td_ntuple": ("--games", "2000"),
    "neat": ("--generations", "2"),
    "layered_neat": ("--generations", "2"),
    "maskable_ppo": ("--steps", "8192"),
    "ppo": ("--steps", "8192"),
    "dqn": ("--steps", "8192"),
    "alphazero": ("--positions", "4096", "--boards", "64"),
}
"""How far the short run beside a long one goes, by trainer."""
MEASURED = ("--evaluate-every", "1", "--evaluate-games", "40", "--against", "random")
"""How a short run is measured."""
CODE = ("agents", "arena", "baselines", "envs")
"""A run in `runs/` is continued, and a finished one is read, only while nothing has changed in these folders."""


class Line(NamedTuple):
    """A line of the table: what is trained with each seed.

    Args:
        trainer, preset: as `ludus train` takes them.
        games: the games, each with its own runs.
        against: the opponents of the final measurement.
        seeds: ten for runs of a few seconds, three for runs of less than a minute, two for longer ones.
        title: a title for several games together.
        measured: the number of games against each opponent at the end.
        every: the share of training between measurements; empty for the default.
    """

    trainer: str
    games: tuple[str, ...]
    preset: str = ""
    against: tuple[str, ...] = ("random",)
    seeds: tuple[int, ...] = (1, 2, 3)
    title: str = ""
    measured: int = 1000
    every: str = ""

    @property
    def commands(self) -> dict[str, str]:
        """The commands that train it, by the names of the runs."""
        return {self.name(game, seed): self.command(game, seed) for game in self.games for seed in self.seeds}

    def name(self, game: str, seed: int) -> str:
        """The name of a run."""
        name = "-".join([self.trainer, *filter(None, [self.preset]), game, str(seed)])
        return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)

    def command(self, game: str, seed: int) -> str:
        """The command that trains it on one game with one seed."""
        folder = f"runs/{self.name(game, seed)}"
        preset = ["--preset", self.preset] if self.preset else []
        every = ["--evaluate-every", self.every] if self.every else []
        measured = [*every, "--evaluate-games", str(self.measured), "--against", *self.against]
        return shlex.join(["ludus", "train", self.trainer, game, *preset, "--seed", str(seed), *measured, "--run", folder])


TEN = tuple(range(1, 11))
HEADS = ["trainer", "game", "trained", "seeds", "seconds", "won, of 1000 games (AlphaZero: 400) against", "by the grade"]
TABULAR = tuple(f"baselines/tabular/{name}.py" for name in ("positions", "tabular", "walk"))
BREEDING = tuple(f"baselines/{name}.py" for name in ("genetics/breeding", "genetics/settings"))
GENETIC = ("baselines/genetics",)
EVOLUTION = (*BREEDING, "baselines/evolution")
OF_TRAINERS = {
    "qlearning": TABULAR,
    "montecarlo": TABULAR,
    "td_ntuple": ("baselines/ntuples",),
    "neat": EVOLUTION,
    "layered_neat": EVOLUTION,
    "evolved_table": GENETIC,
    "evolved_preference": GENETIC,
    "evolved_mixture": GENETIC,
    "maskable_ppo": ("baselines/sb3",),
    "ppo": ("baselines/sb3",),
    "dqn": ("baselines/sb3",),
    "alphazero": (
        "baselines/alphazero/networks/evaluator.py",
        "baselines/alphazero/networks/residual.py",
        "baselines/alphazero/selfplay",
        "baselines/alphazero/settings.py",
        "arena/matches/openings.py",
    ),
}
NIMS = tuple(
    f"nim:heaps={heaps}{limit}{misere}"
    for heaps in ("1+3+5+7", "1+3+5+7+9")
    for limit in ("", ",limit=2", ",limit=3")
    for misere in ("", ",misere=true")
)
LINES = [
    Line("qlearning", ("tictactoe",)),
    Line("montecarlo", ("tictactoe",), seeds=TEN),
    Line("qlearning", ("tictactoe",), "original", seeds=TEN),
    Line("montecarlo", ("tictactoe",), "original", seeds=TEN),
    Line("qlearning", NIMS, title="Nim, twelve: 1+3+5+7 and 1+3+5+7+9, no limit, 2, 3, normal and misère"),
    Line("qlearning", ("quixo:size=3",)),
    Line("evolved_table", ("nim",), seeds=TEN),
    Line("evolved_table", ("nim",), "long", seeds=TEN),
    Line("evolved_preference", ("nim",), seeds=TEN),
    Line("evolved_mixture", ("nim",), seeds=TEN),
    Line("td_ntuple", ("quixo",), "quixo", ("random", "minimax:depth=1"), (1, 2)),
    Line("td_ntuple", ("othello",), "othello", ("random", "minimax:depth=3"), (1, 2)),
    Line("neat", ("tictactoe",), "tictactoe", seeds=(1, 2)),
    Line("neat", ("quixo",), "quixo", seeds=(1, 2)),
    Line("layered_neat", ("tictactoe",), "tictactoe", seeds=(1, 2)),
    Line("layered_neat", ("quixo",), "quixo", seeds=(1, 2)),
    Line("layered_neat", ("quixo",), "original", seeds=(1, 2)),
    Line("maskable_ppo", ("tictactoe",), seeds=(1, 2)),
    Line("maskable_ppo", ("nim",), seeds=(1, 2)),
    Line("maskable_ppo", ("quixo",), seeds=(1, 2)),
    Line("maskable_ppo", ("quarto",), against=("random", "easy"), seeds=(1, 2)),
    Line("maskable_ppo", ("othello:size=6",), seeds=(1, 2)),
    Line("ppo", ("tictactoe",), seeds=(1, 2)),
    Line("dqn", ("tictactoe",), seeds=(1, 2)),
    Line("dqn", ("tictactoe",), "penalty", seeds=(1, 2)),
    Line("alphazero", ("tictactoe",), seeds=(1, 2), measured=400, every="1"),
    Line("alphazero", ("othello:size=6",), "", ("random", "minimax:depth=4", "self"), (1, 2), measured=400, every="0.5"),
    Line("alphazero", ("quixo",), "", ("random", "minimax:depth=3", "minimax:depth=5"), (1, 2), measured=400, every="1"),
    Line("alphazero", ("quarto",), "", ("random", "hard"), (1, 2), measured=400, every="1"),
]
FLOOR = ("tictactoe", "nim")
"""The games for which the table also says how random play does, as what any training must exceed."""


def source_of(trainer: str) -> str:
    """The file of a trainer."""
    return TRAINERS[trainer].partition(":")[0].removeprefix("ludus.").replace(".", "/") + ".py"


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each run, and for random play of each game that has it."""
    found = dict[str, Part]()
    for game in FLOOR:
        sources = (*match_sources(game, "random"), *oracle_sources(game), *GRADING)
        found[f"random-{game}"] = Part(partial(untrained, game), partial(untrained_again, game), sources)
    for line in LINES:
        own = () if line.trainer in ("maskable_ppo", "ppo", "dqn") else (source_of(line.trainer),)
        opponents = [name for name in ("random", *line.against) if name != "self"]
        for game, seed in itertools.product(line.games, line.seeds):
            name, command = line.name(game, seed), line.command(game, seed)
            sources = (*match_sources(game, *opponents), *oracle_sources(game), *GRADING, *own, *OF_TRAINERS[line.trainer])
            found[name] = Part(partial(trained, name, command, SHORT.get(line.trainer, ())), partial(again, command), sources)
    return found


def untrained(game: str) -> dict[str, Any]:
    """The result of random play: its games against itself, and its exact grade."""
    score, exact = evaluate("random", game, "random", 1000, seed=1, opening_plies=0), grade_exact("random", game)
    names = "exact", "beatable", "win_rate_vs_random", "value_thrown"
    scores = [{"b": "random", **{name: getattr(score, name) for name in ("games", "wins", "draws", "losses")}}]
    return {"trainer": "random", "game": game, "scores": scores, "grade": {name: exact.document()[name] for name in names}}


def untrained_again(game: str, kept: dict[str, Any]) -> tuple[Any, Any]:
    """Random play as stored, and now."""
    return kept, untrained(game)


def trained(name: str, command: str, shortened: Sequence[str]) -> dict[str, Any]:
    """The result of a run, which is resumed if it was interrupted and begun with the same code.

    Args:
        name: the run's name.
        command: the command that trains it.
        shortened: options of the short run whose result stands beside that of a long one.
    """
    words, folder, mark = shlex.split(command), ROOT / "runs" / name, ROOT / "runs" / f"{name}.sources"
    sources = fingerprint(ROOT, CODE)
    if folder.exists() and (not mark.exists() or mark.read_text() != sources):
        shutil.rmtree(folder)
    if not (folder / "run.json").exists():
        make_folder(mark.parent)
        write_whole(mark, sources.encode())
        train(words[2:])
    elif not Folder.open(folder).finished:
        train(["--resume", words[-1]])
    found: dict[str, Any] = {"command": command, **outcome(folder)}
    return {**found, "short": repeated(command, shortened)} if found["seconds"] > LONG else found


def again(command: str, kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """A run, or the short one beside a long one, as stored and now; None if there was no short one."""
    if kept["seconds"] > LONG:
        return (kept["short"], repeated(command, SHORT[kept["trainer"]])) if "short" in kept else None
    return determined(kept), repeated(command)


def repeated(command: str, shortened: Sequence[str] = ()) -> dict[str, Any]:
    """What the seed determines of a run in a folder of its own; with options that shorten it, its measurement is short, too."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        train([*shlex.split(command)[2:-1], str(folder), *shortened, *(MEASURED if shortened else ())])
        return determined(outcome(folder))


def train(words: Sequence[str]) -> None:
    """Runs `ludus train` in a new process."""
    ludus = str(Path(sys.executable).with_name("ludus"))
    subprocess.run([ludus, "train", *words], cwd=ROOT, check=True, stdout=sys.stderr)


def determined(found: dict[str, Any]) -> dict[str, Any]:
    """The part of a run's result that the seed determines, without what only says how the training went."""
    metrics = {name: value for name, value in found["metrics"].items() if not name.startswith(("seconds", "points against"))}
    return {"metrics": metrics, "scores": found["scores"], "grade": found["grade"]}


def outcome(folder: Path) -> dict[str, Any]:
    """Reads the result of a finished run from its folder."""
    run, last = json.loads((folder / "run.json").read_text()), json.loads((folder / "evaluations.json").read_text())[-1]
    rows = (folder / "metrics.csv").read_text().splitlines()
    metrics = dict(zip(rows[0].split(","), map(float, rows[-1].split(",")), strict=True))
    scores = [{name: score[name] for name in ("b", "games", "wins", "draws", "losses")} for score in last["scores"]]
    rates = "win_rate_vs_random", "loss_rate_vs_random", "optimal_rate"
    wanted = "exact", "beatable", *rates, "value_lost", "value_thrown", "graded"
    return {
        **{name: run[name] for name in ("trainer", "game", "preset", "seed", "done", "unit", "seconds")},
        "metrics": metrics,
        "scores": scores,
        "grade": last["grade"] and {name: last["grade"][name] for name in wanted if name in last["grade"]},
    }


def row(line: Line, found: Sequence[dict[str, Any]]) -> list[str]:
    """A row of the table: the worst run for each number."""
    preset = f" `--preset {line.preset}`" if line.preset else ""
    done = f"{found[0]['done']:,} {found[0]['unit']}"
    seconds = f"{max(one['seconds'] for one in found):,.1f}"
    game = line.title or f"`{line.games[0]}`"
    return [f"`{line.trainer}`{preset}", game, done, str(len(found) // len(line.games)), seconds, *judged(found, line.against)]


def judged(found: Sequence[dict[str, Any]], against: Sequence[str]) -> tuple[str, str]:
    """The last cells of a row: the games that were won, and the grade, the worst of each number."""
    wins = [f"{won([one['scores'][place] for one in found])} `{name}`" for place, name in enumerate(against)]
    return " · ".join(wins), "; ".join(graded(found))


def won(scores: Sequence[dict[str, Any]]) -> str:
    """The share of games won in the worst score, and that of draws if it is a tenth or more."""
    worst = min(scores, key=lambda score: (2 * score["wins"] + score["draws"]) / score["games"])
    wins, draws = (100 * worst[name] / worst["games"] for name in ("wins", "draws"))
    return f"{wins:.1f} %" + (f" (and {draws:.1f} % drawn)" if draws >= 10 else "")


def graded(found: Sequence[dict[str, Any]]) -> list[str]:
    """Grades of runs, the worst of each number: exact ones, or for large games those of a sample."""
    grades, parts = [one["grade"] for one in found], list[str]()
    if "winning moves" in found[0].get("metrics", ()):
        parts.append(f"a winning move in {100 * min(one['metrics']['winning moves'] for one in found):.1f} % of won positions")
    if "value error" in found[0].get("metrics", ()):
        optimal, error = (worst(one["metrics"][name] for one in found) for name, worst in (("optimal", min), ("value error", max)))
        parts.append(
            f"its network alone: {100 * optimal:.0f} % of moves keep the value, and its value has a mean error of {error:.2f}"
        )
    if not all(grade and grade["exact"] for grade in grades):
        rates = [grade["optimal_rate"] for grade in grades if grade and grade.get("optimal_rate") is not None]
        moves = min(grade["graded"] for grade in grades if grade)
        return [*parts, f"{100 * min(rates):.1f} % of {moves} graded moves keep the value"] if rates else parts
    thrown = max(grade["value_thrown"] for grade in grades)
    parts.append(f"loses a value of {thrown:.3f} per game" if thrown else "loses no value")
    if not any(grade["beatable"] for grade in grades):
        parts.append("cannot be beaten")
    if len({one["game"] for one in found}) == 1:
        first, second = (100 * min(grade["win_rate_vs_random"][seat] for grade in grades) for seat in (0, 1))
        parts.append(f"wins {first:.2f} % as first, {second:.2f} % as second")
    return parts


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The table of docs/training.md, and the numbers of single runs that pages mention."""
    those = [(line, [found[name] for name in line.commands if name in found]) for line in LINES]
    floor = [found[f"random-{game}"] for game in FLOOR if f"random-{game}" in found]
    rows = [["random play", f"`{run['game']}`", "", "", "", *judged([run], ("random",))] for run in floor]
    rows += [row(line, runs) for line, runs in those if runs]
    figures = {"table": table(HEADS, rows, align="lllrrll")}
    for run in floor:
        for seat, rate in zip(("first", "second"), run["grade"]["win_rate_vs_random"], strict=True):
            figures[f"random-{run['game']}.{seat}"] = f"{100 * rate:.1f} %"
    for name, run in found.items():
        if run["trainer"] == "alphazero":
            figures[f"{name}.minutes"] = f"{run['seconds'] / 60:.0f}"
            figures[f"{name}.seconds"] = f"{run['seconds']:.0f}"
            figures[f"{name}.kept"] = f"{100 * run['metrics']['optimal']:.0f} %"
            figures[f"{name}.error"] = f"{run['metrics']['value error']:.2f}"
        for score in run["scores"]:
            for key in ("wins", "draws", "losses"):
                figures[f"{name}.{score['b']}.{key}"] = str(score[key])
    return figures


STUDY = Study(__file__, parts, shown, MATCHES, libraries=("numpy", "llvmlite", "torch", "stable-baselines3", "sb3-contrib"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
