"""H2: how the error falls with budget, with the size of what is learnt and with simulations, and whether Elo shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .design import NETWORK
from .policies import CLASSIC, MeasuredPolicy
from .resampling import Floats, bounds, draw_seeds, iqm


class Level(NamedTuple):
    """An interquartile mean over seeds with its 95 % interval; of one policy alone the three are equal."""

    mean: float
    low: float
    high: float


class Curve(NamedTuple):
    """How a kind of policy does at each budget.

    Args:
        kind: the trainer, and its simulations.
        budgets: the budgets, rising (L,).
        values: the error and the rating of each seed at each budget, by "error" and "elo" (L, S).
        untrained: the errors before any training; one where the seed does not matter.
        seconds: of the processor for the training at each budget, the median (L,).
    """

    kind: str
    budgets: tuple[int, ...]
    values: Mapping[str, Floats]
    untrained: Floats
    seconds: tuple[float, ...]

    def level(self, what: str, number: int) -> Level:
        """The level of "error" or "elo" at a budget."""
        return level_of(self.values[what][number])

    def change(self, what: str) -> Level:
        """The change from the first budget to the last; seeds are drawn, so that a seed's first and last value stay together."""
        first, last = self.values[what][0], self.values[what][-1]
        drawn = draw_seeds(len(first), np.random.default_rng(0))
        return Level(float(iqm(last) - iqm(first)), *bounds(iqm(last[drawn]) - iqm(first[drawn])))

    @property
    def has_learnt(self) -> bool:
        """Whether the error at the largest budget lies below that of the untrained policies, by more than the interval."""
        last, random = self.values["error"][-1], np.random.default_rng(0)
        before = iqm(self.untrained[draw_seeds(len(self.untrained), random)])
        return bounds(iqm(last[draw_seeds(len(last), random)]) - before)[1] < 0


def level_of(values: Floats) -> Level:
    """The interquartile mean of seeds (S,), with its interval."""
    return Level(float(iqm(values)), *bounds(iqm(values[draw_seeds(len(values), np.random.default_rng(0))])))


def kind_of(policy: MeasuredPolicy) -> str:
    """What kind of policy it is: its trainer, and for AlphaZero whether and how long it searches."""
    how = {"": "", NETWORK: ", network alone"}.get(policy.name, f", {policy.name} simulations")
    return policy.trainer + how


def curves(policies: Sequence[MeasuredPolicy], elo: Mapping[tuple[str, str], float]) -> Iterator[Curve]:
    """The curve of each kind of trained policy that has the usual size.

    Args:
        policies: those of a game.
        elo: their ratings, by the names of cell and policy.
    """
    usual = [policy for policy in policies if policy.trainer != CLASSIC and not policy.cell.size]
    for kind in dict.fromkeys(map(kind_of, usual)):
        own = [policy for policy in usual if kind_of(policy) == kind]
        budgets = sorted({policy.cell.budget for policy in own if policy.cell.level})
        seeds = sorted({policy.cell.seed for policy in own if policy.cell.level})
        found = {(policy.cell.budget, policy.cell.seed): policy for policy in own}
        whole = [seed for seed in seeds if all((budget, seed) in found for budget in budgets)]
        table = [[found[budget, seed] for seed in whole] for budget in budgets]
        yield Curve(
            kind,
            tuple(budgets),
            {
                "error": np.array([[policy.lost for policy in row] for row in table], float),
                "elo": np.array([[elo[policy.cell.name, policy.name] for policy in row] for row in table]),
            },
            np.array([policy.lost for policy in own if not policy.cell.level], float),
            tuple(float(np.median([policy.training["seconds"] for policy in row])) for row in table),
        )
