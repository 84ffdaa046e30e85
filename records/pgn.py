"""Games as texts that people and programs read, in the spirit of chess's PGN (the standard of 1994, section 8).

    [Game "othello"]                    or the game that the reader names
    [Player 0 "Ada"]                    or [Black "Ada"] where player 0 is black, [White "Ada"] where nobody has a colour
    [Player 1 "Bob"]
    [Result "*"]                        1-0, 0-1, 1/2-1/2, * where it is unfinished, or both players' scores: 37-27
    [Start "------…- X"]                or [FEN "…"], if it does not start from the game's own start
    [Date "2031-05-17"]                 any other line is kept

    {a comment} 1. f5 d6 2. c3 d3 ; another, up to the end of the line
    3. c4 {still going} *

Numbers of moves are passed over, as other readers of PGN do, except that a line that begins with `1.` begins another game. Values
of the header are JSON strings, or as chess's PGN writes them. Variations in parentheses, `$1`, `!` and `?` after moves, lines that
begin with `%`, and, with a warning, lines of the header that say nothing are passed over. What is written here numbers each move,
begins with the first four lines, and says `Needs` of a game that does not come with ludus: its origin, as JSON in a string.

Player 0, who moves first, stands first in a result. Scores that end the moves are a result unless the game has a move of this name,
as Nim has `2-3`. Where the rules end a game, they say who won, whatever the text says.
"""

from __future__ import annotations

import json
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..core.numbers import short_repr
from ..games.game import Game, StateArray
from ..games.registry import GAMES
from .file import HOW_TO_NAME_IT, RecordFile, named_game, wrong
from .format import RecordFormat
from .game import NOBODY, RecordedGame, result_of
from .moves import plain_name, play_moves, split_moves
from .positions import read_position

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
"""Player 0's result, as it is written."""
UNFINISHED = "*"
PRAISE = "!?"
"""What may follow a move, once or more: how good somebody thinks it is."""
WIDTH = 100
"""Characters of a line of moves."""
BYTE_ORDER_MARK = "\ufeff"
"""May begin a text that was appended to another one."""
TAG = re.compile(r'\[([^\[\]"]*)"((?:[^"\\]|\\.)*)"[ \t]*\][ \t]*')
"""A line of the header: its name and its value."""
HEADER_NAME = re.compile(r'[^\[\]"\s]([^\[\]"]*[^\[\]"\s])?')
"""The name of a line of the header, as it is written."""
WORD = r"^%.*|\{(?P<comment>[^}]*(?:\}|\Z))|;(?P<remark>.*)|(?P<word>[()]|[^\s{();]+)"
INSIDE = re.compile(WORD, re.MULTILINE)
"""What a variation consists of: lines for programs, comments in braces or up to the end of the line, and words."""
TOKEN = re.compile(rf"^[ \t]*(?P<header>\[.*)|{WORD}", re.MULTILINE)
"""What a text consists of: the same, and lines of a header."""
NUMBER = re.compile(r"(\d{1,9})(\.+)")
"""The number of a move; the dots may stand without a space before the move."""
SCORES = re.compile(r"(\d{1,4})-(\d{1,4})")
"""A result as both players' scores."""
IN_BRACES = str.maketrans({"}": ")", "\0": " "})
"""What a comment cannot hold, and what stands for it."""
STARTS = ("Start", "FEN")
"""Lines of the header that say where the game starts."""
READ = {"game", "player 0", "player 1", "result", "needs", "setup", *map(str.lower, STARTS)}
"""Lines of the header that a game keeps in a field of its own, or that say nothing more."""


