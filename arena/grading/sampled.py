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
from ...games.display import Part, TextTable, Viewable, mean, percent
from ...games.game import Game
from ...games.registry import make_game
from ...oracles import Oracle
from ..matches.games import GameRecord
from ..matches.settings import MatchKeywords, split_keywords
from ..planning.plan import MOST_GAMES
from ..planning.planning import make_plan
from ..planning.schedule import play_plan
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


@dataclass(frozen=True, repr=False)
class Grade(Viewable):
    """A policy's moves compared with perfect play, as far as values are known. Grades of the same policy and game can be added; the
    sum has no calibration.

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

    def __add__(self, other: Grade) -> Grade:
        plies = max(len(self.moves), len(other.moves))
        counts, floor = np.zeros((plies, 3 + len(BLUNDERS)), np.int64), np.zeros((3, plies))
        for grade in (self, other):
            counts[: len(grade.moves)] += np.column_stack([grade.moves, grade.graded, grade.first_errors, grade.blunders])
            floor[:, : len(grade.random_graded)] += grade.random_graded, grade.random_optimal_moves, grade.random_total_value_lost
        score = self.score + other.score if self.score is not None and other.score is not None else None
        return Grade(
            game=self.game,
            policy=self.policy,
            moves=counts[:, 0],
            graded=counts[:, 1],
            blunders=counts[:, 3:],
            first_errors=counts[:, 2],
            games_without_errors=self.games_without_errors + other.games_without_errors,
            score=score,
            random_graded=floor[0].astype(np.int64),
            random_optimal_moves=floor[1],
            random_total_value_lost=floor[2],
        )

    def __radd__(self, zero: int) -> Grade:
        """This grade, so that `sum`, which starts from 0, can add grades."""
        return self if zero == 0 else NotImplemented

    @property
    def exact(self) -> bool:
        """False, as this grade is of a sample; an `ExactGrade` is of every position."""
        return False

    @property
    def optimal_rate(self) -> float | None:
        """The share of its graded moves that keep the value; None if none was graded."""
        return float(1 - self.blunders.sum() / self.graded.sum()) if self.graded.any() else None

    @property
    def optimal_interval(self) -> tuple[float, float]:
        """The 95 % interval of `optimal_rate`, as if moves were independent."""
        return wilson(int(self.graded.sum() - self.blunders.sum()), int(self.graded.sum()))

    @property
    def value_lost_interval(self) -> tuple[float, float]:
        """The 95 % interval of `value_lost`, as if moves were independent."""
        return _loss_interval(int(self.total_value_lost.sum()), int(self.graded.sum()))

    @property
    def value_lost(self) -> float | None:
        """Value lost per graded move (0 to 2); None if none was graded."""
        return float(self.total_value_lost.sum() / self.graded.sum()) if self.graded.any() else None

    @property
    def graded_rate(self) -> float | None:
        """The share of its moves that were graded; None without moves."""
        return float(self.graded.sum() / self.moves.sum()) if self.moves.any() else None

    @property
    def random_optimal_rate(self) -> float | None:
        """The share of graded moves in which a random legal move keeps the value, on average; None if none is known."""
        return float(self.random_optimal_moves.sum() / self.random_graded.sum()) if self.random_graded.any() else None

    @property
    def random_value_lost(self) -> float | None:
        """Value that a random legal move loses (0 to 2), on average over graded moves; None if none is known."""
        return float(self.random_total_value_lost.sum() / self.random_graded.sum()) if self.random_graded.any() else None

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
        return document | {
            "value_lost": self.value_lost,
            "value_lost_interval": self.value_lost_interval,
            "optimal_rate": self.optimal_rate,
            "optimal_interval": self.optimal_interval,
            "random_value_lost": self.random_value_lost,
            "random_optimal_rate": self.random_optimal_rate,
            "random_graded": int(self.random_graded.sum()),
            "moves": int(self.moves.sum()),
            "graded": int(self.graded.sum()),
            "graded_rate": self.graded_rate,
            "blunders": _blunder_counts(self.blunders.sum(axis=0).tolist()),
            "first_error": self.first_error,
            "games_with_errors": self.games_with_errors,
            "games_without_errors": self.games_without_errors,
            "calibration": [curve.document() for curve in self.calibration],
            "by_ply": [self._at(ply) for ply in np.flatnonzero(self.moves).tolist()],
        }

    def _at(self, ply: int) -> dict[str, Any]:
        """The entry of a ply in the document."""
        moves, graded, lost = (int(counts[ply]) for counts in (self.moves, self.graded, self.total_value_lost))
        kept = graded - int(self.blunders[ply].sum())
        random_graded, random_kept, random_lost = self._floor(slice(ply, ply + 1))
        return {
            "ply": ply,
            "moves": moves,
            "graded": graded,
            "graded_rate": graded / moves,
            "blunders": _blunder_counts(self.blunders[ply].tolist()),
            "first_errors": int(self.first_errors[ply]),
            "optimal_rate": kept / graded if graded else None,
            "optimal_interval": wilson(kept, graded),
            "value_lost": lost / graded if graded else None,
            "value_lost_interval": _loss_interval(lost, graded),
            "random_graded": random_graded,
            "random_optimal_rate": random_kept / random_graded if random_graded else None,
            "random_value_lost": random_lost / random_graded if random_graded else None,
        }

    def _floor(self, plies: slice) -> tuple[int, float, float]:
        """Of some plies the number of moves with a floor, how many random play keeps the value in, and the value that it loses."""
        lost = float(self.random_total_value_lost[plies].sum())
        return int(self.random_graded[plies].sum()), float(self.random_optimal_moves[plies].sum()), lost

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
            results = zip(self.game.player_names, self.score.by_seat.tolist(), strict=True)
            rows = [[f"as {name}", *(percent(count, sum(counts)) for count in counts)] for name, counts in results]
            yield TextTable("", ["", "won %", "drawn %", "lost %"], rows)
            yield from (faults := fault_words([self.score]))
            if faults:
                yield "Moves that were faults are not graded."
        if self.graded.any():
            heads = [
                "ply",
                "moves",
                "graded",
                "kept %",
                "95 %",
                "lost",
                "random",
                *(kind.replace(" to ", "→") for kind in BLUNDERS),
            ]
            title = "Its moves compared with perfect play: how many keep the value, and the value lost per move, and by random play"
            yield TextTable(title, heads, self._by_ply())
        if whole_games := self.games_without_errors + self.games_with_errors:
            error = self.first_error
            first = "no error in half of them or more" if error is None else f"the first error at ply {error:g}"
            yield f"{several(whole_games, 'game')} graded whole: {first} (the median), {self.games_without_errors:,} without any"
        yield from (curve.table for curve in self.calibration)
        yield self._summary

    def _by_ply(self) -> list[list[Any]]:
        """The rows of the table of moves."""
        plies = len(self.moves)
        step = next(step for step in (1, 5, 10, plies) if plies <= MOST_ROWS * step)
        rows: list[list[Any]] = []
        for first in range(0, plies, step):
            part = slice(first, min(first + step, plies))
            moves, graded, lost = (int(counts[part].sum()) for counts in (self.moves, self.graded, self.total_value_lost))
            blunders: list[int] = self.blunders[part].sum(axis=0).tolist()
            name = str(first) if step == 1 else f"{first}–{part.stop - 1}"
            if graded:
                kept = graded - sum(blunders)
                low, high = (f"{100 * bound:.1f}" for bound in wilson(kept, graded))
                random_graded, _, random_lost = self._floor(part)
                rates = percent(kept, graded), f"{low}–{high}", mean(lost, graded, 3), mean(random_lost, random_graded, 3)
                rows.append([name, f"{moves:,}", f"{graded:,}", *rates, *blunders])
        return rows

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"game": self.game.spec, "policy": self.policy, **_columns(self._at(ply))}
            for ply in np.flatnonzero(self.moves).tolist()
        ]


def grade_records(
    game: Game,
    records: Sequence[GameRecord],
    policy: str,
    *,
    seed: int = 0,
    most: int | None = MOST_GRADED,
    oracle: Oracle | None = None,
) -> Grade:
    """Grades a policy's moves in games that were played, without openings.

    Args:
        game: the game and variant.
        records: the games.
        policy: the policy's name in them.
        seed, most, oracle: as for `grade_decisions`.
    """
    return grade_decisions(game, policy, decisions_in(game, records, policy), seed=seed, most=most, oracle=oracle)


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


def _loss_interval(lost: int, graded: int) -> tuple[float, float]:
    """The 95 % interval of the value lost per move (0 to 2).

    It is Wilson's interval for half the value, which is from 0 to 1: of all distributions with this mean, that on the ends alone
    spreads most, so the interval is not too narrow.
    """
    low, high = wilson(lost / 2, graded)
    return 2 * low, 2 * high


def _blunder_counts(counts: list[int]) -> dict[str, int]:
    """The counts of blunders by the names of their kinds, as `won_to_drawn`."""
    return {kind.replace(" ", "_"): count for kind, count in zip(BLUNDERS, counts, strict=True)}


def _columns(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry of a ply as columns of a frame: a kind of blunder is one, and a bound of an interval is one."""
    columns = dict[str, Any]()
    for name, value in entry.items():
        if name == "blunders":
            columns |= value
        elif name.endswith("_interval"):
            columns |= dict(zip((name.replace("_interval", "_low"), name.replace("_interval", "_high")), value, strict=True))
        else:
            columns[name] = value
    return columns


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
