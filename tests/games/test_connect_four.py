"""Connect Four's columns by their letters, numbers and cells, and its discs: their signs, the last one marked, and how it falls."""

import re

import pytest

import ludus
from ludus.games.drawing.svg import CELL, MARGIN

GAME, SMALL = ludus.make_game("connect_four"), ludus.make_game("connect_four:rows=4,columns=5")


def test_each_column_is_named_by_its_letter_its_number_and_all_of_its_cells():
    for column, letter in enumerate("abcdefg"):
        names = [letter, letter.upper(), str(column + 1), *(f"{letter}{row}" for row in range(1, 7))]
        assert {GAME.action(name) for name in names} == {column}
        assert GAME.move_name(column) == letter
    assert SMALL.action("e4") == SMALL.action("5") == 4


@pytest.mark.parametrize(
    ("game", "name"), [*((GAME, name) for name in ("h", "0", "8", "a0", "a7", "44", "", "a1 a2")), (SMALL, "f"), (SMALL, "e5")]
)
def test_other_names_are_no_columns(game: ludus.Game, name: str):
    with pytest.raises(ValueError, match=f"moves read a, {'d, g' if game is GAME else 'c, e'}"):
        game.action(name)


def test_in_a_position_a_cell_must_be_the_one_where_the_disc_lands():
    state = GAME.play_line([3, 3])[-1]
    assert GAME.action("d4", state) == GAME.action("d", state) == GAME.action("4", state) == 3
    for name in ("d1", "d3", "D5"):
        with pytest.raises(ValueError, match=f"falls to d4, not to {name.lower()}; row 1 is at the top"):
            GAME.action(name, state)
    assert GAME.action("a1", GAME.play_line([0] * 6)[-1]) == 0  # a full column is named though it is not legal


def drawing(moves: str) -> str:
    actions = [GAME.action(move) for move in moves]
    return GAME.svg(GAME.play_line(actions)[-1], actions[-1])


@pytest.mark.parametrize(("moves", "row"), [("d", 5), ("dd", 4), ("aaaaaa", 0)])
def test_the_last_disc_is_ringed_and_falls_to_its_cell_with_its_sign(moves: str, row: int):
    svg = drawing(moves)
    y = MARGIN + row * CELL + CELL / 2
    x = MARGIN + "abcdefg".index(moves[0]) * CELL + CELL / 2
    name, disc = f"{moves[0]}{row + 1}", "X" if len(moves) % 2 else "O"
    at = f'transform="translate({x:g} {y:g})"'
    assert f'<g data-site="{name}" data-mark="1" {at}><circle r="28" fill="none"' in svg
    falls = [f'<g data-site="{name}" data-symbol="{disc}" {at} data-falls="{y:g}">']
    assert re.findall(r'<g [^<>]+data-falls="[^<>]+>', svg) == falls
