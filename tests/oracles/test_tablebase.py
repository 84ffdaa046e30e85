"""Tablebases: as many positions as are published, and each with the value and distance that slow play finds."""

import numpy as np
import pytest

import ludus
from ludus.oracles.searched import SearchOracle
from ludus.oracles.statespace.tablebase import MISSING, solve_forward_game, values_and_distances
from ludus.search import Watch

from ..helpers.games import positions
from ..naive.search import solved_with_distance

BOARDS = {"rows=4,columns=4": 161_029, "rows=5,columns=4": 1_706_255, "rows=4,columns=5": 3_945_711}
"""Boards of Connect Four, and the positions that can come up on each, as John Tromp counted them: tromp.github.io/c4/c4.html."""


@pytest.fixture(scope="module")
def tablebases():
    """The tablebase of each board, made once."""
    games = {board: ludus.make_game(f"connect_four:{board}") for board in BOARDS}
    return {board: solve_forward_game(game, Watch()) for board, game in games.items()}


def answers(base, states):
    """The value and distance of each position."""
    return list(zip(*(column.tolist() for column in values_and_distances(base.find(states))), strict=True))


@pytest.mark.parametrize("board", BOARDS)
def test_as_many_positions_come_up_as_are_published(board, tablebases):
    assert sum(tablebases[board].counts()) == BOARDS[board]


@pytest.mark.parametrize("board", BOARDS)
def test_the_start_is_a_draw_as_is_published(board, tablebases):
    # The same page; github.com/ChristopheSteininger/c4 has distances too.
    assert answers(tablebases[board], tablebases[board].game.start[None]) == [(0, -1)]


@pytest.mark.parametrize("board", BOARDS)
def test_values_and_distances_are_those_of_brute_force(board, tablebases):
    base, known = tablebases[board], {}
    game = base.game
    states = np.unique(positions(game, 400, seed=3), axis=0)
    late = states[[game.text(state).count("-") <= 5 for state in states]]
    naive = [solved_with_distance(game, state, known) for state in late]
    assert len(late) > 20
    assert {value for value, _ in naive} == {1, 0, -1}
    assert answers(base, late) == naive


@pytest.mark.parametrize("spec", ["tictactoe", "connect_four:rows=4,columns=4", "connect_four:rows=4,columns=4,line=3"])
def test_a_tablebase_is_what_retrograde_analysis_of_the_graph_finds(spec):
    game = ludus.make_game(spec)
    base, oracle = solve_forward_game(game, Watch()), SearchOracle(game)
    assert base.counts() == oracle.counts()
    states = positions(game, 500, seed=1)
    assert answers(base, states) == list(zip(oracle.values(states).tolist(), oracle.distances(states).tolist(), strict=True))


def test_a_position_that_cannot_come_up_is_missing(tablebases):
    base = tablebases["rows=4,columns=4"]
    texts = "------------XXOO X", "--------XX--OO-- X"  # in the second, whose disc was the first one?
    assert base.find(np.array([base.game.parse(text) for text in texts])).tolist() == [0, MISSING]


def test_a_watch_follows_the_work_and_stops_it():
    game, watch = ludus.make_game("tictactoe"), Watch()
    assert len(solve_forward_game(game, watch)) == 765  # facts: positions up to symmetry
    assert (watch.fraction, watch.nodes) == (1, 2 * 765)
    for nodes in (1, 700, 800, 1500):
        assert solve_forward_game(game, Watch(nodes=nodes)) is None
