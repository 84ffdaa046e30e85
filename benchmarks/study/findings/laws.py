"""H2: by which law the error falls with budget, where very small errors are censored."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from ..resampling import Floats

CENSORED = 1e-4
"""Errors below are known to be below, and no more (Tobit's model; J. Tobin, Econometrica 26 (1958), 24–36)."""
LEAST_SPREAD = 0.02
"""The least standard deviation of the logarithm of an error, in decades: otherwise a law that meets all points is certain."""


class Fit(NamedTuple):
    """A law fitted to all seeds.

    Args:
        law: its name.
        parameters: those of the law, and the logarithm of the spread.
        held_out: the mean logarithm of the likelihood of an error of a seed by the fit to all other seeds.
    """

    law: str
    parameters: tuple[float, ...]
    held_out: float


def power(x: Floats, share: Floats, p: Floats) -> Floats:
    """A power law: the logarithm falls with that of the budget."""
    return p[0] - p[1] * x


def exponential(x: Floats, share: Floats, p: Floats) -> Floats:
    """An exponential: the logarithm falls with the budget."""
    return p[0] - p[1] * share


def floor_and_power(x: Floats, share: Floats, p: Floats) -> Floats:
    """A power law towards a floor."""
    return np.logaddexp(np.log(10) * p[2], np.log(10) * (p[0] - p[1] * x)) / np.log(10)


Law = Callable[[Floats, Floats, Floats], Floats]
"""The logarithm of the error, to the base 10, from that of the budget over the first one, the budget's share of the last, and
parameters."""
LAWS: dict[str, tuple[Law, tuple[tuple[float, ...], ...]]] = {
    "power law": (power, ((-0.5, 0.1), (-0.2, 0.6))),
    "exponential": (exponential, ((-0.5, 0.1), (-0.2, 3.0))),
    "floor and power law": (floor_and_power, ((-0.2, 0.5, -1.0), (-0.2, 1.0, -3.0), (-0.5, 0.1, -4.0))),
}
"""The laws, with the parameters that a search for the likeliest ones starts from."""


def fit_laws(budgets: Floats, errors: Floats) -> list[Fit]:
    """Each law, the likeliest of seeds that it has not seen first.

    Args:
        budgets: rising (L,).
        errors: of each seed (L, S).
    """
    x, share = np.log10(budgets / budgets[0]), budgets / budgets[-1]
    seeds = range(errors.shape[1])
    fits = list[Fit]()
    for name, (law, starts) in LAWS.items():
        parameters = fit(law, starts, x, share, errors)
        left = [
            -cost(fit(law, starts, x, share, np.delete(errors, seed, axis=1)), law, x, share, errors[:, [seed]]) for seed in seeds
        ]
        fits.append(Fit(name, tuple(parameters.tolist()), float(np.mean(left)) / len(budgets)))
    return sorted(fits, key=lambda each: -each.held_out)


def fit(law: Law, starts: tuple[tuple[float, ...], ...], x: Floats, share: Floats, errors: Floats) -> Floats:
    """The likeliest parameters of a law, and the logarithm of its spread."""
    from scipy.optimize import minimize

    ends = list[tuple[float, Floats]]()
    for start in starts:
        best = minimize(cost, [*start, np.log(0.3)], (law, x, share, errors), method="Nelder-Mead", options={"maxiter": 2_000})
        ends.append((best.fun, best.x))
    return min(ends, key=itemgetter(0))[1]


def cost(parameters: Floats, law: Law, x: Floats, share: Floats, errors: Floats) -> float:
    """Less the logarithm of the likelihood of errors (L, S) that are normal about a law, in decades, and censored below."""
    from scipy.special import log_ndtr

    spread = LEAST_SPREAD + np.exp(parameters[-1])
    away = (np.log10(np.maximum(errors, CENSORED)) - law(x, share, parameters)[:, None]) / spread
    seen = -(away**2) / 2 - np.log(spread * np.sqrt(2 * np.pi))
    return -float(np.where(errors < CENSORED, log_ndtr(away), seen).sum())
