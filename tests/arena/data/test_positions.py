"""Positions with exact values: what they say, how they are spread, and that files of them can be made again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.arena.data.exact.collecting import Sampling, collect
from ludus.arena.data.exact.solving import counts, records
from ludus.cli import main
from ludus.data import STRATA, open_positions, positions
from ludus.oracles import make_oracle

from ...helpers.looks import looks


@pytest.mark.parametrize("spec", ["tictactoe", "nim", "quixo:size=3", "othello:size=4"])
def test_every_move_has_the_oracles_value_distance_and_score(spec: str) -> None:
    oracle = make_oracle(spec)
    game = oracle.game
    for record in records(collect(oracle, Sampling(30, 5))):
        state = game.position(record["position"])
        solution, after = oracle.solve(state), oracle.after(state)
        assert (record["value"], record["distance"]) == (solution.value, solution.distance)
        assert [game.action(one["move"]) for one in record["moves"]] == game.legal_actions(state)
        for one in record["moves"]:
            expected = after[game.action(one["move"])]
            assert (one["value"], one["distance"], one.get("score")) == (expected.value, expected.distance, expected.score)
        assert record["keeping"] == sum(expected.value == solution.value for expected in after.values())


def test_all_unfinished_positions_of_tic_tac_toe_up_to_symmetry_are_found() -> None:
    solved = collect(make_oracle("tictactoe"), Sampling(5000, 0))
    assert len(solved.states) == 627  # 765 positions up to symmetry, 138 of them finished
    assert sum(counts(solved).values()) == 627


@pytest.mark.parametrize(
    "spec", ["tictactoe", "nim", "nim:heaps=2+3+3+2,misere=true", "quixo:size=3", "quixo:size=4", "othello:size=4"]
)
def test_no_test_position_looks_like_one_for_training_whatever_the_seed_and_no_two_look_alike(spec: str) -> None:
    oracle = make_oracle(spec)
    whole, seen_in = set[bytes](), {True: set[bytes](), False: set[bytes]()}
    for seed in (1, 2):
        solved = collect(oracle, Sampling(400, seed))
        whole.clear()
        for views, for_test in zip(looks(oracle.game, solved.states), solved.test.tolist(), strict=True):
            assert whole.isdisjoint(views)
            whole |= views
            seen_in[for_test] |= views
    assert seen_in[True]
    assert seen_in[True].isdisjoint(seen_in[False])


@pytest.mark.parametrize("name", ["p.jsonl", "p.parquet", "p"])
def test_the_same_seed_gives_the_same_files_and_their_card_counts_and_identifies_them(
    name: str, tmp_path: Path, document: Callable[..., Any]
) -> None:
    yaml = pytest.importorskip("yaml")
    if name != "p.jsonl":
        pytest.importorskip("pyarrow")
    made = list[dict[str, bytes]]()
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        strata = document("positions", "tictactoe", "--count", 100, "--seed", 3, "--out", folder / name)["strata"]
        made.append({file.name: file.read_bytes() for file in sorted(folder.rglob("*.*"))})
    assert made[0] == made[1]
    card = made[0].pop("README.md" if name == "p" else "p.md").decode()
    assert all(f"| {stratum} | {number} | " in card for stratum, number in strata.items())
    assert all(f"| {file} | {len(content)} | `{sha256(content).hexdigest()}` |" in card for file, content in made[0].items())
    assert f"ludus positions tictactoe --count 100 --seed 3 --out {name}" in card
    (config,) = yaml.safe_load(card.split("---")[1])["configs"]
    assert [one["path"] for one in config["data_files"]] == sorted(made[0], reverse=True)


def test_a_folder_has_a_file_of_each_split_and_columns_of_the_same_types(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("p.jsonl", "p"):
        assert main(["positions", "nim", "--count", "50", "--out", str(tmp_path / name)]) == 0
    lines = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    tables = {split: parquet.read_table(tmp_path / "p" / f"{split}.parquet") for split in ("train", "test")}
    assert tables["train"].schema == tables["test"].schema
    for split, table in tables.items():
        assert table.to_pylist() == [line for line in lines if line["split"] == split]


# ---- arrays


@pytest.mark.parametrize("spec", ["othello:size=4", "quixo:size=3"])
def test_arrays_say_what_records_say_and_are_read_from_files(spec: str, tmp_path: Path) -> None:
    oracle = make_oracle(spec)
    game, chosen = oracle.game, Sampling(40, 2, pool=1)
    many = positions(oracle, 40, seed=2, scores=True, out=tmp_path / "p.npz")
    read = open_positions(tmp_path / "p.npz")
    assert read.game == game
    assert [*read.arrays] == [*many.arrays]
    for field, array in read.arrays.items():
        assert array.dtype == many.arrays[field].dtype
        assert np.array_equal(array, many.arrays[field]), field
    for row, record in enumerate(records(collect(oracle, chosen))):
        one = many[row]
        assert game.text(one["states"]) == record["position"]
        assert (one["values"], one["plies"], str(STRATA[one["strata"]])) == (record["value"], record["ply"], record["stratum"])
        assert np.array_equal(one["planes"], game.observations(one["states"][None], [record["player"]])[0])
        actions = np.flatnonzero(one["masks"])
        assert [game.moves[action] for action in actions] == [move["move"] for move in record["moves"]]
        assert one["move_values"][actions].tolist() == [move["value"] for move in record["moves"]]
        distances = [-1 if move["distance"] is None else move["distance"] for move in record["moves"]]
        assert one["move_distances"][actions].tolist() == distances
        if oracle.has_score:
            assert one["move_scores"][actions].tolist() == [move["score"] for move in record["moves"]]
        assert (one["move_values"][one["masks"] == 0] == 2).all()
        assert one["test"] == (record["split"] == "test")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"empties": (1, 2), "game": "nim"}, "Nim has no empty cells to count; choose its positions by their ply"),
        ({"empties": (5, 4)}, "empties from 5 to 4 leaves no positions; the first is the smaller"),
        ({"plies": (30, 40)}, "no position of random games of tictactoe with ply 30 to 40 was found within the oracle's reach"),
        ({"out": "p.csv"}, "the name must end in .npz, for arrays"),
    ],
)
def test_what_makes_no_sense_is_refused_by_a_sentence(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        positions(**{"game": "tictactoe", "count": 10, **asked})


def test_positions_have_the_plies_and_the_empty_cells_that_are_asked_for(tmp_path: Path, document: Callable[..., Any]) -> None:
    document("positions", "tictactoe", "--count", 30, "--ply", "2:4", "--empties", ":6", "--out", tmp_path / "p.npz")
    assert set(open_positions(tmp_path / "p.npz").plies.tolist()) == {3, 4}
    assert "ludus positions tictactoe --count 30 --seed 0 --ply 2:4 --empties 0:6 --out p.npz" in (tmp_path / "p.md").read_text()
    some = positions("othello:size=6", 60, empties=(3, 5), plies=(28, 30))
    empty = 36 - np.bitwise_count(some.states[:, 0] | some.states[:, 1])
    assert set(empty.tolist()) <= {3, 4, 5}
    assert set(some.plies.tolist()) <= {28, 29, 30}


def test_a_file_that_holds_no_positions_says_so(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    positions("tictactoe", 20, out=path)
    arrays = dict(np.load(path))
    for change, sentence in (
        ({"values": arrays["values"].astype(np.int64)}, "the array values is"),
        ({"masks": arrays["masks"][:, :4]}, "the array masks is"),
        ({"game": np.array("evil:f")}, "names code"),
    ):
        np.savez(path, **{**arrays, **change})
        with pytest.raises(ValueError, match=sentence):
            open_positions(path)
    path.write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match="holds no positions as arrays"):
        open_positions(path)
