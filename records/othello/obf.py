"""OBF: positions of Othello, one a line, as the problem files of Edax hold them.

    --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; % a comment

The cells row by row, a space, the player to move; then moves with their scores, discs for the player to move, as far as they are
known. They are kept in a game's header as `Scores`: `g8:+18 h1:+12 h7:+6`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...core.numbers import short_repr
from ..file import RecordFile, wrong
from ..format import RecordFormat
from ..game import SCORES, RecordedGame, result_of
from .boards import is_othello, read_board

POSITION = re.compile(r"([-.*xXbB@oOwW0]{16,100})\s+([*xXbB@oOwW0])\s*(?:;(.*))?")
MOVE_SCORE = re.compile(r"([a-h][1-8]|pass|ps|pa|--)\s*:\s*([+-]?\d{1,3})", re.IGNORECASE)


def is_obf(file: RecordFile) -> bool:
    """Whether the first line is a position of Othello that ends with a semicolon."""
    for _, held, _ in _entries(file):
        return is_othello(file) and POSITION.fullmatch(held) is not None and ";" in held
    return False


def _entries(file: RecordFile) -> Iterator[tuple[int, str, str]]:
    """The lines that hold something: their numbers, what they hold, and their comments."""
    for number, line in file.lines():
        held, _, comment = line.partition("%")
        if held.strip():
            yield number, held.strip(), comment.strip()


def read_obf(file: RecordFile) -> Iterator[RecordedGame]:
    """The positions of a file, as games without moves; ValueError, after the number of the line, where it is none."""
    for number, held, comment in _entries(file):
        match = POSITION.fullmatch(held)
        if not match:
            wrong(number, f"{short_repr(held)} is not a position of OBF: the cells, a space, X or O who moves, and a semicolon")
        try:
            game, state = read_board(file, match[1], match[2])
            scores = _read_scores(match[3] or "")
        except ValueError as error:
            wrong(number, str(error))
        yield RecordedGame(
            game=game.spec,
            start=game.text(state),
            result=result_of(game, state),
            header={SCORES: scores} if scores else {},
            comments={0: comment} if comment else {},
        )


def _read_scores(text: str) -> str:
    scores = list[str]()
    for field in filter(None, map(str.strip, text.split(";"))):
        match = MOVE_SCORE.fullmatch(field)
        if not match:
            raise ValueError(f"{short_repr(field)} is not a move with its score, such as g8:+18")
        move = match[1].lower()
        scores.append(f"{move if move[-1].isdigit() else 'pass'}:{int(match[2]):+d}")
    return " ".join(scores)


OBF = RecordFormat(
    name="obf",
    title="positions of Othello with scores of moves, as Edax's problems",
    suffixes=(".obf",),
    recognise=is_obf,
    read=read_obf,
)
