"""Connect Four's columns by their letters, numbers and cells."""

import pytest

import ludus

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
