"""What is measured in a cell: a run is trained, and each of its policies is graded."""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from typing import Any

import numpy as np

from ludus.agents import make_policy
from ludus.agents.policy import Policy
from ludus.arena import grade_exact
from ludus.arena.grading.decisions import judge
from ludus.arena.grading.sampled import grade_from
from ludus.oracles.statespace.graph import TooLargeError

from .grid import Cell, Grading
from .played import by_distance, by_frequency, by_ply, played, rounded
from .runs import SEED, place_of, policy_of, run_of, turned
from .start import first_error


def measured(cell: Cell, how: Grading) -> dict[str, Any]:
    """Trains a cell's run, and grades its policies."""
    trained = run_of(cell)
    policies = {name: graded(policy_of(cell, name, how), how, searches=name.isdigit()) for name in cell.policies}
    return {"command": cell.command, **trained, "policies": policies}


def measured_classic(game: str, spec: str, how: Grading) -> dict[str, Any]:
    """Grades a classic policy."""
    return {"policies": {"": graded(turned(make_policy(spec, game), how), how._replace(largest=how.classic))}}


def again(cell: Cell, how: Grading, kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """All that the seed determines of a short cell, as stored and now; None for a long one."""
    if kept["seconds"] > 5:
        return None
    shutil.rmtree(place_of(cell), ignore_errors=True)
    return determined(kept), determined(measured(cell, how))


def determined(found: dict[str, Any]) -> dict[str, Any]:
    """A cell without its times."""
    policies = {name: {key: one[key] for key in one if key != "seconds"} for name, one in found["policies"].items()}
    return {"parameters": found.get("parameters"), "policies": policies}


def graded(policy: Policy, how: Grading, *, searches: bool = False) -> dict[str, Any]:
    """All that is measured of a policy, but its rating.

    Args:
        policy: the policy.
        how: how it is graded.
        searches: whether it is a network with search.
    """
    began = time.process_time()
    score, decisions = played(policy, "random", how.games)
    judged = judge(policy.game, decisions, most=how.most, seed=SEED)
    sampled = grade_from(policy.game, str(policy), decisions, judged)
    found: dict[str, Any] = {
        "win_rate_vs_random": score.win_rate,
        "loss_rate_vs_random": score.losses / score.games,
        "value_lost": sampled.value_lost,
        "optimal_rate": sampled.optimal_rate,
        "graded": int(sampled.graded.sum()),
    }
    if how.turned:
        found["start_lost_at"] = first_error(policy)
    if how.exact and not (how.turned and searches):
        with suppress(TooLargeError):
            found |= exactly(policy, how)
    if "exploitability" not in found:
        found["value_lost_interval"] = [*map(rounded, sampled.value_lost_interval)]
    found |= {
        "by_ply": by_ply(sampled),
        "by_distance": by_distance(policy, decisions, judged),
        "by_frequency": by_frequency(policy, decisions, judged, played(policy, None, how.games)[1]),
    }
    return {name: rounded(value) for name, value in found.items()} | {"seconds": round(time.process_time() - began, 2)}


def exactly(policy: Policy, how: Grading) -> dict[str, Any]:
    """What an exact grade says of a policy."""
    exact = grade_exact(policy, policy.game, largest=how.largest, seed=SEED).document()
    mean = {f"{name}_rate_vs_random": float(np.mean(exact[f"{name}_rate_vs_random"])) for name in ("win", "loss")}
    same = ["exploitability", "value_thrown", "value_lost", "optimal_rate", "optimal_positions", "beatable_by_seat"]
    if how.turned:
        same += ["positions", "keeps_start", "lost_at"]
    return mean | {name: exact[name] for name in same}
