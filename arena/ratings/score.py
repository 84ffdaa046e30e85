"""`Score`: the results of two policies against each other, counted in all the ways that tables and ratings need."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import several, short_repr, whole
from ...games.display import Part, TextTable, Viewable
from ...games.registry import make_game
from ...records.openings import Openings
from ..matches.faults import Reason, fault_sentence, merge_reasons, reasons_of
from ..matches.games import A_GAME, ENDINGS, FIRST_FAULT, RESIGNED, Pairing, PlayedGames, sum_nodes
from ..quantities import Quantity, columns_of, count, in_order, numbers_of, shares_in_percent
from .evidence import Evidence, count_games
from .intervals import Rating, elo_of_points, wilson
from .means import mean_interval, p_of_at_most

WIN, DRAW, LOSS = range(3)
RESULTS = {"win": WIN, "draw": DRAW, "loss": LOSS}
SHARES = np.array([0, 0.25, 0.5, 0.75, 1])
"""What both games of an opening can give: the share of their points."""
POINTS = np.array([1, 0.5, 0])
"""The points of a win, a draw and a loss."""


@dataclass(frozen=True, repr=False)
class Score(Viewable):
    """The results of one pairing, from the side of `a`. Scores of the same pairing and of different seeds can be added.

    Args:
        pairing: the game and the two policies.
        plies: the number of games by a's seat, by a's result, and by their plies (2, 3, P).
        faults: the number of games that ended by a fault, by whose fault (a's, b's) and by the number in ENDINGS (2, E).
        moves: how many actions a and b chose (2,).
        seconds: how long a and b thought (2,).
        nodes: how many positions a and b visited (2,); -1 where they do not count them, or not in all games.
        reasons: why games were lost by faults, each reason once, in the order of their first games.
        evidence: how its games belong together: by openings, as repetitions, and by seeds.
    """

    pairing: Pairing
    plies: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, 3, 1), np.int64))
    faults: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, len(ENDINGS)), np.int64))
    moves: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, np.int64))
    seconds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))
    nodes: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, np.int64))
    reasons: tuple[Reason, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)

    @property
    def opening_plies(self) -> int:
        """How many random plies its games began with, at most; 0 where they began at the start or from a suite."""
        return self.evidence.opening_plies

    @property
    def suite(self) -> Openings | None:
        """The openings that its games began with, in turn; None for random plies."""
        return self.evidence.suite

    @classmethod
    def empty(cls, pairing: Pairing, *seeds: int) -> Score:
        """A score without games, for games of these seeds."""
        return cls(pairing, evidence=Evidence(seeds=frozenset(seeds)))

    @classmethod
    def from_counts(
        cls, wins: int, draws: int, losses: int, *, a: str = "a", b: str = "b", game: str = A_GAME, seat: int | None = None
    ) -> Score:
        """The score of games of any a and b, each an observation of its own; ValueError where a count is no whole number.

        Args:
            wins, draws, losses: how many games a won, drew and lost.
            seat: a's seat in all of them, 0 or 1; None if it is not known: then `by_seat` has them under seat 0.
        """
        counts = [whole(count, name) for count, name in ((wins, "wins"), (draws, "draws"), (losses, "losses"))]
        row = 2 if seat is None else whole(seat, "seat", 0, 1)
        plies, singles = np.zeros((2, 3, 1), np.int64), np.zeros((3, 3), np.int64)
        plies[row % 2, :, 0] = singles[row] = counts
        evidence = Evidence(lines=None, numbered=None, singles=singles)
        return cls(Pairing(game, a, b), plies=plies, nodes=np.full(2, -1), evidence=evidence)

    @classmethod
    def of(cls, pairing: Pairing, played: PlayedGames) -> Score:
        """The score of some games.

        Args:
            pairing: whose games they are.
            played: the games, in any order, always both games of an opening.
        """
        order = np.argsort(played.numbers)
        seats = played.numbers[order] % 2
        results = 1 - np.where(seats == 0, played.results[order], -played.results[order]).astype(np.int64)
        plies = np.zeros((2, 3, int(played.plies.max(initial=0)) + 1), np.int64)
        np.add.at(plies, (seats, results, played.plies[order]), 1)
        faults = np.zeros((2, len(ENDINGS)), np.int64)
        broken = (played.endings[order] >= FIRST_FAULT) & (played.endings[order] != RESIGNED)
        np.add.at(faults, ((results[broken] == WIN).astype(np.int64), played.endings[order][broken]), 1)
        by_seat = np.arange(2)[None] ^ seats[:, None]  # the seats of a and b
        return cls(
            pairing=pairing,
            plies=plies,
            faults=faults,
            moves=np.take_along_axis(played.moves[order], by_seat, 1).sum(0),
            seconds=np.take_along_axis(played.seconds[order], by_seat, 1).sum(0),
            nodes=sum_nodes(np.take_along_axis(played.nodes[order], by_seat, 1)),
            reasons=reasons_of(pairing, played),
            evidence=Evidence.of(played, played.numbers[order], results),
        )

    def __add__(self, other: Score) -> Score:
        """The games of both.

        Raises:
            ValueError: they are of different pairings, or have games of the same seed.
        """
        if self.pairing != other.pairing:
            raise ValueError(f"one score is of {self.pairing}, the other of {other.pairing}; scores of one pairing add up")
        if seeds := self.evidence.seeds & other.evidence.seeds:
            named = ", ".join(map(str, sorted(seeds)))
            raise ValueError(f"both scores have games of seed {named}, which would count twice; give another seed, or more games")
        if self.games and other.games and self.suite != other.suite:
            ways = " and ".join("random plies" if suite is None else str(suite) for suite in (self.suite, other.suite))
            raise ValueError(f"the games of the scores began with {ways}; scores of games with the same openings add up")
        return self._with(other)

    def __radd__(self, zero: int) -> Score:
        """This score, so that `sum`, which starts from 0, can add scores."""
        return self if zero == 0 else NotImplemented

    def _with(self, other: Score) -> Score:
        """The games of both, whatever their pairings."""
        plies = np.zeros((2, 3, max(self.plies.shape[2], other.plies.shape[2])), np.int64)
        for score in (self, other):
            plies[:, :, : score.plies.shape[2]] += score.plies
        return Score(
            pairing=self.pairing,
            plies=plies,
            faults=self.faults + other.faults,
            moves=self.moves + other.moves,
            seconds=self.seconds + other.seconds,
            nodes=sum_nodes([self.nodes, other.nodes]),
            reasons=merge_reasons(self.reasons + other.reasons) if other.reasons else self.reasons,
            evidence=self.evidence.join(other.evidence, same_pairing=self.pairing == other.pairing),
        )

    @property
    def turned(self) -> Score:
        """The score of these games from b's side."""
        game, a, b = self.pairing
        return replace(
            self,
            pairing=Pairing(game, b, a),
            plies=self.plies[::-1, ::-1],
            faults=self.faults[::-1],
            moves=self.moves[::-1],
            seconds=self.seconds[::-1],
            nodes=self.nodes[::-1],
            evidence=self.evidence.turned,
        )

    @property
    def by_seat(self) -> NDArray[np.int64]:
        """Wins, draws and losses of a seated at 0, and seated at 1 (2, 3)."""
        return self.plies.sum(axis=2)

    @property
    def rates_by_seat(self) -> NDArray[np.float64]:
        """The shares of games that a won, drew and lost, seated at 0, and seated at 1 (2, 3); 0 without games."""
        return self.by_seat / np.maximum(1, self.by_seat.sum(axis=1, keepdims=True))

    @property
    def games(self) -> int:
        """How many games were played."""
        return int(self.plies.sum())

    @property
    def wins(self) -> int:
        """How many games a won."""
        return int(self.by_seat[:, WIN].sum())

    @property
    def draws(self) -> int:
        """How many games were drawn."""
        return int(self.by_seat[:, DRAW].sum())

    @property
    def losses(self) -> int:
        """How many games a lost."""
        return int(self.by_seat[:, LOSS].sum())

    @property
    def win_rate(self) -> float:
        """Wins by games; 0 without games."""
        return self.wins / max(1, self.games)

    @property
    def points(self) -> float:
        """One point for a win and half a point for a draw, by games; 0 without games."""
        return (self.wins + self.draws / 2) / max(1, self.games)

    @property
    def different(self) -> int:
        """The number of different games; that of all where more than a thousand differ, or their moves are not known."""
        return self.games if self.evidence.lines is None else count_games(self.evidence.lines)

    @property
    def independent(self) -> int:
        """How many games the intervals count: the different ones, if both policies are deterministic and openings were repeated;
        else all, also where some are alike by chance."""
        deterministic = self.evidence.lines is not None and len(self.evidence.lines) == self.different
        return self.different if deterministic else self.games

    def interval(self, result: Literal["win", "draw", "loss"] = "win", confidence: float = 0.95) -> tuple[float, float]:
        """The Wilson interval of how often a has this result; a game that was repeated counts once.

        Where openings of a suite were repeated, it is the interval of the mean over openings, all games of one being a single
        observation (arena/ratings/means.py).

        Raises:
            ValueError: there is no such result, or the confidence is not between 0 and 1.
        """
        if not isinstance(result, str) or result not in RESULTS:  # a number could be a result, 1 for won, or a column
            raise ValueError(f"result is {short_repr(result)}; it must be 'win', 'draw' or 'loss'")
        if self.evidence.is_suite_repeated:
            return mean_interval(*self.evidence.by_share(np.eye(3)[RESULTS[result]]), confidence)
        count = int(self.by_seat[:, RESULTS[result]].sum())
        return wilson(
            count if self.independent == self.games else count * self.independent / self.games, self.independent, confidence
        )

    def points_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The interval of `points`, from openings: all games of one are a single observation, since they are not independent.

        It holds for few openings, too, and where all games were won (arena/ratings/means.py). Repeated games count once.

        Raises:
            ValueError: the confidence is not between 0 and 1.
        """
        return mean_interval(*self._openings_by_share, confidence)

    def elo(self, confidence: float = 0.95) -> Rating:
        """The Elo difference at which a's points are expected, and that of the bounds of `points_interval`.

        All points are an infinite difference, and no points minus infinity; so are the bounds. Without games it is nan. Ratings are
        further apart where games are drawn: they count wins by losses, and here a draw is half a point.

        Raises:
            ValueError: the confidence is not between 0 and 1.
        """
        low, high = map(elo_of_points, self.points_interval(confidence))
        return Rating(elo_of_points(self.points) if self.games else math.nan, low, high)

    def p_value(self, margin: float | None = None) -> float:
        """How probable points so far from a hypothesis are if it is true, by the same method as `points_interval`.

        Args:
            margin: None for the hypothesis that a and b are equal, two-sided: twice the smaller of both one-sided p-values. A
                number for the hypothesis that a's expected points are at most 0.5 + margin, one-sided: a small p-value shows that a
                is better by more than a margin above 0 (superiority), or not worse by as much as one below 0 (non-inferiority).

        Raises:
            ValueError: the margin is not between -0.5 and 0.5.
        """
        shares, counts = self._openings_by_share
        if margin is None:
            return min(1.0, 2 * min(p_of_at_most(0.5, shares, counts), p_of_at_most(0.5, 1 - shares, counts)))
        if not -0.5 <= margin <= 0.5:
            raise ValueError(f"margin is {margin}; it is a share of the points above a half, from -0.5 to 0.5, such as 0.05")
        return p_of_at_most(0.5 + margin, shares, counts)

    @property
    def _openings_by_share(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The shares of the points that openings gave, and how many gave each; of repeated games, only different ones count."""
        if self.evidence.is_suite_repeated:
            return self.evidence.by_share(POINTS)
        lost = np.add.outer(range(3), range(3)).ravel()
        counts = np.zeros(len(SHARES))
        np.add.at(counts, 4 - lost, self.evidence.openings.ravel())
        counts[::-2] += self.evidence.singles.sum(0)
        return SHARES, counts * (self.independent / self.games) if self.independent < self.games else counts

    @property
    def seconds_a_move(self) -> tuple[float, float]:
        """Seconds that a and b thought about a move, on average."""
        a, b = (self.seconds / np.maximum(1, self.moves)).tolist()
        return a, b

    @property
    def nodes_a_game(self) -> tuple[float | None, float | None]:
        """The number of positions that a and b visited in a game, on average; None for one that does not count them."""
        a, b = (int(nodes) / self.games if self.games and nodes >= 0 else None for nodes in self.nodes)
        return a, b

    @property
    def faults_by_side(self) -> tuple[int, int]:
        """How many games a and b lost by faults."""
        a, b = self.faults.sum(1).tolist()
        return a, b

    def document(self) -> dict[str, Any]:
        """The score for JSON."""
        return {
            **self.pairing._asdict(),
            **numbers_of(self, IN_DOCUMENT),
            "by_seat": self.by_seat.tolist(),
            "elo": [number if math.isfinite(number) else None for number in self.elo()],
            "openings": self.evidence.openings.tolist(),
            "suite": self.suite and self.suite.document(),
            "faults": sum(self.faults_by_side),
            "reasons": [reason._asdict() for reason in self.reasons],
        }

    def __repr__(self) -> str:
        game, a, b = self.pairing
        faults = f", {self.faults.sum():,} by faults" if self.faults.any() else ""
        counts = f"{self.wins} won, {self.draws} drawn, {self.losses} lost of {self.games}{faults}"
        return f"<Score {a} against {b} in {game}: {counts}; wins {self._wins}>"

    @property
    def _wins(self) -> str:
        low, high = self.interval()
        return f"{self.win_rate:.1%} ({low:.1%} to {high:.1%})"

    @property
    def _points(self) -> str:
        low, high = self.points_interval()
        least, most = map(elo_of_points, (low, high))
        if math.isfinite(least) and math.isfinite(most):
            ahead = f"Elo {least:+.0f} to {most:+.0f}"
        elif math.isfinite(least):
            ahead = f"Elo above {least:+.0f}"
        else:
            ahead = f"Elo below {most:+.0f}" if math.isfinite(most) else "Elo unknown"
        return f"{self.points:.1%} of the points ({low:.1%} to {high:.1%}; {ahead})"

    def _parts(self) -> Iterator[Part]:
        game, a, b = self.pairing
        names = () if self.evidence.singles.any() else make_game(game).player_names
        counts = {f"as {name}": row for name, row in zip(names, self.by_seat, strict=False)}
        rows = [
            [name, count(row.sum()), *map(shares_in_percent(1), row / max(1, row.sum()))]
            for name, row in {**counts, "in all": self.by_seat.sum(0)}.items()
        ]
        yield TextTable(f"{a} against {b} in {game}", ["", "games", "won %", "drawn %", "lost %"], rows)
        yield f"It wins {self._wins}, and makes {self._points}."
        yield from opening_words([self])
        yield from fault_words([self])
        yield from repeat_words([self])

    def _rows(self) -> list[dict[str, Any]]:
        first_fault = self.reasons[0].text if self.reasons else None
        numbers = columns_of(numbers_of(self, IN_FRAME))
        return [{**self.pairing._asdict(), **numbers, **opening_columns(self), "first_fault": first_fault}]


