"""The data of a report: a tournament's plan, scores, ratings, grades, faults and sample games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game
from ...games.registry import make_game
from ...oracles.values import quick_oracle
from ..grading import Grade, grade_decisions
from ..grading.answer_rates import AnswerRates
from ..grading.decisions import Decisions, RelativeLoss, decisions_of
from ..grading.verdict import Judge
from ..matches.faults import Reason, by_kind
from ..matches.games import FIRST_FAULT, RESIGNED, RULES, Pairing
from ..pages import Replay
from ..planning.plan import Plan
from ..ratings.payoffs import PayoffTable
from ..ratings.ratings import Rating, Ratings
from ..ratings.score import Score, total
from ..ratings.sprt import SprtResult
from ..results import Results
from ..store.store import Session, Store

MOST_REASONS = 12
"""How many kinds of faults are listed for a game."""


@dataclass(frozen=True)
class GameReport:
    """The report of one game.

    Args:
        game: the game and variant.
        scores: the scores of its pairings.
        ratings: the ratings by these scores.
        samples: games to step through.
        faults: the faults, by policy and kind.
        grades: the grades of the policies' moves, where the oracle knows enough of them.
        opening_plies: how many random plies games began with.
        answers: the answer rates of policies that speak.
        payoffs: what each policy gets against each other; None unless all have met.
        tests: what the sequential test says of each pairing, if the plan has one.
        losses: what policies' moves lost over what random moves lose, by a protocol.
        swiss: each policy's points and Buchholz after Swiss rounds; empty where there were none.
        order: sentences on the order of the standing.
    """

    game: Game
    scores: Sequence[Score]
    ratings: Ratings
    samples: Sequence[Replay] = ()
    faults: Sequence[Reason] = ()
    grades: Mapping[str, Grade] = field(default_factory=dict[str, Grade])
    opening_plies: int = 0
    answers: Mapping[str, AnswerRates] = field(default_factory=dict[str, AnswerRates])
    payoffs: PayoffTable | None = None
    tests: Mapping[Pairing, SprtResult] = field(default_factory=dict[Pairing, SprtResult])
    losses: Mapping[str, RelativeLoss] = field(default_factory=dict[str, RelativeLoss])
    swiss: Mapping[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    order: Sequence[str] = ()

    @property
    def names(self) -> list[str]:
        """The policies that played, the strongest first."""
        return [*self.ratings.elo]

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(score.games for score in self.scores)

    @property
    def slug(self) -> str:
        """The game's spec as a part of ids in a page."""
        return "".join(c if c.isalnum() else "-" for c in self.game.spec)

    @cached_property
    def totals(self) -> dict[str, Score]:
        """Each policy's score against all others, by its name, the strongest first."""
        return {name: total(self.scores, name) for name in self.names}

    def rating(self, name: str) -> Rating:
        """A policy's Elo; bounds that were not computed are the Elo itself."""
        elo, low, high = self.ratings.elo[name]
        return Rating(elo, elo if math.isnan(low) else low, elo if math.isnan(high) else high)

    def score(self, a: str, b: str) -> Score | None:
        """The score of a against b; None if they did not meet."""
        met = [s if s.pairing[1:] == (a, b) else s.turned for s in self.scores if {*s.pairing[1:]} == {a, b} and s.games]
        return sum(met[1:], met[0]) if met else None

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many games player 0 won, drew and lost, by how many plies they had (3, P)."""
        longest = max((score.plies.shape[2] for score in self.scores), default=1)
        games = np.zeros((3, longest), np.int64)
        for score in self.scores:
            games[:, : score.plies.shape[2]] += score.plies[0] + score.plies[1, ::-1]
        return games


@dataclass(frozen=True)
class Report:
    """The report of a tournament.

    Args:
        title: its heading.
        plan: the plan.
        games: the reports of its games.
        sessions: the sessions in which it was played.
        command: the command that plays it again; empty if there is none.
    """

    title: str
    plan: Plan
    games: Sequence[GameReport]
    sessions: Sequence[Session] = ()
    command: str = ""

    @cached_property
    def policies(self) -> list[str]:
        """The policies by their mean points over the games, the best first."""
        points: dict[str, list[float]] = {}
        for game in self.games:
            for name in game.names:
                points.setdefault(name, []).append(game.totals[name].points)
        return sorted(points, key=lambda name: float(np.mean(points[name])), reverse=True)

    @property
    def num_games(self) -> int:
        """The number of games played."""
        return sum(game.games for game in self.games)

    @property
    def seconds(self) -> float:
        """The seconds that the policies thought in all."""
        return float(sum(score.seconds.sum() for game in self.games for score in game.scores))


def report_of(
    results: Results,
    *,
    command: str = "",
    title: str = "",
    samples: int = 4,
    graded: int = 100,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Report:
    """Gathers the report of a tournament.

    Args:
        results: the results of a tournament, finished or not.
        command: the command that plays it again.
        title: the page's heading; by default the games' names.
        samples: how many games at most are shown move by move, for each game.
        graded: how many moves of each policy are graded, in games where that takes a search each; 0 for no grades and
            no verdicts on moves at all.
        progress: called before each game with how many games are graded, and how many there are; and at the end.
    """
    store, games = results.store, list[GameReport]()
    for number, spec in enumerate(results.games):
        progress(number, len(results.games))
        game, ratings = make_game(spec), results.ratings[spec]
        if scores := [score for score in results.scores_of(spec) if score.games]:
            answers = results.answers.get(spec, {})
            forfeit = any(rates.forfeited for rates in answers.values())
            picked = samples_of(game, store, scores, ratings, samples, forfeit=forfeit, judged=graded > 0)
            known = grades_of(game, store, scores, graded) if graded else {}
            known |= {name: rates.grade for name, rates in answers.items() if name in known and rates.grade}
            grades = {name: known[name] for name in ratings.elo if name in known}
            faults = by_kind(reason for score in scores for reason in score.reasons)[:MOST_REASONS]
            plies = results.plan.opening_plies[spec]
            games.append(
                GameReport(
                    game=game,
                    scores=scores,
                    ratings=ratings,
                    samples=picked,
                    faults=faults,
                    grades=grades,
                    opening_plies=plies,
                    answers=answers,
                    payoffs=results.payoffs(spec),
                    tests=results.tests_of(spec),
                    losses=results.losses.get(spec, {}) if graded else {},
                    swiss=results.swiss.get(spec, {}),
                    order=results.swiss_words(spec),
                )
            )
    progress(len(results.games), len(results.games))
    heading = title or title_of([report.game for report in games])
    return Report(title=heading, plan=results.plan, games=games, sessions=store.sessions(), command=command)


def title_of(games: Sequence[Game]) -> str:
    """A heading that names the games."""
    titles = [*dict.fromkeys(game.title for game in games)]
    return " and ".join(filter(None, [", ".join(titles[:-1]), *titles[-1:]])) or "No games yet"


GRADED_GAMES = 400
"""About how many games of each policy are graded."""
FEWEST = 20
"""Grades of fewer moves are left out."""


def grades_of(game: Game, store: Store, scores: Sequence[Score], most: int) -> dict[str, Grade]:
    """The grades of the policies of one game, from the moves that the oracle knows.

    Args:
        game: the game and variant.
        store: the store of its games.
        scores: the scores of its pairings.
        most: how many moves of each policy are graded at most, in games where each takes a search.
    """
    oracle = quick_oracle(game, at_once=True)
    decisions: dict[str, list[Decisions]] = {}
    met = Counter(name for score in scores for name in score.pairing[1:])
    games = GRADED_GAMES // max(met.values()) + 1
    for score in scores:
        played = next(store.parts(score.pairing, games))
        for side, name in enumerate(score.pairing[1:]):
            decisions.setdefault(name, []).append(decisions_of(game, played, side == 0))
    grades = {
        name: grade_decisions(game, name, Decisions.concatenate(game, parts), most=most, oracle=oracle)
        for name, parts in decisions.items()
    }
    return {name: grade for name, grade in grades.items() if grade.graded.sum() >= FEWEST}


SAMPLED_GAMES = 512
"""From how many games of each pairing samples are chosen."""


def samples_of(
    game: Game,
    store: Store,
    scores: Sequence[Score],
    ratings: Ratings,
    most: int = 4,
    *,
    forfeit: bool = False,
    judged: bool = True,
) -> list[Replay]:
    """Games of one game that are worth showing, each for another reason, with their verdicts.

    Args:
        game: the game and variant.
        store: the store of its games.
        scores: the scores of its pairings.
        ratings: the policies' ratings.
        most: how many at most.
        forfeit: whether the first is one that was lost by a fault, as where policies speak.
        judged: whether an oracle judges their moves.
    """
    judge, samples = Judge(game, quick_oracle(game, at_once=True) if judged else None), list[Replay]()
    for title, chosen in islice(_picks([*_candidates(store, scores, ratings)], forfeit), most):
        record = store.record(chosen.pairing, chosen.number)
        samples.append(Replay(title, record, judge.verdicts(record.actions, record.start)))
    return samples


class _Candidate(NamedTuple):
    """One of the first games of a pairing, with what samples are chosen by.

    Args:
        pairing, number: its pairing, and its number there.
        plies: its length.
        result: 1, 0, -1 for a.
        ending: how it ended, as a number.
        ahead: the Elo of a less that of b.
        weaker: the Elo of the weaker policy.
    """

    pairing: Pairing
    number: int
    plies: int
    result: int
    ending: int
    ahead: float
    weaker: float


def _candidates(store: Store, scores: Sequence[Score], ratings: Ratings) -> Iterator[_Candidate]:
    for score in scores:
        played = next(store.parts(score.pairing, SAMPLED_GAMES))
        a, b = (ratings.elo[name].elo for name in score.pairing[1:])
        of_a = np.where(played.numbers % 2, -1, 1) * played.results.astype(np.int64)
        columns = (column.tolist() for column in (played.numbers, played.plies, of_a, played.endings))
        for number, plies, result, ending in zip(*columns, strict=True):
            yield _Candidate(
                pairing=score.pairing, number=number, plies=plies, result=result, ending=ending, ahead=a - b, weaker=min(a, b)
            )


def _picks(some: Sequence[_Candidate], forfeit: bool) -> Iterator[tuple[str, _Candidate]]:
    """The reasons to show a game, the most interesting first, each with the best game for it; no game comes twice."""
    ruled = [game for game in some if game.ending == RULES]
    decided, taken = [game for game in ruled if game.result], set[_Candidate]()
    reasons: tuple[tuple[str, Callable[[_Candidate], float], list[_Candidate]], ...] = (
        ("A forfeit", lambda game: game.plies, [game for game in some if forfeit and FIRST_FAULT <= game.ending < RESIGNED]),
        ("An upset", lambda game: -game.ahead * game.result, [game for game in decided if game.ahead * game.result < 0]),
        ("The two strongest", lambda game: game.weaker + abs(game.result), [game for game in ruled if game.ahead]),
        ("The shortest", lambda game: -game.plies, decided),
        ("The longest", lambda game: game.plies, [game for game in some if game.plies]),
    )
    for title, worth, games in reasons:
        if left := [game for game in games if game not in taken]:
            taken.add(best := max(left, key=worth))
            yield title, best
