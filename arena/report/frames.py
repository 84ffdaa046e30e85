"""Sample games as a page holds them: every position drawn, what the drawings share kept once, every move told in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from ...agents.oracles import Solution
from ...envs.games.game import Game, StateArray
from ..matches.games import GameRecord
from .samples import Sample

TAGS = re.compile(r"(?<=>)(?=<)")
NAMES = {"max_plies": "cut short", "illegal": "an illegal action", "error": "an error", "time": "out of time", "died": "died"}
"""How a game ended that its rules did not end."""


class Drawings:
    """Drawings as rows of pieces that many of them share.

    Joined, the pieces of a row are the drawing again, character by character. A row is written as runs, the first piece and
    how many follow it: [0, 105, 230, 1, …].
    """

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}

    @property
    def pieces(self) -> list[str]:
        """The pieces by number."""
        return [*self._pieces]

    def add(self, drawing: str) -> list[int]:
        """Takes a drawing apart: its row."""
        runs: list[int] = []
        for piece in TAGS.split(drawing):
            number = self._pieces.setdefault(piece, len(self._pieces))
            if runs and runs[-2] + runs[-1] == number:
                runs[-1] += 1
            else:
                runs += [number, 1]
        return runs


def joined(pieces: Sequence[str], row: Sequence[int]) -> str:
    """The drawing of a row; the page's script does the same."""
    return "".join("".join(pieces[first : first + count]) for first, count in zip(row[::2], row[1::2], strict=True))


def film(game: Game, samples: Iterable[Sample]) -> dict[str, Any]:
    """Games of one game for the page's script: `pieces`, and `games` with their frames and moves."""
    drawings = Drawings()
    told = [_told(game, sample, drawings) for sample in samples]
    return {"pieces": drawings.pieces, "games": told}


def states_of(game: Game, record: GameRecord) -> list[StateArray]:
    """Every state of a game, the start first."""
    states = [game.start]
    for action in record.actions:
        states.append(game.play(states[-1], action))
    return states


def turning_point(sample: Sample) -> int:
    """After how many plies a game is at its most interesting: its last blunder, or else its end."""
    lost = [ply for ply, verdict in enumerate(sample.verdicts, 1) if verdict.lost and ply > sample.record.opening]
    return lost[-1] if lost else len(sample.verdicts)


def ending(record: GameRecord) -> str:
    """How a game ended, in words."""
    winner = "a draw" if record.result == 0 else f"{record.players[record.result < 0]} wins"
    why = f" ({NAMES[record.ending]})" if record.ending in NAMES else ""
    return f"{winner} after {len(record.actions)} plies{why}"


def _told(game: Game, sample: Sample, drawings: Drawings) -> dict[str, Any]:
    record = sample.record
    states = states_of(game, record)
    frames = [drawings.add(game.svg(*at)) for at in zip(states, (None, *record.actions), strict=True)]
    movers = game.players(np.stack(states)).tolist()
    return {
        "title": sample.title,
        "players": record.players,
        "seats": game.player_names,
        "ending": ending(record),
        "reason": record.reason,
        "opening": record.opening,
        "first": turning_point(sample),
        "frames": frames,
        "moves": [
            {"move": game.move_name(v.action), "by": mover, "word": v.word, "says": v.sentence(game), "lost": v.lost}
            for v, mover in zip(sample.verdicts, movers[:-1], strict=True)
        ],
        "levels": [*_levels(game, sample, movers)],
        "positions": [f"{game.status(state)}: {game.text(state)}" for state in states],
    }


def _levels(game: Game, sample: Sample, movers: Sequence[int]) -> Iterator[float | None]:
    """How far player 0 is ahead in each position, -1 to 1; None where nobody knows."""
    solutions = [verdict.before for verdict in sample.verdicts]
    for solution, mover in zip([*solutions, *(v.after for v in sample.verdicts[-1:])], [*movers[:-1], *movers[-2:-1]], strict=True):
        level = _level(solution, prod(game.board))
        yield level if level is None or mover == 0 else -level


def _level(solution: Solution, cells: int) -> float | None:
    """How far the player to move is ahead; where there is a score, by more than nothing at all."""
    if solution.value is None or solution.score is None:
        return solution.value
    return round(solution.value * (0.2 + 0.8 * min(1, abs(solution.score) / cells) ** 0.5), 3)
