"""Forms of the board in prompts: each says the same position, in other signs.

They come from what a game says of its contents, and a board declares as data (games/drawing/layout.py). Tic-tac-toe:

    picture     a  b  c        grid  X - O      list  a1: X       coordinates  X: a1
             1  X  .  O              - - -            b1: empty                O: c1
             …                       …                …                        empty: b1, a2, …
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from ...games.board_game import BoardGame
from ...games.drawing.layout import Content, Layout
from ...games.game import Game, StateArray

BoardForm: TypeAlias = Literal["picture", "grid", "list", "coordinates"]
"""A drawing in characters with the position as text, rows of signs, a line for each cell, or the cells of each sign."""
BOARD_FORMS: tuple[BoardForm, ...] = get_args(BoardForm)


def board_forms(game: Game) -> tuple[BoardForm, ...]:
    """The forms of the board that a game has: lists if it says what is where, and a grid if that is on a board."""
    contents = game.contents(game.start)
    return ("picture", *(("list", "coordinates") if contents else ()), *(("grid",) if _layout(game, contents) else ()))


def write_board(game: Game, state: StateArray, form: BoardForm) -> str:
    """A position (W,) in one of the forms; ValueError where the game does not have it."""
    if form == "picture":
        return f"{game.picture(state)}\n\nThe same as text: {game.text(state)}"
    contents = game.contents(state)
    layout = _layout(game, contents)
    if not contents or (form == "grid" and layout is None):
        forms = ", ".join(board_forms(game))
        raise ValueError(f"{game.title} cannot be written in the form {form!r}; its board has the forms {forms}")
    if form == "grid" and layout is not None:
        return _grid(layout, contents, game.board)
    spots = [(content.name, content.words) for content in contents] if layout is None else _spots(layout, contents)
    written = "\n".join(f"{name}: {words}" for name, words in spots) if form == "list" else _coordinates(spots, layout)
    if isinstance(game, BoardGame) and game.label_words and layout is not None and not layout.notation.counts:
        # made-up names do not say where they stand
        return "\n".join([written, "", "The names of the cells, row by row from the top:", *_rows_of_names(contents, game.board)])
    return written


def _layout(game: Game, contents: Sequence[Content]) -> Layout | None:
    """The layout on whose sites the contents stand; None where a game says what is where in another way, as some disguises do."""
    if not isinstance(game, BoardGame) or len(contents) != len(game.layout.sites):
        return None
    written = (site for group in game.layout.notation.groups for site in group)
    return game.layout if all(contents[site].name == game.layout.sites[site].name for site in written) else None


def _grid(layout: Layout, contents: Sequence[Content], board: tuple[int, int]) -> str:
    """The cells as rows of signs, what stands elsewhere, what the signs mean, and the names of the cells."""
    height, width = board
    signs = {symbol.words: symbol.char for symbol in reversed(layout.symbols)}
    cells = contents[: height * width]
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    written = {site for group in layout.notation.groups for site in group}
    elsewhere = [contents[site] for site in sorted(written) if site >= len(cells)]
    meanings = dict.fromkeys(words for _, _, words in (*cells, *elsewhere) if signs[words] != words)
    lines = [" ".join(signs[cell.words] for cell in row) for row in rows]
    lines += ["", *(f"{name}: {signs[words]}" for name, _, words in elsewhere)]
    lines += [f"{signs[words]} means {words}." for words in meanings]
    lines += ["The names in these rows:"]
    lines += [_heap(row[0]) for row in rows] if layout.notation.counts else _rows_of_names(cells, board)
    return "\n".join(lines)


def _rows_of_names(contents: Sequence[Content], board: tuple[int, int]) -> list[str]:
    """A line with the names of the cells for each row of the board."""
    height, width = board
    names = [content.name for content in contents[: height * width]]
    return [", ".join(names[start : start + width]) for start in range(0, len(names), width)]


def _coordinates(spots: Sequence[tuple[str, str]], layout: Layout | None) -> str:
    """What there is, and where; what is empty comes last."""
    names = dict[str, list[str]]() if layout is None else {symbol.words: [] for symbol in (*layout.symbols[1:], layout.symbols[0])}
    for name, words in spots:
        names.setdefault(words, []).append(name)
    return "\n".join(f"{words}: {', '.join(where)}" for words, where in names.items() if where)


def _spots(layout: Layout, contents: Sequence[Content]) -> list[tuple[str, str]]:
    """All that positions write, in their order: how moves call each cell, or heap of things that are counted, and what is there."""
    groups = [[contents[site] for site in group] for group in layout.notation.groups]
    if layout.notation.counts:
        counted = layout.symbols[1].words
        return [(_heap(group[0]), f"{sum(content.words == counted for content in group)} × {counted}") for group in groups]
    return [(content.name, content.words) for group in groups for content in group]


def _heap(first: Content) -> str:
    """The name of a group that is counted: that of its first site, up to the comma."""
    return first.name.partition(",")[0]
