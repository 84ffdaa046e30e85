"""Swiss rounds: in each, policies with equal points meet, and no two meet twice.

A round is worth a point, which a pair shares as its games do; who is left over has a bye, a point, once at most. Round r plays
the games r·g to r·g + g - 1 of its pairs. Who meets follows from the seed and the results of the rounds before, so that a store
needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from .matches.games import Pairing
from .planning.plan import Plan
from .ratings.score import Score

BYE = ""
"""Stands for the opponent of the policy that is left over."""


class Swiss:
    """The rounds of a game, given its pairings' scores so far: after those that are finished, the `standing`, for each policy its
    points and Buchholz's sum of its opponents' points, a bye counting as one with its own; who had
    `byes`; and the `pairs` that meet in the next round, with the `numbers` of their games."""

    def __init__(self, plan: Plan, game: str, score_of: Callable[[Pairing], Score]) -> None:
        pairings = {frozenset(pairing[1:]): pairing for pairing in plan.pairings if pairing.game == game}
        names = [*dict.fromkeys(name for pairing in pairings.values() for name in pairing[1:])]
        rounds, self.pairs = plan.swiss or 0, list[Pairing]()
        each = plan.games // rounds
        halves = dict.fromkeys([*names, *[BYE] * (len(names) % 2)], 0)  # half points of games, which are whole numbers
        met = {name: list[str]() for name in halves}
        for number in range(rounds):
            drawn = draw_pairs(halves, met, np.random.default_rng([plan.seed, number]))
            self.numbers = np.arange(number * each, (number + 1) * each)
            self.pairs = [pairings[frozenset(pair)] for pair in drawn if BYE not in pair]
            scores = [score_of(pairing) for pairing in self.pairs]
            if any(score.games < each for score in scores):
                break
            self.pairs = []
            for score in scores:
                halves[score.pairing.a] += 2 * score.wins + score.draws
                halves[score.pairing.b] += 2 * score.losses + score.draws
            for a, b in [*drawn, *(pair[::-1] for pair in drawn)]:
                met[a].append(b)
                halves[a] += 2 * each * (b == BYE)
        self.byes = [name for name in names if BYE in met[name]]
        of_others = {name: sum(halves[name if other == BYE else other] for other in met[name]) for name in names}
        self.standing = {name: (halves[name] / (2 * each), of_others[name] / (2 * each)) for name in names}  # equal sums are equal


def draw_pairs(points: dict[str, int], met: dict[str, list[str]], chance: np.random.Generator) -> list[tuple[str, str]]:
    """Pairs an even number of names, nobody with whom it has met, and beyond that with as equal points as exchanges between two
    pairs bring about.

    As long as each has met fewer than half of all, some exchange always separates two who have met: together they have as many
    meetings open as there are names, and so at least three with one of the other pairs (the argument of Dirac's theorem).
    """
    names = [[*points][row] for row in chance.permutation(len(points))]
    order = sorted(names, key=points.__getitem__, reverse=True)
    again = len(points) * (1 + max(points.values())) ** 2  # worse than all differences together

    def cost(*pairs: tuple[str, str]) -> int:
        return sum(again * (b in met[a]) + (points[a] - points[b]) ** 2 for a, b in pairs)

    pairs, is_better = [*zip(order[::2], order[1::2], strict=True)], True
    while is_better:
        is_better = False
        for i, j in combinations(range(len(pairs)), 2):
            (a, b), (c, d) = now = pairs[i], pairs[j]
            costs = {cost(*both): both for both in (((a, c), (b, d)), ((a, d), (b, c)), now)}
            if (least := min(costs)) < cost(*now):
                (pairs[i], pairs[j]), is_better = costs[least], True
    return pairs
