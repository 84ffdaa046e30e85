"""Trains the run of a cell, refuses one that has learnt nothing, and gives its policies."""

from __future__ import annotations

import shutil
import time
from functools import cache
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents import make_policy
from ludus.agents.policy import FunctionPolicy, Policy
from ludus.core.files.writing import make_folder, write_whole
from ludus.games.game import Game
from ludus.games.registry import make_game

from .design import GAMES, NETWORK, Cell
from .policies import folder_of

LEAST_STEPS = 100
"""Gradient steps that a network of AlphaZero must have taken."""


class NothingLearnt(ValueError):
    """A run that counts for nothing, by the plan's rule of exclusion."""


def train_cell(cell: Cell) -> tuple[dict[str, float], dict[str, Policy]]:
    """Trains the run of a cell in memory: what it took, and its policies by name; NothingLearnt where it has learnt nothing.

    It took `seconds` of the processor and gradient `steps`, 0 without an optimiser, for this many `parameters`; and games, steps,
    generations or positions were `done`.
    """
    trainer, seconds = train_run(cell, None) if cell.budget else (plan_of(cell).begin(), 0.0)
    parameters = sum(array.size for array in trainer.learnt().values() if array.dtype.kind == "f")
    took = {"seconds": round(seconds, 2), "parameters": parameters, "steps": steps_of(trainer) or 0}
    took["done"] = trainer.done if cell.budget else 0
    return took, {name: policy_of(trainer, name) for name in cell.policies}


def train_run(cell: Cell, folder: Path | None) -> tuple[Any, float]:
    """The trainer of a cell after its training, which is saved in a folder, if there is one, and the processor seconds of it;
    NothingLearnt where it has learnt nothing."""
    from ludus.baselines.runs.measure import Measure  # takes seconds, and figures do not need it
    from ludus.baselines.runs.training import begin

    plan, began = plan_of(cell), time.process_time()
    run = begin(plan, folder, Measure(every="never"))
    seconds = time.process_time() - began
    check_learning(cell, run.trainer.obstacle, steps_of(run.trainer), run.rows)
    return run.trainer, seconds


def plan_of(cell: Cell) -> Any:
    """What a run of a cell does."""
    from ludus.baselines.runs.plan import RunPlan

    settings = dict(cell.settings) | ({cell.unit: str(cell.budget)} if cell.budget else {})
    return RunPlan.of(cell.trainer, make_game(GAMES[cell.game].spec), cell.seed, settings)


def steps_of(trainer: Any) -> int | None:
    """The gradient steps that a trainer has taken; None where it takes none."""
    steps = (array for name, array in trainer.state().items() if name.startswith("optimi") and name.endswith("step"))
    return max((int(array.flat[0]) for array in steps), default=None)


def check_learning(cell: Cell, obstacle: str, steps: int | None, metrics: list[dict[str, float]]) -> None:
    """Refuses a run that has learnt nothing.

    Args:
        cell: the cell.
        obstacle: why nothing was learnt, as the trainer says it; empty if it does not.
        steps: gradient steps; None for a trainer without an optimiser.
        metrics: those of each part.

    Raises:
        NothingLearnt: it has learnt nothing, or hardly anything; the message says why.
    """
    if obstacle:
        raise NothingLearnt(f"{cell.name} in {cell.game} has learnt nothing: {obstacle}")
    if steps is not None and steps < (LEAST_STEPS if cell.trainer == "alphazero" else 1):
        raise NothingLearnt(
            f"{cell.name} in {cell.game} took {steps} gradient steps, too few; give it a larger budget or smaller batches"
        )
    games = [row["games"] for row in metrics if "games" in row]
    if games and not sum(games):
        raise NothingLearnt(f"{cell.name} in {cell.game} ended no game; give it a larger budget, or fewer boards")
    lost = [name for name, value in metrics[-1].items() if "loss" in name and isnan(value)]
    if lost and all(isnan(row[lost[0]]) for row in metrics):
        raise NothingLearnt(f"{cell.name} in {cell.game} has learnt nothing: its {lost[0]} was never a number")


def policy_of(trainer: Any, name: str) -> Policy:
    """A policy of a trainer: its only one, the network alone, or with this many simulations, without reading ahead and noise."""
    if not name:
        return trainer.policy()
    options = {"simulations": name, "temperature": "0", "ahead": "0"} if name != NETWORK else {}
    policy = trainer.policy_of(trainer.game, trainer.settings, trainer.learnt(), **options)
    return network_alone(trainer.game, policy) if name == NETWORK else policy


def network_alone(game: Game, policy: Any) -> Policy:
    """Takes the legal action to which the network of a policy of AlphaZero gives most."""

    def act(states: NDArray[np.uint64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return np.where(game.masks(states) > 0, policy.evaluate(states)[0], -1.0).argmax(axis=1)

    return FunctionPolicy(game, function=act, title=NETWORK)


@cache
def opponent_of(cell: Cell) -> Policy:
    """The policy of a cell of the panel; a run that is not there is trained, and kept. NothingLearnt where it has learnt
    nothing."""
    spec = GAMES[cell.game].spec
    if cell.is_classic:
        return make_policy(cell.trainer, spec)
    folder = folder_of(cell)
    done = folder.with_suffix(".done")
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        make_folder(folder.parent)
        train_run(cell, folder)
        write_whole(done, b"")
    policy = make_policy(f"run:{folder}", spec)
    policy = network_alone(policy.game, policy) if cell.trainer == "alphazero" else policy
    return FunctionPolicy(policy.game, function=policy.act, title=cell.name)
