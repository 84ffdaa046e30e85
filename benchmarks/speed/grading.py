"""The cost of exact grades: the positions in which a policy may have to move, and processor time. Shown in docs/grading.md.

Grades of 4×4 Quixo stand beside solving that game: each is measured in a process of its own, which solves the game first.
"""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ludus.agents import make_policy
from ludus.agents.policy import Policy, draw_actions
from ludus.arena import grade_exact
from ludus.arena.grading.answers import keys_for
from ludus.envs import make_game
from ludus.games.game import Game, StateArray
from ludus.games.kernels import queries
from ludus.oracles.quixo.retrograde import solve_size
from ludus.oracles.statespace.canonical import canonical, start_symmetries
from ludus.search.watch import Watch

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study
from ..study.training import network_alone

LINES = [
    ("tic-tac-toe", "tictactoe", "random"),
    ("tic-tac-toe", "tictactoe", "perfect"),
    ("Nim 1, 3, 5, 7", "nim", "random"),
    ("Nim 9, 9, 9, 9", "nim:heaps=9+9+9+9", "random"),
    ("Quixo 3×3", "quixo:size=3", "random"),
    ("Othello 4×4", "othello:size=4", "random"),
    ("Quixo 4×4", "quixo:size=4", "greedy"),
]
FOUR = "quixo:size=4"
BESIDE = {
    "greedy": ("greedy", False),
    "greedy, frozen": ("greedy", True),
    "perfect": ("perfect", False),
    "random": ("random", False),
    "4×32 network alone": ("python:benchmarks.speed.grading:network", False),
}
"""Grades of 4×4 Quixo by name: the policy, and whether it is frozen."""


def cells() -> dict[str, Any]:
    """A cell for each game and policy."""
    small = {f"{game} {policy}": partial(time_grade, game, policy) for _, game, policy in LINES}
    return small | {f"{FOUR} beside solving: {name}": partial(apart, *given) for name, given in BESIDE.items()}


def time_grade(game: str, policy: str) -> dict[str, Any]:
    """Positions by seat, and processor seconds of a grade without compiling: the minimum of three if a grade is quick."""
    exact, seconds = grade_exact(policy, game), list[float]()
    while len(seconds) < 3 and sum(seconds) < 30:
        began = time.process_time()
        grade_exact(policy, game)
        seconds.append(time.process_time() - began)
    return {"positions": list(exact.document()["positions"]), "processor_seconds": min(seconds)}


def apart(policy: str, freeze: bool) -> dict[str, Any]:
    """`beside_solving` in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(beside_solving, (policy, freeze))


def beside_solving(policy: str, freeze: bool) -> dict[str, Any]:
    """Seconds of solving 4×4 Quixo without a cached table, and of a grade, both compiled before; and the peak of memory in MB."""
    game = make_game(FOUR)
    grade_exact(policy, "quixo:size=3", freeze=freeze)  # compiles what both sizes need
    solve_size(3, Watch())
    began = time.perf_counter()
    solve_size(4, Watch())
    solving = time.perf_counter() - began
    asked = Timed(game, inner=make_policy(policy, game), spent=[])
    asked.inner.act(game.start[None], np.zeros(1, np.uint64))  # opens the table
    began = time.perf_counter()
    exact = grade_exact(asked, game, freeze=freeze)
    return {
        "solving": solving,
        "grading": time.perf_counter() - began,
        "thinking": sum(asked.spent),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "positions": [seat.positions for seat in exact.seats],
        "keeps_start": [seat.keeps_start for seat in exact.seats],
        "lost_at": [seat.lost_at for seat in exact.seats],
    }


def network(game: Game) -> Policy:
    """A network of 4 blocks with 32 channels alone, after a short training, which looks at one of all symmetric positions."""
    from ludus.baselines import train  # takes seconds, and figures do not need it

    run = train("alphazero", game, seed=1, positions="4096", blocks="4", channels="32", boards="64", ahead="0")
    return Oriented(game, inner=network_alone(game, run.policy()), seed=0)


@dataclass(frozen=True)
class Oriented(Policy):
    """Another policy, asked about the canonical form of each position, always with the same key there.

    Where that form is symmetric in itself, the images of the other policy's action are equally likely.

    Args:
        inner: the other policy.
        seed: the keys depend on it.
    """

    name: ClassVar[str] = "oriented"
    symmetric: ClassVar[bool] = True
    inner: Policy = field(kw_only=True)
    seed: int = field(kw_only=True)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return draw_actions(self.probabilities(states), keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        game, turns = self.game, start_symmetries(self.game)
        images, which = canonical(game, states, turns)
        actions = self.inner.act(images, keys_for(game, images, self.seed))
        chances = np.zeros((len(states), game.num_actions))
        for turn, targets in enumerate(turns.actions):
            turned = np.empty_like(images)
            game.kernel(queries.permuted_states)(images, game.start, np.full(len(images), turn), *turns, turned)
            same = np.flatnonzero((turned == images).all(axis=1))
            chances[same, targets[actions[same]]] += 1
        chances /= chances.sum(axis=1, keepdims=True)
        return np.take_along_axis(chances, turns.actions[which].astype(np.int64), axis=1)

    @property
    def spec(self) -> str:
        return self.inner.spec


@dataclass(frozen=True)
class Timed(Policy):
    """A policy that notes the seconds in which it thinks.

    Args:
        inner: the policy.
        spent: where they are added.
    """

    name: ClassVar[str] = "timed"
    symmetric: ClassVar[bool] = True
    inner: Policy = field(kw_only=True)
    spent: list[float] = field(kw_only=True)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self._time(self.inner.act, states, keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return self._time(self.inner.probabilities, states)

    def _time(self, ask: Callable[..., Any], *given: Any) -> Any:
        began = time.perf_counter()
        answer = ask(*given)
        self.spent.append(time.perf_counter() - began)
        return answer


def show(rows: Rows) -> dict[str, str]:
    """A row for each grade, and for each of 4×4 Quixo beside solving."""
    lines = list[list[str]]()
    for title, game, policy in LINES:
        row = rows[f"{game} {policy}"]
        lines.append([title, f"`{policy}`", counts(row), f"{row['processor_seconds']:.2g} s"])
    four = [four_line(name, rows[f"{FOUR} beside solving: {name}"]) for name in BESIDE]
    columns = [
        *("policy", "positions, as player 0 · 1", "seconds", "of them its own", "solving"),
        *("the rest, in times solving", "memory", "keeps the win as player 0"),
    ]
    return {
        "table": table(["game", "policy", "positions to move in, as player 0 · 1", "CPU time"], lines, align="llr"),
        "four": table(columns, four, align="lrrrrrrl"),
    }


def counts(row: dict[str, Any]) -> str:
    """Positions by seat."""
    return " · ".join(f"{count:,}" for count in row["positions"])


def four_line(name: str, row: dict[str, Any]) -> list[str]:
    """The row of a grade of 4×4 Quixo."""
    times = (row["grading"] - row["thinking"]) / row["solving"]
    each = [row[what] for what in ("grading", "thinking", "solving")]
    seconds = [f"{value:.0f} s" if value >= 10 else f"{value:.2g} s" for value in each]
    kept = "yes" if row["keeps_start"][0] else f"no, lost at ply {row['lost_at'][0]}"
    return [f"`{name}`", counts(row), *seconds, f"{times:.0f}", f"{row['peak_megabytes']:,.0f} MB", kept]


STUDIES = (Study(RESULTS / "grading.json", cells, show, 0),)
