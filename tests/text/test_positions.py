"""Positions with exact values: what they say, how they are spread, and that files of them can be made again."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.oracles import make_oracle
from ludus.oracles.searched import SearchOracle
from ludus.text.positions import Stratum, collect, counts, records

from ..helpers.looks import looks


@pytest.mark.parametrize("spec", ["tictactoe", "nim", "quixo:size=3", "othello:size=4"])
def test_every_move_has_the_oracles_value_distance_and_score(spec: str) -> None:
    oracle = make_oracle(spec)
    game = oracle.game
    for record in records(game, collect(oracle, 30, 5)):
        state = game.position(record["position"])
        solution, after = oracle.solve(state), oracle.after(state)
        assert (record["value"], record["distance"]) == (solution.value, solution.distance)
        assert [game.action(one["move"]) for one in record["moves"]] == game.legal_actions(state)
        for one in record["moves"]:
            expected = after[game.action(one["move"])]
            assert (one["value"], one["distance"], one.get("score")) == (expected.value, expected.distance, expected.score)
        assert record["keeping"] == sum(expected.value == solution.value for expected in after.values())


def test_all_unfinished_positions_of_tic_tac_toe_up_to_symmetry_are_found() -> None:
    solved = collect(make_oracle("tictactoe"), 5000, 0)
    assert len(solved.states) == 627  # 765 positions up to symmetry, 138 of them finished
    assert sum(counts(solved).values()) == 627


def test_strata_have_equal_shares_as_far_as_there_are_positions() -> None:
    everything = counts(collect(make_oracle("tictactoe"), 5000, 0))
    some = counts(collect(make_oracle("tictactoe"), 209, 0))  # of a pool of three times as many, all there are
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
        solved = collect(oracle, 400, seed)
        whole.clear()
        for views, for_test in zip(looks(oracle.game, solved.states), solved.for_test.tolist(), strict=True):
            assert whole.isdisjoint(views)
            whole |= views
            seen_in[for_test] |= views
    assert seen_in[True]
    assert seen_in[True].isdisjoint(seen_in[False])


def test_about_a_tenth_is_for_testing() -> None:
    assert 0.08 < collect(make_oracle("quixo:size=4"), 3000, 0).for_test.mean() < 0.12


def test_strata_count_the_moves_that_keep_the_value() -> None:
    for record in records(ludus.make_game("tictactoe"), collect(make_oracle("tictactoe"), 5000, 0)):
        legal, keeping = len(record["moves"]), record["keeping"]
        expected = "all" if keeping == legal else {1: "one"}.get(keeping, "few" if keeping <= legal / 3 else "many")
        assert f", {expected} of the moves" in record["stratum"]


def test_a_stratum_says_what_it_holds() -> None:
    assert str(Stratum(-1, "all", "<=4")) == "lost, all of the moves keep it, distance <=4"


def strata_of_all_positions(spec: str) -> Counter[Stratum]:
    """The strata of all unfinished positions of a game, one of those that look alike, by the table of the whole game."""
    game = ludus.make_game(spec)
    table = SearchOracle(game)
    front, seen = game.start[None], set[bytes]().union(*looks(game, game.start[None]))
    found = Counter[Stratum]()
    while len(front):
        rows, actions = np.nonzero(game.masks(front))
        values = table.action_values(front[rows], actions).values
        for row, (value, plies) in enumerate(zip(table.values(front).tolist(), table.distances(front).tolist(), strict=True)):
            moves = values[rows == row].tolist()
            keeping = moves.count(value)
            few = "few" if 3 * keeping <= len(moves) else "many"
            share = "all" if keeping == len(moves) else "one" if keeping == 1 else few
            near = "-" if plies < 0 else next((f"<={most}" for most in (2, 4, 8, 16) if plies <= most), "further")
            found[Stratum(value, share, near)] += 1
        following = np.unique(game.plays(front[rows], actions), axis=0)
        new = list[int]()
        for number, views in enumerate(looks(game, following)):
            if seen.isdisjoint(views) and game.outcome(following[number]) is None:
                new.append(number)
            seen |= views
        front = following[new]
    return found


def test_strata_have_as_many_positions_as_in_the_table_of_the_whole_game() -> None:
    assert counts(collect(make_oracle("tictactoe"), 5000, 0)) == strata_of_all_positions("tictactoe")


def test_no_stratum_has_more_positions_than_the_whole_game_and_most_are_found() -> None:
    found, whole = Counter(counts(collect(make_oracle("quixo:size=3"), 10_000, 0))), strata_of_all_positions("quixo:size=3")
    assert whole.total() == 1397  # of 2789 up to symmetry alone
    assert found <= whole
    assert found.total() > 1100


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


def test_where_the_oracle_does_not_reach_it_says_what_it_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["positions", "nim", "--out", str(tmp_path / "p.csv")]) == 2
    assert ".jsonl or .parquet" in capsys.readouterr().err
    assert main(["positions", "tictactoe", "--count", "700", "--out", str(tmp_path / "p.jsonl")]) == 0
    assert "reached no other positions" in capsys.readouterr().out
