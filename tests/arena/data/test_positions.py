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


def test_strata_have_equal_shares_as_far_as_there_are_positions() -> None:
    everything = counts(collect(make_oracle("tictactoe"), Sampling(5000, 0)))
    some = counts(collect(make_oracle("tictactoe"), Sampling(209, 0)))  # of a pool of three times as many, all there are
    assert sum(some.values()) == 209
    full = [number for stratum, number in some.items() if number < everything[stratum]]
    assert max(full) - min(full) <= 1
    assert all(number <= max(full) for number in some.values())


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
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    yaml = pytest.importorskip("yaml")
    if name != "p.jsonl":
        pytest.importorskip("pyarrow")
    made = list[dict[str, bytes]]()
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        assert main(["positions", "tictactoe", "--count", "100", "--seed", "3", "--out", str(folder / name), "--json"]) == 0
        made.append({file.name: file.read_bytes() for file in sorted(folder.rglob("*.*"))})
    assert made[0] == made[1]
    printed = json.loads(capsys.readouterr().out.split("}\n{")[0] + "}")
    card = made[0].pop("README.md" if name == "p" else "p.md").decode()
    assert all(f"| {stratum} | {number} | " in card for stratum, number in printed["strata"].items())
    assert all(f"| {file} | {len(content)} | `{sha256(content).hexdigest()}` |" in card for file, content in made[0].items())
    assert f"ludus positions tictactoe --count 100 --seed 3 --out {name}" in card
    metadata = yaml.safe_load(card.split("---")[1])
    assert [one["path"] for one in metadata["configs"][0]["data_files"]] == sorted(made[0], reverse=True)
    assert metadata["size_categories"] == ["n<1K"]


def test_a_folder_has_a_file_of_each_split_and_columns_of_the_same_types(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("p.jsonl", "p.parquet", "p"):
        assert main(["positions", "nim", "--count", "50", "--out", str(tmp_path / name)]) == 0
    lines = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert parquet.read_table(tmp_path / "p.parquet").to_pylist() == lines
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
        assert one["move_distances"][actions].tolist() == [
            -1 if move["distance"] is None else move["distance"] for move in record["moves"]
        ]
        if oracle.has_score:
            assert one["move_scores"][actions].tolist() == [move["score"] for move in record["moves"]]
        assert (one["move_values"][one["masks"] == 0] == 2).all()
        assert one["test"] == (record["split"] == "test")


def test_positions_have_the_plies_and_the_empty_cells_that_are_asked_for() -> None:
    some = positions("othello:size=6", 60, empties=(3, 5), plies=(28, 30))
    empty = 36 - np.bitwise_count(some.states[:, 0] | some.states[:, 1]).astype(int)
    assert {*empty.tolist()} == {3, 4, 5} & {*some.game.count_empty(some.states).tolist()}
    assert set(some.plies.tolist()) <= {28, 29, 30}
    quarto = positions("quarto", 20, empties=(1, 4))
    assert [text.partition(" ")[0].count("-") for text in map(quarto.game.text, quarto.states)] == quarto.game.count_empty(
        quarto.states
    ).tolist()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"empties": (1, 2), "game": "nim"}, "Nim has no empty cells to count; choose its positions by their ply"),
        ({"empties": (5, 4)}, "empties from 5 to 4 leaves no positions; the first is the smaller"),
        ({"plies": (-1, 4)}, "a bound of plies is -1"),
        ({"plies": (30, 40)}, "no position of random games of tictactoe with ply 30 to 40 was found within the oracle's reach"),
        ({"count": 0}, "count is 0"),
        ({"out": "p.csv"}, "the name must end in .npz, for arrays"),
    ],
)
def test_what_makes_no_sense_is_refused_by_a_sentence(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        positions(**{"game": "tictactoe", "count": 10, **asked})


def test_the_command_takes_spans_and_says_so_in_the_card(
    tmp_path: Path, document: Callable[..., Any], run: Callable[..., Any]
) -> None:
    said = document("positions", "tictactoe", "--count", 30, "--ply", "2:4", "--empties", ":6", "--out", tmp_path / "p.npz")
    many = open_positions(tmp_path / "p.npz")
    assert said["positions"] == len(many) == 30
    assert set(many.plies.tolist()) == {3, 4}
    card = (tmp_path / "p.md").read_text()
    assert "ludus positions tictactoe --count 30 --seed 0 --ply 2:4 --empties 0:6 --out p.npz" in card
    assert f"`{sha256((tmp_path / 'p.npz').read_bytes()).hexdigest()}`" in card
    for words, sentence in (
        (("--ply", "x"), "--ply is 'x'; give the least and the most, as 4:12"),
        (("--empties", "9:2"), "--empties from 9 to 2 leaves no positions"),
    ):
        status, _, error = run("positions", "tictactoe", "--out", tmp_path / "p.jsonl", *words)
        assert (status, sentence in error) == (2, True), error


def test_a_data_loader_takes_positions_as_they_are() -> None:
    data = pytest.importorskip("torch.utils.data")
    train = positions("tictactoe", 200).split("train")
    batches = [*data.DataLoader(train, batch_size=64)]
    assert np.array_equal(np.concatenate([batch["planes"] for batch in batches]), train.planes)


def test_a_file_that_holds_no_positions_says_so(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    many = positions("tictactoe", 20, out=path)
    with np.load(path) as sound:
        arrays = {**sound}
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
    assert len(many[3:7]) == 4
    with pytest.raises(IndexError, match="there are 20 positions, numbered from 0; no position 20"):
        many[20]
    with pytest.raises(ValueError, match="there is no split 'dev'"):
        many.split("dev")
