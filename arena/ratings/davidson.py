"""The probabilities of results, given strengths: the Bradley-Terry model with draws and a first-move advantage, fitted in batches.

With x the strength of the policy in seat 0, less that of seat 1, plus the advantage of the first move, seat 0 wins, draws and loses
with probabilities as exp(x/2) : exp(d) : exp(-x/2). Draws are modelled as by R. R. Davidson (Journal of the American Statistical
Association 65 (1970), 317–328), the first move as by R. R. Davidson and R. J. Beaver (Biometrics 33 (1977), 693–702; their
d is ours less half that advantage). All logarithms are natural.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RESULTS = np.array([[0.5, 0.0], [0.0, 1.0], [-0.5, 0.0]])
"""The coefficients of x and of d in the logarithm of the odds of a win, a draw and a loss."""
SQUARES = RESULTS[:, :, None] * RESULTS[:, None, :]
_ALL = np.ones((3, 1))
"""A product with it is the sum over results, several times as fast as `sum` over so short an axis."""
MOST_STEPS = 300
"""Ends a fit that does not converge because of rounding; a dozen steps are usual."""


@dataclass(frozen=True)
class Davidson:
    """The model of some kinds of games; a kind is who has which seat.

    Its parameters (policies + 2,) are the strength of each policy, the advantage of the first move, and d; if no game is
    drawn, d is minus infinity. Counts of games (K, 3) are by kind and by seat 0's result: won, drawn, lost, not always integers.

    Args:
        seats: the numbers of the policies in seat 0 and in seat 1, for each kind (K, 2).
        policies: how many policies there are.
        free: which parameters are fitted (policies + 2,); the others keep their start values. Only differences of
            strengths matter, so one policy of each connected group must not be free.
    """

    seats: NDArray[np.int64]
    policies: int
    free: NDArray[np.bool_]

    def probabilities(self, parameters: Floats) -> Floats:
        """The probabilities of seat 0's results (…, K, 3), from parameters (…, policies + 2)."""
        half = parameters[..., :-1] @ self._effects[:, 0, :-1].T / 2
        odds = np.exp(np.stack([half, np.broadcast_to(parameters[..., -1:], half.shape), -half], -1))
        return odds / (odds @ _ALL)

    def fit(self, counts: Floats, start: Floats, precision: float = 1e-4) -> Floats:
        """The parameters that make counts most probable; they are finite where these have no zero.

        Newton's method. The more a step would change, the shorter it is made, so that it never overshoots: T. Sun and
        Q. Tran-Dinh, Generalized self-concordant functions, Mathematical Programming 178 (2019), 145–213, section 4.

        Args:
            counts: one or more sets of counts (B, K, 3).
            start: the parameters to start from (policies + 2,).
            precision: the fit ends when a step changes no logarithm of odds by more. The remaining error is about its square.

        Returns:
            (B, policies + 2)
        """
        parameters = np.repeat(start[None], len(counts), 0)
        going = np.arange(len(counts))
        for _ in range(MOST_STEPS):
            parameters[going], length = self._step(parameters[going], counts[going])
            going = going[length > precision]
            if not len(going):
                break
        return parameters

    def fit_with_prior(self, counts: Floats, start: Floats) -> tuple[Floats, Floats]:
        """The most probable parameters under Jeffreys' prior, and the games that this prior amounts to.

        They are finite whatever the counts, and less biased than without prior: D. Firth, Biometrika 80 (1993), 27–38;
        I. Kosmidis and D. Firth, Biometrika 108 (2021), 71–82. The prior acts as half a game for each free parameter, spread
        over kinds and results by their information about the parameters: I. Kosmidis and D. Firth, Biometrika 98 (2011), 755–759.

        Args:
            counts: (K, 3).
            start: the parameters to start from (policies + 2,).

        Returns:
            The parameters (policies + 2,) and the prior's games (K, 3), so that `fit` of both counts together gives the parameters.
        """
        parameters = start[None]
        for _ in range(MOST_STEPS):
            prior = self._prior(parameters[0], counts)
            parameters, length = self._step(parameters, (counts + prior)[None])
            if length[0] < 1e-9:
                break
        return parameters[0], self._prior(parameters[0], counts)

    def tells_first_move(self, counts: Floats) -> bool:
        """Whether games (K, 3) tell the advantage of the first move from the strengths, as where both have moved first."""
        ahead = self._effects[counts.any(1), 0][:, :-1][:, self.free[:-1]]
        return np.linalg.matrix_rank(ahead.T @ ahead, hermitian=True) == ahead.shape[1]

    @cached_property
    def _effects(self) -> Floats:
        """The coefficients of the parameters in x and in d (K, 2, policies + 2)."""
        effects = np.zeros((len(self.seats), 2, self.policies + 2))
        strengths = np.eye(self.policies)
        effects[:, 0, :-2] = strengths[self.seats[:, 0]] - strengths[self.seats[:, 1]]
        effects[:, 0, -2] = effects[:, 1, -1] = 1
        return effects

    @cached_property
    def _free_effects(self) -> Floats:
        return np.ascontiguousarray(self._effects[..., self.free])

    def _step(self, parameters: Floats, counts: Floats) -> tuple[Floats, Floats]:
        """Parameters (B, policies + 2) one step on, and by how much the step would have changed a logarithm of odds (B,)."""
        results = self.probabilities(parameters)
        games = counts @ _ALL
        surplus = ((counts - games * results) @ RESULTS).reshape(len(counts), -1)
        gradient = surplus @ self._free_effects.reshape(surplus.shape[1], -1)
        step = np.linalg.solve(self._information(results, games), gradient[..., None])
        change = abs(np.tensordot(step[..., 0], self._free_effects, (1, 2)))
        length = np.maximum(change[..., 0], change[..., 0] / 2 + change[..., 1]).max(-1)
        parameters = parameters.copy()
        parameters[:, self.free] += step[..., 0] * (np.log1p(length) / np.maximum(length, 1e-300))[:, None]
        return parameters, length

    def _information(self, results: Floats, games: Floats) -> Floats:
        """The information of numbers of games (B, K, 1) about the free parameters (B, F, F)."""
        effects = self._free_effects
        spread = games[..., None] * _covariance(results) @ effects
        return effects.reshape(-1, effects.shape[-1]).T @ spread.reshape(len(spread), -1, effects.shape[-1])

    def _prior(self, parameters: Floats, counts: Floats) -> Floats:
        """The games that Jeffreys' prior amounts to at these parameters (K, 3): half the leverage of each kind and result."""
        results = self.probabilities(parameters)
        games = counts @ _ALL
        unsure = np.linalg.inv(self._information(results[None], games[None])[0])
        effects = self._free_effects
        unsure = effects @ unsure @ effects.transpose(0, 2, 1)  # about x and d (K, 2, 2)
        away = RESULTS - (results @ RESULTS)[:, None]  # (K, 3, 2)
        return games * results * ((away @ unsure) * away).sum(-1) / 2


def _covariance(results: Floats) -> Floats:
    """The covariance of the RESULTS with these probabilities (…, 3): (…, 2, 2)."""
    mean = results @ RESULTS
    return np.tensordot(results, SQUARES, 1) - mean[..., :, None] * mean[..., None, :]
