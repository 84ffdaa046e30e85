"""A game of the arena as a text that people and programs read, in the spirit of chess's PGN.

    [Game "quarto"]
    [Player 0 "random"]
    [Player 1 "minimax:depth=2"]
    [Result "0-1"]
    [Ending "rules"]
    [Opening "2"]
    [Number "16"]
    [Key "9811207346524129613"]
    [Moves "4 5"]
    [Seconds "0.00012 0.25"]
    [Nodes "- 1560"]

    {opening} 1. give 3 2. b2 {play} 3. give 5 4. c3 … 0-1

records/pgn.py describes and reads what such texts share with those of other programs; this file adds what the arena alone knows.
`Moves` and `Seconds` are the number of moves that player 0 and player 1 chose and how long they thought, `Nodes` the number of
positions that they visited, `-` for one that does not count them. `Reason` describes a fault. Another program may give these names
to lines of its own, so a value that cannot be read counts as missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ...records.game import RecordedGame
from ...records.pgn import games_in_text, pgn_text
from .games import DECLARED, ENDINGS, UNFINISHED, GameRecord, Pairing, count_moves

LONGEST_NUMBER = 20
"""Digits of a number of 64 bits."""
UNCOUNTED = "-"
"""Stands for the nodes of a policy that does not count them."""


def write(record: GameRecord, notes: Mapping[str, str] | None = None) -> str:
    """The game as a text, from which `parse` makes the same record.

    Args:
        record: the game.
        notes: further lines for its header, as a date.
    """
    return pgn_text(recorded_game(record, notes))


def parse(text: str, *, trust: bool = False) -> list[GameRecord]:
    """The games of a text; moves must be legal.

    Args:
        text: the text.
        trust: whether code may run that it names as a game.

    Raises:
        ValueError: it is not a record of games; the message says in which line, and what is wrong there.
    """
    return [game_record(recorded) for recorded in games_in_text(text, trust=trust)]


def recorded_game(record: GameRecord, notes: Mapping[str, str] | None = None) -> RecordedGame:
    """The game as any file of games may hold it: what the arena alone knows is in its header, with further lines, as a date."""
    header, comments = {"Seconds": " ".join(map(repr, record.seconds))}, dict[int, str]()
    if record.ending in ENDINGS:  # the arena played it; of games of other programs no more than the time is known
        header = {
            "Ending": record.ending,
            **({"Reason": record.reason} if record.reason else {}),
            "Opening": str(record.opening),
            "Number": str(record.number),
            "Key": str(record.key),
            "Moves": " ".join(map(str, record.moves)),
            **header,
            **({} if record.nodes == (None, None) else {"Nodes": " ".join(map(_nodes_text, record.nodes))}),
        }
        comments = {0: "opening", record.opening: "play"}
    return RecordedGame(
        game=record.pairing.game,
        start=record.start,
        actions=record.actions,
        players=record.players,
        result=None if record.ending == UNFINISHED else record.result,
        header={**header, **(notes or {})},
        comments={ply: comment for ply, comment in comments.items() if ply < len(record.actions)},
    )


def game_record(recorded: RecordedGame, number: int = 0) -> GameRecord:
    """A game of any file as the arena has games, whose policies are its players. If its header gives no number in the pairing it
    has an even one, so that player 0 is the first of the two."""
    game, states, header = recorded.rules, recorded.states(), recorded.header
    outcome, ending = game.outcome(states[-1]), header.get("Ending", "")
    if outcome is not None:
        ending = "rules"
    elif ending not in ENDINGS[1:]:  # the rules did not end it, whatever the header says
        ending = UNFINISHED if recorded.result is None else DECLARED

    def read(name: str, reading: Callable[[str], Any], default: Any) -> Any:
        try:
            return reading(header[name])
        except (KeyError, ValueError):
            return default

    number, opening = read("Number", _count, number), read("Opening", _count, 0)
    opening = opening if opening <= len(recorded.actions) else 0
    first, second = recorded.players if number % 2 == 0 else recorded.players[::-1]
    return GameRecord(
        pairing=Pairing(recorded.game, first, second),
        number=number,
        key=read("Key", _count, 0),
        opening=opening,
        actions=recorded.actions,
        result=(recorded.result or 0) if outcome is None else outcome[0],
        ending=ending,
        reason=header.get("Reason", ""),
        moves=read("Moves", partial(_pair_of, _count), count_moves(game, states[opening:])),
        seconds=read("Seconds", partial(_pair_of, float), (0.0, 0.0)),
        nodes=read("Nodes", partial(_pair_of, _nodes), (None, None)),
        start=recorded.start,
    )


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise ValueError(text)
    return int(text)


def _nodes(text: str) -> int | None:
    return None if text == UNCOUNTED else _count(text)


def _nodes_text(nodes: int | None) -> str:
    return UNCOUNTED if nodes is None else str(nodes)


def _pair_of(reading: Callable[[str], Any], text: str) -> tuple[Any, Any]:
    first, second = map(reading, text.split())
    return first, second
