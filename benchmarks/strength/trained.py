"""How well the trainers learn: every line with the seeds of one rule, a study for each family.

Shown in docs/training.md, docs/sb3.md, docs/alphazero.md and docs/classics.md.

Where a preset's own training would take long, a line trains less, and says so in its command. Seeds were fixed before any run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec

from ludus.arena import evaluate, grade_exact
from ludus.baselines import train
from ludus.baselines.runs.measure import Measure
from ludus.baselines.runs.run import Run
from ludus.core.words import percent

from .. import RESULTS
from ..common import counts, share, table
from ..runner import Rows, Study
from ..seeds import HEADS, seeds_of, summarise
from .grades import exams

NEVER = Measure(every="never")
SMALL = ("tictactoe", "nim", "quixo:size=3", "connect_four:rows=4,columns=4")
"""The games in which policies have an exact grade."""
RANDOM = "random"
GAMES = 1000
"""Games against each opponent, half from each seat. Those against random play begin at the start, others with random plies."""


@dataclass(frozen=True)
class TrainedLine:
    """What is trained with each of its seeds.

    Args:
        trainer, game, preset: as `ludus train` takes them.
        budget: the setting that limits the training, and its value, where the preset's would take long.
        seconds: roughly how many seconds of processors a run takes.
        against: the opponents.
        played: the games against each opponent.
    """

    trainer: str
    game: str
    preset: str = ""
    budget: dict[str, Any] = field(default_factory=dict[str, Any])
    seconds: float = 10
    against: tuple[str, ...] = (RANDOM,)
    played: int = GAMES

    @property
    def name(self) -> str:
        """Its name in results and pages."""
        return "-".join(filter(None, [self.trainer, self.preset, self.game]))

    @property
    def seeds(self) -> range:
        """Its seeds."""
        return seeds_of(self.seconds)

    @property
    def options(self) -> str:
        """The trainer, and the options of `ludus train` that make it learn what the line says."""
        preset = [f"--preset {self.preset}"] if self.preset else []
        return " ".join([self.trainer, *preset, *(f"--{name} {number}" for name, number in self.budget.items())])


LINES = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=dict[str, tuple[TrainedLine, ...]])
TABLES, NTUPLES, NEAT, SB3, ALPHAZERO = LINES.values()
"""The lines of each family."""


# ---- cells


def cells_of(lines: Sequence[TrainedLine]) -> dict[str, Any]:
    """A cell for random play in each game, and for each line and seed."""
    met = dict[str, dict[str, None]]()
    for line in lines:
        met.setdefault(line.game, {}).update(dict.fromkeys(line.against))
    floor = {f"{RANDOM}-{game}": partial(measure, RANDOM, game, tuple(opponents)) for game, opponents in met.items()}
    return floor | {f"{line.name}-{seed}": partial(learn, line, seed) for line in lines for seed in line.seeds}


def learn(line: TrainedLine, seed: int) -> dict[str, Any]:
    """How much a run learnt from, the seconds of processors that it took, and how well its policy plays then."""
    run, row = train_line(line, seed)
    policy: Any = run.policy()
    trainer = run.trainer
    row |= measure(policy, line.game, line.against, line.played, seed)
    if line.trainer == "alphazero":
        from ludus.baselines.alphazero.selfplay.exact import known_positions

        row["exam"] = known_positions(trainer.game).measure(policy.net)
    return row


def train_line(line: TrainedLine, seed: int) -> tuple[Run, dict[str, Any]]:
    """A run of a line after its training; how much it learnt from, and the seconds of processors that it took."""
    began = time.process_time()
    run = train(line.trainer, line.game, seed=seed, preset=line.preset or None, measure=NEVER, **line.budget)
    seconds = round(time.process_time() - began, 1)
    return run, {"done": run.trainer.done, "unit": run.trainer.unit, "seconds": seconds}


def measure(policy: Any, game: str, opponents: Sequence[str], games: int = GAMES, seed: int = 1) -> dict[str, Any]:
    """The results of a policy against its opponents, and in a small game the value that it loses a game to perfect play."""
    scores = dict[str, list[int]]()
    for name in opponents:
        scores[name] = counts(evaluate(policy, game, name, games, seed=seed, opening_plies=0 if name == RANDOM else None))
    row: dict[str, Any] = {"scores": scores}
    return row | {"lost": grade_exact(policy, game, seed=seed).value_lost_per_game} if game in SMALL else row


# ---- figures


class Measured(NamedTuple):
    """One thing that was measured of all runs of a line.

    Args:
        title: what it is.
        runs: its number for each run.
        floor: that of random play.
        worst: takes the worst of numbers.
        write: writes a number.
    """

    title: str
    runs: Sequence[float]
    floor: float
    worst: Any = min
    write: Callable[[float], str] = percent

    def cells(self) -> list[str]:
        """The cells of a table, for `what is measured`, HEADS and `random play`."""
        summary = summarise([self.runs], worst=self.worst, floor=self.floor)
        return [self.title, *summary.cells(self.write), self.write(self.floor)]


def measures_of(line: TrainedLine, runs: Sequence[dict[str, Any]], rows: Rows) -> dict[str, Measured]:
    """What was measured of a line: the points against each opponent, the value lost, what the network alone does."""
    things, floor = dict[str, Measured](), rows[f"{RANDOM}-{line.game}"]
    for name in line.against:
        points = [share(run["scores"][name]) for run in runs]
        things[name] = Measured(f"points against `{name}`", points, share(floor["scores"][name]))
    if "lost" in floor:
        lost = [run["lost"] for run in runs]
        things["lost"] = Measured("value lost a game, perfect opponent", lost, floor["lost"], max, "{:.3f}".format)
    if "exam" in runs[0]:
        known = exams()[line.game]
        kept, error = ([run["exam"][name] for run in runs] for name in ("optimal", "value error"))
        things["kept"] = Measured("its network alone keeps the value", kept, known["random_keeps"])
        things["error"] = Measured(
            "mean error of its value (last column: of always 0)", error, known["drawn_error"], max, "{:.2f}".format
        )
    return things


def figures_of(lines: Sequence[TrainedLine], rows: Rows) -> dict[str, str]:
    """A table with a row for each thing that was measured of a line; and the numbers of each, with those of random play."""
    cells, figures = list[list[str]](), dict[str, str]()
    for line in lines:
        runs = [rows[f"{line.name}-{seed}"] for seed in line.seeds]
        seconds, done = f"{median(run['seconds'] for run in runs):.0f}", f"{runs[0]['done']:,}"
        heads = [f"`{line.options}`", f"`{line.game}`", f"{done} {runs[0]['unit']}", str(len(runs)), seconds]
        figures |= {f"{line.name}.seconds": seconds, f"{line.name}.done": done, f"{line.name}.seeds": str(len(runs))}
        for name, thing in measures_of(line, runs, rows).items():
            each = thing.cells()
            cells.append([*heads, *each])
            heads = [""] * len(heads)
            figures |= {
                f"{line.name}.{name}.median": each[1],
                f"{line.name}.{name}.mean": each[2],
                f"{line.name}.{name}.worst": each[3],
                f"{line.name}.{name}.floor": each[4],
            }
    heads = ["trainer", "game", "trained", "seeds", "seconds", "what is measured", *HEADS, "random play"]
    return figures | {"table": table(heads, cells, align="lllrrlr")}


def study(name: str, lines: Sequence[TrainedLine], *libraries: str) -> Study:
    """The study of a family, by its name, its lines, and the libraries that it needs besides those of all."""
    show = partial(figures_of, lines)
    return Study(RESULTS / f"trained_{name}.json", partial(cells_of, lines), show, libraries=("numpy", "llvmlite", *libraries))


STUDIES = (
    study("tables", TABLES),
    study("ntuples", NTUPLES),
    study("neat", NEAT, "neat-python"),
    study("sb3", SB3, "torch", "stable-baselines3", "sb3-contrib"),
    study("alphazero", ALPHAZERO, "torch"),
)
