"""What the page shows of a training run: how far it is, and its curves. Thinkers run these functions."""

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
"""Points of a curve; of longer ones, so many are shown."""
CLOCK = ("part", "seconds")
"""Columns of the metrics that are not curves."""


def change_of(path: Path) -> tuple[tuple[int, int], ...]:
    """When the files of a run were last written, and their sizes; cheap enough to be asked every second."""
    found = [(path / name).stat() for name in FILES if (path / name).exists()]
    return tuple((one.st_mtime_ns, one.st_size) for one in found)


def progress_of(path: Path) -> dict[str, Any]:
    """How far a run is, and its curves.

    Returns:
        `trainer`, `game`, `seed`; `unit`, `done` and `total`, None if not known; `seconds`; `finished`; `playable`, whether
        there is a checkpoint to play against; `curves`: each with `name` and `points`, pairs of units done and a
        number, and where that is known `range`, the least and the greatest number that can be.

    Raises:
        ValueError: it is not a run, or is damaged.
        OSError: it cannot be read.
    """
    folder = Folder.open(path, asking=False)
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
        "curves": [*_measured(path), *_curves(rows, unit)],
    }


def _curves(rows: Sequence[Mapping[str, float]], unit: str) -> Iterator[dict[str, Any]]:
    drawn = rows[:: -max(1, -(-len(rows) // POINTS))][::-1]  # the last one is always among them
    for name in rows[0] if rows else ():
        if name not in (*CLOCK, unit):
            yield {"name": name, "points": [(row[unit], row[name]) for row in drawn if isfinite(row[unit]) and isfinite(row[name])]}


def _measured(path: Path) -> Iterator[dict[str, Any]]:
    """The results against each policy of the ladder, and against perfect play, over the training."""
    if not (path / "evaluations.json").exists():
        return
    found = read_document(path / "evaluations.json", list[EvaluationDocument], "delete it: the run goes on without it")
    for place, score in enumerate(found[0].scores if found else ()):
        scores = [(one.done, one.scores[place]) for one in found if place < len(one.scores)]
        points = [(done, (score.wins + score.draws / 2) / score.games) for done, score in scores]
        yield {"name": f"points a game against {score.b}", "points": points, "range": (0, 1)}
    kept = [(one.done, one.grade.optimal_rate) for one in found if one.grade and one.grade.optimal_rate is not None]
    if kept:
        yield {"name": "moves that keep the value", "points": kept, "range": (0, 1)}
