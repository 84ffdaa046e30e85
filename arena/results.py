"""`Results`: the results of the games in a store, as scores and ratings, text, tables and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain
from math import isnan
from typing import Any

from ..core.numbers import several, short_repr
from ..games.display import Part, TextTable, Viewable
from ..oracles import make_oracle
from ..oracles.values import quick_oracle
from .grading.answer_rates import COLUMNS, AnswerRates
from .grading.decisions import LOSS_COLUMNS, Decisions, RelativeLoss, decisions_of, relative_loss
from .grading.sampled import grade_decisions
from .matches.games import Pairing
from .planning.plan import Plan
from .planning.protocols import ProtocolGrading, protocol
from .ratings.comparison import describe_pairs, p_values_of_pairs
from .ratings.payoffs import PayoffTable, describe_circles, describe_worth
from .ratings.ratings import Ratings, rate
from .ratings.score import COUNTS, Score, fault_words, opening_columns, opening_words, repeat_words, total
from .ratings.sprt import SprtResult, table_of
from .rounds import policies_between
from .store import Store
from .swiss import Swiss


class Standings(Viewable):
    """Scores by pairing, with the Elo ratings of each game's spec."""

    scores: dict[Pairing, Score]
    noun, sign = "policy", "+"
    """What plays, in the heads of tables; and how ratings are written, with a sign or without."""

    @cached_property
    def ratings(self) -> dict[str, Ratings]:
        """For each game's spec, the Elo ratings."""
        raise NotImplementedError

    @property
    def games(self) -> tuple[str, ...]:
        """The specs of the games."""
        return tuple(dict.fromkeys(pairing.game for pairing in self.scores))

    def scores_of(self, game: str) -> list[Score]:
        """The scores of one game's pairings; ValueError where the game is none of these."""
        if game not in self.games:
            raise ValueError(f"no game was played of {short_repr(game)}; the games are {', '.join(self.games)}")
        return [score for score in self.scores.values() if score.pairing.game == game]

    def p_adjusted(self, game: str) -> dict[Pairing, float]:
        """For each pairing of a game, the p-value of the hypothesis that both policies are equal, with Holm's correction for the
        number of pairings, so that one below 0.05 is due to chance in at most 5 % of all tournaments of equal policies."""
        return p_values_of_pairs(self.scores_of(game))

    def payoffs(self, game: str) -> PayoffTable | None:
        """What each policy gets against each other in one game; None as long as two of them have not met."""
        try:
            return PayoffTable.of(self.scores_of(game))
        except ValueError:
            return None

    def standing(self, game: str) -> dict[str, Score]:
        """Each policy's score against all others in one game, the strongest first."""
        return {name: total(self.scores_of(game), name) for name in self.ratings[game].elo}

    def grid(self, game: str) -> TextTable:
        """The results of each policy against each other in one game: percentages won / drawn / lost, the strongest first."""
        names = [*self.ratings[game].elo]
        met = {side.pairing[1:]: side for score in self.scores_of(game) for side in (score.turned, score) if score.games}

        def cell(a: str, b: str) -> str:
            return _percentages(met[a, b]) if (a, b) in met else ""

        heads = [f"{number}" for number in range(1, len(names) + 1)]
        rows = [[f"{number} {a}", *(cell(a, b) for b in names)] for number, a in zip(heads, names, strict=True)]
        return TextTable(f"{game}: w / d / l % against", [self.noun, *heads], rows)

    def _standing_table(self, game: str) -> TextTable:
        standing, rated = self.standing(game), self.ratings[game]
        is_timed = any(played.moves.any() for played in standing.values())
        is_counted = any(played.nodes_a_game[0] is not None for played in standing.values())
        more = [*["nodes a game"] * is_counted, *["µs a move"] * is_timed]
        heads = [self.noun, "points %", "w / d / l %", "Elo", f"{100 * rated.confidence:g} %", "games", *more]
        rows = list[list[str]]()
        for name, played in standing.items():
            (elo, low, high), nodes = rated.elo[name], played.nodes_a_game[0]
            bounds = "" if isnan(low) or low == high else f"{low:{self.sign}.0f} to {high:{self.sign}.0f}"
            strength = [f"{100 * played.points:.1f}", _percentages(played), f"{elo:{self.sign}.0f}", bounds, f"{played.games:,}"]
            nodes_text = [] if not is_counted else [""] if nodes is None else [f"{nodes:,.0f}"]
            rows.append([name, *strength, *nodes_text, *[f"{1e6 * played.seconds_a_move[0]:,.1f}"] * is_timed])
        return TextTable(game, heads, rows)

    def _payoff_words(self, game: str) -> Iterator[Part]:
        """Sentences on what ratings do not say, if all have met."""
        if table := self.payoffs(game):
            yield from filter(None, (describe_worth(table), describe_circles(table, self.p_adjusted(game))))

    def _rows(self) -> list[dict[str, Any]]:
        tables = {game: table.columns() for game in self.games if (table := self.payoffs(game))}
        return [
            {
                "game": game,
                "policy": name,
                **self.ratings[game].elo[name]._asdict(),
                **{count: getattr(played, count) for count in COUNTS.split()},
                **tables.get(game, {}).get(name, {}),
            }
            for game in self.games
            for name, played in self.standing(game).items()
        ]

    def document(self) -> dict[str, Any]:
        """The results for JSON: `pairs`, from a's side; `ratings`, per game {policy: [elo, low, high]}; and `payoffs`, per game
        what `PayoffTable.document` gives, or None.
        """
        adjusted = {pairing: p for game in self.games for pairing, p in self.p_adjusted(game).items()}
        return {
            "pairs": [{**score.document(), "p_adjusted": adjusted.get(pairing)} for pairing, score in self.scores.items()],
            "ratings": {
                game: {name: [None if isnan(number) else number for number in rating] for name, rating in ratings.elo.items()}
                for game, ratings in self.ratings.items()
            },
            "payoffs": {game: (table := self.payoffs(game)) and table.document() for game in self.games},
        }


