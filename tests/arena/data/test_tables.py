"""Tables as files: what the oracle says of every position, read with numpy alone."""

import numpy as np
import pytest

from ludus.arena.data import tables
from ludus.data import write_table
from ludus.oracles import make_oracle


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3", "connect_four:rows=4,columns=4", "nim"])
def test_a_folder_holds_the_table_of_the_oracle(spec, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "AT_ONCE", 4000)
    oracle, reports = make_oracle(spec), []
    size = write_table(oracle, tmp_path / "all", lambda *done: reports.append(done))
    states, values, distances, best = (
        np.load(tmp_path / "all" / f"{name}.npy", mmap_mode="r") for name in ("states", "values", "distances", "best")
    )
    whole = oracle.table()
    assert reports[-1] == (size, size) == (oracle.table_size, len(states))
    assert np.array_equal(states, whole.states)
    assert np.array_equal(values, whole.values)
    assert np.array_equal(distances, whole.distances)
    bits = [
        [best[row, action // 64] >> np.uint64(action % 64) & np.uint64(1) for action in range(oracle.game.num_actions)]
        for row in (0, 7, 99)
    ]
    assert np.array_equal(bits, whole.best[[0, 7, 99]])
    card = (tmp_path / "all" / "README.md").read_text()
    assert f"# All positions of {oracle.game}" in card
    assert card.count(".npy\n") == 4


def test_a_write_that_stops_leaves_no_array(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "rows_of", lambda table, words: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        write_table(make_oracle("tictactoe"), tmp_path)
    assert list(tmp_path.glob("*.npy")) == []


def test_the_command_writes_a_table_and_refuses_a_large_game(tmp_path, document, run):
    said = document("table", "tictactoe", "--out", tmp_path / "t")
    assert said["positions"] == 5478
    status, _, error = run("table", "othello", "--out", tmp_path / "o")
    assert status == 2
    assert "the oracle of Othello has no table of othello" in error
