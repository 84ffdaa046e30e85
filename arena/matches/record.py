"""A game as a text that people and programs read, in the spirit of chess's PGN.

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

Values are JSON strings. Only the first four are needed. `Start` is the position that the game starts from, where that is not the
game's own start. `Moves` and `Seconds` are the number of moves that player 0 and player 1 chose and how long they thought, `Nodes`
the number of positions that they visited, `-` for one that does not count them. `Reason` describes a fault, and `Needs` the origin
of a game that does not come with ludus, as JSON in a string. Other names and words in braces are ignored. A text may hold several
games, one after another.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NoReturn

from ...core.plugins import Source, needs_in, needs_of
from ...games.game import Game, StateArray
from ...games.registry import GAMES, make_game
from ...records.game import start_of
from .games import ENDINGS, GameRecord, Pairing

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
"""Player 0's result, as it is written."""
NEEDED = ("Game", "Player 0", "Player 1", "Result")
WIDTH = 100
LONGEST_QUOTE = 80
"""Characters of a line that an error repeats."""
LONGEST_NUMBER = 20
"""Digits of a number of 64 bits."""
UNCOUNTED = "-"
"""Stands for the nodes of a policy that does not count them."""
UNBROKEN = "\N{NO-BREAK SPACE}"
"""Stands for spaces within a move while lines are broken."""
BYTE_ORDER_MARK = "\ufeff"
"""May begin the text, or a text that was appended to it."""
WORD = re.compile(r"\{[^}]*\}?|[^\s{]+")
"""A word of a line of moves, or a comment, whose brace may be missing."""


