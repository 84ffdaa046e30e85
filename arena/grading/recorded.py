"""`grade_games`: the moves of recorded games, of people or programs, compared with perfect play: each move, and each player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import escape_unprintable
from ...core.numbers import several
from ...games.display import Part, TextTable, Viewable
from ...games.game import Game
from ...games.registry import make_game
from ...oracles.values import quick_oracle
from ...records import RecordedGame
from ..matches.record import game_record
from ..quantities import Quantity, cells_of, count, decimals, headings, in_order, numbers_of, share
from .decisions import Decisions, Judged, decisions_in, judge
from .sampled import Grade, grade_from
from .seat import RESULTS

MOST_SHOWN = 40
"""How many moves are listed as text."""


@dataclass(frozen=True)
class GradedMove:
    """A move of a recorded game whose value is known.

    Args:
        game: the number of its game, from 0.
        ply: how many actions the game had before.
        player: who made it.
        position: the position before, as text.
        move: its name.
        before, after: the value of the position before and after it, for its player: 1, 0 or -1.
        score_before, score_after: the scores, in games that have them; None in others.
        best: the names of the best moves, where this one lost value or score; empty where it is one of them.
    """

    game: int
    ply: int
    player: str
    position: str
    move: str
    before: int
    after: int
    score_before: int | None = None
    score_after: int | None = None
    best: tuple[str, ...] = ()

    @property
    def value_lost(self) -> int:
        """The value that it lost: 0, 1 or 2."""
        return self.before - self.after

    @property
    def score_lost(self) -> int | None:
        """The score that it lost, 0 or more; None where scores are not known."""
        return None if self.score_before is None or self.score_after is None else self.score_before - self.score_after

    def document(self) -> dict[str, Any]:
        """The move for JSON."""
        scores = "score_before score_after score_lost" if self.score_before is not None else ""
        return numbers_of(self, in_order(f"game ply player position move before after value_lost {scores} best"))


@dataclass(frozen=True)
class PlayerGrade:
    """The moves of a player in recorded games, compared with perfect play.

    Args:
        player: the player's name.
        games: how many of the games the player took part in.
        grade: the grade of all moves, in either seat.
        total_score_lost: the score lost in all graded moves; None in games without scores.
    """

    player: str
    games: int
    grade: Grade
    total_score_lost: int | None

    @property
    def out_of_reach(self) -> int:
        """How many moves were not graded: the values of their positions are not known, or others were drawn to be graded."""
        return self.grade.num_moves - self.grade.num_graded

    @property
    def value_lost_in_a_game(self) -> float:
        """The value lost in graded moves, for each game."""
        return float(self.grade.total_value_lost.sum() / self.games)

    @property
    def score_lost(self) -> float | None:
        """The score lost for each graded move; None without scores, or if none was graded."""
        graded = self.grade.num_graded
        return None if self.total_score_lost is None or not graded else self.total_score_lost / graded

    @property
    def score_lost_in_a_game(self) -> float | None:
        """The score lost in graded moves, for each game; None without scores."""
        return None if self.total_score_lost is None else self.total_score_lost / self.games

    def document(self) -> dict[str, Any]:
        """The grade for JSON."""
        grade = {name: value for name, value in self.grade.document().items() if name not in ("game", "policy", "calibration")}
        names = "out_of_reach value_lost_in_a_game score_lost score_lost_in_a_game"
        return {"player": self.player, "games": self.games, **grade, **numbers_of(self, in_order(names, PLAYER_QUANTITIES))}


PLAYER_QUANTITIES = (
    Quantity("player", "player", escape_unprintable),
    Quantity("games", "games", count),
    Quantity("moves", "moves", count, "grade.num_moves"),
    Quantity("graded", "graded", count, "grade.num_graded"),
    Quantity("optimal_rate", "kept %", share, "grade.optimal_rate"),
    Quantity("value_lost", "lost a move", decimals(3), "grade.value_lost"),
    Quantity("random_value_lost", "random", decimals(3), "grade.random_value_lost"),
    Quantity("value_lost_in_a_game", "lost a game", decimals(2)),
)
SCORE_QUANTITIES = (
    Quantity("score_lost", "score lost a move", decimals(2)),
    Quantity("score_lost_in_a_game", "score lost a game", decimals(1)),
)
"""The columns of the table of players, and those of games with scores."""


@dataclass(frozen=True, repr=False)
class GamesGrade(Viewable):
    """Recorded games compared with perfect play.

    Args:
        game: the game and variant.
        games: how many games there are.
        players: the grade of each player, in the order in which they first come up.
        moves: the graded moves, game by game.
    """

    game: Game
    games: int
    players: tuple[PlayerGrade, ...]
    moves: tuple[GradedMove, ...]

    def player(self, name: str) -> PlayerGrade:
        """The grade of a player.

        Raises:
            KeyError: nobody has this name.
        """
        return {grade.player: grade for grade in self.players}[name]

    def document(self) -> dict[str, Any]:
        """The grades for JSON."""
        return {
            "game": self.game.spec,
            "games": self.games,
            "players": [player.document() for player in self.players],
            "moves": [move.document() for move in self.moves],
        }

    def __repr__(self) -> str:
        return f"<GamesGrade of {several(self.games, 'game')} of {self.game}, {several(len(self.players), 'player')}>"

    def _parts(self) -> Iterator[Part]:
        has_scores = any(player.total_score_lost is not None for player in self.players)
        quantities = PLAYER_QUANTITIES + SCORE_QUANTITIES * has_scores
        title = f"{several(self.games, 'game')} of {self.game}: moves that keep the value, and the value lost"
        yield TextTable(title, headings(quantities), [cells_of(player, quantities) for player in self.players])
        losses = [move for move in self.moves if move.value_lost or move.score_lost]
        if losses:
            yield TextTable(
                "The moves that lost most",
                ["game", "ply", "player", "move", "what it lost", "best"],
                [
                    [move.game, move.ply, escape_unprintable(move.player), move.move, _loss_words(move), ", ".join(move.best)]
                    for move in sorted(losses, key=lambda move: (-move.value_lost, -(move.score_lost or 0)))[:MOST_SHOWN]
                ],
            )
        if len(losses) > MOST_SHOWN:
            yield f"{len(losses) - MOST_SHOWN:,} more moves lost something; document() and --json have them all."
        graded, missing = len(self.moves), sum(player.out_of_reach for player in self.players)
        yield f"{several(graded, 'move')} graded; {missing:,} others are out of the oracle's reach, or were not drawn to be graded."

    def _rows(self) -> list[dict[str, Any]]:
        return [{**move.document(), "best": " ".join(move.best)} for move in self.moves]


def _loss_words(move: GradedMove) -> str:
    value = f"{RESULTS[move.before]} → {RESULTS[move.after]}" if move.value_lost else ""
    score = f"{move.score_before:+d} → {move.score_after:+d}" if move.score_lost else ""
    return ", ".join(filter(None, (value, score)))


def grade_games(
    records: Iterable[RecordedGame],
    game: str | Game | None = None,
    *,
    seed: int = 0,
    most: int | None = None,
    progress: Callable[[str], object] = lambda _: None,
) -> GamesGrade:
    """Compares the moves of recorded games with perfect play, player by player, as far as values are known.

    Args:
        records: the games, as `ludus.records.read_games` gives them; all of one game.
        game: the game, or its spec; None for that of the records.
        seed: draws the moves to grade, if not all are graded.
        most: how many moves are graded at most, in games where each takes a search; None for all.
        progress: called from time to time with a line about the progress.

    Raises:
        ValueError: there are no games, or they are of several kinds.
    """
    listed = [*records]
    named = [] if game is None else [make_game(game).spec]
    specs = [*dict.fromkeys([*named, *(record.game for record in listed)])]
    if not listed or len(specs) > 1:
        raise ValueError(f"games of one kind are graded together; got {', '.join(specs) if listed else 'none'}")
    game = make_game(specs[0])
    decisions = decisions_in(game, [game_record(record) for record in listed])
    judged = judge(
        game,
        decisions,
        seed=seed,
        most=most,
        progress=lambda done, total: progress(f"{done:,} of {total:,} different moves judged"),
    )
    seats = game.players(decisions.states)
    names = np.array([listed[row].players[seat] for row, seat in zip(decisions.games, seats, strict=True)], object)
    progress(f"{several(len(judged.rows), 'move')}: looking for scores and best moves")
    moves = _graded_moves(game, decisions, judged, names)
    games = Counter(name for record in listed for name in {*record.players})
    score_lost = Counter[str]()
    for move in moves:
        score_lost[move.player] += move.score_lost or 0
    players = tuple(
        PlayerGrade(
            player=name,
            games=games[name],
            grade=_grade_of_player(game, name, decisions, judged, names),
            total_score_lost=score_lost[name] if quick_oracle(game).has_score else None,
        )
        for name in dict.fromkeys(name for record in listed for name in record.players)
    )
    return GamesGrade(game=game, games=len(listed), players=players, moves=tuple(moves))


def _graded_moves(game: Game, decisions: Decisions, judged: Judged, names: NDArray[np.object_]) -> list[GradedMove]:
    """The graded moves, game by game, with scores and best moves."""
    oracle, rows, num_moves = quick_oracle(game), judged.rows, len(judged.rows)
    states, actions = decisions.states[rows], decisions.actions[rows]
    before = after = np.full(num_moves, np.nan)
    if oracle.has_score and num_moves:
        before, after = (
            oracle.position_values(states, scores=True).scores,
            oracle.action_values(states, actions, scores=True).scores,
        )
        assert before is not None
        assert after is not None
    moves = list[GradedMove]()
    for at in np.lexsort((decisions.plies[rows], decisions.games[rows])).tolist():
        move = GradedMove(
            game=int(decisions.games[rows[at]]),
            ply=int(decisions.plies[rows[at]]),
            player=str(names[rows[at]]),
            position=game.text(states[at]),
            move=game.move_name(int(actions[at])),
            before=int(judged.before[at]),
            after=int(judged.after[at]),
            score_before=None if np.isnan(before[at]) else int(before[at]),
            score_after=None if np.isnan(after[at]) else int(after[at]),
        )
        if move.value_lost or move.score_lost:
            move = replace(move, best=tuple(map(game.move_name, oracle.solve(states[at]).best)))
        moves.append(move)
    return moves


def _grade_of_player(game: Game, name: str, decisions: Decisions, judged: Judged, names: NDArray[np.object_]) -> Grade:
    """The grade of one player, of the decisions of all, whose players are `names` (M,)."""
    own = np.flatnonzero(names == name)
    numbers = np.full(len(names), -1)
    numbers[own] = np.arange(len(own))
    part = Judged(*map(itemgetter(numbers[judged.rows] >= 0), judged))
    return grade_from(game, name, Decisions(*map(itemgetter(own), decisions)), part._replace(rows=numbers[part.rows]))
