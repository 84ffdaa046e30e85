"""A portfolio: how to divide money over stocks, for a high return and a low risk.

An answer is the weight of each stock (L,), none negative, with the sum 1. The return and the risk of a portfolio are the
means of its stocks' by weight. The rules: at least `held` stocks have the weight `smallest` or more, the return is at least
`least_return`, the risk at most `most_risk`. A portfolio that keeps the rules is worth its return;
one that breaks some is worth minus what it lacks, as a share of each rule's number.

"Held" needs a smallest weight: without one a stock of weight 1e-300 would count, the rule would require nothing, and the best
portfolio would be a limit that none reaches. At the default of 0.001 the thirty tie up 3 % of the money.

The stocks come from a CSV file, or are made up: a table of any even number whose columns have the moments that were
published of 400 real ones (risk: mean 0.461, standard deviation 0.206, quartiles 0, 0.323, 0.421, 0.607, 0.959; return: mean
0.754, standard deviation 1.365, quartiles from the first 0.127, 0.317, 0.817, 16.48). How the two go together was not
published, nor the least return: the least is 0 here, and the columns are paired at random, by the seed.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from ..core.bounds import Count
from ..core.files.reading import decode_text, read_regular
from ..core.files.writing import path_of
from ..core.numbers import Range, short_repr
from .puzzle import Answers, Info, Puzzle, PuzzleEnv, instance_draw

RISK, RETURN = (0.0, 0.323, 0.421, 0.607, 0.959), (0.0, 0.127, 0.317, 0.817, 16.48)
"""Quartiles of the columns."""
RISK_BENDS, RETURN_TAIL = (2.1760, 1.7111), (1.0036, 1.4345)
"""Parameters that give the columns the published means and deviations, found numerically."""
SUM = 1e-6
"""The tolerance of the sum of weights."""
COLUMNS = ("ticker", "risk", "return")
MAX_BYTES = 64 << 20
"""The maximum size of a CSV file."""


class Stocks(NamedTuple):
    """The stocks.

    Args:
        tickers: their names.
        risk: the risk of each (L,).
        earned: the return of each, 1 for 100 % (L,).
    """

    tickers: tuple[str, ...]
    risk: NDArray[np.float64]
    earned: NDArray[np.float64]


@dataclass(frozen=True)
class Portfolio(Puzzle):
    """A portfolio.

    Args:
        held: the minimum number of stocks that are held (30).
        least_return: the minimum return (10, which is 1000 %).
        most_risk: the maximum risk (0.6).
        smallest: the weight from which a stock is held.
        stocks: the number of stocks of a made-up table, a multiple of 4 (400).
        seed: the seed by which their risks and returns are paired.
        path: a CSV file with the columns ticker, risk, return instead of a made-up table; then without stocks and seed.

    Raises:
        ValueError: settings that contradict each other, or a file that is no such table.
        OSError: the file cannot be read.
    """

    held: Count = 30
    least_return: Annotated[float, Range(0, 1e9)] = 10.0
    most_risk: Annotated[float, Range(0, 1e9)] = 0.6
    smallest: Annotated[float, Range(1e-9, 1)] = 0.001
    stocks: Annotated[int, Range(8, 100_000)] = 400
    seed: Annotated[int, Range(0)] = 0
    path: str | None = None

    name: ClassVar[str] = "portfolio"
    title: ClassVar[str] = "Portfolio"
    aim: ClassVar[str] = "the weights of stocks that earn most within the limit of risk"
    measure: ClassVar[str] = "return"
    dtype: ClassVar[type] = float
    least: ClassVar[float] = 0.0
    variants: ClassVar[tuple[str, ...]] = ("portfolio", "portfolio:seed=1", "portfolio:stocks=100,held=10")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stocks % 4:
            raise ValueError(f"stocks is {self.stocks}; it must be a multiple of 4")
        if self.path is not None:
            if not isinstance(self.path, (str, Path)):
                raise ValueError(f"path is {short_repr(self.path)}; it must be the name of a CSV file")
            object.__setattr__(self, "path", str(self.path))
            if (self.stocks, self.seed) != (Portfolio.stocks, Portfolio.seed):
                raise ValueError(f"stocks and seed are for a made-up table, not for {self.path}; leave them out, or path")
        if self.held > self.length:
            where = "" if self.path is None else f" in {self.path}"
            raise ValueError(f"held is {self.held}; it must be at most the number of stocks, {self.length}{where}")
        if self.held * self.smallest > 1:
            raise ValueError(f"{self.held} stocks of weight {self.smallest} are more than 1 in all; take a lower smallest, or held")

    @cached_property
    def table(self) -> Stocks:
        """The stocks."""
        return synthetic_stocks(self.stocks, self.seed) if self.path is None else read_table(path_of(self.path))

    @property
    def length(self) -> int:
        return len(self.table.tickers)

    def draw_answers(self, draw: np.random.Generator, count: int) -> Answers:
        """Portfolios (count, L), the money divided evenly over a few stocks each; each stock is in at least one of them."""
        few = -(-self.length // count)
        turns = np.concatenate([draw.permutation(self.length) for _ in range(-(-count * few // self.length))])
        weights = 1e-6 * draw.random((count, self.length))  # which other stocks are held is random, too
        np.put_along_axis(weights, turns[: count * few].reshape(count, few), 1.0, axis=1)
        return self.mend(weights)

    def mend(self, answers: Answers) -> Answers:
        """Weights (B, L), none of them negative, divided by their sum, so that the heaviest `held` of each are held.

        If all are 0 the money is divided evenly.
        """
        weights = np.where(answers.any(axis=1, keepdims=True), answers, 1.0)
        weights /= weights.sum(axis=1, keepdims=True)
        heaviest = np.argpartition(-weights, self.held - 1, axis=1)[:, : self.held]
        floor = np.zeros_like(weights)
        np.put_along_axis(floor, heaviest, self.smallest, axis=1)
        above = np.maximum(weights - floor, 0.0)
        rest = 1.0 - self.held * self.smallest
        return floor + above * (rest / np.maximum(above.sum(axis=1, keepdims=True), 1e-300))

    def neighbour(self, answer: Answers, draw: np.random.Generator) -> Answers:
        """The portfolio with all or a part of the money of one stock, in proportion to its weight, moved into another."""
        other = answer.copy()
        giver, taker = draw.choice(self.length, p=answer / answer.sum()), draw.integers(self.length)
        moved = other[giver] * (1.0 if draw.random() < 0.5 else draw.random())
        other[giver] -= moved
        other[taker] += moved
        return self.mend(other[None])[0]

    def worths(self, answers: Answers) -> NDArray[np.float64]:
        risk, earned = answers @ self.table.risk, answers @ self.table.earned
        held = (answers >= self.smallest * (1 - SUM)).sum(axis=1)
        lacking = (
            np.maximum(self.least_return - earned, 0) / (self.least_return or 1.0)
            + np.maximum(risk - self.most_risk, 0) / (self.most_risk or 1.0)
            + np.maximum(self.held - held, 0) / self.held
        )
        return np.where(lacking > 1e-9, -lacking, earned)  # a smaller lack may be rounding

    def check_answer(self, answer: ArrayLike) -> Answers:
        """Weights (L,) as an array.

        Raises:
            ValueError: another shape; a weight that is negative or not a number; weights with another sum than 1.
        """
        weights = self.shares(answer)
        if abs(weights.sum() - 1) > SUM:
            raise ValueError(f"the sum of the weights is {weights.sum():.6g}; it must be 1, so divide them by it")
        return weights

    def shares(self, answer: ArrayLike) -> Answers:
        """Weights (L,) as an array, whatever their sum.

        Raises:
            ValueError: another shape; a weight that is negative or not a number.
        """
        weights = super().check_answer(answer)
        wrong = np.flatnonzero(~(weights >= 0) | np.isinf(weights))
        if len(wrong):
            raise ValueError(f"the weight of stock {wrong[0]} is {weights[wrong[0]]}; weights must be numbers, 0 or more")
        return weights

    def describe(self, answer: Answers) -> str:
        held, most = int((answer >= self.smallest * (1 - SUM)).sum()), int(answer.argmax())
        risk, earned = float(answer @ self.table.risk), float(answer @ self.table.earned)
        heaviest = f"most of it, {answer[most]:.0%}, {self.table.tickers[most]}"
        return f"{held} stocks, return {earned:.3f}, risk {risk:.3f}; {heaviest}"

    def to_json(self, answer: Answers) -> Any:
        return {self.table.tickers[i]: float(answer[i]) for i in np.flatnonzero(answer > 0)}


def synthetic_stocks(count: int, seed: int) -> Stocks:
    """Stocks with the published moments, risks and returns paired by a seed."""
    even = np.linspace(0, 1, count // 4)
    low, high = RISK_BENDS
    quarters = [1 - even[::-1] ** low, even, even, even**high]
    risk = np.concatenate([start + (stop - start) * part for (start, stop), part in zip(pairwise(RISK), quarters, strict=True)])
    scale, shape = RETURN_TAIL
    tail = RETURN[3] + scale * (-np.log1p(-even[:-1])) ** shape
    earned = np.concatenate([*(a + (b - a) * even for a, b in pairwise(RETURN[:4])), tail, RETURN[4:]])
    draw = instance_draw(seed)
    return Stocks(tuple(f"S{i:03d}" for i in range(count)), draw.permutation(risk), draw.permutation(earned))


def read_table(path: Path) -> Stocks:
    """The stocks of a CSV file in UTF-8, whose first line names the columns, in any order and among others. ValueError where it is
    none, has a number that cannot be, or names a ticker twice, or fewer than two."""
    try:
        rows = csv.DictReader(io.StringIO(decode_text(read_regular(path, MAX_BYTES)), newline=""))
        rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or ()]
        lines = [*rows]
        if any(None in line for line in lines):  # the key of cells beyond the columns, as where 0,31 stands for 0.31
            raise ValueError("a line has more cells than the first")
        numbers = np.array([[float(line[name]) for name in COLUMNS[1:]] for line in lines]).reshape(-1, 2)
        tickers = tuple(line["ticker"] for line in lines)
    except (ValueError, TypeError, KeyError, csv.Error) as error:  # a missing cell is None, and float(None) a TypeError
        columns = ", ".join(COLUMNS)
        raise ValueError(f"{path} is no CSV file with the columns {columns} ({error}); a line reads AAPL,0.31,0.12") from None
    if not np.isfinite(numbers).all() or (numbers[:, 0] < 0).any():
        raise ValueError(f"{path} has a risk below 0, or a number that is not finite")
    if len({*tickers}) < len(tickers) or len(tickers) < 2:
        raise ValueError(f"{path} names a ticker twice, or fewer than two; it must have a line for each of two or more stocks")
    return Stocks(tickers, *numbers.T)


class OriginalSettings(NamedTuple):
    """Settings of `GeneticPortfolio` that the original project tried. They lie apart from it, which needs DEAP.

    Args:
        population, crossing, mutation, carry: the settings.
        generations: the mean generations of its three runs until the rules were kept; None if a thousand were not enough.
    """

    population: int
    crossing: float
    mutation: float
    carry: int
    generations: float | None

    @property
    def spec(self) -> str:
        """The solver with these settings."""
        return "genetic:preset=original," + ",".join(f"{name}={getattr(self, name)}" for name in self._fields[:4])


ORIGINAL_SETTINGS = (
    OriginalSettings(population=700, crossing=0.6, mutation=0.1, carry=70, generations=76),
    OriginalSettings(population=700, crossing=0.4, mutation=0.1, carry=70, generations=63),
    OriginalSettings(population=700, crossing=0.4, mutation=0.01, carry=70, generations=389),
    OriginalSettings(population=3000, crossing=0.6, mutation=0.1, carry=300, generations=43.7),
    OriginalSettings(population=700, crossing=0.0, mutation=0.1, carry=100, generations=29),
    OriginalSettings(population=700, crossing=0.7, mutation=0.0, carry=100, generations=None),
    OriginalSettings(population=300, crossing=0.7, mutation=0.1, carry=30, generations=319),
    OriginalSettings(population=300, crossing=0.4, mutation=0.1, carry=70, generations=70.7),
    OriginalSettings(population=300, crossing=0.4, mutation=0.01, carry=30, generations=380.7),
    OriginalSettings(population=10, crossing=0.7, mutation=0.1, carry=2, generations=None),
)
"""The ten settings of the original, on 400 real stocks."""


class PortfolioEnv(PuzzleEnv):
    """`gym.make("ludus/Portfolio-v0")`: one action, the weights of all stocks, and the episode is over.

    An observation is the risk and the return of each stock (L, 2), float64; an action the weight of each (L,), from 0 to 1, not
    all 0, which are divided by their sum. The reward is the worth of the portfolio. `info["feasible"]` says whether the last
    portfolio kept the rules, `info["weights"]` what it was.
    """

    name: ClassVar[str] = "portfolio"
    puzzle: Portfolio

    def __init__(self, puzzle: Any = None, *, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__(puzzle, render_mode=render_mode, **settings)
        table = self._observation()
        self.observation_space = spaces.Box(table.min(), table.max(), table.shape, np.float64)
        self.action_space = spaces.Box(0.0, 1.0, (self.puzzle.length,), np.float64)

    def _begin(self) -> None:
        self._weights, self._worth = np.zeros(self.puzzle.length), -1.0

    def _act(self, action: Any) -> tuple[float, bool, bool]:
        weights = self.puzzle.shares(action)
        if weights.max() > 1:
            raise ValueError(f"the weight of stock {weights.argmax()} is {weights.max()}; it must be from 0 to 1")
        if not weights.any():
            raise ValueError("all weights are 0; at least one must be more than 0")
        self._weights = weights / weights.sum()
        self._worth = float(self.puzzle.worths(self._weights[None])[0])
        return self._worth, True, False

    def _observation(self) -> NDArray[np.float64]:
        return np.stack([self.puzzle.table.risk, self.puzzle.table.earned], axis=1)

    def _info(self) -> Info:
        return {"feasible": self._worth >= self.puzzle.least, "weights": self._weights.copy()}

    def _line(self) -> str:
        return self.puzzle.describe(self._weights) if self._weights.any() else "nothing is bought yet"
