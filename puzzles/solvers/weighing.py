"""Finds which of many things are wrong from the number of wrong things in a few groups: a detecting matrix, and its decoding.

The groups are the nonempty subsets T of k points. For each nonempty subset S there are |S| things; the j-th of them, j = 0, 1, …,
is in group T where T ∩ S is among the first 2^j subsets of S of odd size. So k · 2^(k-1) things are distinguished by 2^k - 1
groups: 1024 by 255.

To decode the counts y(T) take their alternating sums g(U) = Σ over T ⊆ U of (-1)^|T| y(T), the largest U first. A thing of S
adds nothing to g(U) unless U ⊆ S, since its terms cancel in pairs elsewhere; the j-th thing of U itself adds -2^j. So if the
things of larger sets are subtracted, the rest of -g(U) is a binary number whose digits are the things of U.

Source: Lindström: On a combinatory detection problem I, Publ. Math. Inst. Hung. Acad. Sci. 9 (1964); Cantor, Mills:
Determination of a subset from certain combinatorial properties, Canadian Journal of Mathematics 18 (1966).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Weighing:
    """Groups of things.

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
