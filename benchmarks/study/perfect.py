"""The value that a policy loses a game to perfect play: exactly where few positions come up, else exactly for the first plies and
from a sample of games for the rest.

Perfect play takes each action that keeps the value with the same probability, as in an exact grade. A policy whose position is lost
has nothing more to lose, so its games need not be followed further: in a large game that leaves few positions, also against one
that searches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.agents.policy import Policy
from ludus.arena.grading.answers import frozen_chooser, probability_chooser
from ludus.games.game import Game, StateArray
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import Oracle, make_oracle
from ludus.oracles.statespace.graph import Chooser
from ludus.oracles.statespace.index import StateIndex
from ludus.oracles.values import values_of

LONGEST = 200
"""Plies of a game; one that goes on counts as drawn."""
NEGLIGIBLE = 1e-9
"""The share of games that are not followed: some go round in circles for long."""
SAMPLE = (2_000, 200)
"""The games that are drawn of what is not followed, in each seat: of a policy that does not search, and of one that does."""


class Frontier(NamedTuple):
    """Positions that come up against perfect play, all after the same number of plies.

    Args:
        states: the positions, none of which is over or lost for the policy (N, W).
        weights: how likely each is (N,).
        values: their values for the policy (N,): 1 or 0.
    """

    states: StateArray
    weights: NDArray[np.float64]
    values: NDArray[np.int64]


class SeatLoss(NamedTuple):
    """What a policy loses to perfect play in a seat.

    Args:
        lost: the value lost a game.
        error: its standard error; 0 if it is exact.
        asked: the positions in which the policy was asked.
        sampled: the share of games of which a sample was followed.
    """

    lost: float
    error: float
    asked: int
    sampled: float


def lost_to_perfect_play(policy: Policy, most: int, sample: int, seed: int) -> tuple[SeatLoss, SeatLoss]:
    """What a policy loses a game to perfect play, as player 0 and as player 1.

    Args:
        policy: the policy; if it gives no probabilities, it is frozen: one action in each position, by the seed.
        most: the positions of a seat in which it is asked at most before the rest is sampled.
        sample: the games that are drawn then.
        seed: that of the frozen actions, and of the sample.
    """
    choose = chooser_of(policy, seed)
    first, second = (_Walk(policy.game, choose, seat, seed).follow(most, sample) for seat in (0, 1))
    return first, second


def chooser_of(policy: Policy, seed: int) -> Chooser:
    """The probabilities of a policy's actions, or, if it gives none, those of the policy frozen by a seed."""
    choose = probability_chooser(policy)
    try:
        choose(policy.game.start[None])
    except NotImplementedError:
        return frozen_chooser(policy, seed)
    return choose


class _Walk:
    """Follows all games of a policy in a seat against perfect play, ply by ply."""

    def __init__(self, game: Game, choose: Chooser, seat: int, seed: int) -> None:
        self.game, self.choose, self.seat, self.seed = game, choose, seat, seed
        self.oracle: Oracle = make_oracle(game)
        self.asked = 0

    def follow(self, most: int, sample: int) -> SeatLoss:
        """The loss in this seat."""
        start = self.game.start[None]
        values = self._values(start)
        going, lost = Frontier(start, np.ones(1), values), 0.0
        if values[0] < 0:
            return SeatLoss(0.0, 0.0, 0, 0.0)
        for ply in range(LONGEST):
            own = int((self.game.players(going.states) == self.seat).sum())
            if self.asked + own > most:
                mean, error = self._sample(going, ply, sample)
                return SeatLoss(lost + mean, error, self.asked, float(going.weights.sum()))
            going, by_this_ply = self._step(going)
            lost += by_this_ply
            if going.weights.sum() < NEGLIGIBLE:
                return SeatLoss(lost, 0.0, self.asked, 0.0)
        return SeatLoss(lost + float(going.weights @ going.values), 0.0, self.asked, 0.0)

    def _sample(self, going: Frontier, plies: int, count: int) -> tuple[float, float]:
        """The value that games from here lose, by how likely they are, and its standard error: from this many that are drawn."""
        random, mass = np.random.default_rng([self.seed, self.seat]), going.weights.sum()
        drawn = random.choice(len(going.weights), count, p=going.weights / mass)
        numbers, lost = np.arange(count), np.zeros(count)
        states, values = going.states[drawn], going.values[drawn]
        for _ in range(plies, LONGEST):
            chances = self._chances(states)
            actions = (chances.cumsum(axis=1) > random.random(len(states))[:, None] * chances.sum(axis=1)[:, None]).argmax(axis=1)
            states = self.game.plays(states, actions)
            after = self._values(states)
            lost[numbers] += values - after
            stays = (self.game.outcomes(states) == ONGOING) & (after >= 0)
            states, values, numbers = states[stays], after[stays], numbers[stays]
            if not len(states):
                break
        lost[numbers] += values  # what goes on counts as drawn
        return float(mass * lost.mean()), float(mass * lost.std(ddof=1) / np.sqrt(count))

    def _step(self, going: Frontier) -> tuple[Frontier, float]:
        """The positions after another ply, equal ones together, and the value that the policy loses by it."""
        chances = self._chances(going.states)
        rows, actions = np.nonzero(chances)
        states = self.game.plays(going.states[rows], actions)
        weights, values = going.weights[rows] * chances[rows, actions], self._values(states)
        lost = float(weights @ (going.values[rows] - values))
        stays = (self.game.outcomes(states) == ONGOING) & (values >= 0)
        states, weights, values = states[stays], weights[stays], values[stays]
        same = StateIndex(self.game, states).find(states)  # the first row with this position
        first = np.flatnonzero(same == np.arange(len(states)))
        together = np.bincount(same, weights, len(states)).astype(np.float64)
        return Frontier(states[first], together[first], values[first]), lost

    def _chances(self, states: StateArray) -> NDArray[np.float64]:
        """The probability of each action (B, A), of the policy or of perfect play, whoever is to move."""
        own = self.game.players(states) == self.seat
        chances = np.zeros((len(states), self.game.num_actions))
        if own.any():
            self.asked += int(own.sum())
            chances[own] = self.choose(states[own])
        if not own.all():
            chances[~own] = self._perfect(states[~own])
        return chances

    def _perfect(self, states: StateArray) -> NDArray[np.float64]:
        """All actions that keep the value, with equal probability."""
        rows, actions = np.nonzero(self.game.masks(states))
        keeps = self._values(self.game.plays(states[rows], actions)) == self._values(states)[rows]
        chances = np.zeros((len(states), self.game.num_actions))
        chances[rows[keeps], actions[keeps]] = 1
        return chances / chances.sum(axis=1, keepdims=True)

    def _values(self, states: StateArray) -> NDArray[np.int64]:
        """The values of positions for the policy's seat."""
        signs = np.where(self.game.players(states) == self.seat, 1, -1)
        return signs * values_of(self.game, states, self.oracle).astype(np.int64)