@dataclass
class GameText:
    """A game's text, taken apart; nothing is known of its rules yet.

    Args:
        line: the number of its first line.
        header: by name, the number of each line of the header and its value.
        names: the names of these lines, by the same in small letters.
        pieces: the words of its moves, each piece with its line: without a number or a comment in it.
        comments: remarks, each with the number of pieces before it.
        result: the line of the result after the moves, and its text; None where there is none.
        is_numbered: whether a move with its number was read.
    """

    line: int
    header: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    names: dict[str, str] = field(default_factory=dict[str, str])
    pieces: list[tuple[int, list[str]]] = field(default_factory=list[tuple[int, list[str]]])
    comments: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    result: tuple[int, str] | None = None
    is_numbered: bool = False

    @property
    def has_content(self) -> bool:
        """Whether anything is said of a game."""
        return bool(self.header or self.pieces or self.comments or self.result)

    def get(self, *names: str) -> tuple[int, str] | None:
        """The first line of the header that has one of these names, in capitals or not: its number and its value."""
        return next((self.header[self.names[name.lower()]] for name in names if name.lower() in self.names), None)

    def game(self, asked: Game | None, *, trust: bool = False) -> Game:
        """The game that is played: the one that the user names, unless the text names another of ours, or that of the text.
        ValueError where nobody names it, they name two, or what the text names may not be made."""
        line, spec = self.get("Game") or (self.line, None)
        if spec is None:
            if asked is None:
                wrong(line, f"the game that begins here does not say its Game, as [Game …]; add it, or {HOW_TO_NAME_IT}")
            return asked
        spec = spec.lower() if GAMES.has(spec.lower()) else spec
        if asked is not None and not GAMES.has(spec.partition(":")[0]):
            return asked  # whatever another program calls it
        needs_line, needs = self.get("Needs") or (line, "{}")
        try:
            documents = json.loads(needs)
        except (RecursionError, ValueError):
            wrong(needs_line, "Needs is not JSON, or nested too deeply; leave it out")
        return named_game(line, spec, asked, documents, trust=trust)

    def start_line(self) -> tuple[int, str] | None:
        """The line of the header that says where the game starts: its number and its value."""
        return self.get(*STARTS)

    def start(self, game: Game) -> StateArray:
        """The state that it starts from; ValueError where the text does not say a position of the game."""
        line, text = self.start_line() or (self.line, None)
        try:
            return game.start if text is None else read_position(game, text).state
        except ValueError as error:
            wrong(line, str(error))

    def play(self, game: Game, state: StateArray) -> tuple[tuple[int, ...], StateArray, dict[int, str]]:
        """Plays the moves: the actions, the last state, and the comments by the number of actions before them. ValueError at one
        that is not legal."""
        actions, plies = list[int](), [0]
        ends_with_scores = self.final_scores(game) is not None
        for number, (line, words) in enumerate(self.pieces, 1):
            moves = words[:-1] if ends_with_scores and number == len(self.pieces) else words
            plain = (word.rstrip(PRAISE) if word not in game.moves else word for word in moves)
            try:
                played, state = play_moves(game, split_moves(game, " ".join(plain)), state, len(actions))
            except ValueError as error:
                wrong(line, str(error))
            actions += played
            plies.append(len(actions))
        comments = dict[int, list[str]]()
        for pieces, comment in self.comments:
            comments.setdefault(plies[pieces], []).append(comment)
        return tuple(actions), state, {ply: " ".join(filter(None, remarks)) for ply, remarks in comments.items()}

    def players(self, game: Game) -> tuple[str, str]:
        """The names of player 0 and player 1."""
        ways = [("Player 0", "Player 1"), game.player_names, ("White", "Black"), ("First", "Second")]
        names = next((way for way in ways if any(map(self.get, way))), NOBODY)
        first, second = (entry[1] if (entry := self.get(name)) else nobody for name, nobody in zip(names, NOBODY, strict=True))
        return first, second

    def final_scores(self, game: Game) -> str | None:
        """The word that ends the moves, if it is both players' scores and no move of the game; None otherwise."""
        word = self.pieces[-1][1][-1] if self.pieces else ""
        return word if SCORES.fullmatch(word) and plain_name(game, word) not in game.moves else None

    def declared_result(self, game: Game) -> int | None:
        """Player 0's result, as the text says it after the moves or in its header; None where it says none."""
        entries = self.result, self.get("Result")
        texts = [self.final_scores(game) or "", *(entry[1] for entry in entries if entry)]
        return next((result for result in map(read_result, texts) if result is not None), None)


