"""Sampled grades: how many moves of some games kept the value of the position, and how much value the others lost.

`grade_sampled` lets a policy play until enough of its moves can be graded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.registry import as_policy
from ...core.numbers import several, whole
from ...games.game import Game
from ...games.showing import Part, Shown, TextTable, mean, percent
from ...oracles import Oracle
from ..matches.faults import Faults
from ..matches.games import GameRecord
from ..planning.plan import MOST_GAMES
from ..planning.planning import make_plan
from ..planning.schedule import play_plan
from ..ratings.intervals import wilson
from ..ratings.score import Score, fault_words
from .calibration import Calibration, Valuations, calibrated, check_calibration
from .decisions import Decisions, Judged, can_be_judged, decisions_in, decisions_of, judge

MOST_GRADED = 1000
"""By default so many decisions are graded, if each takes a search."""
MOST_ROWS = 20
"""In longer games several plies share a row."""
BLUNDERS = ("won to drawn", "drawn to lost", "won to lost")
PLY = ("ply", "moves", "graded")
"""What the frame says of each ply, besides what was lost there."""


@dataclass(frozen=True, repr=False)
class Grade(Shown):
    """How a policy's moves compare with perfect play, as far as its values are known. Grades of the same policy and game add up,
    but for their calibration.

    Args:
        game: the game and variant.
        policy: the policy's name.
        moves: its moves, by ply (P,).
        graded: how many of them were graded, by ply (P,).
        blunders: how many of those lost value, by ply and by the kinds in BLUNDERS (P, 3).
        score: the results, if the games were played for the grade; None if moves of other games were graded.
        opening_plies: how many random plies those games began with.
        calibration: how well the values that it states of graded positions agree with perfect play, a curve for each kind of value;
            empty if that was not asked.
    """

    game: Game
    policy: str
    moves: NDArray[np.int64]
    graded: NDArray[np.int64]
    blunders: NDArray[np.int64]
    score: Score | None = None
    opening_plies: int = 0
    calibration: tuple[Calibration, ...] = ()

    def __add__(self, other: Grade) -> Grade:
        counts = np.zeros((max(len(self.moves), len(other.moves)), 2 + len(BLUNDERS)), np.int64)
        for one in (self, other):
            counts[: len(one.moves)] += np.column_stack([one.moves, one.graded, one.blunders])
        score = self.score + other.score if self.score is not None and other.score is not None else None
        plies = max(self.opening_plies, other.opening_plies)
        return Grade(self.game, self.policy, counts[:, 0], counts[:, 1], counts[:, 2:], score, plies)

    def __radd__(self, zero: int) -> Grade:
        """The same moves, so that `sum`, which begins with 0, adds grades up."""
        return self if zero == 0 else NotImplemented

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
        return _lost_interval(int(self.lost.sum()), int(self.graded.sum()))

    @property
    def value_lost(self) -> float | None:
        """Value lost per graded move (0 to 2); None if none was graded."""
        return float(self.lost.sum() / self.graded.sum()) if self.graded.any() else None

    @property
    def lost(self) -> NDArray[np.int64]:
        """Value lost in all graded moves, by ply (P,)."""
        return self.blunders @ np.array([1, 1, 2])

    @property
    def beatable(self) -> bool | None:
        """True if it lost a game that it played from the start; otherwise None, since no sample can show that it never loses."""
        return True if self.score is not None and self.score.losses and not self.opening_plies else None

    def document(self) -> dict[str, Any]:
        """The grade for JSON."""
        document: dict[str, Any] = {"game": self.game.spec, "policy": self.policy, "exact": False, "beatable": self.beatable}
        if self.score is not None:
            against = self.score.pairing.b
            by_seat = self.score.by_seat / np.maximum(1, self.score.by_seat.sum(axis=1, keepdims=True))
            rates = dict(zip(("win", "draw", "loss"), by_seat.T.tolist(), strict=True))
            document |= {"against": against, "games": self.score.games, "faults": int(self.score.faults[0].sum())}
            document["reasons"] = [reason._asdict() for reason in self.score.reasons if reason.policy == self.policy]
            document |= {f"{name}_rate": rate for name, rate in rates.items()}
            document |= {f"{name}_rate_vs_random": rate if against == "random" else None for name, rate in rates.items()}
        return document | {
            "value_lost": self.value_lost,
            "value_lost_interval": self.value_lost_interval,
            "optimal_rate": self.optimal_rate,
            "optimal_interval": self.optimal_interval,
            "moves": int(self.moves.sum()),
            "graded": int(self.graded.sum()),
            "blunders": _blunders(self.blunders.sum(axis=0).tolist()),
            "calibration": [curve.document() for curve in self.calibration],
            "by_ply": [self._at(ply) for ply in np.flatnonzero(self.moves).tolist()],
        }

    def _at(self, ply: int) -> dict[str, Any]:
        """What the document says of a ply."""
        moves, graded, lost = (int(counts[ply]) for counts in (self.moves, self.graded, self.lost))
        kept = graded - int(self.blunders[ply].sum())
        return {
            "ply": ply,
            "moves": moves,
            "graded": graded,
            "blunders": _blunders(self.blunders[ply].tolist()),
            "optimal_rate": kept / graded if graded else None,
            "optimal_interval": wilson(kept, graded),
            "value_lost": lost / graded if graded else None,
            "value_lost_interval": _lost_interval(lost, graded),
        }

    def __repr__(self) -> str:
        return f"<Grade {self.policy} in {self.game}: {self._summary}>"

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
            f"{self.graded.sum():,} of {moves} graded: {self.optimal_rate:.2%} keep the value "
            f"({low:.1%} to {high:.1%}); value lost per move: {self.value_lost:.4f} ({least:.4f} to {most:.4f})"
        )

    def _parts(self) -> Iterator[Part]:
        if self.score is None:
            yield f"{self.policy} in {self.game}"
        else:
            yield f"{self.policy} in {self.game}: {several(self.score.games, 'game')} against {self.score.pairing.b}"
            results = zip(self.game.player_names, self.score.by_seat.tolist(), strict=True)
            rows = [[f"as {name}", *(percent(count, sum(counts)) for count in counts)] for name, counts in results]
            yield TextTable("", ["", "won %", "drawn %", "lost %"], rows)
            yield from (faults := fault_words([self.score]))
            if faults:
                yield "Moves that were faults are not graded."
        if self.graded.any():
            heads = ["ply", "moves", "graded", "kept %", "95 %", "lost", *(kind.replace(" to ", "→") for kind in BLUNDERS)]
            title = "Its moves compared with perfect play: how many keep the value, and the value lost per move"
            yield TextTable(title, heads, self._by_ply())
        yield from (curve.table for curve in self.calibration)
        yield self._summary

    def _by_ply(self) -> list[list[Any]]:
        """The rows of the table of moves."""
        plies = len(self.moves)
        step = next(step for step in (1, 5, 10, plies) if plies <= MOST_ROWS * step)
        rows: list[list[Any]] = []
        for first in range(0, plies, step):
            part = slice(first, min(first + step, plies))
            moves, graded, lost = (int(counts[part].sum()) for counts in (self.moves, self.graded, self.lost))
            blunders: list[int] = self.blunders[part].sum(axis=0).tolist()
            name = str(first) if step == 1 else f"{first}–{part.stop - 1}"
            if graded:
                kept = graded - sum(blunders)
                low, high = (f"{100 * bound:.1f}" for bound in wilson(kept, graded))
                rates = percent(kept, graded), f"{low}–{high}", mean(lost, graded, 3)
                rows.append([name, f"{moves:,}", f"{graded:,}", *rates, *blunders])
        return rows

    def _rows(self) -> list[dict[str, Any]]:
        whole, lost = {"game": self.game.spec, "policy": self.policy}, self.lost.tolist()
        return [
            {**whole, **{name: row[name] for name in PLY}, **row["blunders"], "value_lost": lost[row["ply"]]}
            for row in self.document()["by_ply"]
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
    """Grades some decisions.

    Args:
        game: the game and variant.
        policy: the policy's name.
        decisions: what it chose, in which positions.
        seed, most, oracle, progress: as for `judge`.
    """
    judged = judge(game, decisions, seed=seed, most=most, oracle=oracle, progress=progress)
    return graded_as(game, policy, decisions, judged)


def graded_as(game: Game, policy: str, decisions: Decisions, judged: Judged) -> Grade:
    """The grade of decisions that were judged.

    Args:
        game: the game and variant.
        policy: the policy's name.
        decisions: what it chose, in which positions.
        judged: those whose values are known.
    """
    plies = int(decisions.plies.max(initial=-1)) + 1
    blunders = np.zeros((plies, len(BLUNDERS)), np.int64)
    for kind, (was, became) in enumerate(((1, 0), (0, -1), (1, -1))):
        rows = judged.rows[(judged.before == was) & (judged.after == became)]
        np.add.at(blunders[:, kind], decisions.plies[rows], 1)
    moves, graded = (np.bincount(part, minlength=plies) for part in (decisions.plies, decisions.plies[judged.rows]))
    return Grade(game, policy, moves, graded, blunders)


def _lost_interval(lost: int, graded: int) -> tuple[float, float]:
    """The 95 % interval of the value lost per move (0 to 2).

    It is Wilson's for half the value, from 0 to 1: of all distributions with this mean, that of all or nothing spreads most.
    """
    low, high = wilson(lost / 2, graded)
    return 2 * low, 2 * high


def _blunders(counts: list[int]) -> dict[str, int]:
    return {kind.replace(" ", "_"): count for kind, count in zip(BLUNDERS, counts, strict=True)}


GAMES = 1000
"""So many games are played at a time, if their number is not given."""


def grade_sampled(
    policy: Any,
    game: Game,
    *,
    games: int | None,
    against: Any,
    opening_plies: int,
    most: int | None,
    calibration: int | None,
    seed: int,
    workers: int,
    faults: Faults,
    ask_again: bool,
    progress: Callable[[str], object],
) -> Grade:
    """A grade from the moves of games; arguments as for `grade`."""
    if most is not None:
        whole(most, "most", 1)
    if calibration is not None:
        check_calibration(as_policy(policy, game), calibration)
    at_most = MOST_GAMES if games is None else games
    plan, cast = make_plan(
        [game], [policy], at_most, against=[against], seed=seed, opening_plies=opening_plies, ask_again=ask_again
    )
    pairing = plan.pairings[0]
    score, parts, found = Score.empty(pairing, plan.seed), list[Decisions](), 0
    for start in range(0, at_most, GAMES if games is None else at_most):
        numbers = np.arange(start, min(at_most, start + GAMES) if games is None else at_most)
        before = found
        for _, played in play_plan(plan, cast, lambda _, some=numbers: some, workers=workers, stored=False, faults=faults):
            score += Score.of(pairing, played)
            parts.append(decisions_of(game, played))
            found += int(can_be_judged(game, parts[-1]).sum())
            progress(f"{several(score.games, 'game')}, {several(found, 'move')} that can be graded")
        if most is None or found >= most or found == before:
            break
    decisions = Decisions.joined(game, parts)
    judged = judge(game, decisions, seed=seed, most=most, progress=Clock(progress))
    curves = ()
    if calibration is not None and len(judged.rows):
        known = Valuations.counted(decisions.states[judged.rows], judged.before)
        curves = calibrated(as_policy(policy, game), [known.drawn(calibration, seed)], seed)
    graded = graded_as(game, pairing.a, decisions, judged)
    return replace(graded, score=score, opening_plies=opening_plies, calibration=curves)


class Clock:
    """Says how much is done, and how long the rest will take.

    Args:
        progress: called with a line.
    """

    def __init__(self, progress: Callable[[str], object]) -> None:
        self._progress, self._began = progress, time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        left = (time.monotonic() - self._began) * (total - done) / done
        self._progress(f"{done:,} of {total:,} different moves graded, {left:.0f} s left")
