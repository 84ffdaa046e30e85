"""The tournament of a game's policies, which rates them: everyone plays the classics, and without search some of the others.

Which others follows from the names alone, so that a grid that grows keeps its pairs.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import ludus
from ludus.agents import make_policy
from ludus.agents.policy import FunctionPolicy, Policy
from ludus.arena import evaluate
from ludus.arena.matches.games import Pairing
from ludus.arena.ratings.ratings import rate
from ludus.arena.ratings.score import Score

from .grid import Cell, Grading, Grid
from .runs import SEED, policy_of, run_of, turned

GAMES = 10
"""Of a pair, half in each seat."""
SHARE = 0.03
"""Of all pairs of trained policies without search, so many play."""


@dataclass(frozen=True)
class Entrant:
    """A policy that takes part.

    Args:
        name: its name.
        spec: of a classic policy; empty for one of a cell.
        cell: its cell.
        policy: its name in the cell.
        how: how it is measured.
    """

    name: str
    game: str
    how: Grading
    spec: str = ""
    cell: Cell | None = None
    policy: str = ""

    @property
    def searches(self) -> bool:
        """Whether it is a trained policy that searches, whose games take long."""
        return self.policy.isdigit()

    @cached_property
    def measured(self) -> Policy:
        """The policy as it is measured; a run that is not there is trained."""
        if self.cell is None:
            return turned(make_policy(self.spec, self.game), self.how)
        run_of(self.cell)
        return policy_of(self.cell, self.policy, self.how)

    @cached_property
    def plays(self) -> Policy:
        """The policy under its own name."""
        policy = self.measured
        return FunctionPolicy(ludus.make_game(self.game), function=policy.act, title=self.name) if self.cell else policy


def entrants(grid: Grid, measured: Container[str]) -> list[Entrant]:
    """The classics, and the policies of the cells that are measured."""
    trained = [
        Entrant(" ".join(filter(None, [cell.name, policy])), grid.game, grid.grading, cell=cell, policy=policy)
        for cell in grid.cells
        if cell.name in measured
        for policy in cell.policies
    ]
    return [*(Entrant(spec, grid.game, grid.grading, spec) for spec in grid.classics), *trained]


def pairs(grid: Grid, everyone: Sequence[Entrant]) -> Iterator[tuple[Entrant, Entrant]]:
    """Who plays whom."""
    for a, b in combinations([one for one in everyone if not one.searches or int(one.policy) <= grid.most_simulations], 2):
        if a.cell and b.cell:
            if not (a.searches or b.searches) and _number(f"{a.name}|{b.name}") < SHARE:
                yield a, b
        elif not b.searches or a.spec in (grid.against_search or grid.classics):
            yield a, b


def rate_everyone(grid: Grid, measured: Container[str]) -> dict[str, Any]:
    """Plays the tournament: the Elo of everyone, the number of games, and processor seconds."""
    scores, began = list[Score](), time.process_time()
    for a, b in pairs(grid, entrants(grid, measured)):
        score = evaluate(a.plays, grid.game, b.plays, GAMES, seed=SEED)
        scores.append(replace(score, pairing=Pairing(grid.game, a.name, b.name)))
    elo = {name: round(rating.elo, 1) for name, rating in rate(scores, resamples=0).elo.items()}
    return {"elo": elo, "games": GAMES * len(scores), "seconds": round(time.process_time() - began, 1)}


def _number(text: str) -> float:
    """A number from 0 to 1 that follows from a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64
