"""A black box over bit strings: find the perfect one of 1000 bits, with few calls.

The string is cut into n interleaved slices, n the order: bit i belongs to slice i mod n. The slices' counts of right bits are
sorted from high to low; M is the highest, k slices reach it, and f_0, f_1, … are the others, in order:

    value = (k · M - 0.1 · f_0 - 0.01 · f_1 - …) / L

So a slice that lags is a penalty, which grows with its count: until it comes level, every right bit in it looks wrong.
A bit is right if it is 1; with `hidden`, if it is as in a string drawn from that seed. Calls alone do not tell the two apart.
`Probe` is the solver made for this puzzle: its calls reveal the perfect string.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Annotated, Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..core.bounds import Count
from ..core.numbers import Range, whole
from .puzzle import Answers, Info, Puzzle, PuzzleEnv, instance_draw
from .solver import SearchSolver, Tally


@dataclass(frozen=True)
class BitString(Puzzle):
    """A black box over bit strings.

    Args:
        bits: the length of a string (L).
        order: the number of slices (n); it divides `bits`.
        hidden: the seed of the perfect string; none: it is all ones.
    """

    bits: Annotated[int, Range(1, 10_000)] = 1000
    order: Count = 1
    hidden: Annotated[int, Range(0)] | None = None

    name: ClassVar[str] = "bitstring"
    title: ClassVar[str] = "Bit-string black box"
    aim: ClassVar[str] = "the string that is worth 1, with few calls"
    measure: ClassVar[str] = "value"
    dtype: ClassVar[type] = bool
    least: ClassVar[float] = -1.0
    best: ClassVar[float] = 1.0  # pyright: ignore[reportIncompatibleVariableOverride]
    variants: ClassVar[tuple[str, ...]] = ("bitstring", *(f"bitstring:order={order}" for order in (2, 5, 10)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bits % self.order:
            raise ValueError(f"an order of {self.order} does not divide {self.bits} bits into equal slices; take one that does")

    @cached_property
    def perfect(self) -> NDArray[np.bool_]:
        """The perfect string (L,)."""
        if self.hidden is None:
            return np.ones(self.bits, np.bool_)
        return instance_draw(self.hidden).random(self.bits) < 0.5

    @property
    def length(self) -> int:
        return self.bits

    def draw_answers(self, draw: np.random.Generator, count: int) -> Answers:
        return draw.random((count, self.bits)) < 0.5

    def mend(self, answers: Answers) -> Answers:
        """The answers: every string keeps the rules."""
        return answers

    def neighbour(self, answer: Answers, draw: np.random.Generator) -> Answers:
        """The string with one bit flipped; or with two, three, …, each half as often as one fewer."""
        other = answer.copy()
        other[draw.integers(self.bits, size=draw.geometric(0.5))] ^= True
        return other

    def worths(self, answers: Answers) -> NDArray[np.float64]:
        right = answers == self.perfect
        counts = -np.sort(-right.reshape(len(right), -1, self.order).sum(axis=1), axis=1)  # from high to low
        level = (counts == counts[:, :1]).sum(axis=1)
        ranks = np.arange(self.order) - level[:, None]  # among the slices that lag; negative for those that lead
        penalties = np.where(ranks >= 0, counts * 0.1 ** (np.maximum(ranks, 0) + 1.0), 0.0).sum(axis=1)
        return (level * counts[:, 0] - penalties) / self.bits

    def describe(self, answer: Answers) -> str:
        return f"{int((answer == self.perfect).sum())} of {self.bits} bits right"

    def to_json(self, answer: Answers) -> Any:
        return np.packbits(answer).tobytes().hex()


class BitStringEnv(PuzzleEnv):
    """`gym.make("ludus/BitString-v0", order=2)`: an action is a whole string, a step is a call of the black box.

    An action is a string (L,) of zeros and ones, int8. Both the reward and the observation (1,), float64, are the worth of the
    last string, 0 before the first: a black box reveals nothing else. An episode ends with the perfect string, or after `calls`
    steps (truncated). `info["calls"]` counts the strings, `info["best"]` is the highest value so far.

    Args:
        puzzle, render_mode, settings: see `PuzzleEnv`.
        calls: the maximum number of steps of an episode.
    """

    name: ClassVar[str] = "bitstring"
    puzzle: BitString

    def __init__(self, puzzle: Any = None, *, calls: int = 30_000, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__(puzzle, render_mode=render_mode, **settings)
        self.observation_space = spaces.Box(-1.0, 1.0, (1,), np.float64)
        self.action_space = spaces.MultiBinary(self.puzzle.bits)
        self._limit = whole(calls, "calls", 1)

    def _begin(self) -> None:
        self._calls, self._value, self._best = 0, 0.0, -1.0

    def _act(self, action: Any) -> tuple[float, bool, bool]:
        self._value = self.puzzle.worth(action)
        self._calls += 1
        self._best = max(self._best, self._value)
        perfect = self._value >= BitString.best
        return self._value, perfect, not perfect and self._calls == self._limit

    def _observation(self) -> NDArray[np.float64]:
        return np.array([self._value])

    def _info(self) -> Info:
        return {"calls": self._calls, "best": self._best}

    def _line(self) -> str:
        return f"{self._calls} calls, best value {self._best:.6g}"


# ---- probing

NOISE = 2e-15
"""A smaller change may be rounding: a worth is at most 1, and the result of three operations."""


@dataclass(frozen=True)
class Probe(SearchSolver[BitString]):
    """Finds the perfect string from the worth of strings near a random one.

    It begins with a random string:

    1. **Weighing.** If a string and its opposite are worth 1 together, and a bit changes its worth by 1 / L, each bit may be worth
       the same, whatever the others are. Then the worth of a string with some bits flipped shows how many of these were wrong, and
       255 groups of 1000 bits show which (`Weighing`): 259 calls in all.
    2. **Probing.** Otherwise each bit is flipped alone. The bits that change the worth most belong to what leads (a slice of the
       highest count); these are set as the worth says. The others belong to what lags, where every right bit costs something until
       all come level: so these are set *against* what the worth says. That takes a call for the string, one for each bit and one
       for the answer. A string where two slices lead, or where one flip makes two lead, shows less: there a flip changes more than
       two bits can be worth, and another string is drawn.
    3. **Probing again.** Of a thousand bits in twenty slices or more, those that lag furthest change the worth by less than a
       number of 64 bits can show. They are probed again from the string that follows, in which all bits with a visible effect lead.

    It uses these parts of the rule: a perfect string is worth 1, a bit of what leads is worth 1 / L and a bit of what lags less
    than half of that, and what lags is a penalty. It does not know that ones are right, how many slices there are, or where: it
    finds a hidden string with as many calls. It needs a string where one slice leads alone, by two bits or more; with forty slices
    of twenty-five bits such a string is usually too rare for 30,000 calls.
    """

    name: ClassVar[str] = "probe"

    def search(self, tally: Tally, seed: int) -> None:
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