def write(record: GameRecord, notes: Mapping[str, str] | None = None) -> str:
    """The game as a text, from which `parse` makes the same record.

    Args:
        record: the game.
        notes: further lines for its header, as a date.
    """
    header = {
        "Game": record.pairing.game,
        "Player 0": record.players[0],
        "Player 1": record.players[1],
        "Result": RESULTS[record.result],
        "Ending": record.ending,
        **({"Needs": json.dumps(needs)} if (needs := needs_of([(GAMES, record.pairing.game)])) else {}),
        **({"Reason": record.reason} if record.reason else {}),
        **({} if record.start is None else {"Start": record.start}),
        "Opening": str(record.opening),
        "Number": str(record.number),
        "Key": str(record.key),
        "Moves": " ".join(map(str, record.moves)),
        "Seconds": " ".join(map(repr, record.seconds)),
        **({} if record.nodes == (None, None) else {"Nodes": " ".join(UNCOUNTED if n is None else str(n) for n in record.nodes)}),
        **(notes or {}),
    }
    lines = [f"[{name} {_quote(value)}]" for name, value in header.items()]
    moves = " ".join(piece.replace(" ", UNBROKEN) for piece in _moves(record))
    wrapped = textwrap.fill(moves, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", wrapped.replace(UNBROKEN, " "), ""])


def _moves(record: GameRecord) -> Iterator[str]:
    names = move_names(record.pairing.game)
    for ply, action in enumerate(record.actions):
        mark = "{play} " if ply == record.opening else "{opening} " if ply == 0 else ""
        yield f"{mark}{ply + 1}. {names[action]}"
    yield RESULTS[record.result]


@lru_cache(maxsize=64)
def move_names(game: str) -> tuple[str, ...]:
    """The names of a game's actions."""
    return make_game(game).moves


def _quote(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a character, as it comes up in names of files, which no text file can hold
        return json.dumps(text)
    return json.dumps(text, ensure_ascii=False)


def parse(text: str, *, trust: bool = False) -> list[GameRecord]:
    """The games of a text; moves must be legal, and lead to the result where the rules ended the game.

    Args:
        text: the text.
        trust: whether code may run that it names as a game.

    Raises:
        ValueError: it is not a record of games; the message says in which line, and what is wrong there.
    """
    games = list[_Game]()
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removeprefix(BYTE_ORDER_MARK)
        if not line.strip():
            continue
        if not games or games[-1].result is not None:
            games.append(_Game(number))
        if line.lstrip().startswith("["):
            games[-1].read_header(number, line.strip())
        else:
            games[-1].read_moves(number, line)
    if games and games[-1].result is None:
        _wrong(games[-1].line, "the game that begins here does not end with its result, which is 1-0, 0-1 or 1/2-1/2")
    return [game.record(trust) for game in games]


@dataclass
class _Game:
    """A game while it is being read.

    Args:
        line: the number of its first line.
        header: by name, the number of each line of the header and its value.
        moves: the line of each move, and its words.
        result: the line of the result after the moves, and its text; None until it is read.
    """

    line: int
    header: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    moves: list[tuple[int, list[str]]] = field(default_factory=list[tuple[int, list[str]]])
    result: tuple[int, str] | None = None

    def read_header(self, number: int, line: str) -> None:
        """Reads a line of the header."""
        if self.moves:
            _wrong(number, "a header stands among moves; the game before it must end with its result, 1-0, 0-1 or 1/2-1/2")
        name, quote, value = line[1:-1].partition('"')
        name = name.strip()
        if not quote or not line.endswith("]") or "[" in name or "]" in name:
            _wrong(number, f'{line[:LONGEST_QUOTE]!r} is not a line of a header, such as [Game "nim"]')
        if name in self.header:
            _wrong(number, f"{name} appears twice; once is enough")
        try:
            self.header[name] = number, json.loads(f'"{value}')
        except json.JSONDecodeError as error:
            _wrong(number, f"the value of {name} is not written as JSON writes a text ({error.msg})")

    def read_moves(self, number: int, line: str) -> None:
        """Reads a line of moves."""
        for word in WORD.findall(line):
            if self.result is not None:
                _wrong(number, f"{word!r} comes after the result; the next game begins on a line of its own, with its header")
            if word.startswith("{"):
                if not word.endswith("}"):
                    _wrong(number, "a brace { is not closed in its line")
            elif word == f"{len(self.moves) + 1}.":
                self.moves.append((number, []))
            elif word in RESULTS.values() and (not self.moves or self.moves[-1][1]):
                self.result = number, word
            elif not self.moves or re.fullmatch(r"\d+\.", word):
                _wrong(number, f"{word!r} stands where the number of the next move, {len(self.moves) + 1}., or the result is due")
            else:
                self.moves[-1][1].append(word)

    def record(self, trust: bool) -> GameRecord:
        """The game, checked.

        Raises:
            ValueError: it is not a game.
        """
        for name in NEEDED:
            if name not in self.header:
                _wrong(self.line, f"the game that begins here does not say its {name}, as [{name} …]")
        game = self._game(trust)
        result = self._get("Result", {text: value for value, text in RESULTS.items()}.__getitem__, "1-0, 0-1 or 1/2-1/2")
        assert self.result is not None
        if self.result[1] != RESULTS[result]:
            _wrong(self.result[0], f"the moves end with {self.result[1]}, and the header says {RESULTS[result]}")
        ending = self._get("Ending", _read_ending, ", ".join(ENDINGS), "rules")
        opening = self._get("Opening", _count, "how many moves the opening has", "0")
        number = self._get("Number", _count, "a whole number", "0")
        actions, chosen = self._replay(game, opening, result if ending == "rules" else None)
        players = [self.header[f"Player {seat}"][1] for seat in (0, 1)]
        first, second = players if number % 2 == 0 else reversed(players)
        return GameRecord(
            pairing=Pairing(game.spec, first, second),
            number=number,
            key=self._get("Key", _count, "a whole number", "0"),
            opening=opening,
            actions=actions,
            result=result,
            ending=ending,
            reason=self.header.get("Reason", (0, ""))[1],
            moves=self._get("Moves", partial(_pair_of, _count), "two whole numbers", f"{chosen[0]} {chosen[1]}"),
            seconds=self._get("Seconds", partial(_pair_of, float), "two numbers", "0 0"),
            nodes=self._get("Nodes", partial(_pair_of, _nodes), "two whole numbers, or - for one that is not known", "- -"),
            start=self.header["Start"][1] if "Start" in self.header else None,
        )

    def _game(self, trust: bool) -> Game:
        line, spec = self.header["Game"]
        try:
            needs = json.loads(self.header.get("Needs", (0, "[]"))[1])
        except (RecursionError, ValueError):
            _wrong(self.header["Needs"][0], "Needs is not JSON, or nested too deeply; leave it out")
        try:
            return make_game(Source("the record", needs_in(needs), trust).spec(GAMES, spec))
        except ValueError as error:
            _wrong(line, str(error))

    def _start(self, game: Game) -> StateArray:
        line, text = self.header.get("Start", (self.line, None))
        try:
            return start_of(game, text)
        except ValueError as error:
            _wrong(line, str(error))

    def _get(self, name: str, reading: Any, kind: str, default: str = "") -> Any:
        """A value of the header, converted by `reading`."""
        line, text = self.header.get(name, (self.line, default))
        try:
            return reading(text)
        except (LookupError, ValueError):
            _wrong(line, f"{name} is {text!r}; it must be {kind}")

    def _replay(self, game: Game, opening: int, result: int | None) -> tuple[tuple[int, ...], list[int]]:
        """Plays the moves, which must lead to a given result: the actions, and how many each player chose after the opening."""
        state, actions, chosen = self._start(game), list[int](), [0, 0]
        for ply, (line, words) in enumerate(self.moves):
            try:
                actions.append(game.action(" ".join(words)))
                chosen[game.player(state)] += ply >= opening
                state = game.play(state, actions[-1])
            except ValueError as error:
                _wrong(line, f"move {ply + 1}: {error}")
        if opening > len(actions):
            _wrong(self.header["Opening"][0], f"Opening is {opening}, and the game has {len(actions)} moves")
        outcome = game.outcome(state)
        if result is not None and (outcome is None or outcome[0] != result):
            stands = f"the game is not over ({game.status(state)})" if outcome is None else f"the result is {RESULTS[outcome[0]]}"
            assert self.result is not None
            _wrong(self.result[0], f"by the rules {stands}, but the text says {RESULTS[result]}")
        return tuple(actions), chosen


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


def _wrong(line: int, what: str) -> NoReturn:
    raise ValueError(f"line {line}: {what}")
