"""`check_data` finds nothing wrong with what was written, names exactly what was changed, and survives hostile files."""

import json
import os
import re

import numpy as np
import pytest

from ludus.arena.data import tables
from ludus.arena.data.cards import checksum
from ludus.data import check_data, games, positions, write_table
from ludus.oracles import make_oracle


def change(path, row, value):
    """Changes a number in a saved array, and its checksum in the card."""
    array = np.load(path)
    array[row] = value
    card, old = path.parent / "README.md", checksum(path)
    np.save(path, array)
    card.write_text(card.read_text().replace(old, checksum(path)))


@pytest.mark.parametrize("spec", ["tictactoe", "quarto", "quixo:max_plies=6", "nim", "connect_four:rows=4,columns=4"])
def test_nothing_is_wrong_with_games_as_they_were_written(spec, tmp_path):
    reports = []
    games(spec, 60, out=tmp_path / "g", shard=25, policies=("random", "greedy"), opening_plies=2)
    assert check_data(tmp_path / "g", progress=lambda *done: reports.append(done)) == ()
    assert reports[-1] == (60, 60)


@pytest.mark.parametrize(
    ("part", "row", "value", "problem"),
    [
        ("moves", (3, 0), 30, r"game 3: ply 0 is action 30, not legal in '--------- X'"),
        ("moves", (3, 0), -1, r"game 3: its length is \d, and its moves end after 0 plies"),
        ("lengths", 3, 2, r"game 3: its length is 2, and its moves end after \d plies"),
        ("results", 3, 7, r"game 3: its result is 7, and by the rules -?[01]"),
    ],
)
def test_what_was_changed_in_a_game_is_named(part, row, value, problem, tmp_path):
    games("tictactoe", 20, out=tmp_path)
    change(tmp_path / f"00000.{part}.npy", row, value)
    (found,) = check_data(tmp_path)
    assert re.fullmatch(problem, found), found


@pytest.mark.parametrize("result", [1, 0, -1])
def test_a_game_that_stops_early_and_any_wrong_result_are_named(tmp_path, result):
    many = games("tictactoe", 100, out=tmp_path)
    row = int(np.flatnonzero(many.results(range(100)) == result)[0])
    for other in {1, 0, -1} - {result}:
        change(tmp_path / "00000.results.npy", row, other)
        assert check_data(tmp_path) == (f"game {row}: its result is {other}, and by the rules {result}",)
    change(tmp_path / "00000.results.npy", row, result)
    last = int(many.lengths([row])[0]) - 1
    change(tmp_path / "00000.moves.npy", (row, last), -1)
    change(tmp_path / "00000.lengths.npy", row, last)
    for stopped in (result, 0):
        change(tmp_path / "00000.results.npy", row, stopped)
        assert check_data(tmp_path) == (f"game {row}: it ends after {last} plies in a position that is not the end",)


def test_a_file_that_was_changed_or_is_missing_is_named_by_its_checksum(tmp_path, run):
    games("tictactoe", 20, out=tmp_path, shard=10)
    results = np.load(tmp_path / "00000.results.npy")
    np.save(tmp_path / "00000.results.npy", -results)
    assert check_data(tmp_path)[0] == "00000.results.npy is not the file whose checksum is in the card"
    for part in ("moves", "lengths", "results"):
        (tmp_path / f"00001.{part}.npy").unlink()
    status, printed, _ = run("check-data", tmp_path)
    assert status == 1
    assert "00001.moves.npy, of which the card has a checksum, is missing" in printed
    assert "there are 10 games, and games.json says 20" in printed
    (tmp_path / "README.md").unlink()
    assert "there is no card README.md with the checksums" in check_data(tmp_path)
    (tmp_path / "games.json").write_text("{")
    assert "games.json is damaged" in check_data(tmp_path)[-1]


@pytest.mark.parametrize("spec", ["tictactoe", "othello:size=4"])
def test_positions_are_compared_with_the_rules_and_the_oracle(spec, tmp_path):
    many = positions(spec, 30, scores=True, out=tmp_path / "p.npz")
    assert check_data(tmp_path / "p.npz") == ()
    action = int(np.flatnonzero(many.masks[4])[0])
    wrong = {
        "move_distances": ((4, action), 77, "position 4: the distance of"),
        "values": (4, -many.values[4] or 1, "position 4: its value is not that of its best action"),
        "planes": ((4, 0), 1, "position 4: its planes are not those of the rules"),
        "masks": ((4, action), 0, "position 4: its mask is not that of the rules"),
    }
    for name, (row, value, problem) in wrong.items():
        arrays = {**many.arrays, "game": np.array(spec)}
        arrays[name] = arrays[name].copy()
        arrays[name][row] = value
        np.savez(tmp_path / "p.npz", **arrays)
        found = check_data(tmp_path / "p.npz")
        assert found[0] == "p.npz is not the file whose checksum is in the card"
        assert problem in found[1], found


def test_a_table_is_compared_with_the_oracle(tmp_path):
    write_table(make_oracle("tictactoe"), tmp_path)
    assert check_data(tmp_path, sample=200) == ()
    change(tmp_path / "values.npy", slice(None), 5)
    found = check_data(tmp_path, sample=5)
    assert len(found) == 5
    assert "values is 5, and by the oracle" in found[0]
    np.save(tmp_path / "values.npy", np.zeros(3))
    assert "the array values is (3,) of float64 and must be (5478,) of int8" in check_data(tmp_path)


def test_hostile_files_are_refused_by_a_sentence(tmp_path):
    with pytest.raises(FileNotFoundError):
        check_data(tmp_path / "x.sqlite")
    with pytest.raises(ValueError, match="holds no games, positions or tables"):
        check_data(tmp_path)
    for name, hostile in {
        "pickle": lambda path: np.save(path, np.array([print], object), allow_pickle=True),
        "huge": lambda path: path.write_bytes(HUGE),
        "waits": os.mkfifo,
        "endless": lambda path: path.symlink_to("/dev/zero"),
        "short": lambda path: path.write_bytes(b"\x93NUMPY"),
    }.items():
        folder = tmp_path / name
        games("tictactoe", 5, out=folder)
        (folder / "00000.moves.npy").unlink()
        hostile(folder / "00000.moves.npy")
        assert re.search(r"00000\.moves\.npy (is|cannot)", check_data(folder)[-1])
    folder = tmp_path / "code"
    games("tictactoe", 5, out=folder)
    recipe = json.loads((folder / "games.json").read_text())
    (folder / "games.json").write_text(json.dumps({**recipe, "game": "evil:f"}))
    (found,) = check_data(folder)
    assert "names code, 'evil:f', and code is not run because a file says so" in found


HEADER = b"{'descr': '<i2', 'fortran_order': False, 'shape': (1099511627776, 9), }"
HUGE = b"\x93NUMPY\x01\x00" + len(HEADER).to_bytes(2, "little") + HEADER


# ---- tables as files


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