class Results(Standings):
    """The results of a tournament, finished or not, from the plan and the games in its store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.scores: dict[Pairing, Score] = {score.pairing: score for score in store.scores()}

    @property
    def plan(self) -> Plan:
        """The plan of the tournament."""
        return self.store.plan

    @property
    def total(self) -> int:
        """The number of games in the plan; with a sequential test, the most that it may take."""
        if self.plan.swiss:
            names = {(pairing.game, name) for pairing in self.plan.pairings for name in pairing[1:]}
            return self.plan.games * sum(count // 2 for count in Counter(game for game, _ in names).values())
        return self.plan.games * len(self.plan.pairings)

    @cached_property
    def sprt(self) -> dict[Pairing, SprtResult]:
        """What the sequential test says of each pairing so far; empty if the plan has none."""
        if (sprt := self.plan.sprt) is None:
            return {}
        between = {pairing: name for game in self.games for pairing, name in policies_between(self.scores_of(game)).items()}
        results = dict[Pairing, SprtResult]()
        for pairing, score in self.scores.items():
            reason, result = "", SprtResult.of(score, sprt)
            if not result.is_decided and score.games >= self.plan.games:
                reason = "all its games are played"
            elif not result.is_decided and pairing in between:
                reason = f"{between[pairing]} is rated between them"
            results[pairing] = replace(result, reason=reason)
        return results

    @property
    def swiss(self) -> dict[str, dict[str, tuple[float, float]]]:
        """For each game's spec, each policy's points and Buchholz after the finished Swiss rounds; empty if the plan has none."""
        return {game: swiss.standing for game, swiss in self._rounds.items()}

    @cached_property
    def _rounds(self) -> dict[str, Swiss]:
        return {game: Swiss(self.plan, game, self.scores.__getitem__) for game in self.games if self.plan.swiss}

    def swiss_words(self, game: str) -> list[str]:
        """A sentence on the order of a standing after Swiss rounds, and who had a bye."""
        if game not in self.swiss:
            return []
        byes = ", ".join(self._rounds[game].byes)
        order = "In the order of points in the rounds, then Buchholz, the points of those whom one met, then Elo."
        return [order + f" A bye, which counts as a point, had {byes}." * bool(byes)]

    @property
    def done(self) -> int:
        """The number of games that are finished and stored."""
        return sum(score.games for score in self.scores.values())

    @property
    def games(self) -> tuple[str, ...]:
        """The specs of the games."""
        return tuple(dict.fromkeys(pairing.game for pairing in self.plan.pairings))

    def tests_of(self, game: str) -> dict[Pairing, SprtResult]:
        """What the sequential test says of one game's pairings."""
        return {pairing: result for pairing, result in self.sprt.items() if pairing.game == game}

    @cached_property
    def ratings(self) -> dict[str, Ratings]:
        """For each game's spec, the Elo ratings from the games played so far."""
        return self.rate()

    def rate(self, resamples: int = 1000, confidence: float = 0.95) -> dict[str, Ratings]:
        """The ratings, with intervals from that many resamples. In a protocol the opponents' ratings are fixed; after Swiss rounds
        policies stand in the order of their points, then Buchholz, then Elo."""
        ratings: dict[str, Ratings] = {}
        for game in self.games:
            scores = self.scores_of(game)
            names = {name for score in scores for name in score.pairing[1:]}
            fixed = protocol(self.plan.protocol).fixed_ratings(game, names) if self.plan.protocol else None
            ratings[game] = rate(scores, fixed=fixed, resamples=resamples, confidence=confidence, seed=self.plan.seed)
            if standing := self.swiss.get(game):
                ratings[game] = ratings[game].in_order(sorted(ratings[game].elo, key=standing.__getitem__, reverse=True))
        return ratings

    @cached_property
    def losses(self) -> dict[str, dict[str, RelativeLoss]]:
        """In a protocol, what moves lost over what random moves lose in the same positions; else nothing.

        By the game's spec and by each measured policy, or by each opponent where only these play."""
        if not self.plan.protocol:
            return {}
        followed = protocol(self.plan.protocol)
        losses: dict[str, dict[str, RelativeLoss]] = {}
        for game in self.games:
            pairings = [pairing for pairing in self.plan.pairings if pairing.game == game]
            ladder = {*followed.opponents[game]}
            measured = {pairing.a for pairing in pairings} - ladder or ladder
            losses[game] = {
                name: self._loss_of(game, name, [pairing for pairing in pairings if name in pairing[1:]], followed.grading)
                for name in measured
            }
        return {game: {name: of[name] for name in self.ratings[game].elo if name in of} for game, of in losses.items()}

    def _loss_of(self, game: str, name: str, pairings: list[Pairing], how: ProtocolGrading) -> RelativeLoss:
        """The value that a policy's moves in these pairings lost, over that of random moves."""
        rules, suite = self.plan.rules[game], self.plan.openings[game]
        parts = [decisions_of(rules, self.store.played(pairing), pairing.a == name) for pairing in pairings]
        decisions = Decisions.concatenate(rules, parts)
        return relative_loss(
            rules,
            decisions,
            suite.rows(decisions.games),
            make_oracle(rules, **how.reach[game]),
            most=how.most,
            seed=self.plan.seed,
            undecided=how.undecided.get(game),
        )

    @cached_property
    def answers(self) -> dict[str, dict[str, AnswerRates]]:
        """The answer rates of policies that speak, by game's spec and name, the strongest first."""
        rates: dict[str, dict[str, AnswerRates]] = {}
        speakers: dict[tuple[str, str], dict[tuple[Pairing, int], None]] = {}
        for pairing, move in self.store.spoken():
            side = move.player ^ move.number % 2  # in odd games a is player 1
            name = pairing[1 + side]
            rates.setdefault(pairing.game, {}).setdefault(name, AnswerRates()).count(move.transcript)
            speakers.setdefault((pairing.game, name), {})[pairing, side] = None
        for (spec, name), sides in speakers.items():
            game = self.plan.rules[spec]
            parts = [decisions_of(game, self.store.played(pairing), side == 0) for pairing, side in sides]
            oracle, decisions = quick_oracle(game, at_once=True), Decisions.concatenate(game, parts)
            rates[spec][name].grade = grade_decisions(game, name, decisions, seed=self.plan.seed, oracle=oracle)
        return {game: {name: of[name] for name in self.ratings[game].elo if name in of} for game, of in rates.items()}

    def __repr__(self) -> str:
        policies = several(len({name for pairing in self.plan.pairings for name in pairing[1:]}), "policy", "policies")
        games = f"{self.done:,} of {'at most ' if self.plan.sprt else ''}{several(self.total, 'game')}"
        return f"<{type(self).__name__} of {policies} in {', '.join(self.games)}: {games}>"

    def _standing_table(self, game: str) -> TextTable:
        table, swiss = super()._standing_table(game), self.swiss.get(game)
        if swiss is None:
            return table
        rows = [[row[0], *(f"{number:.2f}" for number in swiss[row[0]]), *row[1:]] for row in table.rows]
        return replace(table, columns=[table.columns[0], "points", "Buchholz", *table.columns[1:]], rows=rows)

    def _parts(self) -> Iterator[Part]:
        for game in self.games:
            yield self._standing_table(game)
            yield from self.swiss_words(game)
            if len(self.scores_of(game)) > 1:
                yield self.grid(game)
            if tests := self.tests_of(game):
                yield table_of(game, tests)
            elif words := describe_pairs(self.scores_of(game)):  # p-values hold for a fixed number of games
                yield words
            yield from self._payoff_words(game)
            yield from opening_words(self.scores_of(game))
            yield from fault_words(self.scores_of(game))
            yield from repeat_words(self.scores_of(game))
            yield from self._answer_parts(game)
        yield from self._loss_parts()

    def _loss_parts(self) -> Iterator[Part]:
        """The table of the value that moves lost, over that of random moves, by a protocol."""
        rows = [[name, game, *loss.cells()] for game, of in self.losses.items() for name, loss in of.items()]
        if rows:
            title = "value lost a move, over what random moves lose in the same positions: 0 is perfect play, 1 random"
            yield TextTable(title, ["policy", "game", *LOSS_COLUMNS], sorted(rows, key=lambda row: row[0]))

    def _answer_parts(self, game: str) -> Iterator[Part]:
        """The table of answers of policies that speak in a game, and sentences about them."""
        if rates := self.answers.get(game):
            rows = [[name, *of.cells()] for name, of in rates.items()]
            yield TextTable(f"{game}: how they answered", ["policy", *COLUMNS], rows)
            for name, of in rates.items():
                yield from of.remarks(name)

    def _rows(self) -> list[dict[str, Any]]:
        answers = {game: {name: rates.columns() for name, rates in of.items()} for game, of in self.answers.items()}
        losses = {game: {name: loss.columns() for name, loss in of.items()} for game, of in self.losses.items()}
        more: dict[str, Any] = dict.fromkeys(("nash_weight", "nash_value", "alpha_rank", "cyclic_part", "cyclic_triples"))
        for columns in (columns for by_game in (answers, losses) for of in by_game.values() for columns in of.values()):
            more |= dict.fromkeys(columns)  # empty where a policy has no such numbers
        return [
            {
                **row,
                **opening_columns(played),
                "faults": int(played.faults[0].sum()),
                "seconds_a_move": played.seconds_a_move[0],
                "nodes_a_game": played.nodes_a_game[0],
                **{name: row.get(name) for name in more},
                **answers.get(row["game"], {}).get(row["policy"], {}),
                **losses.get(row["game"], {}).get(row["policy"], {}),
            }
            for row, played in zip(super()._rows(), chain(*(self.standing(game).values() for game in self.games)), strict=True)
        ]

    def document(self) -> dict[str, Any]:
        """The results for JSON: those of `Standings`, each of `pairs` with its `sprt` where there is a sequential test; after Swiss
        rounds only pairs that have met, and `swiss`, per game {policy: [points, Buchholz]}; where policies speak `answers`, per
        game {policy: its rates}; and by a protocol `losses`, per game {policy: what `RelativeLoss.document` gives}.
        """
        losses = {game: {name: loss.document() for name, loss in of.items()} for game, of in self.losses.items()}
        answers = {game: {name: rates.document() for name, rates in of.items()} for game, of in self.answers.items()}
        document = super().document()
        for pair, pairing in zip(document["pairs"], self.scores, strict=True):
            pair |= {"sprt": self.sprt[pairing].document()} if self.sprt else {}
        swiss = {game: {name: [*of[name]] for name in self.ratings[game].elo} for game, of in self.swiss.items()}
        if swiss:
            document["pairs"] = [pair for pair in document["pairs"] if pair["games"]]
        return {
            **document,
            "suites": {game: openings.document() for game, openings in self.plan.openings.items()},
            "seed": self.plan.seed,
            **({"swiss": swiss} if swiss else {}),
            **({"answers": answers} if answers else {}),
            **({"losses": losses} if losses else {}),
        }


def _percentages(score: Score) -> str:
    """How many games were won, drawn and lost, in per cent; 0 without games."""
    return " / ".join(f"{100 * count / max(1, score.games):.0f}" for count in (score.wins, score.draws, score.losses))
