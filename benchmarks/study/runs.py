"""The run of a cell, trained unless it is there, and its policies as they are measured."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.agents import make_policy
from ludus.agents.policy import FunctionPolicy, Policy
from ludus.core.files.writing import make_folder, write_whole

from .. import ROOT
from ..speed.grading import Oriented
from .grid import Cell, Grading

SEED = 0
"""Of all that is measured; a run has its own."""


def place_of(cell: Cell) -> Path:
    """The folder of a cell's run."""
    return ROOT / "runs" / "study" / cell.folder


def run_of(cell: Cell) -> dict[str, Any]:
    """Trains the run of a cell unless it is there: the numbers that it has learnt, and processor seconds."""
    from ludus.baselines import Measure, train  # takes seconds, and figures do not need it

    place = place_of(cell)
    note = place.with_suffix(".json")
    if note.exists() and place.exists() and (kept := json.loads(note.read_text()))["cell"] == repr(cell):
        return {name: kept[name] for name in ("parameters", "seconds")}
    shutil.rmtree(place, ignore_errors=True)
    make_folder(place.parent)
    began = time.process_time()
    run = train(cell.trainer, cell.game, place, seed=cell.seed, measure=Measure(every="never"), **cell.given)  # pyright: ignore[reportArgumentType]
    seconds = round(time.process_time() - began, 2)
    arrays = run.trainer.learnt().values()
    found = {"parameters": sum(array.size for array in arrays if array.dtype.kind == "f"), "seconds": seconds}
    write_whole(note, json.dumps({"cell": repr(cell), **found}).encode())
    return found


def turned(policy: Policy, how: Grading) -> Policy:
    """The policy as it is measured."""
    return Oriented(policy.game, inner=policy, seed=SEED) if how.turned and not policy.symmetric else policy


def policy_of(cell: Cell, name: str, how: Grading) -> Policy:
    """A policy of a cell whose run is there, as it is measured: its only one, the network alone, or with so many simulations."""
    return turned(_policy_of(cell, name), how)


def _policy_of(cell: Cell, name: str) -> Policy:
    spec = f"run:{place_of(cell)}"
    if not cell.simulations:
        return make_policy(spec, cell.game)
    if name != "network":
        return make_policy(f"{spec},simulations={name},ahead=0,temperature=0", cell.game)
    game, network = ludus.make_game(cell.game), make_policy(spec, cell.game).evaluate  # pyright: ignore[reportAttributeAccessIssue]

    def act(states: NDArray[np.uint64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return np.where(game.masks(states) > 0, network(states)[0], -1.0).argmax(axis=1)

    return FunctionPolicy(game, function=act, title="network")
