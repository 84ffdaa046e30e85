"""Strength that cannot be put in a line: Nash averaging, α-Rank, and how far results are from transitive.

A rating is one number, so it says that who beats the stronger also beats the weaker. Where policies beat each other in circles it
misleads. What follows takes the whole table of who gets what against whom:

- **Nash averaging**: D. Balduzzi, K. Tuyls, J. Pérolat and T. Graepel, Re-evaluating evaluation, NeurIPS 2018. Policies are
  weighted as in an equilibrium of the game "choose a policy", of several the one of the largest entropy; a policy is worth what it
  gets against that mixture. Copies of a policy change nobody's worth.
- **α-Rank**: S. Omidshafiei et al., α-Rank: multi-agent evaluation by evolution, Scientific Reports 9 (2019), 9937. How much of the
  time a population that copies who does better spends with each policy.
- **The transitive part**: the differences of the policies' mean results; the rest of the table is its cyclic part, as by X. Jiang,
  L.-H. Lim, Y. Yao and Y. Ye, Mathematical Programming 127 (2011), 203–244.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import several
from ..matches.games import Pairing
from .comparison import LEVEL
from .score import Score

Floats = NDArray[np.float64]

INTENSITY, POPULATION = 100.0, 50
"""α-Rank's intensity of selection and size of the population, as OpenSpiel takes them."""
LEAST_PRICE = 1e-9
"""The last price of entropy, at which an equilibrium does not change any more."""
STEPS, LONGEST_STEP = 100, 2.0
"""The most steps of Newton's method at a price, of which a few are usual, and by how much one may raise a logarithm."""
LEAST_NAMED, MOST_NAMED = 0.005, 4
"""The least weight that a sentence names, and how many weights."""


class Worth(NamedTuple):
    """A policy in an equilibrium: its share in the mixture, and what it gets against that, -1 to 1: 0 if its share is not 0, and
    never more."""

    weight: float
    value: float


@dataclass(frozen=True, eq=False)
class PayoffTable:
    """What policies get against each other.

    Args:
        names: the policies (P).
        payoffs: the mean result of each against each other, 1, 0 or -1 a game (P, P); turned over, it is its own negative.
    """

    names: tuple[str, ...]
    payoffs: Floats

    @classmethod
    def of(cls, scores: Iterable[Score]) -> PayoffTable:
        """The table of one game's scores, each policy against each other; ValueError where two of them have not met."""
        met = {side.pairing[1:]: side for score in scores for side in (score, score.turned) if score.games}
        names = tuple(dict.fromkeys(name for pair in met for name in pair))
        for a, b in combinations(names, 2):
            if (a, b) not in met:
                raise ValueError(f"{a} and {b} have not played each other; this needs results of each policy against each other")
        table = np.zeros((len(names), len(names)))
        for (i, a), (j, b) in combinations(enumerate(names), 2):
            table[i, j] = 2 * met[a, b].points - 1
        return cls(names, table - table.T)

    def nash(self) -> dict[str, Worth]:
        """Each policy in the equilibrium of the largest entropy."""
        weights = find_equilibrium(self.payoffs)
        weights[weights < LEAST_PRICE] = 0
        values = np.where(np.abs(values := self.payoffs @ weights) < LEAST_PRICE, 0.0, values)
        return {name: Worth(float(weight), float(value)) for name, weight, value in zip(self.names, weights, values, strict=True)}

    def alpha_rank(self, intensity: float = INTENSITY, population: int = POPULATION) -> dict[str, float]:
        """The share of time that a population spends with each policy.

        Args:
            intensity: how strongly a better result is copied, more than 0.
            population: how many there are, at least 2.
        """
        ahead = 2 * intensity * self.payoffs.T  # of who comes, in the column, against who is there, in the row
        chance = log_of_expm1(-ahead) - log_of_expm1(-population * ahead)  # that the first who comes is copied by all
        shares = find_stationary(np.where(ahead == 0, -np.log(population), chance))
        return dict(zip(self.names, shares.tolist(), strict=True))

    def cyclic_part(self) -> float:
        """The share of the table, by squares, that no rating explains; 0 if nothing but draws was played."""
        means = self.payoffs.mean(1)
        cyclic = self.payoffs - (means[:, None] - means)
        return float((cyclic**2).sum() / max((self.payoffs**2).sum(), 1e-300))

    def circles(self) -> list[tuple[str, str, str]]:
        """Each three policies of which the first beats the second, that the third, and that the first."""
        circles = list[tuple[str, str, str]]()
        for i, j, k in combinations(range(len(self.names)), 3):
            for a, b, c in ((i, j, k), (i, k, j)):
                if min(self.payoffs[a, b], self.payoffs[b, c], self.payoffs[c, a]) > 0:
                    circles.append((self.names[a], self.names[b], self.names[c]))
        return circles

    def cyclic_triples(self) -> float:
        """The share of triples of policies that beat each other in a circle, among those in which no two are level."""
        triples = combinations(range(len(self.names)), 3)
        decided = sum(all(self.payoffs[a, b] for a, b in combinations(triple, 2)) for triple in triples)
        return len(self.circles()) / max(1, decided)

    def columns(self) -> dict[str, dict[str, Any]]:
        """The measures of each policy, and those of the table beside each, for a frame."""
        measures = self.document()
        policies: dict[str, dict[str, Any]] = measures.pop("policies")
        return {name: {**of, **measures} for name, of in policies.items()}

    def document(self) -> dict[str, Any]:
        """The measures for JSON: per policy its weight and value in the equilibrium and its share by α-Rank; and what is cyclic."""
        shares = self.alpha_rank()
        return {
            "policies": {
                name: {"nash_weight": worth.weight, "nash_value": worth.value, "alpha_rank": shares[name]}
                for name, worth in self.nash().items()
            },
            "cyclic_part": self.cyclic_part(),
            "cyclic_triples": self.cyclic_triples(),
        }


