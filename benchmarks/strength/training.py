"""Training runs and their results. Shown in docs/training.md and docs/sb3.md.

They lie in `runs/`, and an interrupted one is continued. Seeds were fixed before any run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ludus.arena import evaluate, grade, grade_exact
from ludus.arena.report.words import percent
from ludus.baselines.runs.folder import Folder
from ludus.cli.bench.study import Rows, Study

from .. import RESULTS, ROOT
from ..common import counts, table
from .grades import exams


class Line(NamedTuple):
    """A line of the table: what is trained with each seed.

    Args:
        trainer, preset: as `ludus train` takes them.
        game: the game.
        against: the opponents of the final measurement.
        seeds: ten for runs of a few seconds, three for runs of less than a minute, two for longer ones.
        measured: the number of games against each opponent at the end.
        every: the share of training between measurements; empty for the default.
    """

    trainer: str
    game: str
    preset: str = ""
    against: tuple[str, ...] = ("random",)
    seeds: tuple[int, ...] = (1, 2, 3)
    measured: int = 1000
    every: str = ""

    @property
    def commands(self) -> dict[str, list[str]]:
        """The commands that train it, by the names of the runs."""
        return {self.name(seed): self.command(seed) for seed in self.seeds}

    def name(self, seed: int) -> str:
        """The name of a run."""
        name = "-".join([self.trainer, *filter(None, [self.preset]), self.game, str(seed)])
        return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)

    def command(self, seed: int) -> list[str]:
        """The command that trains it with one seed."""
        preset = ["--preset", self.preset] if self.preset else []
        every = ["--evaluate-every", self.every] if self.every else []
        measured = [*every, "--evaluate-games", str(self.measured), "--against", *self.against]
        folder = f"runs/{self.name(seed)}"
        return ["ludus", "train", self.trainer, self.game, *preset, "--seed", str(seed), *measured, "--run", folder]


LINES = [
    Line("maskable_ppo", "tictactoe", seeds=(1, 2)),
    Line("maskable_ppo", "nim", seeds=(1, 2)),
    Line("maskable_ppo", "quixo", seeds=(1, 2)),
    Line("maskable_ppo", "quarto", against=("random", "easy"), seeds=(1, 2)),
    Line("maskable_ppo", "othello:size=6", seeds=(1, 2)),
    Line("ppo", "tictactoe", seeds=(1, 2)),
    Line("dqn", "tictactoe", seeds=(1, 2)),
    Line("dqn", "tictactoe", "penalty", seeds=(1, 2)),
    Line("alphazero", "tictactoe", seeds=(1, 2), measured=400, every="1"),
    Line("alphazero", "othello:size=6", "", ("random", "minimax:depth=4", "self"), (1, 2), measured=400, every="0.5"),
    Line("alphazero", "quixo", "", ("random", "minimax:depth=3", "minimax:depth=5"), (1, 2), measured=400, every="1"),
    Line("alphazero", "quarto", "", ("random", "hard"), (1, 2), measured=400, every="1"),
]
FLOOR = (
    "tictactoe",
    "nim",
    "quixo",
    "othello:size=6",
    "quarto",
)
"""The games for which the table also says how random play does, as what any training must exceed."""
METRICS = ("optimal", "value error")
"""What the last line of a run's metrics says of the network alone."""
EXACT = ("exact", "beatable", "win_rate_vs_random", "value_lost_per_game")
SAMPLED = ("exact", "optimal_rate", "graded", "graded_rate", "random_optimal_rate")
"""What the table shows of a grade."""


def training_cells() -> dict[str, Any]:
    """A cell for random play of each game that has it, and for each run."""
    floor = {f"random-{game}": partial(play_at_random, game) for game in FLOOR}
    return floor | {name: partial(train, command) for line in LINES for name, command in line.commands.items()}


def play_at_random(game: str) -> dict[str, Any]:
    """The result of random play: its games against itself, and its grade, which is exact where the game is small enough."""
    score = evaluate("random", game, "random", 1000, seed=1, opening_plies=0)
    try:
        document = grade_exact("random", game).document()
    except ValueError:  # too many positions
        document = grade("random", game, games=1000, seed=1).document()
    return {"game": game, "scores": {"random": counts(score)}, "grade": graded(document)}