QUANTITIES = (
    Quantity("win_interval", path="interval"),
    Quantity("elo", path="elo.elo"),
    Quantity("elo_interval", path="elo.interval"),
    Quantity("different_games", path="different"),
    Quantity("faults", path="faults_by_side"),
)
"""Numbers of a score that do not have the name of its attribute."""
COUNTS = "games wins draws losses"
EVIDENCE = "points points_interval p_value seconds_a_move nodes_a_game"
IN_DOCUMENT = in_order(f"{COUNTS} win_interval {EVIDENCE} opening_plies different_games", QUANTITIES)
IN_FRAME = in_order(f"{COUNTS} win_rate win_interval elo elo_interval {EVIDENCE} faults", QUANTITIES)


def opening_columns(score: Score) -> dict[str, Any]:
    """The columns of a frame that say what games began with: the number of random plies, and a suite, or None."""
    suite = score.suite
    return {
        "opening_plies": score.opening_plies,
        "openings": suite and suite.name,
        "openings_checksum": suite and suite.checksum,
    }


def total(scores: Iterable[Score], name: str) -> Score:
    """The score of one policy against all others in one game; games against itself count once."""
    of_it = [score if score.pairing.a == name else score.turned for score in scores if name in score.pairing[1:]]
    return reduce(Score._with, of_it, Score.empty(Pairing(of_it[0].pairing.game, name, "everybody")))  # pyright: ignore[reportPrivateUsage]


