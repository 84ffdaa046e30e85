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

What such texts share with those of other programs is described and read in records/pgn.py; here is what the arena adds. Only the
first four lines are needed. `Start` is the position that the game starts from, where that is not the game's own start. `Moves` and
`Seconds` are the number of moves that player 0 and player 1 chose and how long they thought, `Nodes` the number of positions that
they visited, `-` for one that does not count them. `Reason` describes a fault, and `Needs` the origin of a game that does not come
with ludus, as JSON in a string. Other names and words in braces are ignored. A text may hold several games, one after another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ...core.numbers import short_repr
from ...games.game import Game, StateArray
from ...games.registry import make_game
from ...records.file import RecordFile, wrong
from ...records.game import RecordedGame
from ...records.pgn import RESULTS, GameText, is_pgn, pgn_text, texts_in
from .games import DECLARED, ENDINGS, UNFINISHED, GameRecord, Pairing

NEEDED = ("Game", "Player 0", "Player 1", "Result")
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


def recorded_game(record: GameRecord, notes: Mapping[str, str] | None = None) -> RecordedGame:
    """The game as any file of games may hold it: what the arena alone knows is in its header.

    Args:
        record: the game.
        notes: further lines for its header, as a date.
    """
    header = {
        "Ending": record.ending,
        **({"Reason": record.reason} if record.reason else {}),
        "Opening": str(record.opening),
        "Number": str(record.number),
        "Key": str(record.key),
        "Moves": " ".join(map(str, record.moves)),
        "Seconds": " ".join(map(repr, record.seconds)),
        **({} if record.nodes == (None, None) else {"Nodes": " ".join(UNCOUNTED if n is None else str(n) for n in record.nodes)}),
        **(notes or {}),
    }
    if record.ending not in ENDINGS:
        header = {"Seconds": header["Seconds"], **(notes or {})}  # of another program, which knows no more
    comments = {0: "opening", record.opening: "play"} if record.ending in ENDINGS else {}
    return RecordedGame(
        game=record.pairing.game,
        start=record.start,
        actions=record.actions,
        players=record.players,
        result=None if record.ending == UNFINISHED else record.result,
        header=header,
        comments={ply: comment for ply, comment in comments.items() if ply < len(record.actions)},
    )


@lru_cache(maxsize=64)
def move_names(game: str) -> tuple[str, ...]:
    """The names of a game's actions."""
    return make_game(game).moves


def parse(text: str, *, trust: bool = False) -> list[GameRecord]:
    """The games of a text; moves must be legal, and lead to the result where the rules ended the game.

    Args:
        text: the text.
        trust: whether code may run that it names as a game.

    Raises:
        ValueError: it is not a record of games; the message says in which line, and what is wrong there.
    """
    return [_ArenaText(game).record(trust) for game in texts_in(text)]