def read_result(text: str) -> int | None:
    """Player 0's result, written as a result or as two scores; None for any other text."""
    if text in RESULTS.values():
        return next(result for result, name in RESULTS.items() if name == text)
    if scores := SCORES.fullmatch(text.strip()):
        return (int(scores[1]) > int(scores[2])) - (int(scores[1]) < int(scores[2]))
    return None


# ---- taking texts apart


def texts_in(text: str) -> Iterator[GameText]:
    """The games of a text, taken apart; ValueError, which begins with the number of a line, where it is no text of games."""
    game, is_new = None, True  # whether the next word begins a piece
    for token in _tokens_in(text.replace(BYTE_ORDER_MARK, "")):
        if game is None or (token.is_first and _begins_another(game, token)):
            if game is not None and game.has_content:
                yield game
            game, is_new = GameText(token.line), True
        if token.kind == "word":
            is_new = _read_word(game, token.line, token.text, is_new or (token.is_first and not game.is_numbered))
            continue
        is_new = True
        if token.kind == "header":
            _read_header(game, token.line, token.text.strip())
        else:
            game.comments.append((len(game.pieces), " ".join(token.text.split())))
    if game is not None and game.has_content:
        yield game


class _Token(NamedTuple):
    """A word, a comment or a line of a header, with its line and whether it is the first there."""

    line: int
    is_first: bool
    kind: str
    text: str


def _tokens_in(text: str) -> Iterator[_Token]:
    """What counts in a text, without variations and lines for programs."""
    line, last_line, counted, at = 1, 0, 0, 0
    variations = list[int]()  # the lines at which open ones began
    while token := (INSIDE if variations else TOKEN).search(text, at):
        line += text.count("\n", counted, token.start())
        counted, at, kind = token.start(), token.end(), token.lastgroup
        if kind == "comment" and not token[0].endswith("}"):
            wrong(line, "a brace { is not closed")
        if token["word"] == "(":
            variations.append(line)
        elif token["word"] == ")" and variations:
            variations.pop()
        elif kind and not variations:
            yield _Token(line, line > last_line, kind, token[kind][:-1] if kind == "comment" else token[kind])
        last_line = line + token[0].count("\n")
    if variations:
        wrong(variations[0], "a parenthesis ( is not closed")


def _begins_another(game: GameText, token: _Token) -> bool:
    """Whether the first word of a line begins another game than the one that is read."""
    first = NUMBER.match(token.text) if token.kind == "word" else None
    again = first is not None and first[1] == "1" and len(first[2]) == 1 and game.is_numbered and not game.header
    return game.result is not None or again or (token.kind == "header" and bool(game.pieces))


def _read_header(game: GameText, number: int, line: str) -> None:
    """Reads a line of a header; what says nothing is passed over with a warning."""
    at = 0
    while at < len(line):
        tag = TAG.match(line, at)
        name = tag[1].strip() if tag else ""
        if not tag or not name:
            warnings.warn(f'line {number} is passed over: {short_repr(line)} is no header, as [Game "nim"]', stacklevel=2)
            return
        value, at, before = _unquote(tag[2]), tag.end(), game.get(name)
        if before and before[1] != value and name.lower() in READ:
            wrong(number, f"{name} appears twice, as {short_repr(before[1])} and as {short_repr(value)}; leave one of them out")
        if before:
            warnings.warn(f"line {number}: the header {short_repr(name)} is passed over, the first one counts", stacklevel=2)
        else:
            game.header[name], game.names[name.lower()] = (number, value), name


def _read_word(game: GameText, line: int, word: str, is_new: bool) -> bool:
    """Reads a word of the moves, which may begin a new piece; returns whether the next one begins one."""
    if game.result is not None:
        wrong(line, f"{short_repr(word)} comes after the result; the next game begins on a line of its own")
    if word in RESULTS.values() or word == UNFINISHED:
        game.result = line, word
        return True
    if first := NUMBER.match(word):
        game.is_numbered, is_new, word = True, True, word[first.end() :]
    if not word or word.startswith("$"):
        return is_new
    if is_new:
        game.pieces.append((line, []))
    game.pieces[-1][1].append(word)
    return False


