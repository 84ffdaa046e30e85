"""The cost of exact grades: the positions in which a policy may have to move, and processor time. Shown in docs/grading.md.

Grades of 4×4 Quixo stand beside solving that game: each is measured in a process of its own, which solves the game first.

python -m benchmarks.speed.grading             # measures what is missing or out of date
python -m benchmarks.speed.grading tictactoe   # of one game
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ludus.agents import make_policy
from ludus.agents.policy import Policy
from ludus.arena import grade_exact
from ludus.envs import make_game
from ludus.games.game import Game, StateArray
from ludus.oracles.quixo.retrograde import solve_size
from ludus.search.watch import Watch

from ..provenance import GRADING, RULES, TOLERANCE, Part, Study, match_sources, oracle_sources, table
from ..study.cells import policy_of, run_of
from ..study.grid import SIMULATIONS, Cell, Grading

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
}
"""Grades of 4×4 Quixo by name: the policy, and whether it is frozen."""
NETWORK, NETWORK_SPEC = "4×32 network alone", "python:benchmarks.speed.grading:network"


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game and policy."""
    small = {
        f"{game} {policy}": Part(partial(measured, game, policy), partial(again, game, policy), graded(game, policy), TOLERANCE)
        for _, game, policy in LINES
    }
    beside = {
        f"{FOUR} beside solving: {name}": Part(partial(apart, *given), sources=graded(FOUR, given[0]))
        for name, given in BESIDE.items()
    }
    learned = (*graded(FOUR), "baselines/alphazero/networks/residual.py", "baselines/alphazero/networks/evaluator.py")
    return small | beside | {f"{FOUR} beside solving: {NETWORK}": Part(partial(apart, NETWORK_SPEC, False), sources=learned)}


def graded(game: str, *policies: str) -> tuple[str, ...]:
    """What an exact grade depends on."""
    return (*match_sources(game, *policies), *oracle_sources(game), *GRADING, "oracles/statespace")


def measured(game: str, policy: str) -> dict[str, Any]:
    """Positions by seat, and processor seconds of a grade without compiling: the minimum of three if a grade is quick."""
    found = grade_exact(policy, game)
    seconds = list[float]()
    while len(seconds) < 3 and sum(seconds) < 30:
        began = time.process_time()
        grade_exact(policy, game)
        seconds.append(time.process_time() - began)
    return {"positions": list(found.document()["positions"]), "processor_seconds": min(seconds)}


def apart(policy: str, freeze: bool) -> dict[str, Any]:
    """`beside_solving` in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(beside_solving, (policy, freeze))


def beside_solving(policy: str, freeze: bool) -> dict[str, Any]:
    """Seconds of solving 4×4 Quixo without a cached table, and of a grade, both compiled before; and the peak of memory in MB."""
    game = make_game(FOUR)
    grade_exact(policy, "quixo:size=3", freeze=freeze)  # compiles what both sizes need
    solve_size(3, Watch())
    seconds, thinking = dict[str, float](), [0.0, 0.0]
    with timed(seconds, "solving"):
        solve_size(4, Watch())
    asked = Timed(game, inner=make_policy(policy, game), spent=thinking)
    asked.inner.act(game.start[None], np.zeros(1, np.uint64))  # opens the table
    with timed(seconds, "grading"):
        found = grade_exact(asked, asked.game, freeze=freeze)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"positions": [seat.positions for seat in found.seats], "unfinished": max(seat.unfinished for seat in found.seats)}
    kept = {"keeps_start": [seat.keeps_start for seat in found.seats], "lost_at": [seat.lost_at for seat in found.seats]}
    wall, processor = thinking
    return {**seconds, "thinking": wall, "processor_thinking": processor, "peak_megabytes": peak, **figures, **kept}


def network(game: Game) -> Policy:
    """A residual network of 4 blocks with 32 channels alone, after a short training, which looks at one of all symmetric positions.

    The training is kept in `runs/study`.
    """
    settings = {"blocks": "4", "channels": "32", "boards": "64", "ahead": "0"}
    cell = Cell(game.spec, "alphazero", "4x32", "positions", 4096, 1, tuple(settings.items()), SIMULATIONS)
    run_of(cell)
    return policy_of(cell, "network", Grading(turned=True))


@contextmanager
def timed(seconds: dict[str, float], name: str) -> Generator[None]:
    """Writes the seconds and the processor seconds that something takes."""
    began = time.perf_counter(), time.process_time()
    yield
    seconds[name], seconds[f"processor_{name}"] = time.perf_counter() - began[0], time.process_time() - began[1]


@dataclass(frozen=True)
class Timed(Policy):
    """A policy that counts the seconds and processor seconds in which it thinks.

    Args:
        inner: the policy.
        spent: where they are added.
    """

    name: ClassVar[str] = "timed"
    symmetric: ClassVar[bool] = True
    inner: Policy = field(kw_only=True)
    spent: list[float] = field(kw_only=True)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        with self._counted():
            return self.inner.act(states, keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        with self._counted():
            return self.inner.probabilities(states)

    @contextmanager
    def _counted(self) -> Generator[None]:
        began = time.perf_counter(), time.process_time()
        yield
        self.spent[0] += time.perf_counter() - began[0]
        self.spent[1] += time.process_time() - began[1]


def again(game: str, policy: str, kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """Positions and processor seconds, as stored and now; None for a slow grade."""
    return None if kept["processor_seconds"] > 20 else (kept, measured(game, policy))


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each grade."""
    rows = list[list[str]]()
    for title, game, policy in LINES:
        if one := found.get(f"{game} {policy}"):
            positions = " · ".join(f"{count:,}" for count in one["positions"])
            rows.append([title, f"`{policy}`", positions, f"{one['processor_seconds']:.2g} s"])
    four = [*beside(found)]
    columns = [
        "policy",
        "positions, as player 0 · 1",
        "seconds",
        "of them its own",
        "solving",
        "the rest, in times solving",
        "memory",
        "keeps the win as player 0",
    ]
    return {
        "table": table(["game", "policy", "positions to move in, as player 0 · 1", "CPU time"], rows, align="llr"),
        **({"four": table(columns, four, align="lrrrrrrl")} if four else {}),
    }


def beside(found: dict[str, Any]) -> Iterator[list[str]]:
    """A row for each grade of 4×4 Quixo."""
    for name in (*BESIDE, NETWORK):
        if one := found.get(f"{FOUR} beside solving: {name}"):
            positions = " · ".join(f"{count:,}" for count in one["positions"])
            times = (one["grading"] - one["thinking"]) / one["solving"]
            seconds = [
                f"{one[what]:.0f} s" if one[what] >= 10 else f"{one[what]:.2g} s" for what in ("grading", "thinking", "solving")
            ]
            kept = "yes" if one["keeps_start"][0] else f"no, lost at ply {one['lost_at'][0]}"
            yield [f"`{name}`", positions, *seconds, f"{times:.0f}", f"{one['peak_megabytes']:,.0f} MB", kept]


SOURCES = (*RULES, *GRADING, "oracles/statespace")
STUDY = Study(__file__, parts, shown, SOURCES, 0)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
