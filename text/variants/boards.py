"""Forms of the board in prompts: each says the same position, in other signs.

They come from what a board declares as data (games/drawing/layout.py), so no game is named here. Tic-tac-toe:

    picture     a  b  c        grid  X - O      list  a1: X       coordinates  X: a1
             1  X  .  O              - - -            b1: empty                O: c1
             …                       …                …                        empty: b1, a2, …
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ...games.board_game import BoardGame
from ...games.drawing.layout import Content
from ...games.game import Game, StateArray

BoardForm: TypeAlias = Literal["picture", "grid", "list", "coordinates"]
"""A drawing in characters with the position as text, rows of signs, a line for each cell, or the cells of each sign."""


class _Spot(NamedTuple):
    """What positions write of one cell, or of one heap of things that are counted.

    Args:
        name: how moves call it.
        words: what is there.
    """

    name: str
    words: str


def board_forms(game: Game) -> tuple[BoardForm, ...]:
    """The forms of the board that a game has."""
    return ("picture", *FORMS) if isinstance(game, BoardGame) and game.contents(game.start) else ("picture",)


def write_board(game: Game, state: StateArray, form: BoardForm) -> str:
    """A position (W,) in one of the forms.

    Raises:
        ValueError: the game does not have this form.
    """
    if form == "picture":
        return f"{game.picture(state)}\n\nThe same as text: {game.text(state)}"
    contents = game.contents(state)
    if not isinstance(game, BoardGame) or not contents:
        raise ValueError(
            f"{game.title} has no board as data (`Layout`), so its board has no form {form!r}; it has the form 'picture'"
        )
    return FORMS[form](game, contents)


def _grid(game: BoardGame, contents: Sequence[Content]) -> str:
    """The cells as rows of signs, what stands elsewhere, what the signs mean, and the names of the cells."""
    layout, width = game.layout, game.board[1]
    signs = {symbol.words: symbol.char for symbol in reversed(layout.symbols)}
    cells = contents[: game.num_cells]
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    board = [" ".join(signs[cell.words] for cell in row) for row in rows]
    names = [_heap(row[0]) if layout.notation.counts else ", ".join(cell.name for cell in row) for row in rows]
    written = {site for group in layout.notation.groups for site in group}
    elsewhere = [contents[site] for site in sorted(written) if site >= game.num_cells]
    meanings = dict.fromkeys(words for _, _, words in (*cells, *elsewhere) if signs[words] != words)
    return "\n".join(
        [
            *board,
            "",
            *(f"{name}: {signs[words]}" for name, _, words in elsewhere),
            *(f"{signs[words]} means {words}." for words in meanings),
            "The names in these rows:",
            *names,
        ]
    )


def _list(game: BoardGame, contents: Sequence[Content]) -> str:
    """A line for each cell."""
    return "\n".join(f"{spot.name}: {spot.words}" for spot in _spots(game, contents))


def _coordinates(game: BoardGame, contents: Sequence[Content]) -> str:
    """For each sign the cells where it is, empty ones last."""
    names = dict[str, list[str]]()
    for spot in _spots(game, contents):
        names.setdefault(spot.words, []).append(spot.name)
    order = [symbol.words for symbol in (*game.layout.symbols[1:], game.layout.symbols[0])]
    in_order = sorted(names, key=lambda words: order.index(words) if words in order else 0)
    return "\n".join(f"{words}: {', '.join(names[words])}" for words in in_order)


FORMS: dict[BoardForm, Callable[[BoardGame, Sequence[Content]], str]] = {"grid": _grid, "list": _list, "coordinates": _coordinates}
"""How the forms are written that need a board as data."""


def _spots(game: BoardGame, contents: Sequence[Content]) -> list[_Spot]:
    """All that positions write, in their order."""
    groups = [[contents[site] for site in group] for group in game.layout.notation.groups]
    if game.layout.notation.counts:
        counted = game.layout.symbols[1].words
        return [_Spot(_heap(group[0]), f"{sum(content.words == counted for content in group)} × {counted}") for group in groups]
    return [_Spot(content.name, content.words) for group in groups for content in group]


def _heap(first: Content) -> str:
    """The name of a group that is counted: that of its first site, up to the comma."""
    return first.name.partition(",")[0]
