"""Plain lists: positions, or lines of moves, one to a line of the file.

    # Game: tictactoe
    # anything about the list
    XO------- X              # positions: in the notation of the game, or as others write them, on one line
    x . . / . o . / . . . X

    # Game: othello
    f5 d6 c3 d3 c4           # lines of moves, from the start of the game
    f5d6c3d3c4               # run together
    ---------------------------OX------XO--------------------------- X : d3 c3    # from a position

What follows a `#` is a comment. One that names the game may be left out; then whoever reads the list names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from ..games.game import Game
from .file import RecordFile, wrong
from .format import RecordFormat
from .game import RecordedGame, result_of
from .positions import COLON, begins_with_move, read_position

AFTER_START = " : "
"""Stands between a position and the moves from it."""
SCORE = "Score"
"""The line of the header that keeps the score of a line of moves."""


# ---- reading


def is_list_of_positions(file: RecordFile) -> bool:
    """Whether the first entry of a list is a position of its game."""
    game = file.game
    try:
        return any(not record.actions for record in islice(read_list(file, game), 1))
    except ValueError:
        return False


def is_list_of_moves(file: RecordFile) -> bool:
    """Whether the first entry of a list has moves, begins with one, or has a colon: reading says what is wrong then."""
    game, first = file.game, file.first_entry()
    try:
        return (
            begins_with_move(game, first)
            or len(COLON.split(first)) > 1
            or any(record.actions for record in islice(read_list(file, game), 1))
        )
    except ValueError:
        return False


def read_list(file: RecordFile, game: Game | None = None, rewrite: Callable[[str], str] = str) -> Iterator[RecordedGame]:
    """The games of a list, a position among them as a game without moves.

    Args:
        file: the file.
        game: the game that is played; None for the one that the list names.
        rewrite: what makes moves that this package reads of those in the file.

    Raises:
        ValueError: an entry is neither a position nor a line of moves; the message begins with the number of its line.
    """
    game = game or file.game
    for number, text, comment in file.entries():
        try:
            line = read_position(game, rewrite(text))
        except ValueError as error:
            wrong(number, str(error))
        yield RecordedGame(
            game=game.spec,
            start=None if line.start is None else game.text(line.start),
            actions=line.actions,
            result=result_of(game, line.state),
            header={SCORE: line.score} if line.score else {},
            comments={len(line.actions): comment} if comment else {},
        )


# ---- writing


def write_position_list(games: Iterable[RecordedGame]) -> Iterator[str]:
    """The last position of each game, as a list."""
    return _write(games, lambda record: record.rules.text(record.states()[-1]))


def write_move_list(games: Iterable[RecordedGame]) -> Iterator[str]:
    """The games as lines of moves; ValueError where one has neither moves nor a position that it starts from."""
    return _write(games, _line_of_moves)


def _line_of_moves(record: RecordedGame) -> str:
    moves = " ".join(record.rules.moves[action] for action in record.actions)
    if not moves and record.start is None:
        raise ValueError("a list of moves cannot hold a game without moves from the start of its game; leave it out")
    return moves if record.start is None else f"{record.start}{AFTER_START}{moves}"


def _write(games: Iterable[RecordedGame], entry: Callable[[RecordedGame], str]) -> Iterator[str]:
    """The entry of each game with what is remarked after the last move; before the first one the comment that names the game."""
    spec = None
    for record in games:
        if spec is None:
            spec = record.game
            yield f"# Game: {spec}\n"
        if record.game != spec:
            raise ValueError(f"a list holds games of one kind, and these are of {spec!r} and {record.game!r}; write two lists")
        remark = " ".join(record.comments.get(len(record.actions), "").split())
        yield f"{entry(record)}{f'  # {remark}' if remark else ''}".rstrip() + "\n"


POSITIONS = RecordFormat(
    name="positions",
    title="a list of positions, one a line",
    suffixes=(".positions", ".openings", ".txt"),
    recognise=is_list_of_positions,
    read=read_list,
    write=write_position_list,
)
MOVES = RecordFormat(
    name="moves",
    title="a list of lines of moves, one game a line",
    suffixes=(".moves", ".openings", ".txt"),
    recognise=is_list_of_moves,
    read=read_list,
    write=write_move_list,
)
