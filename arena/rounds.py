"""The rounds of a tournament: without a sequential test a single one; with one, which pairs play on depends on the games before.

All pairs then play a first block of games. After that a pair plays on, a quarter of its games more each round, as long as its test
is undecided and its games tell about the order of the policies: no third policy that meets both is rated between them. Of
neighbours in the order the test says which is ahead; the order of others follows. A round begins when the one before is finished,
so neither the number of workers nor an interruption changes which games are played.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from .matches.games import Pairing
from .planning.plan import Plan, Sprt
from .ratings.ratings import rate
from .ratings.score import Score
from .ratings.sprt import SprtResult
from .swiss import Swiss

FIRST_GAMES, GROWTH = 32, 1.25
"""The games of a pair in the first round; and by how much each further one multiplies them. The more, the more games after a
decision; the fewer, the more often workers wait for each other."""


def next_stop(games: int, most: int) -> int:
    """How many games a pair that has played this many, and may play `most`, has played after its next block: an even number."""
    return min(most, max(FIRST_GAMES, 2 * math.ceil(games * GROWTH / 2)))


def pairs_to_go_on(scores: Iterable[Score], sprt: Sprt) -> list[Pairing]:
    """Of all pairs of one game those that tell most about the order of its policies: undecided ones, with nobody known to both in
    between."""
    scores = [*scores]
    undecided = [score.pairing for score in scores if not SprtResult.of(score, sprt).is_decided]
    between = policies_between(scores) if undecided else {}
    return [pairing for pairing in undecided if pairing not in between]


def policies_between(scores: Sequence[Score]) -> dict[Pairing, str]:
    """The pairs of one game between which a third policy that meets both is rated, each with such a policy."""
    if len(scores) < 3:
        return {}
    rank = {name: number for number, name in enumerate(rate(scores, resamples=0).elo)}
    met = {frozenset(score.pairing[1:]) for score in scores}

    def is_between(name: str, a: str, b: str) -> bool:
        in_order = rank[a] < rank[name] < rank[b] or rank[b] < rank[name] < rank[a]
        return in_order and frozenset((a, name)) in met and frozenset((name, b)) in met

    pairings = [score.pairing for score in scores]
    return {pairing: name for pairing in pairings for name in rank if is_between(name, pairing.a, pairing.b)}


class Rounds:
    """The games of a tournament, round by round.

    Args:
        plan: its plan.
        missing: gives the numbers of a pairing's games that are not played yet.
        score_until: gives a pairing's score in the games below a number.
    """

    def __init__(
        self, plan: Plan, missing: Callable[[Pairing], NDArray[np.int64]], score_until: Callable[[Pairing, int], Score]
    ) -> None:
        self._plan, self._missing, self._score_until = plan, missing, score_until
        self._stops = dict.fromkeys(plan.pairings, next_stop(0, plan.games) if plan.sprt else plan.games)

    def next(self) -> dict[Pairing, NDArray[np.int64]]:
        """The numbers of the games that are to be played now, by pairing; none at the end. Those of before are all played."""
        if self._plan.swiss:
            return self._next_swiss()
        while True:
            missing = {pairing: self._missing(pairing) for pairing in self._stops}
            missing = {pairing: numbers[numbers < self._stops[pairing]] for pairing, numbers in missing.items()}
            if any(map(len, missing.values())):
                return {pairing: numbers for pairing, numbers in missing.items() if len(numbers)}
            if self._plan.sprt is None:
                return {}
            before, by_game = dict(self._stops), defaultdict[str, list[Score]](list)
            for pairing, stop in before.items():
                by_game[pairing.game].append(self._score_until(pairing, stop))
            for scores in by_game.values():
                for pairing in pairs_to_go_on(scores, self._plan.sprt):
                    self._stops[pairing] = next_stop(self._stops[pairing], self._plan.games)
            if self._stops == before:
                return {}

    def _next_swiss(self) -> dict[Pairing, NDArray[np.int64]]:
        """The games of the next Swiss round of each game."""
        plan = self._plan
        rounds = [Swiss(plan, game, lambda pairing: self._score_until(pairing, plan.games)) for game in plan.rules]
        return {pairing: np.intersect1d(self._missing(pairing), of.numbers) for of in rounds for pairing in of.pairs}