@dataclass(frozen=True)
class _ArenaText:
    """A game's text, read as one of the arena.

    Args:
        text: the text, taken apart.
    """

    text: GameText

    def record(self, trust: bool) -> GameRecord:
        """The game, checked.

        Raises:
            ValueError: it is not a game of the arena.
        """
        header = self.text.header
        for name in NEEDED:
            if name not in header:
                wrong(self.text.line, f"the game that begins here does not say its {name}, as [{name} …]")
        game = self.text.game(None, trust=trust)
        result = self._get("Result", {text: value for value, text in RESULTS.items()}.__getitem__, "1-0, 0-1 or 1/2-1/2")
        line, ends = self.text.result or (self.text.line, None)
        if ends not in RESULTS.values():
            wrong(self.text.line, "the game that begins here does not end with its result, which is 1-0, 0-1 or 1/2-1/2")
        if ends != RESULTS[result]:
            wrong(line, f"the moves end with {ends}, and the header says {RESULTS[result]}")
        ending = self._get("Ending", _read_ending, ", ".join(ENDINGS), "rules")
        opening = self._get("Opening", _count, "how many moves the opening has", "0")
        number = self._get("Number", _count, "a whole number", "0")
        start = self.text.start(game)
        actions, last, _ = self.text.play(game, start)
        if opening > len(actions):
            wrong(header["Opening"][0], f"Opening is {opening}, and the game has {len(actions)} moves")
        if ending == "rules":
            self._check_result(game, last, result)
        chosen = _count_moves(game, start, actions, opening)
        first, second = (header[f"Player {seat}"][1] for seat in ((0, 1) if number % 2 == 0 else (1, 0)))
        return GameRecord(
            pairing=Pairing(game.spec, first, second),
            number=number,
            key=self._get("Key", _count, "a whole number", "0"),
            opening=opening,
            actions=actions,
            result=result,
            ending=ending,
            reason=header.get("Reason", (0, ""))[1],
            moves=self._get("Moves", partial(_pair_of, _count), "two whole numbers", f"{chosen[0]} {chosen[1]}"),
            seconds=self._get("Seconds", partial(_pair_of, float), "two numbers", "0 0"),
            nodes=self._get("Nodes", partial(_pair_of, _nodes), "two whole numbers, or - for one that is not known", "- -"),
            start=game.text(start) if self.text.start_line() else None,
        )

    def _get(self, name: str, reading: Any, kind: str, default: str = "") -> Any:
        """A value of the header, converted by `reading`."""
        line, text = self.text.header.get(name, (self.text.line, default))
        try:
            return reading(text)
        except (LookupError, ValueError):
            wrong(line, f"{name} is {short_repr(text)}; it must be {kind}")

    def _check_result(self, game: Game, state: StateArray, result: int) -> None:
        """Checks that the rules give a game this result."""
        outcome = game.outcome(state)
        if outcome is None or outcome[0] != result:
            stands = f"the game is not over ({game.status(state)})" if outcome is None else f"the result is {RESULTS[outcome[0]]}"
            assert self.text.result is not None
            wrong(self.text.result[0], f"by the rules {stands}, but the text says {RESULTS[result]}")


ARENA_LINES = ("Ending", "Opening", "Number", "Key", "Moves")
"""Lines of the header that the arena alone writes."""


def is_arena_text(file: RecordFile) -> bool:
    """Whether a file is a text whose first game is one of the arena, by the lines of its header."""
    return is_pgn(file) and any(map(next(texts_in(file.text)).header.__contains__, ARENA_LINES))


def game_record(recorded: RecordedGame, number: int = 0) -> GameRecord:
    """A game of any file as the arena has games: its players are the policies.

    Args:
        recorded: the game.
        number: its number in the pairing, an even one: then player 0 is the first of the two.
    """
    game = recorded.rules
    states = recorded.states()
    outcome = game.outcome(states[-1])
    ending = "rules" if outcome is not None else UNFINISHED if recorded.result is None else DECLARED
    opening = recorded.header.get("Opening", "")
    moves = np.bincount(game.players(states[:-1]), minlength=2).tolist()
    try:
        seconds = _pair_of(float, recorded.header.get("Seconds", "0 0"))
    except ValueError:
        seconds = 0.0, 0.0
    return GameRecord(
        pairing=Pairing(game.spec, *recorded.players),
        number=number,
        key=0,
        opening=min(_count(opening), len(recorded.actions)) if opening.isdecimal() and len(opening) < 6 else 0,
        actions=recorded.actions,
        result=(recorded.result or 0) if outcome is None else outcome[0],
        ending=ending,
        reason="",
        moves=(moves[0], moves[1]),
        seconds=seconds,
        start=recorded.start,
    )


def _count_moves(game: Game, start: StateArray, actions: tuple[int, ...], opening: int) -> list[int]:
    """How many moves player 0 and player 1 chose after the opening."""
    movers = game.players(game.play_line(actions, start)[opening:-1])
    return np.bincount(movers, minlength=2).tolist()


def _read_ending(text: str) -> str:
    return ENDINGS[ENDINGS.index(text)]


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise ValueError(text)
    return int(text)


def _nodes(text: str) -> int | None:
    return None if text == UNCOUNTED else _count(text)


def _pair_of(reading: Any, text: str) -> tuple[Any, Any]:
    first, second = map(reading, text.split())
    return first, second
