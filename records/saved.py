"""Games that `ludus play` saved: documents in JSON, with the position that they start from and the names of the moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..core.files.documents import parse_document
from ..core.plugins import CheckedSpec
from ..games.registry import make_game
from .file import RecordFile, check_wanted
from .format import RecordFormat
from .game import RecordedGame, result_of
from .moves import play_moves

PERSON = "you"
"""The name of who played at the terminal."""


@dataclass(frozen=True)
class SavedMoves:
    """What a saved game says of its moves.

    Args:
        game: the game's spec.
        against: the opponent's spec; nothing is made of it.
        seat: the person's seat.
        start: the first position.
        moves: the names of the moves.
    """

    game: CheckedSpec
    against: str
    seat: Literal[0, 1]
    start: str
    moves: list[str]


def is_saved_game(file: RecordFile) -> bool:
    """Whether a file is a document in JSON."""
    return file.text.lstrip()[:1] == "{"


def read_saved_game(file: RecordFile) -> Iterator[RecordedGame]:
    """The game of a file; ValueError where it is not a saved game."""
    saved = parse_document(file.text, SavedMoves, "the saved game", "name a file that `save` wrote", trust=file.trust)
    game = check_wanted(make_game(saved.game), file.asked)
    start = game.position(saved.start)
    actions, state = play_moves(game, saved.moves, start)
    yield RecordedGame(
        game=game.spec,
        start=None if (start == game.start).all() else game.text(start),
        actions=actions,
        players=(PERSON, saved.against) if saved.seat == 0 else (saved.against, PERSON),
        result=result_of(game, state),
    )


SAVED = RecordFormat(
    name="saved",
    title="a game that `ludus play` saved",
    suffixes=(".json",),
    recognise=is_saved_game,
    read=read_saved_game,
)
