"""`Measure`: when and how the policy of a run is measured, against a ladder of other policies and against perfect play.

It measures a policy made of what was learnt so far, and changes nothing in the trainer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any

from msgspec import Meta, Struct

from ...agents.policy import Policy
from ...agents.registry import as_policy, make_policy, plays
from ...arena.evaluate import evaluate
from ...arena.grading import ExactGrade, Grade, grade, grade_exact
from ...arena.matches.faults import Reason, fault_sentences
from ...arena.planning.plan import MOST_GAMES
from ...arena.ratings.intervals import wilson
from ...core.bounds import Bounded
from ...core.numbers import Range, short_repr
from ...core.plugins import PolicySpec
from ...games.display import Part, TextTable
from ...games.game import Game
from ...oracles import make_oracle
from ...oracles.statespace.graph import TooLargeError

LADDER = ("random", "greedy", "minimax", "perfect")
EARLIER = "self"
"""In a ladder: the learner as it was when it was measured last, at first as it began."""
NEVER = "never"
SEATS = ("first", "second")
GROWTH = 4
"""Where most is learnt early: a training is measured again when it is this many times as long as at the last measurement."""
EXACT = 200_000
"""A policy is graded exactly where at most this many positions can come up against it."""


@dataclass(frozen=True)
class Measure(Bounded):
    """When and how a run is measured.

    Args:
        every: a share of the training, as "0.25"; or seconds of training, as "60s"; or "never". At its end it always is,
            unless it is never.
        games: the number of games against each policy of the ladder, an even number.
        ladder: the opponents, "self" being the learner when it was measured last; None for random, greedy, minimax, and perfect
            where the oracle knows the whole game.
    """

    every: str = "0.25"
    games: Annotated[int, Range(2, MOST_GAMES)] = 200
    ladder: tuple[PolicySpec, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.games % 2:
            raise ValueError(f"games is {self.games}; a run is measured in an even number of games")
        if self.interval and self.every == NEVER and self.ladder:
            raise ValueError(
                f"a run that is never measured meets no opponents; leave out {', '.join(map(str, self.ladder))},"
                " or say when, as 0.25"
            )

    @property
    def interval(self) -> tuple[float, float]:
        """The share of the training, and the seconds, after which it is measured; 1 and 0 where the other one applies. ValueError
        where `every` has another form, or is out of its range."""
        if self.every == NEVER:
            return 1.0, 0.0
        with suppress(ValueError):
            number, in_seconds = float(self.every.removesuffix("s")), self.every.endswith("s")
            if 0 < number < inf and (in_seconds or number <= 1):
                return (1.0, number) if in_seconds else (number, 0.0)
        raise ValueError(
            f"every is {short_repr(self.every)}; it must be a share of the training up to 1 (0.25), seconds (60s), or {NEVER}"
        )

    def due(self, done: int, total: int, seconds: float, last: Mapping[str, Any] | None, early: bool = False) -> bool:
        """Whether a run is to be measured now, after `done` of `total` units in `seconds`, given the last measurement.

        If `early`, a trainer's `learns_early`, it is measured at the start and each time it has grown by GROWTH, too.
        """
        share, pause = self.interval
        then, at = (last["done"], last["seconds"]) if last else (0, 0.0)
        if self.every == NEVER or (last and done == then):
            return False
        if not done:
            return early
        if done >= total or (pause and seconds - at >= pause) or (early and done >= GROWTH * then):
            return True
        return not pause and int(done / (share * total)) > int(then / (share * total))

    def __call__(self, policy: Policy, earlier: Policy | None, seed: int) -> dict[str, Any]:
        """Measures a policy: its `scores` against the ladder and its `grade` against perfect play, for JSON."""
        scores = list[dict[str, Any]]()
        for rung in ladder_of(policy.game, self.ladder):
            other = as_policy(earlier.act, policy.game, name=EARLIER) if rung == EARLIER and earlier else rung
            plies = 0 if rung == "random" else None
            score = evaluate(policy, policy.game, other, self.games, seed=seed, opening_plies=plies)
            scores.append({**score.document(), "a": "run", "b": rung})
        return {"scores": scores, "grade": self.grade(policy, seed).document()}

    def grade(self, policy: Policy, seed: int) -> ExactGrade | Grade:
        """The grade of a policy: an exact one where few positions come up, else one of the moves of `games` games."""
        try:
            return grade_exact(policy, policy.game, largest=EXACT, seed=seed)
        except TooLargeError:
            return grade(policy, policy.game, games=self.games, seed=seed)

    def check(self, game: Game) -> None:
        """Raises ValueError unless the policies of the ladder play a game."""
        for spec in self.ladder or ():
            if spec != EARLIER:
                make_policy(spec, game)


def beats_random(score: Mapping[str, Any]) -> bool:
    """Whether a score against random play, with its wins, draws and games, is above half of the points by its 95 % interval."""
    return wilson(score["wins"] + score["draws"] / 2, score["games"])[0] > 0.5


Count = Annotated[int, Meta(ge=0)]


class ScoreDocument(Struct):
    """The result against one policy: the fields of `Score.document` that are used here."""

    b: str
    games: Annotated[int, Meta(ge=1)]
    wins: Count
    draws: Count
    losses: Count
    by_seat: tuple[tuple[Count, Count, Count], tuple[Count, Count, Count]]
    faults: Count
    reasons: list[Reason]


class GradeDocument(Struct):
    """The grade of a run: the fields of `Grade.document` and `ExactGrade.document` that are used here."""

    exact: bool
    beatable: bool | None
    optimal_rate: float | None
    random_optimal_rate: float | None
    win_rate_vs_random: tuple[float, float]  # by seat, as the next one
    loss_rate_vs_random: tuple[float, float]
    value_lost_per_game: float | None = None  # of an exact grade
    graded: Count = 0  # of a sampled grade, and so are its moves
    moves: Count = 0


class EvaluationDocument(Struct):
    """A measurement, a row of evaluations.json."""

    done: Count
    seconds: Annotated[float, Meta(ge=0)]
    scores: list[ScoreDocument]
    grade: GradeDocument | None


def ladder_of(game: Game, ladder: tuple[PolicySpec, ...] | None) -> tuple[PolicySpec, ...]:
    """The specs of the policies that a run in this game is measured against: those of `ladder`, or the usual ones."""
    if ladder is not None:
        return ladder
    known = make_oracle(game).reaches(game.start)
    return tuple(name for name in LADDER if plays(name, game) and (known or name != "perfect"))


def describe_results(results: Mapping[str, Any]) -> Iterator[Part]:
    """Describes the results of measuring a run: a table of its opponents, the faults of both sides, and its grade."""
    scores = results["scores"]
    rows = [
        [score["b"], seat, games := sum(counts), *(f"{100 * count / max(1, games):.1f}" for count in counts)]
        for score in scores
        for seat, counts in zip(SEATS, score["by_seat"], strict=True)
    ]
    yield TextTable("", ["against", "as", "games", "won %", "drawn %", "lost %"], rows, left=2)
    if any(score["b"] != "random" for score in scores):
        yield "Games begin with random plies, except those against random: some are lost from the start"
    for score in scores:
        yield from fault_sentences(score["games"], [Reason(**reason) for reason in score["reasons"]])
    grade = results["grade"]
    if grade and grade["exact"]:
        won = [f"{100 * rate:.1f} %" for rate in grade["win_rate_vs_random"]]
        not_lost = [f"{100 - 100 * rate:.1f} %" for rate in grade["loss_rate_vs_random"]]
        yield f"Of all games against random: won {won[0]} first, {won[1]} second; not lost {not_lost[0]} and {not_lost[1]}"
    if grade and grade["optimal_rate"] is not None:
        words = f"in games against random, {100 * grade['optimal_rate']:.2f} % of its moves keep the position's value"
        if (floor := grade["random_optimal_rate"]) is not None:
            words += f" (of random moves in the same positions {100 * floor:.2f} %)"
        if not grade["exact"]:
            words += f", of the {grade['graded']:,} of {grade['moves']:,} that could be graded"
        elif lost := grade.get("value_lost_per_game"):
            words += f"; in games against perfect play, it loses a value of {lost:.3g} per game; it can"
            words += " be beaten" if grade["beatable"] else "not be beaten"
        else:
            words += "; in games against perfect play, none of its moves loses value; it can"
            words += " be beaten only where it begins lost" if grade["beatable"] else "not be beaten"
        yield f"Graded: {words}"
