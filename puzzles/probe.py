"""Probing a black box over bit strings: calls whose values reveal the perfect string.

It begins with a random string:

1. **Weighing.** If a string and its opposite are worth 1 together, and a bit changes its worth by 1 / L, each bit may be worth
   the same, whatever the others are. Then the worth of a string with some bits flipped shows how many of these were wrong,
   and 255 groups of 1000 bits show which (`Weighing`): 259 calls in all.
2. **Probing.** Otherwise each bit is flipped alone. The bits that change the worth most belong to what leads (a slice of
   the highest count); these are set as the worth says. The others belong to what lags, where every right bit costs
   something until all come level: so these are set *against* what the worth says. That takes a call for the string, one for each
   bit and one for the answer. A string where two slices lead, or where one flip makes two lead, shows less: there a flip
   changes more than two bits can be worth, and another string is drawn.
3. **Probing again.** Of a thousand bits in twenty slices or more, those that lag furthest change the worth by less than a number
   of 64 bits can show. They are probed again from the string that follows, in which all bits with a visible effect lead.

It uses these parts of the rule: a perfect string is worth 1, a bit of what leads is worth 1 / L and a bit of what lags less than
half of that, and what lags is a penalty. It does not know that ones are right, how many slices there are, or where: it finds a
hidden string with as many calls. It needs a string where one slice leads alone, by two bits or more; with forty slices of
twenty-five bits such a string is usually too rare for 30,000 calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .bitstring import BitString
from .puzzle import Answers
from .solver import SearchSolver, Tally

NOISE = 2e-15
"""A smaller change may be rounding: a worth is at most 1, and the result of three operations."""


@dataclass(frozen=True)
class Probe(SearchSolver[BitString]):
    """Finds the perfect string from the worth of strings near a random one."""

    name: ClassVar[str] = "probe"

    def attempt(self, tally: Tally, seed: int) -> None:
        draw = np.random.default_rng(seed)
        start = self.puzzle.draw_answers(draw, 1)[0]
        worth = tally.worth(start)
        if abs(worth + tally.worth(~start) - 1) < 1e-9 and self._is_plain(start, worth, tally):
            self._weigh(start, worth, tally)
        while True:
            self._probe(start, worth, draw, tally)
            start = self.puzzle.draw_answers(draw, 1)[0]
            worth = tally.worth(start)

    def _is_plain(self, start: Answers, worth: float, tally: Tally) -> bool:
        """Whether the first bit changes the worth by a bit's share."""
        other = start.copy()
        other[0] ^= True
        return abs(abs(tally.worth(other) - worth) * self.puzzle.bits - 1) < 1e-6

    def _weigh(self, start: Answers, worth: float, tally: Tally) -> None:
        """Evaluates a string that is perfect if each bit is worth the same."""
        weighing = Weighing(self.puzzle.bits)
        gained = tally.worths(start ^ weighing.groups[1:]) - worth  # a flip gains where the bit was wrong, else it loses
        sizes = weighing.groups.sum(axis=1)
        wrong = (np.concatenate([[0.0], gained * self.puzzle.bits]) + sizes) / 2
        tally.worth(start ^ weighing.decode(np.round(wrong).astype(np.int64)))

    def _probe(self, start: Answers, worth: float, draw: np.random.Generator, tally: Tally) -> None:
        """Flips each bit alone, evaluates the string that follows, and repeats this with the bits that had no visible effect.

        It stops where two slices lead.
        """
        unknown, progress = draw.permutation(self.puzzle.bits), True
        while progress:
            gained = np.zeros(self.puzzle.bits)
            for bit in unknown:
                start[bit] ^= True
                gained[bit] = tally.worth(start) - worth
                start[bit] ^= True
                if abs(gained[bit]) > 2 / self.puzzle.bits:  # no slice leads alone
                    return
            leads = abs(gained) > 0.5 / self.puzzle.bits
            start = np.where(leads, start ^ (gained > 0), start ^ (gained < -NOISE))  # lagging bits: against what the worth says
            worth = tally.worth(start)
            silent = abs(gained[unknown]) <= NOISE
            unknown, progress = unknown[silent], not silent.all()


@dataclass(frozen=True)
class Weighing:
    """Finds which of many things are wrong from the number of wrong things in a few groups: a detecting matrix and its decoding.

    The groups are the nonempty subsets T of k points. For each nonempty subset S there are |S| things; the j-th, j = 0, 1, …,
    is in group T where T ∩ S is among the first 2^j subsets of S of odd size. So k · 2^(k-1) things are distinguished by 2^k - 1
    groups: 1024 by 255.

    To decode the counts y(T) take their alternating sums g(U) = Σ over T ⊆ U of (-1)^|T| y(T), the largest U first. A thing of S
    adds nothing to g(U) unless U ⊆ S, since its terms cancel in pairs elsewhere; the j-th thing of U itself adds -2^j. So if the
    things of larger sets are subtracted, the rest of -g(U) is a binary number whose digits are the things of U.

    Source: Lindström: On a combinatory detection problem I, Publ. Math. Inst. Hung. Acad. Sci. 9 (1964); Cantor, Mills:
    Determination of a subset from certain combinatorial properties, Canadian Journal of Mathematics 18 (1966).

    Args:
        things: the number of things (L).
    """

    things: int

    @cached_property
    def points(self) -> int:
        """The least k whose subsets tell all things apart."""
        return next(k for k in count(1) if k << (k - 1) >= self.things)

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The subset that each thing belongs to, as bits (L,); the smallest numbers first."""
        subsets = np.arange(1, 1 << self.points)
        return np.repeat(subsets, np.bitwise_count(subsets))[: self.things]

    @cached_property
    def groups(self) -> NDArray[np.bool_]:
        """Which things are in the group of each subset (2^k, L); the first, of the empty subset, has none."""
        subsets = np.arange(1 << self.points)
        groups = np.zeros((len(subsets), self.things), np.bool_)
        for thing, (owner, digit) in enumerate(zip(self.owners.tolist(), self._digits.tolist(), strict=True)):
            inside = subsets & owner
            first = [subset for subset in subsets.tolist() if subset & ~owner == 0 and subset.bit_count() % 2][: 1 << digit]
            groups[:, thing] = np.isin(inside, first)
        return groups

    def decode(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which things are wrong (L,), from the number of wrong things in each group (2^k,)."""
        sums, effects = self._alternating_sums(counts), self._alternating_sums(self.groups.astype(np.int64))
        wrong = np.zeros(self.things, np.int64)
        for subset in sorted(range(1, 1 << self.points), key=int.bit_count, reverse=True):
            mine = self.owners == subset
            rest = -(sums[subset] - effects[subset] @ wrong)
            wrong[mine] = rest >> self._digits[mine] & 1
        return wrong.astype(np.bool_)

    @cached_property
    def _digits(self) -> NDArray[np.int64]:
        """Each thing's number among those of its subset (L,)."""
        return np.concatenate([np.arange(s.bit_count()) for s in range(1, 1 << self.points)])[: self.things]

    def _alternating_sums(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each subset U the alternating sum over the subsets of U, along the first axis."""
        sums = values.copy()
        subsets = np.arange(len(sums))
        for point in range(self.points):
            inside = subsets & 1 << point != 0
            sums[inside] = sums[~inside] - sums[inside]  # a subset with the point has the other sign
        return sums
