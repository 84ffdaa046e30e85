"""`measure` makes a `BenchReport` of answers: how well each model plays, and what other prompts and disguises change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import msgspec
import numpy as np

from ...core.specs import parse
from .answers import BenchAnswer
from .comparisons import KINDS, NULL, BenchComparison, Kind, adjust_comparisons, compare_answers
from .controls import is_model
from .estimates import AnswerColumns, Estimate, estimate, mean_of_ratios, sum_kept, sum_legal

ALL_GAMES = "all games"
"""What stands for the game where numbers are means over games, which weigh equally."""
NO_DISGUISE = "none"
MOST_WORST = 6
"""How many of a model's worst answers a report keeps."""


@dataclass(frozen=True, kw_only=True)
class ModelMeasures:
    """How a model answered, in one game or in all, to the first variant of the prompt and without a disguise.

    Args:
        model: its spec.
        game: the spec of the game, or ALL_GAMES.
        measure: 1 less the value lost over what random legal play loses: 0 is random, 1 perfect.
        by_asks: the measure by what the position asks.
        legal_first: the share of answers that had a legal move at the first try.
        without_move: the number of answers without a legal move, which lose the game.
        faults: what was wrong with attempts, and how often.
        runs: the measure of each run, that is of all answers with the same `repeat`; none where it is not defined.
    """

    model: str
    game: str
    measure: Estimate
    by_asks: dict[str, Estimate]
    legal_first: Estimate
    without_move: int
    faults: dict[str, int]
    runs: tuple[float, ...]

    @property
    def between_runs(self) -> float | None:
        """The standard deviation of the measure between runs over the same positions; None with fewer than two runs."""
        return float(np.std(self.runs, ddof=1)) if len(self.runs) > 1 else None


@dataclass(frozen=True, kw_only=True)
class Spending:
    """What all answers of a model took, those to other variants and disguises too.

    Args:
        model: its spec.
        answers: how many there are.
        uncounted: of how many tokens are not known; they are missing in the sums.
        tokens_in, tokens_out: tokens of questions and of replies.
        seconds: the time of all answers.
    """

    model: str
    answers: int
    uncounted: int
    tokens_in: int
    tokens_out: int
    seconds: float


@dataclass(frozen=True, kw_only=True)
class BenchReport:
    """The results of a bench.

    Args:
        models: the models' specs, in the order in which they were asked.
        controls: those of them that are controls.
        games: the games' specs.
        measures: of each model in each game; with several games also in ALL_GAMES.
        comparisons: of each model, in the same games: each variant and each disguise beside the first variant and no disguise.
        pairs: each model beside each that ranks above it, overall, on the questions of both; no control beside a control.
        spending: of each model.
        worst: of each model, the answers that lost most where random play loses least.
        seed: of the intervals.
        about: how the answers were made: settings, and checksums of sets and prompts.
    """

    models: tuple[str, ...]
    controls: tuple[str, ...]
    games: tuple[str, ...]
    measures: tuple[ModelMeasures, ...]
    comparisons: tuple[BenchComparison, ...]
    pairs: tuple[BenchComparison, ...]
    spending: tuple[Spending, ...]
    worst: tuple[BenchAnswer, ...]
    seed: int
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def overall(self) -> str:
        """The game whose numbers stand for all: ALL_GAMES, or the only one."""
        return self.games[0] if len(self.games) == 1 else ALL_GAMES

    @cached_property
    def names(self) -> dict[str, str]:
        """What each model is called for short: a language model by its name, if no other has the same, all else by its spec."""
        short = {model: parse(model).settings.get("model", model) if is_model(model) else model for model in self.models}
        counts = Counter(short.values())
        return {model: name if counts[name] == 1 else model for model, name in short.items()}

    def of(self, model: str, game: str | None = None) -> ModelMeasures | None:
        """The measures of a model in a game, or overall; None if it was not asked there."""
        game = self.overall if game is None else game
        return next((row for row in self.measures if (row.model, row.game) == (model, game)), None)

    def null_of(self, model: str, game: str) -> BenchComparison | None:
        """What the null variant changed for a model in a game; None if it was not asked."""
        return next((row for row in self.comparisons if row.is_null and (row.model, row.game) == (model, game)), None)

    def as_json(self) -> dict[str, Any]:
        """The report for JSON, with the names of the fields."""
        return msgspec.to_builtins(self)


