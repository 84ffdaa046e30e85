"""All positions of games that are known as a whole, as arrays."""

import numpy as np
import pytest

from ludus.oracles import make_oracle

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
