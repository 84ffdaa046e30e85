"""Games in a notebook: `ludus.show(record)` is a game to step through, in one output that needs no server and no other file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from ...envs.games.game import Game
from ...envs.games.registry import make_game
from ...envs.showing import MOST_BOARDS, Part, Picture, Pictures, Shown
from ...envs.showing import show as show_boards
from ..grading.values import quick_oracle
from ..grading.verdict import Judge
from ..matches.games import GameRecord
from .frames import Replay, ending, film
from .single import rendered

FOLDER = Path(__file__).parent
HEIGHT = 520
"""Pixels of an output."""


class ReplayOutput(Shown):
    """A game to step through, with what perfect play says about each move; as text, its end.

    Args:
        record: the game.
    """

    def __init__(self, record: GameRecord) -> None:
        self._record = record

    @cached_property
    def _game(self) -> Game:
        return make_game(self._record.pairing.game)

    @cached_property
    def _replay(self) -> Replay:
        judge = Judge(self._game, quick_oracle(self._game, at_once=True))
        return Replay("", self._record, judge.verdicts(self._record.actions))

    def __repr__(self) -> str:
        return f"<Replay of game {self._record.number} of {self._record.pairing}>"

    def page(self) -> str:
        """The game as an HTML page."""
        replays = film(self._game, [self._replay])
        return rendered(FOLDER / "alone.html.jinja", FOLDER / "alone.js", FOLDER / "alone.css", film=replays, title=repr(self))

    def _repr_html_(self) -> str:
        # a page of its own, which can neither see nor change the notebook around it
        style = f"width: 100%; height: {HEIGHT}px; border: 0"
        return (
            f'<iframe srcdoc="{escape(self.page())}" sandbox="allow-scripts" style="{style}" title="{escape(repr(self))}"></iframe>'
        )

    def _parts(self) -> Iterable[Part]:
        yield Picture(self._game, self._game.line(self._record.actions)[-1], (None, *self._record.actions)[-1])
        yield f"{self._record.pairing}: {ending(self._record)}"

    def _rows(self) -> list[dict[str, Any]]:
        names: Sequence[str] = [self._game.move_name(action) for action in self._record.actions]
        verdicts = self._replay.verdicts
        return [{"move": name, "value_lost": verdict.lost} for name, verdict in zip(names, verdicts, strict=True)]


def show(shown: Any, most: int = MOST_BOARDS) -> ReplayOutput | Pictures:
    """A game to step through, or the boards of an environment as they stand: drawn in a notebook, printed by `print`.

    Args:
        shown: a `GameRecord`; or an environment of Ludus: AEC, one-seat or vector, wrapped or not, or a vector environment that is
            made of several.
        most: how many boards of an environment are shown at most.

    Raises:
        ValueError: it is neither.
    """
    return ReplayOutput(shown) if isinstance(shown, GameRecord) else show_boards(shown, most)
