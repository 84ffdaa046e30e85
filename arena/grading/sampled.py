"""Sampled grades: how many moves of some games kept the value of the position, and how much value the others lost.

`grade` lets a policy play until enough of its moves can be graded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...agents.registry import as_policy
from ...core.numbers import several, whole
from ...core.progress import ProgressLog
from ...games.display import Part, TextTable, Viewable
from ...games.game import Game
from ...games.registry import make_game
from ...oracles import Oracle
from ..matches.games import GameRecord
from ..matches.settings import MatchKeywords, split_keywords
from ..planning.plan import MOST_GAMES
from ..planning.planning import make_plan
from ..planning.schedule import play_plan
from ..quantities import Quantity, bounds_in_percent, cells_of, columns_of, count, decimals, headings, in_order, numbers_of, share
from ..ratings.intervals import wilson
from ..ratings.score import Score, fault_words, opening_words
from .calibration import Calibration, Valuations, calibrate, check_calibration
from .decisions import Decisions, Judged, can_be_judged, decisions_in, decisions_of, judge

if TYPE_CHECKING:
    from typing_extensions import Unpack

MOST_GRADED = 1000
"""How many decisions are graded by default, if each takes a search."""
MOST_ROWS = 20
"""Rows of the table of plies; in longer games several plies share a row."""
BLUNDERS = ("won to drawn", "drawn to lost", "won to lost")
BY_PLY = (
    "moves",
    "graded",
    "blunders",
    "first_errors",
    "random_graded",
    "random_optimal_moves",
    "random_total_value_lost",
)
"""The counts of a grade, which are arrays by ply."""
QUANTITIES_OF_PLY = (
    Quantity("moves", "moves", count, "num_moves"),
    Quantity("graded", "graded", count, "num_graded"),
    Quantity("graded_rate"),
    Quantity("blunders", path="blunder_counts"),
    Quantity("first_errors", path="games_with_errors"),
    Quantity("optimal_rate", "kept %", share),
    Quantity("optimal_interval", "95 %", bounds_in_percent),
    Quantity("value_lost", "lost", decimals(3)),
    Quantity("value_lost_interval"),
    Quantity("random_graded", path="num_random_graded"),
    Quantity("random_optimal_rate"),
    Quantity("random_value_lost", "random", decimals(3)),
)
"""The numbers of the moves at a ply."""
QUANTITIES = in_order(
    "value_lost value_lost_interval optimal_rate optimal_interval random_value_lost random_optimal_rate random_graded moves graded"
    " graded_rate blunders first_error games_with_errors games_without_errors",
    QUANTITIES_OF_PLY,
)
"""The numbers of all moves."""


@dataclass(frozen=True, repr=False)
class Grade(Viewable):
    """A policy's moves compared with perfect play, as far as values are known.

    Args:
        game: the game and variant.
        policy: the policy's name.
        moves: its moves, by ply (P,).
        graded: how many of them were graded, by ply (P,).
        blunders: how many of those lost value, by ply and by the kinds in BLUNDERS (P, 3).
        first_errors: of the games of which all its moves were graded, in how many the first that lost value was at each ply (P,).
        games_without_errors: in how many of these none lost value.
        score: the results, if the games were played for the grade; None if moves of other games were graded.
        calibration: how well the values that it states of graded positions agree with perfect play, a curve for each kind of value;
            empty if not asked.
        random_graded: of how many graded moves it is known what random play is worth in the same position, by ply (P,).
        random_optimal_moves: how many of these random play would keep the value in, on average, by ply (P,).
        random_total_value_lost: the value that it would lose in these, on average, by ply (P,).
    """

    game: Game
    policy: str
    moves: NDArray[np.int64]
    graded: NDArray[np.int64]
    blunders: NDArray[np.int64]
    first_errors: NDArray[np.int64]
    games_without_errors: int
    score: Score | None = None
    calibration: tuple[Calibration, ...] = ()
    random_graded: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    random_optimal_moves: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    random_total_value_lost: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def exact(self) -> bool:
        """False, as this grade is of a sample; an `ExactGrade` is of every position."""
        return False

    @property
    def num_moves(self) -> int:
        """How many moves it made."""
        return int(self.moves.sum())

    @property
    def num_graded(self) -> int:
        """How many of them were graded."""
        return int(self.graded.sum())

    @property
    def num_random_graded(self) -> int:
        """Of how many graded moves it is known what random play is worth in the same position."""
        return int(self.random_graded.sum())

    @property
    def graded_rate(self) -> float | None:
        """The share of its moves that were graded; None without moves."""
        return _share(self.graded, self.moves)

    @property
    def optimal_rate(self) -> float | None:
        """The share of its graded moves that keep the value; None if none was graded."""
        return _share(self.graded - self.blunders.sum(axis=1), self.graded)

    @property
    def optimal_interval(self) -> tuple[float, float]:
        """The 95 % interval of `optimal_rate`, as if moves were independent."""
        return wilson(self.num_graded - int(self.blunders.sum()), self.num_graded)

    @property
    def value_lost(self) -> float | None:
        """Value lost per graded move (0 to 2); None if none was graded."""
        return _share(self.total_value_lost, self.graded)

    @property
    def value_lost_interval(self) -> tuple[float, float]:
        """The 95 % interval of `value_lost`, as if moves were independent.

        It is Wilson's interval for half the value, which is from 0 to 1: of all distributions with this mean, that on the ends
        alone spreads most, so the interval is not too narrow.
        """
        low, high = wilson(int(self.total_value_lost.sum()) / 2, self.num_graded)
        return 2 * low, 2 * high

    @property
    def random_optimal_rate(self) -> float | None:
        """The share of graded moves in which a random legal move keeps the value, on average; None if none is known."""
        return _share(self.random_optimal_moves, self.random_graded)

    @property
    def random_value_lost(self) -> float | None:
        """Value that a random legal move loses (0 to 2), on average over graded moves; None if none is known."""
        return _share(self.random_total_value_lost, self.random_graded)

    @property
    def total_value_lost(self) -> NDArray[np.int64]:
        """Value lost in all graded moves, by ply (P,)."""
        return self.blunders @ np.array([1, 1, 2])

    @property
    def first_error(self) -> float | None:
        """The median ply of its first move in a game that lost value, of the games of which all its moves were graded; None if half
        of these have no such move, or if there are none."""
        plies = np.append(np.arange(len(self.moves)).repeat(self.first_errors), np.full(self.games_without_errors, np.inf))
        median = float(np.median(plies)) if len(plies) else np.inf
        return None if median == np.inf else median

    @property
    def games_with_errors(self) -> int:
        """In how many of the games of which all its moves were graded one lost value."""
        return int(self.first_errors.sum())

    @property
    def beatable(self) -> bool | None:
        """True if it lost a game that it played from the start; otherwise None, since no sample can show that it never loses."""
        if self.score is None or self.score.opening_plies or self.score.suite is not None:
            return None
        return True if self.score.losses else None

    @property
    def blunder_counts(self) -> dict[str, int]:
        """How many graded moves lost value, by kind, as `won_to_drawn`."""
        return {kind.replace(" ", "_"): number for kind, number in zip(BLUNDERS, self.blunders.sum(axis=0).tolist(), strict=True)}

    def at(self, start: int, stop: int) -> Grade:
        """The grade of the moves at some plies, which says nothing of whole games."""
        moves = {name: getattr(self, name)[start:stop] for name in BY_PLY}
        return replace(self, games_without_errors=0, score=None, calibration=(), **moves)

    def document(self) -> dict[str, Any]:
        """The grade for JSON."""
        document: dict[str, Any] = {"game": self.game.spec, "policy": self.policy, "exact": self.exact, "beatable": self.beatable}
        if self.score is not None:
            against = self.score.pairing.b
            rates = dict(zip(("win", "draw", "loss"), self.score.rates_by_seat.T.tolist(), strict=True))
            document |= {"against": against, "games": self.score.games, "faults": int(self.score.faults[0].sum())}
            document["opening_plies"] = self.score.opening_plies
            document["suite"] = self.score.suite and self.score.suite.document()
            document["reasons"] = [reason._asdict() for reason in self.score.reasons if reason.policy == self.policy]
            document |= {f"{name}_rate_by_seat": rate for name, rate in rates.items()}
            document |= {f"{name}_rate_vs_random": rate if against == "random" else None for name, rate in rates.items()}
        calibration = [curve.document() for curve in self.calibration]
        return document | numbers_of(self, QUANTITIES) | {"calibration": calibration, "by_ply": [*self._plies()]}

    def _plies(self) -> Iterator[dict[str, Any]]:
        """The numbers of each ply at which it made moves."""
        for ply in np.flatnonzero(self.moves).tolist():
            yield {"ply": ply, **numbers_of(self.at(ply, ply + 1), QUANTITIES_OF_PLY)}

    def __repr__(self) -> str:
        return f"<Grade {self.policy} in {self.game}: {self._summary.removesuffix(self._floor_words)}>"

    @property
    def _summary(self) -> str:
        """The grade in a line."""
        if not self.moves.any():
            return "It made no move that could be graded."
        moves = several(int(self.moves.sum()), "move")
        if self.optimal_rate is None or self.value_lost is None:
            return f"None of its {moves} could be graded: the values of their positions are not known."
        (low, high), (least, most) = self.optimal_interval, self.value_lost_interval
        return (
            f"{self.graded.sum():,} of {moves} graded ({self.graded_rate:.1%}): {self.optimal_rate:.2%} keep the value "
            f"({low:.1%} to {high:.1%}); value lost per move: {self.value_lost:.4f} ({least:.4f} to {most:.4f}){self._floor_words}"
        )

    @property
    def _floor_words(self) -> str:
        """The end of the line: what random play is worth in the same positions."""
        if self.random_optimal_rate is None or self.random_value_lost is None:
            return ""
        where = "the same positions" if self.random_graded.sum() == self.graded.sum() else f"{self.random_graded.sum():,} of these"
        return f"; random play in {where}: {self.random_optimal_rate:.2%} and {self.random_value_lost:.4f}"

    def _parts(self) -> Iterator[Part]:
        if self.score is None:
            yield f"{self.policy} in {self.game}"
        else:
            yield f"{self.policy} in {self.game}: {several(self.score.games, 'game')} against {self.score.pairing.b}"
            yield from opening_words([self.score])
            rates = zip(self.game.player_names, self.score.rates_by_seat.tolist(), strict=True)
            rows = [[f"as {name}", *map(share, shares)] for name, shares in rates]
            yield TextTable("", ["", "won %", "drawn %", "lost %"], rows)
            yield from (faults := fault_words([self.score]))
            if faults:
                yield "Moves that were faults are not graded."
        if self.graded.any():
            title = "Its moves compared with perfect play: how many keep the value, and the value lost per move, and by random play"
            heads = ["ply", *headings(QUANTITIES_OF_PLY), *(kind.replace(" to ", "→") for kind in BLUNDERS)]
            yield TextTable(title, heads, [*self._by_ply()])
        if whole_games := self.games_without_errors + self.games_with_errors:
            error = self.first_error
            first = "no error in half of them or more" if error is None else f"the first error at ply {error:g}"
            yield f"{several(whole_games, 'game')} graded whole: {first} (the median), {self.games_without_errors:,} without any"
        yield from (curve.table for curve in self.calibration)
        yield self._summary

    def _by_ply(self) -> Iterator[list[Any]]:
        """The rows of the table of moves."""
        plies = len(self.moves)
        step = next(step for step in (1, 5, 10, plies) if plies <= MOST_ROWS * step)
        for start in range(0, plies, step):
            stop = min(start + step, plies)
            part = self.at(start, stop)
            if part.graded.any():
                name = str(start) if step == 1 else f"{start}–{stop - 1}"
                yield [name, *cells_of(part, QUANTITIES_OF_PLY), *part.blunder_counts.values()]

    def _rows(self) -> list[dict[str, Any]]:
        return [{"game": self.game.spec, "policy": self.policy, **columns_of(numbers)} for numbers in self._plies()]


def grade_records(game: Game, records: Sequence[GameRecord], policy: str, **how: Any) -> Grade:
    """Grades the moves of a policy, by its name, in games that were played, without openings; `how` is as for `grade_decisions`."""
    return grade_decisions(game, policy, decisions_in(game, records, policy), **how)


def grade_decisions(
    game: Game,
    policy: str,
    decisions: Decisions,
    *,
    seed: int = 0,
    most: int | None = MOST_GRADED,
    oracle: Oracle | None = None,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Grade:
    """Grades decisions of a policy.

    Args:
        game: the game and variant.
        policy: the policy's name.
        decisions: its decisions.
        seed, most, oracle, progress: as for `judge`.
    """
    judged = judge(game, decisions, seed=seed, most=most, oracle=oracle, progress=progress)
    return grade_from(game, policy, decisions, judged)


def grade_from(game: Game, policy: str, decisions: Decisions, judged: Judged) -> Grade:
    """The grade of decisions that were judged.

    Args:
        game: the game and variant.
        policy: the policy's name.
        decisions: its decisions.
        judged: those whose values are known.
    """
    plies = int(decisions.plies.max(initial=-1)) + 1
    blunders = np.zeros((plies, len(BLUNDERS)), np.int64)
    for kind, (was, became) in enumerate(((1, 0), (0, -1), (1, -1))):
        rows = judged.rows[(judged.before == was) & (judged.after == became)]
        np.add.at(blunders[:, kind], decisions.plies[rows], 1)
    moves, graded = (np.bincount(part, minlength=plies) for part in (decisions.plies, decisions.plies[judged.rows]))
    is_known = ~np.isnan(judged.random_loses)
    at = decisions.plies[judged.rows[is_known]]
    first_errors, games_without_errors = _first_errors(decisions, judged, plies)
    return Grade(
        game=game,
        policy=policy,
        moves=moves,
        graded=graded,
        blunders=blunders,
        first_errors=first_errors,
        games_without_errors=games_without_errors,
        random_graded=np.bincount(at, minlength=plies),
        random_optimal_moves=np.bincount(at, judged.random_keeps[is_known], plies).astype(np.float64),
        random_total_value_lost=np.bincount(at, judged.random_loses[is_known], plies).astype(np.float64),
    )


def _first_errors(decisions: Decisions, judged: Judged, plies: int) -> tuple[NDArray[np.int64], int]:
    """In how many games the first move that lost value was at each ply (P,), and in how many there is none.

    Only games of which all moves were graded count: of others the early errors alone would be known.
    """
    lost = np.full(len(decisions.plies), -1)  # -1: not graded
    lost[judged.rows] = judged.value_lost
    whole = ~np.isin(decisions.games, decisions.games[lost < 0])
    wrong = np.flatnonzero(whole & (lost > 0))
    wrong = wrong[np.lexsort((decisions.plies[wrong], decisions.games[wrong]))]
    first = wrong[np.unique(decisions.games[wrong], return_index=True)[1]]
    return np.bincount(decisions.plies[first], minlength=plies), len(np.unique(decisions.games[whole])) - len(first)


def _share(part: NDArray[Any], whole: NDArray[np.int64]) -> float | None:
    """The sum of a part by the sum of the whole; None if that is 0."""
    return float(part.sum() / whole.sum()) if whole.any() else None


GAMES = 1000
"""How many games are played at a time, if their number is not given."""
EXACT = {"exact", "freeze", "largest", "answers", "seeds"}
"""What is said of exact grades alone."""


def grade(
    policy: Any,
    game: str | Game,
    *,
    games: int | None = None,
    against: Any = "random",
    most: int | None = MOST_GRADED,
    calibration: int | None = None,
    seed: int = 0,
    progress: Callable[[str], object] = lambda _: None,
    **how: Unpack[MatchKeywords],
) -> Grade:
    """Compares a policy with perfect play, by its moves in some games. `grade_exact` does so over every position.

    Args:
        policy: a spec, a policy, or whatever `as_policy` takes: a function, a Stable-Baselines3 model, a torch module.
        game: the game, or its spec.
        games: how many games are played, an even number, half of them in each seat; None for two of each opening, where `openings`
            are given, or else for 1000, or more where fewer than `most` moves of these can be graded.
        against: the opponent.
        most: how many moves are graded at most, in games where each takes a search; None for all.
        calibration: of how many positions at most the policy also states values, to be compared with the exact ones.
        seed: the source of all randomness.
        progress: called from time to time with a line about the progress.
        how: how the games are played, as for `evaluate`; without `openings` or `opening_plies` they begin at the start.

    Raises:
        ValueError: the policy does not play this game, or a number is invalid.
        Exception: what a policy raised at its first call, unless faults="count".
    """
    if exact := sorted(EXACT & how.keys()):
        raise TypeError(f"{exact[0]} goes with every position, and grade takes a sample; call grade_exact(policy, game, …)")
    game = make_game(game)
    settings, playing = split_keywords(how)
    if settings.opening_plies is None and settings.openings is None:
        settings = replace(settings, opening_plies=0)
    if (suite := settings.openings_in(game)) is not None:
        settings, games = replace(settings, openings=suite), 2 * len(suite) if games is None else games
    if most is not None:
        whole(most, "most", 1)
    if calibration is not None:
        check_calibration(as_policy(policy, game), calibration)
    at_most = MOST_GAMES if games is None else games
    plan, cast = make_plan([game], [policy], at_most, against=[against], seed=seed, settings=settings)
    pairing = plan.pairings[0]
    progress = ProgressLog(f"grade of {pairing.a} in {game}").beside(progress)
    score, parts, num_gradable = Score.empty(pairing, plan.seed), list[Decisions](), 0
    for start in range(0, at_most, GAMES if games is None else at_most):
        numbers = np.arange(start, min(at_most, start + GAMES) if games is None else at_most)
        before = num_gradable
        for _, played in play_plan(plan, cast, [{pairing: numbers}], stored=False, **playing):
            score += Score.of(pairing, played)
            parts.append(decisions_of(game, played))
            num_gradable += int(can_be_judged(game, parts[-1]).sum())
            progress(f"{several(score.games, 'game')}, {several(num_gradable, 'move')} that can be graded")
        if most is None or num_gradable >= most or num_gradable == before:
            break
    decisions = Decisions.concatenate(game, parts)
    judged = judge(game, decisions, seed=seed, most=most, progress=_clock(progress))
    curves = ()
    if calibration is not None and len(judged.rows):
        known = Valuations.of_positions(decisions.states[judged.rows], judged.before)
        curves = calibrate(as_policy(policy, game), [known.sample(calibration, seed)], seed)
    graded = grade_from(game, pairing.a, decisions, judged)
    return replace(graded, score=score, calibration=curves)


def _clock(progress: Callable[[str], object]) -> Callable[[int, int], object]:
    """Reports how much is done and how long the rest will take."""
    began = time.monotonic()

    def report(done: int, total: int) -> None:
        left = (time.monotonic() - began) * (total - done) / done
        progress(f"{done:,} of {total:,} different moves graded, {left:.0f} s left")

    return report
