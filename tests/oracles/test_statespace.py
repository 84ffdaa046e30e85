"""All positions of a game: tablebases with published numbers, canonical forms, and what the oracle knows of each as arrays."""

import numpy as np
import pytest

import ludus
from ludus.oracles import make_oracle
from ludus.oracles.searched import SearchOracle
from ludus.oracles.statespace.canonical import canonical, canonical_observations
from ludus.oracles.statespace.tablebase import MISSING, solve_forward_game, values_and_distances
from ludus.search import Watch

from ..helpers.games import positions
from ..helpers.looks import looks

# ---- tablebases

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
def test_as_many_positions_come_up_as_are_published_and_the_start_is_a_draw(board, tablebases):
    # The same page; github.com/ChristopheSteininger/c4 has distances too.
    assert sum(tablebases[board].counts()) == BOARDS[board]
    assert answers(tablebases[board], tablebases[board].game.start[None]) == [(0, -1)]


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


# ---- tables of arrays

SPECS = ["tictactoe", "nim", "quixo:size=3", "connect_four:rows=4,columns=4", "hex:size=3"]


@pytest.mark.parametrize("spec", SPECS)
def test_a_table_has_every_position_once_with_what_the_oracle_says_of_it(spec, hexes):
    oracle = make_oracle(spec)
    table, game = oracle.table(), oracle.game
    assert len(table.states) == oracle.table_size == len(np.unique(table.states, axis=0))
    known = oracle.position_values(table.states)
    assert np.array_equal(table.values, known.values)
    assert np.array_equal(table.distances, known.distances)
    for row in np.random.default_rng(0).choice(len(table.states), 25, replace=False):
        solution = oracle.solve(table.states[row])
        assert table.values[row] == solution.value
        over = game.outcome(table.states[row]) is not None
        assert np.flatnonzero(table.best[row]).tolist() == ([] if over else list(solution.best))


def test_parts_of_a_table_make_the_whole():
    oracle = make_oracle("quixo:size=3")
    whole, parts = oracle.table(), [oracle.table(start, min(start + 5000, 3**9)) for start in range(0, 3**9, 5000)]
    assert all(np.array_equal(each, np.concatenate(of)) for each, of in zip(whole, zip(*parts, strict=True), strict=True))
    counts = [int((whole.values == value).sum()) for value in (1, -1, 0)]
    assert counts == [12748, 6935, 0]


def test_what_has_no_table_says_so():
    with pytest.raises(ValueError, match="the oracle of Othello has no table of othello; it knows positions with up to 20"):
        make_oracle("othello").table()
    with pytest.raises(ValueError, match="the table of tictactoe has 5,478 positions, numbered from 0; not 5000 to 6000"):
        make_oracle("tictactoe").table(5000, 6000)


# ---- canonical forms


def classes(forms):
    """Which rows are equal (B, B)."""
    return (forms[:, None] == forms[None]).all(axis=2)


@pytest.mark.parametrize("spec", ["nim", "tictactoe", "quarto", "quixo:size=3", "othello:size=4", "connect_four"])
def test_observations_have_the_same_canonical_form_where_a_symmetry_makes_them_equal_and_only_there(spec):
    game, count = ludus.make_game(spec), 3 if spec == "quarto" else 80
    states = positions(game, 12 * count)[-count:]
    which = np.random.default_rng(1).integers(len(game.symmetries.cells), size=len(states))
    states = np.vstack([states, game.permuted(states, which)])
    views = looks(game, states)
    expected = [[not own.isdisjoint(others) for others in views] for own in views]
    assert classes(canonical_observations(game, states)).tolist() == expected


@pytest.mark.parametrize("spec", ["quixo:size=3", "quixo", "othello:size=4"])
def test_exchanging_the_colours_changes_the_form_of_states_and_not_that_of_observations(spec):
    game = ludus.make_game(spec)
    states = positions(game, 40)[1:]
    exchanged = np.array([game.position(game.text(state).translate(str.maketrans("XO", "OX"))) for state in states])
    assert (canonical_observations(game, states) == canonical_observations(game, exchanged)).all()
    assert (canonical(game, states)[0] != canonical(game, exchanged)[0]).any(axis=1).all()
