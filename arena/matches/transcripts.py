"""The transcripts of a game as plain values, for JSON and for pages."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from ...core.errors import shorten
from ...games.registry import make_game
from ...records.game import start_of
from .games import GameRecord

TEXTS = ("question", "reply", "reason", "reasoning")


def transcript_entries(record: GameRecord, longest: int | None = None) -> list[dict[str, Any]]:
    """The transcripts of a game, move by move: the fields of each `Transcript`, and whose move it was.

    Args:
        record: the game.
        longest: how many characters of each text are kept; None for all.

    Returns:
        For each move with a transcript: `ply`, the number of actions before; `player` and `policy`, who was to move; `system`,
        `model`, `prompt` and `attempts`.
    """
    entries, game = list[dict[str, Any]](), make_game(record.pairing.game)
    if not record.transcripts:
        return entries
    state = start_of(game, record.start)
    for ply in range(len(record.actions) + 1):
        if transcript := record.transcripts.get(ply):
            player = game.player(state)
            entries.append({"ply": ply, "player": player, "policy": record.players[player], **to_builtins(transcript)})
        if ply < len(record.actions):
            state = game.play(state, record.actions[ply])
    if longest is not None:
        for entry in entries:
            entry["system"] = shorten(entry["system"], longest)
            for attempt in entry["attempts"]:
                attempt |= {name: shorten(attempt[name], longest) for name in TEXTS}
    return entries
