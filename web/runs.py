"""What the page shows of a training run: its progress and its curves. Thinkers run these functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from ..baselines.runs.folder import Folder
from ..baselines.runs.measure import EvaluationDocument
from ..baselines.runs.metrics import read_table
from ..core.files.documents import read_document

FILES = ("run.json", "metrics.csv", "evaluations.json", "policy.safetensors")
POINTS = 400
"""The maximum number of points of a curve."""
CLOCK = ("part", "seconds")
"""Columns of the metrics that are not curves."""


def change_of(path: Path) -> tuple[tuple[int, int], ...]:
    """When the files of a run were last written, and their sizes; cheap enough for a call every second."""
    files = [(path / name).stat() for name in FILES if (path / name).exists()]
    return tuple((file.st_mtime_ns, file.st_size) for file in files)


def progress_of(path: Path) -> dict[str, Any]:
    """The progress of a run, and its curves.

    Returns:
        `trainer`, `game`, `seed`; `unit`, `done` and `total`, None if not known; `seconds`; `finished`; `playable`, whether
        there is a checkpoint to play against; `curves`: each with `name` and `points`, pairs of the units done and a
        number, and if they are known `range`, the least and the greatest possible number.

    Raises:
        ValueError: it is not a run, or is damaged.
        OSError: it cannot be read.
    """
    folder = Folder.open(path)
    rows = read_table(path / "metrics.csv") if (path / "metrics.csv").exists() else []
    unit = next((name for name in rows[0] if name not in CLOCK), "part") if rows else ""
    return {
        "trainer": folder.plan.trainer,
        "game": folder.plan.game.spec,
        "seed": folder.plan.seed,
        "unit": unit,
        "done": rows[-1].get(unit, 0) if rows else 0,
        "total": folder.document["settings"].get(unit),
        "seconds": rows[-1].get("seconds", 0) if rows else 0,
        "finished": folder.finished,
        "playable": folder.policy.exists(),
        "curves": [*_evaluation_curves(path), *_curves(rows, unit)],
    }


def _curves(rows: Sequence[Mapping[str, float]], unit: str) -> Iterator[dict[str, Any]]:
    some = rows[:: -max(1, -(-len(rows) // POINTS))][::-1]  # counted from the end, so that the last row is always among them
    for name in rows[0] if rows else ():
        if name not in (*CLOCK, unit):
            points = [(row[unit], row[name]) for row in some if isfinite(row[unit]) and isfinite(row[name])]
            yield {"name": name, "points": points}


def _evaluation_curves(path: Path) -> Iterator[dict[str, Any]]:
    """The results against each policy of the ladder, and against perfect play, over the training."""
    if not (path / "evaluations.json").exists():
        return
    evaluations = read_document(path / "evaluations.json", list[EvaluationDocument], "delete it: the run goes on without it")
    for number, score in enumerate(evaluations[0].scores if evaluations else ()):
        scores = [(measured.done, measured.scores[number]) for measured in evaluations if number < len(measured.scores)]
        points = [(done, (score.wins + score.draws / 2) / score.games) for done, score in scores]
        yield {"name": f"points a game against {score.b}", "points": points, "range": (0, 1)}
    grades = [(measured.done, measured.grade) for measured in evaluations if measured.grade]
    rates = [(done, grade.optimal_rate) for done, grade in grades if grade.optimal_rate is not None]
    if rates:
        yield {"name": "moves that keep the value", "points": rates, "range": (0, 1)}