def train(command: list[str]) -> dict[str, Any]:
    """The result of a run, which is resumed if it was interrupted; a finished one may be of other code, and is trained anew."""
    folder, begun = ROOT / command[-1], False
    if folder.exists():
        begun = (folder / "run.json").exists() and not Folder.open(folder).finished
        if not begun:
            shutil.rmtree(folder)
    words = ["train", "--resume", command[-1]] if begun else command[1:]
    subprocess.run([Path(sys.executable).with_name("ludus"), *words], cwd=ROOT, check=True, stdout=sys.stderr)
    return outcome(folder)


def outcome(folder: Path) -> dict[str, Any]:
    """What a finished run says of itself."""
    run, last = json.loads((folder / "run.json").read_text()), json.loads((folder / "evaluations.json").read_text())[-1]
    names, *_, values = (folder / "metrics.csv").read_text().splitlines()
    metrics = dict(zip(names.split(","), map(float, values.split(",")), strict=True))
    return {
        **{name: run[name] for name in ("game", "done", "unit", "seconds")},
        **{name: metrics[name] for name in METRICS if name in metrics},
        "scores": {score["b"]: [score[name] for name in ("wins", "draws", "losses")] for score in last["scores"]},
        "grade": last["grade"] and graded(last["grade"]),
    }


def graded(document: dict[str, Any]) -> dict[str, Any]:
    """What the table shows of a grade."""
    return {name: document[name] for name in (EXACT if document["exact"] else SAMPLED)}


# ---- figures


def show_training(rows: Rows) -> dict[str, str]:
    """The table of docs/training.md, and the numbers of single runs that pages mention."""
    lines = [["random play", f"`{game}`", "", "", "", *judged([rows[f"random-{game}"]])] for game in FLOOR]
    lines += [line_of(line, [rows[name] for name in line.commands]) for line in LINES]
    heads = ["trainer", "game", "trained", "seeds", "seconds", "won, of 1000 games (AlphaZero: 400) against", "by the grade"]
    figures = {"table": table(heads, lines, align="lllrrll")}
    for name, row in rows.items():
        if "seconds" in row:
            figures |= {f"{name}.minutes": f"{row['seconds'] / 60:.0f}", f"{name}.seconds": f"{row['seconds']:.0f}"}
        for against, score in row["scores"].items():
            results = zip(("wins", "draws", "losses"), score, strict=True)
            figures |= {f"{name}.{against}.{result}": str(count) for result, count in results}
    return figures


def line_of(line: Line, runs: Sequence[dict[str, Any]]) -> list[str]:
    """A row of the table: the worst run for each number."""
    trainer = f"`{line.trainer}`" + (f" `--preset {line.preset}`" if line.preset else "")
    done, seconds = f"{runs[0]['done']:,} {runs[0]['unit']}", f"{max(run['seconds'] for run in runs):,.1f}"
    return [trainer, f"`{line.game}`", done, str(len(runs)), seconds, *judged(runs)]


def judged(runs: Sequence[dict[str, Any]]) -> tuple[str, str]:
    """The last cells of a row: the games that were won, and the grade, the worst of each number."""
    wins = [f"{won([run['scores'][name] for run in runs])} `{name}`" for name in runs[0]["scores"]]
    return " · ".join(wins), "; ".join(worst_grade(runs))


def won(scores: Sequence[Sequence[int]]) -> str:
    """The share of games won in the worst score, and that of draws if it is a tenth or more."""
    worst = min(scores, key=lambda score: (2 * score[0] + score[1]) / sum(score))
    wins, draws = (100 * count / sum(worst) for count in worst[:2])
    return f"{wins:.1f} %" + (f" (and {draws:.1f} % drawn)" if draws >= 10 else "")


