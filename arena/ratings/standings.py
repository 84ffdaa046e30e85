"""`Standings`: scores with their ratings, game by game, as tables, sentences and documents."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ...core.numbers import short_repr
from ...games.display import Part, TextTable, Viewable
from ..matches.games import Pairing
from .comparison import p_values_of_pairs
from .payoffs import PayoffTable, describe_circles, describe_worth
from .ratings import Ratings
from .score import Score, total


class Standings(Viewable):
    """Scores with their ratings, game by game."""

    scores: Mapping[Pairing, Score]
    noun: ClassVar[str] = "policy"
    """What plays, in the heads of tables."""
    sign: str = "+"
    """How ratings are written: with a sign, or with nothing where they are on somebody's scale."""

    @property
    @abstractmethod
    def ratings(self) -> Mapping[str, Ratings]:
        """For each game's spec, the Elo ratings."""

    @property
    def games(self) -> tuple[str, ...]:
        """The specs of the games."""
        return tuple(dict.fromkeys(pairing.game for pairing in self.scores))

    def scores_of(self, game: str) -> list[Score]:
        """The scores of one game's pairings.

        Raises:
            ValueError: the game is none of these.
        """
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
            (elo, low, high), nodes = (f"{number:{self.sign}.0f}" for number in rated.elo[name]), played.nodes_a_game[0]
            rows.append(
                [
                    name,
                    f"{100 * played.points:.1f}",
                    _percentages(played),
                    elo,
                    f"{low} to {high}",
                    f"{played.games:,}",
                    *["" if nodes is None else f"{nodes:,.0f}"] * is_counted,
                    *[f"{1e6 * played.seconds_a_move[0]:,.1f}"] * is_timed,
                ]
            )
        return TextTable(game, heads, rows)

    def _payoff_words(self, game: str) -> Iterator[Part]:
        """Sentences on what ratings do not say, if all have met."""
        if table := self.payoffs(game):
            yield from filter(None, (describe_worth(table), describe_circles(table, self.p_adjusted(game))))

    def document(self) -> dict[str, Any]:
        """The results for JSON: `pairs`, from a's side; `ratings`, per game {policy: [elo, low, high]}; and `payoffs`, per game
        what `PayoffTable.document` gives, or None.
        """
        adjusted = {pairing: p for game in self.games for pairing, p in self.p_adjusted(game).items()}
        return {
            "pairs": [{**score.document(), "p_adjusted": adjusted.get(pairing)} for pairing, score in self.scores.items()],
            "ratings": {
                game: {name: list(rating) for name, rating in ratings.elo.items()} for game, ratings in self.ratings.items()
            },
            "payoffs": {game: (table := self.payoffs(game)) and table.document() for game in self.games},
        }


def _percentages(score: Score) -> str:
    """How many games were won, drawn and lost, in per cent; 0 without games."""
    return " / ".join(f"{100 * count / max(1, score.games):.0f}" for count in (score.wins, score.draws, score.losses))