def measure(
    answers: Sequence[BenchAnswer],
    *,
    controls: Sequence[str] = (),
    seed: int = 0,
    about: Mapping[str, Any] | None = None,
) -> BenchReport:
    """The report of answers. The same answers give the same report in any order, but for that of models, games and variants.

    Args:
        answers: at least one. The first variant that they name, apart from "null", is the one that others are compared with.
        controls: the models that are controls.
        seed: draws the resamples of the intervals.
        about: as for `BenchReport`.

    Raises:
        ValueError: there are no answers.
    """
    if not answers:
        raise ValueError("there are no answers to measure; ask at least one question")
    columns = AnswerColumns.of(answers)
    models, games = (tuple(dict.fromkeys(getattr(answer, name) for answer in answers)) for name in ("model", "game"))
    families: list[tuple[str, ...]] = [*([(ALL_GAMES,)] if len(games) > 1 else []), games]
    by_model = {model: [answer for answer in answers if answer.model == model] for model in models}
    measures, comparisons, worst = list[ModelMeasures](), list[BenchComparison](), list[BenchAnswer]()
    firsts = dict[str, AnswerColumns]()
    for model, mine in by_model.items():
        variant, disguise = first = _baseline(mine)
        others = columns.rows(columns.model == model)
        firsts[model] = others.rows((others.variant == variant) & (others.disguise == disguise))
        asked = [answer for answer in mine if (answer.variant, answer.disguise) == first]
        for game in chain.from_iterable(reversed(families)):
            if there := [answer for answer in asked if game in (answer.game, ALL_GAMES)]:
                measures.append(_measures_of(model, game, _in_game(firsts[model], game), there, seed))
        worst += _worst_of(asked)
        rows = _comparisons_of(model, families, mine, others, firsts[model], seed)
        # a control sees neither the prompt nor the board, so that it is worth a line only where something is wrong
        comparisons += [row for row in rows if model not in controls or row.difference.point or row.legal_first]
    return BenchReport(
        models=models,
        controls=tuple(name for name in models if name in controls),
        games=games,
        measures=tuple(measures),
        comparisons=tuple(comparisons),
        pairs=tuple(_compare_models(firsts, controls, families[0][0], seed)),
        spending=tuple(_spending_of(model, of) for model, of in by_model.items()),
        worst=tuple(worst),
        seed=seed,
        about=dict(about or {}),
    )


def _baseline(answers: Sequence[BenchAnswer]) -> tuple[str, str]:
    """The first variant and disguise of a model's answers: not "null", and no disguise, if there are others."""
    variants = [*dict.fromkeys(answer.variant for answer in answers)]
    disguises = {answer.disguise: None for answer in answers}
    variant = next((name for name in variants if name != NULL), variants[0])
    return variant, NO_DISGUISE if NO_DISGUISE in disguises else next(iter(disguises))


def _in_game(answers: AnswerColumns, game: str) -> AnswerColumns:
    return answers if game == ALL_GAMES else answers.rows(answers.game == game)


