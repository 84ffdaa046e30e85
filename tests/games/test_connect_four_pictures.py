"""Connect Four to look at: discs that differ by their signs, the last one marked, and how far it falls."""

import re

import pytest

import ludus
from ludus.games.drawing.svg import CELL, MARGIN

GAME = ludus.make_game("connect_four")


def drawing(moves: str, game: ludus.Game = GAME) -> str:
    actions = [game.action(move) for move in moves]
    return game.svg(game.play_line(actions)[-1], actions[-1])


def test_each_disc_has_its_players_sign():
    svg = drawing("ddcde")
    assert (svg.count('fill="#b3352f"'), svg.count("<line")) == (3, 3 * 2)
    assert (svg.count('fill="#8fc1e3"'), svg.count('r="10" fill="none"')) == (2, 2)


@pytest.mark.parametrize(("moves", "row"), [("d", 5), ("dd", 4), ("aaaaaa", 0)])
def test_the_last_disc_is_ringed_and_falls_to_its_cell_with_its_sign(moves: str, row: int):
    svg = drawing(moves)
    y = MARGIN + row * CELL + CELL / 2
    x = MARGIN + "abcdefg".index(moves[0]) * CELL + CELL / 2
    name, disc = f"{moves[0]}{row + 1}", "X" if len(moves) % 2 else "O"
    at = f'transform="translate({x:g} {y:g})"'
    assert f'<g data-site="{name}" data-mark="1" {at}><circle r="28" fill="none"' in svg
    assert re.findall(r'<g [^<>]+data-falls="[^<>]+>', svg) == [
        f'<g data-site="{name}" data-symbol="{disc}" {at} data-falls="{y:g}">'
    ]


@pytest.mark.parametrize("spec", ["connect_four", "connect_four:rows=4,columns=5"])
def test_the_front_of_the_board_has_a_hole_at_each_cell(spec: str):
    game = ludus.make_game(spec)
    (front,) = re.findall(r'<path d="([^"]+)"', game.svg(game.start))
    assert front.count("M") - 1 == game.num_cells
