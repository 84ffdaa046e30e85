"""Columns of Connect Four by their letters, their numbers and their cells."""

import pytest

import ludus

GAME = ludus.make_game("connect_four")


def test_each_column_is_named_by_its_letter_its_number_and_all_of_its_cells():
    for column, letter in enumerate("abcdefg"):
        names = [letter, letter.upper(), str(column + 1), *(f"{letter}{row}" for row in range(1, 7))]
        assert {GAME.action(name) for name in names} == {column}
        assert GAME.move_name(column) == letter


@pytest.mark.parametrize("name", ["h", "0", "8", "a0", "a7", "h1", "44", "", "a1 a2"])
def test_other_names_are_no_columns(name: str):
    with pytest.raises(ValueError, match="moves read a, d, g"):
        GAME.action(name)


def test_a_smaller_board_has_fewer_names():
    small = ludus.make_game("connect_four:rows=4,columns=5")
    assert small.action("e4") == small.action("5") == 4
    for name in ("f", "6", "e5"):
        with pytest.raises(ValueError, match="moves read a, c, e"):
            small.action(name)


def test_in_a_position_a_cell_must_be_the_one_where_the_disc_lands():
    state = GAME.play_line([3, 3])[-1]
    assert GAME.action("d4", state) == GAME.action("d", state) == GAME.action("4", state) == 3
    for name in ("d1", "d3", "D5"):
        with pytest.raises(ValueError, match=f"falls to d4, not to {name.lower()}; row 1 is at the top"):
            GAME.action(name, state)


def test_a_full_column_is_named_though_it_is_not_legal():
    state = GAME.play_line([0] * 6)[-1]
    assert GAME.action("a1", state) == 0
    assert 0 not in GAME.legal_actions(state)
