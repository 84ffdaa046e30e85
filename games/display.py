"""How results are shown: as text on a terminal, as HTML in a notebook, as a frame of pandas.

A result derives from `Viewable` and says once what it shows: its parts (tables, boards and sentences) and its rows. `str`,
the notebook's HTML and `to_frame` follow from these; the commands print the same text.
"""

from __future__ import annotations

import io
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ..core.numbers import several
from ..core.plugins.loading import install_with
from .game import Game, StateArray

WIDTH = 160
"""Columns of text that goes to a file or another program."""
MOST_BOARDS = 16
"""The most boards of an environment that are shown."""
WRAPPED = ("unwrapped", "env", "aec_env", "venv")
"""Where wrappers keep what they wrap."""


@dataclass(frozen=True)
class TextTable:
    """A table.

    Args:
        title: the line above it; empty for none.
        columns: the heads.
        rows: the cells; they are written as `str` writes them.
        left: how many columns, from the first on, are aligned to the left.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    left: int = 1

    def rich(self) -> Any:
        """The table without its title as rich draws it."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD)
        for number, column in enumerate(self.columns):
            right = number >= self.left
            table.add_column(Text(column), justify="right" if right else "left", overflow="fold", no_wrap=right)
        for row in self.rows:
            table.add_row(*(Text(str(cell)) for cell in row))  # not a text, in which :smile: and [red] would mean something
        return table

    def __str__(self) -> str:
        from rich.console import Console

        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
        console = Console(file=io.StringIO(), width=width, color_system=None, legacy_windows=False)
        with console.capture() as drawn:
            console.print(self.rich())
        lines = [line.rstrip() for line in drawn.get().splitlines()]
        return "\n".join([*([self.title] if self.title else []), *lines])

    @property
    def html(self) -> str:
        """The table as HTML."""
        caption = f'<caption style="text-align:left"><b>{escape(self.title)}</b></caption>' if self.title else ""
        head = "".join(self._cell("th", number, column) for number, column in enumerate(self.columns))
        rows = ("".join(self._cell("td", number, cell) for number, cell in enumerate(row)) for row in self.rows)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _cell(self, tag: str, number: int, cell: Any) -> str:
        side = "left" if number < self.left else "right"
        return f'<{tag} style="text-align:{side};white-space:pre">{escape(str(cell))}</{tag}>'


@dataclass(frozen=True)
class Picture:
    """A position as a picture.

    Args:
        game: the game and variant.
        state: the position (W,).
        action: the last action, which is marked; None for none.
    """

    game: Game
    state: StateArray
    action: int | None = None

    def __str__(self) -> str:
        return f"\n{self.game.picture(self.state, self.action)}\n"

    @property
    def svg(self) -> str:
        """The drawing."""
        return self.game.svg(self.state, self.action)

    @property
    def html(self) -> str:
        """The drawing as a part of a page."""
        return f'<div style="display:inline-block;margin:4px">{self.svg}</div>'


Part = TextTable | Picture | str


class Viewable(ABC):
    """A result that can be looked at."""

    @abstractmethod
    def _parts(self) -> Iterable[Part]:
        """What is shown, in its order; a text is a sentence or more."""

    @abstractmethod
    def _rows(self) -> list[dict[str, Any]]:
        """The result as data: rows of names and numbers."""

    def __str__(self) -> str:
        return "\n".join(map(str, self._parts()))

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return "\n".join(f"<p>{escape(part)}</p>" if isinstance(part, str) else part.html for part in self._parts())

    def to_frame(self) -> Any:
        """The result as a pandas DataFrame, numbers as they are.

        Raises:
            ImportError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError(
                f"to_frame() needs pandas, which is not installed ({error}); {install_with('frames')} brings it"
            ) from None
        return pandas.DataFrame(self._rows())


class Pictures(Viewable):
    """Pictures beside each other; where there are more than `most`, the first ones."""

    def __init__(self, boards: Sequence[Picture], most: int) -> None:
        self._pictures, self._total = boards[:most], len(boards)

    def _parts(self) -> Iterable[Part]:
        yield from self._pictures
        if self._total > len(self._pictures):
            yield f"{len(self._pictures)} of {several(self._total, 'board')}"

    def _rows(self) -> list[dict[str, Any]]:
        return [{"game": board.game.spec, "position": board.game.text(board.state)} for board in self._pictures]

    def __repr__(self) -> str:
        return f"<Pictures: {len(self._pictures)} of {self._total}>"


def show(env: Any, most: int = MOST_BOARDS) -> Pictures:
    """The boards of an environment as they stand, wrapped or not: drawn in a notebook, printed by `print`.

    Args:
        env: an AEC, one-seat or vector environment of Ludus; a wrapper of PettingZoo, Gymnasium or Stable-Baselines3 around one;
            or a vector environment that is made of several.
        most: how many boards are shown at most.

    Raises:
        ValueError: there is no board of Ludus in it.
    """
    return Pictures(_boards_in(env), most)


def _boards_in(env: Any) -> list[Picture]:
    """The boards of an environment, through what it is wrapped in."""
    seen: list[Any] = []
    while env is not None and not any(env is inner for inner in seen):
        seen.append(env)
        if isinstance(boards := getattr(env, "board_pictures", None), list):
            return boards
        if isinstance(several := getattr(env, "envs", None), (list, tuple)):
            return [board for inner in several for board in _boards_in(inner)]
        env = next((inner for name in WRAPPED if (inner := getattr(env, name, env)) is not env), None)
    raise ValueError(f"{seen[0] if seen else env!r} has no board of Ludus; show() takes an environment of Ludus, wrapped or not")
