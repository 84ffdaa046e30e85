"""`ExactGrades`: the exact grades of a policy that is frozen by several seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.numbers import several
from ...games.game import Game
from ...games.showing import Part, Shown, TextTable
from .cells import mean, percent
from .exact_grade import ExactGrade


@dataclass(frozen=True, repr=False)
class ExactGrades(Shown):
    """Exact grades of one policy, each with other fixed actions: some of the deterministic policies of which it is a mixture.

    Args:
        grades: one for each seed, at least one.
    """

    grades: tuple[ExactGrade, ...]

    @property
    def game(self) -> Game:
        """The game and variant."""
        return self.grades[0].game

    @property
    def policy(self) -> str:
        """The policy's name."""
        return self.grades[0].policy

    @property
    def steady(self) -> bool:
        """Whether it always answered as before when it was asked again."""
        return all(grade.steady for grade in self.grades)

    @property
    def exploitability(self) -> tuple[float, ...]:
        """The exploitability for each seed."""
        return tuple(grade.exploitability for grade in self.grades)

    def __repr__(self) -> str:
        return f"<ExactGrades {self.policy} in {self.game}: {self._summary}>"

    @property
    def _summary(self) -> str:
        beaten, some = sum(grade.beatable for grade in self.grades), self.exploitability
        spread = f"{np.mean(some):.4f} on average ({min(some):.4f} to {max(some):.4f})"
        return f"With {beaten} of {several(len(self.grades), 'seed')} it can be beaten. Exploitability {spread}."

    def _parts(self) -> Iterator[Part]:
        names, worst = self.game.player_names, min(self.grades, key=lambda grade: grade.steady)
        heads = ["seed", f"beaten as {names[0]}", f"as {names[1]}", "exploitability", "lost a move", "lost a game", "optimal %"]
        rows = [
            [
                str(grade.seed),
                *("no" if seat.line is None else f"in {several(len(seat.line), 'ply', 'plies')}" for seat in grade.seats),
                f"{grade.exploitability:.4f}",
                mean(grade.value_lost),
                mean(grade.value_thrown),
                percent(grade.optimal_positions),
            ]
            for grade in self.grades
        ]
        title = f"{self.policy} in {self.game}, {worst.how}, frozen by each of {several(len(self.grades), 'seed')}"
        yield TextTable(title, heads, rows)
        yield "Value lost: a move against random play, a game against perfect play. Optimal: no error there."
        yield from worst.warnings
        yield self._summary

    def _rows(self) -> list[dict[str, Any]]:
        return [row for grade in self.grades for row in grade.by_seat()]

    def document(self) -> dict[str, Any]:
        """The grades for JSON."""
        return {
            "game": self.game.spec,
            "policy": self.policy,
            "exact": self.steady,
            "grades": [grade.document() for grade in self.grades],
        }
