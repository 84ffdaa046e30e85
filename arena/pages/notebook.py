"""Games in a notebook: `ludus.show(record)` is a game to step through, in one output that needs no server and no other file.

`ludus.show(grade)` shows the games that a policy loses by an exact grade, `ludus.show(found)` those that `exploit` has found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from ...core.plugins.loading import check_installed, install_with, missing_library
from ...games.display import MOST_BOARDS, Part, Picture, Pictures, Viewable
from ...games.display import show as show_boards
from ...games.game import Game
from ...games.registry import make_game
from ...oracles.values import quick_oracle
from ..exploiting.result import Exploit
from ..grading.exact import ExactGrade
from ..grading.verdict import Judge
from ..matches.games import GameRecord
from .frames import Replay, describe_ending, film

FOLDER = Path(__file__).parent
HEIGHT = 520
"""Pixels of an output."""
ENDS = {1: "wins", 0: "draws", -1: "loses"}


class ReplayOutput(Viewable):
    """Games to step through, with a verdict on each move; as text, their final positions.

    Args:
        game: the game and variant.
        records: at least one, by title.
        title: the title of the output.
    """

    def __init__(self, game: Game, records: Mapping[str, GameRecord], title: str) -> None:
        self._game, self._records, self._title = game, records, title

    @cached_property
    def _replays(self) -> list[Replay]:
        return replays_of(self._game, self._records)

    def __repr__(self) -> str:
        return f"<{self._title}>"

    def page(self) -> str:
        """The games as an HTML page.

        Raises:
            ValueError: what writes pages is not installed.
        """
        check_installed("a game to step through", "report")
        from .single import render_page

        replays = film(self._game, self._replays)
        return render_page(FOLDER / "alone.html.jinja", FOLDER / "alone.js", FOLDER / "alone.css", film=replays, title=repr(self))

    def _repr_html_(self) -> str:
        if missing_library("report"):
            return f"{super()._repr_html_()}\n<p>To step through it: {escape(install_with('report'))}</p>"
        # A page of its own can neither see nor change the notebook around it.
        style = f"width: 100%; height: {HEIGHT}px; border: 0"
        return (
            f'<iframe srcdoc="{escape(self.page())}" sandbox="allow-scripts" style="{style}" title="{escape(repr(self))}"></iframe>'
        )

    def _parts(self) -> Iterable[Part]:
        for record in self._records.values():
            yield Picture(self._game, record.states(self._game)[-1], (None, *record.actions)[-1])
            yield f"{record.pairing}: {describe_ending(record)}"

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"number": replay.record.number, "move": self._game.move_name(verdict.action), "value_lost": verdict.value_lost}
            for replay in self._replays
            for verdict in replay.verdicts
        ]


def replays_of(game: Game, records: Mapping[str, GameRecord]) -> list[Replay]:
    """Replays of games, given by title, with verdicts on each move."""
    judge = Judge(game, quick_oracle(game, at_once=True))
    return [Replay(title, record, judge.verdicts(record.actions, record.start)) for title, record in records.items()]


def games_against(result: ExactGrade | Exploit) -> dict[str, GameRecord]:
    """The games that a result has against its policy, by what the policy does in them."""
    games = dict[str, GameRecord]()
    for record in result.lost_games if isinstance(result, ExactGrade) else result.records:
        seat = record.players.index(result.policy)
        ending = ENDS[record.result if seat == 0 else -record.result]
        games[f"It {ending} as {result.game.player_names[seat]}"] = record
    return games


def show(shown: Any, most: int = MOST_BOARDS) -> ReplayOutput | Pictures:
    """Games to step through, or the boards of an environment as they stand: drawn in a notebook, printed by `print`.

    Args:
        shown: a `GameRecord`; an `ExactGrade`, for the games that it says the policy loses; an `Exploit`, for the best games
            that were found against it; or an environment of Ludus: AEC, one-seat or vector, wrapped or not, or a vector
            environment that is made of several.
        most: how many boards of an environment are shown at most.

    Raises:
        ValueError: it has another type, the policy of the grade cannot be beaten, or no game was found.
    """
    if isinstance(shown, GameRecord):
        return ReplayOutput(make_game(shown.pairing.game), {"": shown}, f"Replay of game {shown.number} of {shown.pairing}")
    if isinstance(shown, ExactGrade):
        if not shown.beatable:
            raise ValueError(f"{shown.policy} loses no game of {shown.game}, so there is no game to step through")
        return ReplayOutput(shown.game, games_against(shown), f"Games of {shown.game} that {shown.policy} loses")
    if isinstance(shown, Exploit):
        if not shown.records:
            raise ValueError(f"no game of {shown.game} against {shown.policy} was found, so there is none to step through")
        return ReplayOutput(shown.game, games_against(shown), f"Games of {shown.game} against {shown.policy}")
    return show_boards(shown, most)