def _measures_of(model: str, game: str, columns: AnswerColumns, answers: Sequence[BenchAnswer], seed: int) -> ModelMeasures:
    """The measures of one model in one game or in all."""

    def measure_where(which: Any) -> Estimate:
        return estimate([sum_kept(part) for part in columns.rows(which).of_games()], seed)

    by_run = [columns.rows(columns.repeat == run) for run in np.unique(columns.repeat)]
    runs = [mean_of_ratios([sum_kept(part) for part in of_run.of_games()]) for of_run in by_run]
    return ModelMeasures(
        model=model,
        game=game,
        measure=measure_where(np.ones(len(columns.lost), np.bool_)),
        by_asks={name: measure_where(columns.asks == name) for name in dict.fromkeys(answer.asks for answer in answers)},
        legal_first=estimate([sum_legal(part) for part in columns.of_games()], seed),
        without_move=sum(answer.move is None for answer in answers),
        faults=dict(Counter(fault for answer in answers for fault in answer.faults).most_common()),
        runs=tuple(point for point in runs if point is not None),
    )


def _comparisons_of(
    model: str,
    families: Sequence[Sequence[str]],
    answers: Sequence[BenchAnswer],
    mine: AnswerColumns,
    first: AnswerColumns,
    seed: int,
) -> Iterator[BenchComparison]:
    """Each variant without a disguise, and each disguise with the first variant, beside the first one: overall, then by game."""
    baseline = dict(zip(KINDS, _baseline(answers), strict=True))
    others: list[tuple[Kind, AnswerColumns]] = [
        (kind, mine.rows((getattr(mine, kind) == name) & (getattr(mine, fixed) == baseline[fixed])))
        for kind, fixed in (KINDS, KINDS[::-1])
        for name in dict.fromkeys(getattr(answer, kind) for answer in answers)
        if name != baseline[kind]
    ]
    for family in families:
        compared = [
            compare_answers(_in_game(other, game), _in_game(first, game), model=model, game=game, kind=kind, seed=seed)
            for game in family
            for kind, other in others
            if game != ALL_GAMES or set(other.game) == set(first.game)  # not of a disguise that only some games have
        ]
        yield from adjust_comparisons([comparison for comparison in compared if comparison is not None])


def _compare_models(firsts: Mapping[str, AnswerColumns], controls: Sequence[str], overall: str, seed: int) -> list[BenchComparison]:
    """Each two models that are not both controls and were asked about the same games, the lower one beside the higher one."""
    compared = list[BenchComparison]()
    for (first, theirs), (model, mine) in combinations(firsts.items(), 2):
        if (first in controls and model in controls) or set(theirs.game) != set(mine.game):
            continue
        pair = compare_answers(mine, theirs, model=model, game=overall, kind="model", seed=seed)
        if pair is not None and (pair.difference.point or 0.0) > 0:
            pair = compare_answers(theirs, mine, model=first, game=overall, kind="model", seed=seed)
        if pair is not None:
            compared.append(pair)
    return adjust_comparisons(compared)


def _spending_of(model: str, answers: Sequence[BenchAnswer]) -> Spending:
    """What the answers of a model took."""
    tokens_in, tokens_out = (sum(getattr(answer, name) or 0 for answer in answers) for name in ("tokens_in", "tokens_out"))
    return Spending(
        model=model,
        answers=len(answers),
        uncounted=sum(answer.tokens_in is None or answer.tokens_out is None for answer in answers),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        seconds=sum(answer.milliseconds for answer in answers) / 1000,
    )


def _worst_of(answers: Sequence[BenchAnswer]) -> list[BenchAnswer]:
    """The answers with a legal move that lost most, where random play loses least; one for a position, of all games in turn."""
    bad = [answer for answer in answers if answer.move is not None and answer.value_lost > 0]
    bad.sort(key=lambda answer: (-answer.value_lost, answer.random_loses, answer.number, answer.repeat))
    turns, positions, seen = list[tuple[int, BenchAnswer]](), set[tuple[str, str]](), Counter[str]()
    for answer in bad:
        if (answer.game, answer.position) not in positions:
            positions.add((answer.game, answer.position))
            turns.append((seen[answer.game], answer))
            seen[answer.game] += 1
    return [answer for _, answer in sorted(turns, key=lambda turn: turn[0])[:MOST_WORST]]
