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

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from ...core.numbers import short_repr
from ...games.registry import make_game
from ...records.file import RecordFile, wrong
from ...records.game import RecordedGame
from ...records.pgn import RESULTS, GameText, is_pgn, pgn_text, texts_in
from .games import DECLARED, ENDINGS, UNFINISHED, GameRecord, Pairing, count_moves

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
    return [_record_of(game, trust) for game in texts_in(text)]


def _record_of(text: GameText, trust: bool) -> GameRecord:
    """The game of a text, checked.

    Raises:
        ValueError: it is not a game of the arena.
    """
    header = text.header
    for name in NEEDED:
        if name not in header:
            wrong(text.line, f"the game that begins here does not say its {name}, as [{name} …]")

    def get(name: str, reading: Callable[[str], Any], kind: str, default: str = "") -> Any:
        """A value of the header, converted by `reading`."""
        line, value = header.get(name, (text.line, default))
        try:
            return reading(value)
        except (LookupError, ValueError):
            wrong(line, f"{name} is {short_repr(value)}; it must be {kind}")

    game = text.game(None, trust=trust)
    result = get("Result", {words: value for value, words in RESULTS.items()}.__getitem__, "1-0, 0-1 or 1/2-1/2")
    line, ends = text.result or (text.line, None)
    if ends not in RESULTS.values():
        wrong(text.line, "the game that begins here does not end with its result, which is 1-0, 0-1 or 1/2-1/2")
    if ends != RESULTS[result]:
        wrong(line, f"the moves end with {ends}, and the header says {RESULTS[result]}")
    ending = get("Ending", lambda word: ENDINGS[ENDINGS.index(word)], ", ".join(ENDINGS), "rules")
    opening = get("Opening", _count, "how many moves the opening has", "0")
    number = get("Number", _count, "a whole number", "0")
    start = text.start(game)
    actions, last, _ = text.play(game, start)
    if opening > len(actions):
        wrong(header["Opening"][0], f"Opening is {opening}, and the game has {len(actions)} moves")
    outcome = game.outcome(last)
    if ending == "rules" and (outcome is None or outcome[0] != result):
        stands = f"the game is not over ({game.status(last)})" if outcome is None else f"the result is {RESULTS[outcome[0]]}"
        wrong(line, f"by the rules {stands}, but the text says {RESULTS[result]}")
    first_moves, second_moves = count_moves(game, game.play_line(actions, start)[opening:])
    first, second = (header[f"Player {seat}"][1] for seat in ((0, 1) if number % 2 == 0 else (1, 0)))
    return GameRecord(
        pairing=Pairing(game.spec, first, second),
        number=number,
        key=get("Key", _count, "a whole number", "0"),
        opening=opening,
        actions=actions,
        result=result,
        ending=ending,
        reason=header.get("Reason", (0, ""))[1],
        moves=get("Moves", partial(_pair_of, _count), "two whole numbers", f"{first_moves} {second_moves}"),
        seconds=get("Seconds", partial(_pair_of, float), "two numbers", "0 0"),
        nodes=get("Nodes", partial(_pair_of, _nodes), "two whole numbers, or - for one that is not known", "- -"),
        start=game.text(start) if text.start_line() else None,
    )


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
        moves=count_moves(game, states),
        seconds=seconds,
        start=recorded.start,
    )


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise ValueError(text)
    return int(text)


def _nodes(text: str) -> int | None:
    return None if text == UNCOUNTED else _count(text)


def _pair_of(reading: Any, text: str) -> tuple[Any, Any]:
    first, second = map(reading, text.split())
    return first, second
