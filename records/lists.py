"""Plain lists: positions, or lines of moves, one to a line of the file.

    # Game: tictactoe
    # anything about the list
    XO------- X              # positions: in the notation of the game, or as others write them; a board may have several lines,
    ----X---- O              # and an empty line after them

    # Game: othello
    f5 d6 c3 d3 c4           # lines of moves, from the start of the game
    f5d6c3d3c4               # run together
    ---------------------------OX------XO--------------------------- X : d3 c3    # from a position

What follows a `#` is a comment. One that names the game may be left out; then whoever reads the list names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from ..games.game import Game
from .file import RecordFile, wrong
from .format import RecordFormat
from .game import RecordedGame, result_of
from .positions import COLON, ReadLine, begins_with_move, names_columns, read_position

AFTER_START = " : "
"""Stands between a position and the moves from it."""
SCORE = "Score"
"""The line of the header that keeps the score of a line of moves."""
MOST_LINES = 24
"""The most lines that a board has."""


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
    game, board, refusal = game or file.game, list[tuple[int, str, str]](), ValueError()
    for number, text, comment in file.entries():
        if board and (number > board[-1][0] + 1 or len(board) == MOST_LINES):
            yield _read_board(game, board, refusal)
            board.clear()
        names_alone = len(board) == 1 and names_columns(game, board[0][1])  # which could be moves, and names above a board
        try:
            record = None if board and not names_alone else _record(game, read_position(game, rewrite(text)), comment)
        except ValueError as error:
            record, refusal = None, error
        if record and names_alone:
            yield _read_board(game, board, refusal)
            board.clear()
        if record and not names_columns(game, text):
            yield record
        else:
            board.append((number, text, comment))
    if board:
        yield _read_board(game, board, refusal)


def _read_board(game: Game, lines: Sequence[tuple[int, str, str]], refusal: ValueError) -> RecordedGame:
    """The game of lines of which the first is none by itself, as where a board has a line for each of its rows."""
    numbers, texts, comments = zip(*lines, strict=True)
    try:
        return _record(game, read_position(game, "\n".join(texts)), " ".join(filter(None, comments)))
    except ValueError:
        wrong(numbers[0], str(refusal))


def _record(game: Game, line: ReadLine, comment: str) -> RecordedGame:
    return RecordedGame(
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
    """The games as lines of moves.

    Raises:
        ValueError: a game has neither moves nor a position that it starts from.
    """
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
