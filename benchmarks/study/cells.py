"""What is measured in a cell: a run is trained, and each of its policies is graded."""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.agents import make_policy
from ludus.agents.oracles import make_oracle
from ludus.agents.policies.policy import FunctionPolicy, Policy
from ludus.agents.statespace.canonical import canonical
from ludus.agents.statespace.graph import TooLargeError
from ludus.arena import grade
from ludus.arena.grading.decisions import Decisions, decisions_of
from ludus.arena.grading.judged import Judged, judge
from ludus.arena.grading.sampled import Grade, graded_as
from ludus.arena.planning.planning import make_plan
from ludus.arena.planning.schedule import play_plan
from ludus.arena.ratings.score import Score
from ludus.envs.files.writing import make_folder, write_whole

from .grid import Cell, Grading
from .oriented import Oriented
from .start import first_error

ROOT = Path(__file__).parents[2]
FREQUENCIES = (0, 1, 4, 32)
"""The least number of times that positions of a group came up in a policy's games against itself."""
SEED = 0
"""Of all that is measured; a run has its own."""


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


def place_of(cell: Cell) -> Path:
    """The folder of a cell's run."""
    return ROOT / "runs" / "study" / cell.folder


def run_of(cell: Cell) -> dict[str, Any]:
    """Trains the run of a cell unless it is there: the numbers that it has learnt, and processor seconds."""
    from ludus.baselines import Measure, train  # takes seconds, and figures do not need it

    place = place_of(cell)
    note = place.with_suffix(".json")
    if note.exists() and place.exists() and (kept := json.loads(note.read_text()))["command"] == cell.command:
        return {name: kept[name] for name in ("parameters", "seconds")}
    shutil.rmtree(place, ignore_errors=True)
    make_folder(place.parent)
    began = time.process_time()
    run = train(cell.trainer, cell.game, place, seed=cell.seed, measure=Measure(every="never"), **cell.given)  # pyright: ignore[reportArgumentType]
    seconds = round(time.process_time() - began, 2)
    arrays = run.trainer.learnt().values()
    found = {"parameters": sum(array.size for array in arrays if array.dtype.kind == "f"), "seconds": seconds}
    write_whole(note, json.dumps({"command": cell.command, **found}).encode())
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
    sampled = graded_as(policy.game, str(policy), decisions, judged)
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
    exact = grade(policy, policy.game, exact=True, largest=how.largest, seed=SEED).document()
    mean = {f"{name}_rate_vs_random": float(np.mean(exact[f"{name}_rate_vs_random"])) for name in ("win", "loss")}
    same = ["exploitability", "value_thrown", "value_lost", "optimal_rate", "optimal_positions", "beatable_by_seat"]
    if how.turned:
        same += ["positions", "keeps_start", "lost_at"]
    return mean | {name: exact[name] for name in same}


def played(policy: Policy, against: str | None, count: int) -> tuple[Score, Decisions]:
    """Games of a policy against another from the start, or, with random plies first, against itself; and its decisions in them."""
    game = policy.game
    meeting = {"against": [against], "opening_plies": 0} if against else {"self_play": True}
    plan, cast = make_plan([game], [policy], count, seed=SEED, **meeting)  # pyright: ignore[reportArgumentType]
    score, parts = Score.empty(plan.pairings[0]), list[Decisions]()
    for pairing, games in play_plan(plan, cast, lambda _: np.arange(count), stored=False):
        score += Score.of(pairing, games)
        parts += [decisions_of(game, games, first) for first in ((True,) if against else (True, False))]
    return score, Decisions.joined(game, parts)


def by_ply(sampled: Grade) -> str:
    """For each ply at which moves were graded: how many, and the value that they lost."""
    rows = zip(sampled.graded.tolist(), sampled.lost.tolist(), strict=True)
    return written((ply, *row) for ply, row in enumerate(rows) if row[0])


def by_distance(policy: Policy, decisions: Decisions, judged: Judged) -> str:
    """For each distance to a win that the oracle knows: how many moves were graded there, and in how many the win was lost."""
    won = judged.before == 1
    distances = make_oracle(policy.game).distances(decisions.states[judged.rows[won]])
    counts, errors = Counter(distances.tolist()), Counter(distances[judged.lost[won] > 0].tolist())
    return written((distance, counts[distance], errors[distance]) for distance in sorted(counts) if distance >= 0)


def by_frequency(policy: Policy, decisions: Decisions, judged: Judged, own: Decisions) -> str:
    """For positions by how often they come up in the policy's games against itself, up to symmetry: how many different ones it met
    against random play in which there was value to lose, and in how many it lost some."""
    game, undecided = policy.game, judged.before >= 0
    times = Counter(map(bytes, canonical(game, own.states)[0]))
    met = canonical(game, decisions.states[judged.rows[undecided]])[0]
    wrong = dict.fromkeys(map(bytes, met), False)
    for position, lost in zip(map(bytes, met), judged.lost[undecided].tolist(), strict=True):
        wrong[position] |= lost > 0
    groups = np.searchsorted(FREQUENCIES, [times[position] for position in wrong], side="right") - 1
    counts, errors = (np.bincount(groups, part, len(FREQUENCIES)) for part in (None, [*wrong.values()]))
    return written(zip(FREQUENCIES, counts.astype(int).tolist(), errors.astype(int).tolist(), strict=True))


def written(rows: Iterable[Iterable[int]]) -> str:
    """Rows of whole numbers in one line."""
    return ", ".join(" ".join(map(str, row)) for row in rows)


def read(text: str) -> list[list[int]]:
    """The rows in a line."""
    return [[int(number) for number in row.split()] for row in text.split(", ")] if text else []


def rounded(value: Any) -> Any:
    """A number with six digits; others as they are."""
    return round(value, 6) if isinstance(value, float) else value
