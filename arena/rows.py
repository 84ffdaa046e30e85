"""Games as rows of a store's table, and back. The table is told in database.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..envs.registry import make_game
from .games import Played

COLUMNS = "number, key, opening_plies, plies, result, ending, reason, moves_0, moves_1, seconds_0, seconds_1"
BY_GAME = ("numbers", "keys", "openings", "plies", "results", "endings", "moves", "seconds")
"""The arrays of `Played` with a row a game."""
DTYPES = {1: np.dtype(np.uint8), 2: np.dtype("<u2")}
"""How actions are kept, by how many bytes they take."""


def action_bytes(game: str) -> int:
    """How many bytes an action of a game takes."""
    return 1 if make_game(game).actions <= 256 else 2


def rows_of(pairing: int, sitting: int, played: Played, width: int) -> Iterator[tuple[Any, ...]]:
    """Games as rows of the table `games`."""
    actions = played.actions.astype(DTYPES[width]).tobytes()
    ends = np.cumsum(played.plies * width).tolist()
    parts = (actions[begin:end] for begin, end in zip([0, *ends], ends, strict=False))
    reasons = ((None if (reason := played.reasons.get(row)) is None else _writable(reason)) for row in range(len(ends)))
    games = len(ends)
    return zip(
        [pairing] * games, played.numbers.tolist(), played.keys.view(np.int64).tolist(), played.openings.tolist(),
        played.plies.tolist(), played.results.tolist(), played.endings.tolist(), reasons,
        *played.moves.T.tolist(), *played.seconds.T.tolist(), [sitting] * games, parts,
        strict=True,
    )  # fmt: skip


def played_of(rows: list[Any], width: int) -> Played:
    """Games from rows of COLUMNS and actions, which take `width` bytes each."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * 12
    numbers, keys, openings, plies, results, endings, reasons, moves_0, moves_1, seconds_0, seconds_1, actions = columns
    return Played(
        np.array(numbers, np.int64),
        np.array(keys, np.int64).view(np.uint64),
        np.array(openings, np.int64),
        np.array(plies, np.int64),
        np.frombuffer(b"".join(actions), DTYPES[width]).astype(np.uint16),
        np.array(results, np.int8),
        np.array(endings, np.int8),
        {row: reason for row, reason in enumerate(reasons) if reason is not None},
        np.array([moves_0, moves_1], np.int64).T,
        np.array([seconds_0, seconds_1], np.float64).T,
    )


def _writable(text: str) -> str:
    """The text without what no file can hold: halves of characters, as they come up in names of files."""
    return text.encode(errors="backslashreplace").decode()