def worst_grade(runs: Sequence[dict[str, Any]]) -> list[str]:
    """Grades of runs, the worst of each number: exact ones, or those of samples where their floor was measured too."""
    grades, parts = [run["grade"] or {} for run in runs], network_alone(runs) if "optimal" in runs[0] else []
    if all(grade.get("exact") for grade in grades):
        thrown = max(grade["value_lost_per_game"] for grade in grades)
        parts.append(f"loses a value of {thrown:.3f} per game" if thrown else "loses no value")
        if not any(grade["beatable"] for grade in grades):
            parts.append("cannot be beaten")
        first, second = (100 * min(grade["win_rate_vs_random"][seat] for grade in grades) for seat in (0, 1))
        parts.append(f"wins {first:.2f} % as first, {second:.2f} % as second")
    elif all(grade.get("random_optimal_rate") is not None for grade in grades):
        kept, share = (100 * min(grade[name] for grade in grades) for name in ("optimal_rate", "graded_rate"))
        moves = min(grade["graded"] for grade in grades)
        parts.append(f"{kept:.1f} % of {moves} graded moves ({share:.0f} % of all) keep the value")
        parts.append(f"random moves there: {100 * max(grade['random_optimal_rate'] for grade in grades):.1f} %")
    return parts


def network_alone(runs: Sequence[dict[str, Any]]) -> list[str]:
    """What networks without search do in AlphaZero's test positions, the worst of each number, and what simple players do there."""
    kept, error = 100 * min(run["optimal"] for run in runs), max(run["value error"] for run in runs)
    floor = exams()[runs[0]["game"]]
    return [
        f"its network alone keeps the value in {kept:.0f} % of test positions, random moves in {100 * floor['random_keeps']:.0f} %",
        f"the mean error of its value is {error:.2f}, and of always 0 it is {floor['drawn_error']:.2f}",
    ]


# ---- models trained with and without masks, playing without masks: their runs are those of `training`

PLAYED, SEEDS = 1000, (1, 2)
LEARNERS = {
    "ppo-tictactoe": "`ppo`, an illegal action loses",
    "dqn-penalty-tictactoe": "`dqn --preset penalty`, likewise",
    "maskable_ppo-tictactoe": "`maskable_ppo`",
}


def mask_cells() -> dict[str, Any]:
    """A cell for each run."""
    return {f"{name}-{seed}": partial(without_masks, f"run:{ROOT}/runs/{name}-{seed}") for name in LEARNERS for seed in SEEDS}


def without_masks(run: str) -> dict[str, Any]:
    """Games without masks against random, those lost by an illegal action, and the value lost per game with masks."""
    score = evaluate(f"{run},masked=false", "tictactoe", "random", PLAYED)
    thrown = grade_exact(run, "tictactoe").document()["value_lost_per_game"]
    return {"wins": score.wins, "illegal": int(score.faults.sum()), "value_lost_per_game": thrown}


def show_masks(rows: Rows) -> dict[str, str]:
    """A row for each trainer, and in it a figure for each seed; and one for random play."""
    lines = list[list[str]]()
    for learner, title in LEARNERS.items():
        runs = [rows[f"{learner}-{seed}"] for seed in SEEDS]
        wins = " · ".join(percent(run["wins"] / PLAYED) for run in runs)
        illegal = " · ".join(str(run["illegal"]) for run in runs)
        lines.append([title, wins, f"{illegal} of {PLAYED}", " · ".join(f"{run['value_lost_per_game']:.3f}" for run in runs)])
    floor = STUDIES[0].rows()["random-tictactoe"]["grade"]["value_lost_per_game"]
    lines.append(["random play, the floor", "", "", f"{floor:.3f}"])
    lost = "value lost per game against perfect play, with masks"
    return {"table": table(["trained by", "wins without masks", "lost by an illegal action", lost], lines)}


LIBRARIES = ("numpy", "llvmlite", "torch", "stable-baselines3", "sb3-contrib")
STUDIES = (
    Study(RESULTS / "training.json", training_cells, show_training, libraries=LIBRARIES),
    Study(RESULTS / "masks.json", mask_cells, show_masks, 0, ("torch", "stable-baselines3")),
)