def fault_words(scores: Iterable[Score]) -> list[str]:
    """For each policy that lost games by faults, a sentence: how many, how, and the first reason."""
    scores = [*scores]
    totals = [total(scores, name) for name in dict.fromkeys(name for score in scores for name in score.pairing[1:])]
    return [words for score in totals if (words := fault_sentence(score.pairing.a, score.games, score.reasons))]


def repeat_words(scores: Iterable[Score]) -> list[str]:
    """For each pairing whose games were repeated, a sentence: how many different games there are, and what to do."""
    return [
        f"{score.pairing.a} against {score.pairing.b}: only {score.independent:,} of {score.games:,} games differ: both are "
        "deterministic, and openings were repeated. The interval counts each game once; "
        f"{'more opening plies give more games' if score.suite is None else 'a longer list of openings gives more games'}."
        for score in scores
        if score.independent < score.games
    ]


def opening_words(scores: Iterable[Score]) -> list[str]:
    """What games began with: how many random plies; or for each suite, which it is, and whether its openings were repeated."""
    words, plies = dict[str, bool](), set[int]()
    for score in scores:
        if score.evidence.singles.any():
            continue  # it is not known what they began with
        if score.suite is None:
            plies.add(score.opening_plies)
        else:
            played = -(-score.games // 2)
            which = f"the first {played:,} of {score.suite}" if played < len(score.suite) else f"{score.suite}"
            words[which] = words.get(which, False) or score.evidence.is_suite_repeated
    repeated = " They were repeated; the intervals count all games of an opening once."
    began = [f"Games began with {suite}, each from both seats.{repeated * is_repeated}" for suite, is_repeated in words.items()]
    if random := max(plies, default=0):
        return [f"Games began with {several(random, 'random ply', 'random plies')}, each opening from both seats.", *began]
    return [*(["Games began at the start, without random plies."] if plies else []), *began]