def _unquote(value: str) -> str:
    """The value of a line of a header: of JSON, or as chess's PGN writes it, where only quotes and backslashes are escaped."""
    try:
        return json.loads(f'"{value}"')
    except json.JSONDecodeError:
        return re.sub(r"\\([\"\\])", r"\1", value)


# ---- games


def is_pgn(file: RecordFile) -> bool:
    """Whether a text begins with a line of a header, or with the first move's number."""
    for _, line in file.lines():
        if line.strip() and not line.startswith("%"):
            line = line.strip().removeprefix(BYTE_ORDER_MARK)
            return TAG.match(line) is not None or ((first := NUMBER.match(line)) is not None and first[1] == "1")
    return False


def read_pgn(file: RecordFile) -> Iterator[RecordedGame]:
    """The games of a file; ValueError, after the number of the line, where it is wrong."""
    return games_in_text(file.text, file.asked, trust=file.trust)


def games_in_text(text: str, asked: Game | None = None, *, trust: bool = False) -> Iterator[RecordedGame]:
    """The games of a text.

    Args:
        text: the text.
        asked: the game that the user names; None if the text says it.
        trust: whether code may run that the text names as a game.

    Raises:
        ValueError: what is wrong with it, after the number of the line.
    """
    for part in texts_in(text):
        game = part.game(asked, trust=trust)
        start = part.start(game)
        actions, state, comments = part.play(game, start)
        result = result_of(game, state)
        own = own_names(game)
        yield RecordedGame(
            game=game.spec,
            start=game.text(start) if part.start_line() else None,
            actions=actions,
            players=part.players(game),
            result=part.declared_result(game) if result is None else result,
            header={name: value for name, (_, value) in part.header.items() if name.lower() not in own},
            comments=comments,
        )


def own_names(game: Game) -> set[str]:
    """The names, in small letters, of lines of the header that a game keeps in fields of its own."""
    return READ | {name.lower() for name in (*game.player_names, "White", "Black", "First", "Second")}


def write_pgn(games: Iterable[RecordedGame]) -> Iterator[str]:
    """The games as texts; ValueError where a line of the header could not be read again."""
    for number, record in enumerate(games):
        yield "\n" * (number > 0) + pgn_text(record)


def pgn_text(record: RecordedGame) -> str:
    """A game as a text, from which the same game is read; ValueError where a line of its header could not be read again."""
    own = own_names(record.rules)
    for name in record.header:
        if name.lower() in own or not name.isprintable() or not HEADER_NAME.fullmatch(name):
            is_own = name.lower() in own
            what = "it is one of the format's own" if is_own else "it is empty, or has brackets, quotes or breaks of lines"
            raise ValueError(f"a header of PGN cannot have the name {short_repr(name)}: {what}; rename it")
        own.add(name.lower())
    needs = GAMES.needs(record.game)
    header = {
        "Game": record.game,
        "Player 0": record.players[0],
        "Player 1": record.players[1],
        "Result": UNFINISHED if record.result is None else RESULTS[record.result],
        **({"Needs": json.dumps(needs)} if needs else {}),
        **({} if record.start is None else {"Start": record.start}),
        **record.header,
    }
    lines = [f"[{name} {_quote_value(value)}]" for name, value in header.items()]
    text = " ".join(word.replace(" ", "\0") for word in _words(record, header["Result"]))
    moves = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *(line.replace("\0", " ") for line in moves), ""])


def _words(record: RecordedGame, result: str) -> Iterator[str]:
    """What stands on lines of moves and may not be broken."""
    names = record.rules.moves
    for ply in range(len(record.actions) + 1):
        if comment := " ".join(record.comments.get(ply, "").translate(IN_BRACES).split()):
            yield from f"{{{comment}}}".split(" ")
        yield f"{ply + 1}. {names[record.actions[ply]]}" if ply < len(record.actions) else result


def _quote_value(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a character, as it comes up in names of files, which no text file can hold
        return json.dumps(text)
    return json.dumps(text, ensure_ascii=False)


PGN = RecordFormat(
    name="pgn",
    title="texts with a header and numbered moves, as chess's PGN",
    suffixes=(".pgn", ".txt"),
    recognise=is_pgn,
    read=read_pgn,
    write=write_pgn,
)
