"""Calibration curves: the values that a policy states of positions, beside their exact values.

A policy may state two values of a position: one after its search, and one of its network before any search. Each has its own curve.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...core.numbers import several, whole
from ...games.display import Part, TextTable, Viewable
from ...games.game import Game, StateArray
from ..quantities import Quantity, cells_of, count, headings, share
from .answers import failures_as_errors, keys_for

EDGES = np.arange(-10, 11, 2) / 10
"""The edges of the bins of stated values."""
STATED = {"values": "The values that it states", "prior_values": "The values that its network states before any search"}
"""The fields of an `Analysis` that are values of positions, and what they are called in tables."""


class Valuations(NamedTuple):
    """Positions and their values.

    Args:
        states: unfinished positions, each once (K, W).
        values: their values for the player to move (K,): 1, 0 or -1.
        weights: how much each counts (K,).
    """

    states: StateArray
    values: NDArray[np.int8]
    weights: NDArray[np.float64]

    @classmethod
    def of_positions(cls, states: StateArray, values: NDArray[np.int8]) -> Valuations:
        """From positions (B, W), which may come up several times, and their values (B,); each counts as often as it comes up."""
        different, rows, counts = np.unique(states, axis=0, return_index=True, return_counts=True)
        return cls(different, values[rows], counts.astype(np.float64))

    def sample(self, most: int, seed: int) -> Valuations:
        """All of them if there are no more than `most`; otherwise `most` draws by weight, with the same total weight."""
        if len(self.states) <= most:
            return self
        draws = np.random.default_rng(seed).multinomial(most, self.weights / self.weights.sum())
        rows = np.flatnonzero(draws)
        return Valuations(self.states[rows], self.values[rows], draws[rows] * (self.weights.sum() / most))


class Bin(NamedTuple):
    """The positions of which the stated value is in a range.

    Args:
        low, high: the range; `high` belongs to the next range, except that 1 belongs to the last.
        positions: their number.
        share: their weight, as a part of all.
        stated: the mean of the stated values.
        exact: the mean of their exact values.
    """

    low: float
    high: float
    positions: int
    share: float
    stated: float
    exact: float


BIN_QUANTITIES = (
    Quantity("positions", "positions", count),
    Quantity("share", "share %", share),
    Quantity("stated", "mean stated", "{:+.4f}".format),
    Quantity("exact", "mean exact", "{:+.4f}".format),
)


@dataclass(frozen=True, repr=False)
class Calibration(Viewable):
    """How well the values that a policy states agree with perfect play.

    Args:
        game: the game and variant.
        policy: the policy's name.
        of: the field of `Analysis` that has the stated values: `values`, or `prior_values`.
        error: the mean absolute difference between the stated value and the exact one, from 0 to 2.
        bins: the ranges in which there are positions, in rising order.
    """

    game: Game
    policy: str
    of: str
    error: float
    bins: tuple[Bin, ...]

    @property
    def positions(self) -> int:
        """How many positions it was asked about."""
        return sum(bin.positions for bin in self.bins)

    def document(self) -> dict[str, Any]:
        """The curve for JSON."""
        bins = [bin._asdict() for bin in self.bins]
        return {"of": self.of, "positions": self.positions, "error": self.error, "bins": bins}

    @property
    def _positions(self) -> str:
        return several(self.positions, "position")

    def __repr__(self) -> str:
        return f"<Calibration of {self.policy} in {self.game}: {self.of} of {self._positions}, error {self.error:.4f}>"

    @property
    def table(self) -> TextTable:
        """The curve as a table."""
        title = f"{STATED[self.of]}, of {self._positions}, beside the exact ones; mean absolute error {self.error:.4f}"
        rows = [[f"{bin.low:+.1f} to {bin.high:+.1f}", *cells_of(bin, BIN_QUANTITIES)] for bin in self.bins]
        return TextTable(title, ["stated", *headings(BIN_QUANTITIES)], rows)

    def _parts(self) -> Iterator[Part]:
        yield self.table

    def _rows(self) -> list[dict[str, Any]]:
        return [{"game": self.game.spec, "policy": self.policy, "of": self.of, **bin._asdict()} for bin in self.bins]


def check_calibration(policy: Policy, most: int) -> None:
    """Checks that a policy states values, at the start of its game, and that it may be asked about `most` positions, 2 or more;
    else ValueError."""
    whole(most, "calibration", 2)
    if not _stated_values(policy, policy.game.start[None], 0):
        raise ValueError(
            f"the policy {policy} states no values of positions, so that it has no calibration; mcts, alphazero, and those whose"
            " `analyse` gives `values` or `prior_values` do"
        )


def calibrate(policy: Policy, parts: Sequence[Valuations], seed: int) -> tuple[Calibration, ...]:
    """The calibration curves of a policy, one for each kind of values that it states. It analyses each position once.

    Args:
        policy: the policy.
        parts: the positions, at least one in all.
        seed: the policy's keys depend on it and on the positions, as those of a frozen policy do.

    Raises:
        ValueError: it states values that are not numbers, or fails.
    """
    known = Valuations(*map(np.concatenate, zip(*parts, strict=True)))
    by_kind = _stated_values(policy, known.states, seed)
    return tuple(calibration_curve(policy.game, str(policy), of, stated, known) for of, stated in by_kind.items())


def calibration_curve(game: Game, policy: str, of: str, stated: NDArray[np.float64], known: Valuations) -> Calibration:
    """The calibration curve of stated values (K,) of positions; the rest as for `Calibration`."""
    shares, bin_numbers = known.weights / known.weights.sum(), np.searchsorted(EDGES[1:-1], stated, side="right")
    bins = list[Bin]()
    for number in np.unique(bin_numbers).tolist():
        inside = bin_numbers == number
        share = float(shares[inside].sum())
        mean_stated, mean_exact = (float(shares[inside] @ values[inside]) / share for values in (stated, known.values))
        bins.append(
            Bin(
                low=float(EDGES[number]),
                high=float(EDGES[number + 1]),
                positions=int(inside.sum()),
                share=share,
                stated=mean_stated,
                exact=mean_exact,
            )
        )
    return Calibration(game=game, policy=policy, of=of, error=float(shares @ np.abs(stated - known.values)), bins=tuple(bins))


def _stated_values(policy: Policy, states: StateArray, seed: int) -> dict[str, NDArray[np.float64]]:
    """The values that a policy states of positions (B,), by the field of `Analysis` that has them."""
    with failures_as_errors(policy):
        analysis = policy.analyse(states, keys_for(policy.game, states, seed))
    by_kind = {of: np.asarray(values, np.float64) for of in STATED if (values := getattr(analysis, of)) is not None}
    for of, values in by_kind.items():
        if values.shape != (len(states),) or not np.isfinite(values).all():
            raise ValueError(f"the policy {policy} gives invalid {of}: there must be one number for each position, from -1 to 1")
    return by_kind
