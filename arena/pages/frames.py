"""Games as data for a page: a drawing of every position, with shared pieces stored once, and every move in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ...core.numbers import several
from ...games.game import Game
from ...oracles import Solution
from ..grading.verdict import Verdict
from ..matches.games import GameRecord, transcript_entries

TAGS = re.compile(r"(?<=>)(?=<)")
NAMES = {
    "max_plies": "cut short",
    "illegal": "an illegal action",
    "error": "an error",
    "time": "out of time",
    "died": "died",
    "resigned": "resigned",
}
"""The endings of games other than by the rules, in words."""
LONGEST_TEXT = 6000
"""How many characters of a question or a reply are shown."""


@dataclass(frozen=True)
class Replay:
    """A game to step through.

    Args:
        title: its title, such as the reason why it is shown.
        record: the game.
        verdicts: the oracle's verdict on each action.
    """

    title: str
    record: GameRecord
    verdicts: Sequence[Verdict]


class Drawings:
    """Drawings as rows of pieces, many of which are shared.

    The pieces of a row, joined, are the drawing, character by character. A row is written as runs, each its first piece and its
    number of pieces: [0, 105, 230, 1, …].
    """

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}

    @property
    def pieces(self) -> list[str]:
        """The pieces by number."""
        return [*self._pieces]

    def add(self, drawing: str) -> list[int]:
        """Splits a drawing into pieces; returns its row."""
        runs: list[int] = []
        for piece in TAGS.split(drawing):
            number = self._pieces.setdefault(piece, len(self._pieces))
            if runs and runs[-2] + runs[-1] == number:
                runs[-1] += 1
            else:
                runs += [number, 1]
        return runs


def film(game: Game, replays: Iterable[Replay]) -> dict[str, Any]:
    """Games of one game as data for replay.js: `pieces`, and `games` with their frames and moves."""
    drawings = Drawings()
    games = [_document(game, replay, drawings) for replay in replays]
    return {"pieces": drawings.pieces, "games": games}


def turning_point(replay: Replay) -> int:
    """The number of plies after which a page opens a game: at its last blunder, or else at its end."""
    lost = [ply for ply, verdict in enumerate(replay.verdicts, 1) if verdict.value_lost and ply > replay.record.opening]
    return lost[-1] if lost else len(replay.verdicts)


def describe_ending(record: GameRecord) -> str:
    """How a game ended, in words."""
    winner = "a draw" if record.result == 0 else f"{record.players[record.result < 0]} wins"
    why = f" ({NAMES[record.ending]})" if record.ending in NAMES else ""
    return f"{winner} after {several(len(record.actions), 'ply', 'plies')}{why}"


def _document(game: Game, replay: Replay, drawings: Drawings) -> dict[str, Any]:
    record = replay.record
    states = record.states(game)
    frames = [drawings.add(game.svg(*at)) for at in zip(states, (None, *record.actions), strict=True)]
    movers = game.players(states).tolist()
    return {
        "title": replay.title,
        "players": record.players,
        "seats": game.player_names,
        "ending": describe_ending(record),
        "reason": record.reason,
        "opening": record.opening,
        "first": turning_point(replay),
        "frames": frames,
        "moves": [
            {"move": game.move_name(v.action), "by": mover, "word": v.word, "verdict": v.sentence(game), "lost": v.value_lost}
            for v, mover in zip(replay.verdicts, movers[:-1], strict=True)
        ],
        "levels": [*_levels(game, replay, movers)],
        "positions": [f"{game.status(state)}: {game.text(state)}" for state in states],
        **({"said": transcript_entries(record, LONGEST_TEXT)} if record.transcripts else {}),
    }


def _levels(game: Game, replay: Replay, movers: Sequence[int]) -> Iterator[float | None]:
    """Player 0's lead in each position, -1 to 1; None where it is not known."""
    solutions = [verdict.before for verdict in replay.verdicts]
    for solution, mover in zip([*solutions, *(v.after for v in replay.verdicts[-1:])], [*movers[:-1], *movers[-2:-1]], strict=True):
        level = _level(solution, prod(game.board))
        yield level if level is None or mover == 0 else -level


def _level(solution: Solution, cells: int) -> float | None:
    """The lead of the player to move; if the score is known, a larger one for a larger score, and never 0 for a win."""
    if solution.value is None or solution.score is None:
        return solution.value
    return round(solution.value * (0.2 + 0.8 * min(1, abs(solution.score) / cells) ** 0.5), 3)