def describe_circles(table: PayoffTable, p_values: Mapping[Pairing, float]) -> str:
    """A sentence: whether policies beat each other in a circle, so that Elo misleads; empty if no three do. The p-values say how
    probable the results of pairings are of two equal policies, corrected for their number."""
    circles = table.circles()
    differ = {frozenset(pairing[1:]) for pairing, p in p_values.items() if p < LEVEL}
    certain = [(a, b, c) for a, b, c in circles if {frozenset((a, b)), frozenset((b, c)), frozenset((c, a))} <= differ]
    if not circles:
        return ""
    share = f"{100 * table.cyclic_part():.0f} % of the results, by squares, is no difference of ratings"
    if not certain:
        return f"{several(len(circles), 'circle')} of three policies, none of them certain; {share}."
    (a, b, c), more = certain[0], len(certain) - 1
    others = f" ({more:,} more such)" if more else ""
    return f"Elo misleads here: {a} beats {b}, {b} beats {c}, and {c} beats {a}, each with p below {LEVEL}{others}; {share}."


def describe_worth(table: PayoffTable) -> str:
    """A sentence: what Nash averaging and α-Rank say of three policies or more; empty of fewer."""
    if len(table.names) < 3:
        return ""
    weights = {name: worth.weight for name, worth in table.nash().items() if worth.weight >= LEAST_NAMED}
    heavy = sorted(weights, key=weights.__getitem__, reverse=True)
    named = ", ".join(f"{name} {weights[name]:.2f}" for name in heavy[:MOST_NAMED]) + " …" * (len(heavy) > MOST_NAMED)
    shares = table.alpha_rank()
    first = max(shares, key=shares.__getitem__)
    return f"Nash averaging weighs {named}; by α-Rank a population spends {shares[first]:.0%} of its time with {first}."


def find_equilibrium(payoffs: Floats) -> Floats:
    """The symmetric equilibrium of the largest entropy of a zero-sum game (P,), given what each choice gets against each (P, P).

    If lack of entropy has a price, one equilibrium is left: there the logarithm of a choice's weight is what it gets, divided by
    the price, but for a constant. It is followed by Newton's method as the price falls to nothing.
    """
    count = len(payoffs)
    logits, price = np.zeros(count), 1.0
    while price > LEAST_PRICE:
        price /= 2
        for _ in range(STEPS):
            weights = normalize(logits)
            miss = payoffs @ weights / price - logits
            miss -= weights @ miss
            if np.abs(weights * miss).max() < 1e-10 and miss.max() < 1e-3:
                break
            slope = np.eye(count) - payoffs @ (np.diag(weights) - np.outer(weights, weights)) / price
            step = np.linalg.solve(slope, miss)
            logits += np.minimum(step - weights @ step, LONGEST_STEP)
    return normalize(logits)


def log_of_expm1(numbers: Floats) -> Floats:
    """The logarithms of |exp(x) - 1|, also of large ones."""
    size = np.abs(numbers)
    return np.maximum(numbers, 0) + np.log(-np.expm1(-np.where(size == 0, np.inf, size)))


def normalize(logits: Floats) -> Floats:
    """Weights in proportion to the exponentials of logits (P,)."""
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def find_stationary(rates: Floats) -> Floats:
    """The shares of time (P,) of a chain that goes from row to column at rates of which the logarithms are given (P, P).

    States are taken out one by one without a subtraction, so that the smallest rates count: W. K. Grassmann, M. I. Taksar and
    D. P. Heyman, Operations Research 33 (1985), 1107–1116.
    """
    rates, count = rates.copy(), len(rates)
    for last in range(count - 1, 0, -1):
        rates[:last, last] -= np.logaddexp.reduce(rates[last, :last])
        rates[:last, :last] = np.logaddexp(rates[:last, :last], rates[:last, last, None] + rates[last, :last])
    shares = np.zeros(count)
    for state in range(1, count):
        shares[state] = np.logaddexp.reduce(shares[:state] + rates[:state, state])
    return normalize(shares)
