"""Exports: every game is there, as it was, whatever the program that reads it."""

import csv
import json
from dataclasses import replace

import pytest

from ludus.arena.matches.games import Pairing
from ludus.arena.matches.record import parse
from ludus.arena.store import export
from ludus.arena.store.export import FORMATS, MOVES_APART, GameRow, row_of, to_csv, to_json_lines, to_parquet, to_text
from ludus.envs import make_game

from ...helpers.arena.played import random_games

PAIRINGS = [Pairing("quarto", "random", "minimax:depth=2"), Pairing("nim:heaps=1+3+5,limit=3", "random", "greedy")]


@pytest.fixture(scope="module")
def records():
    return [record for pairing in PAIRINGS for record in random_games(pairing.game, range(30)).records(pairing)]


def read_csv(path):
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kinds = {name: type(value) for name, value in row_of_any._asdict().items()}
    return [GameRow(**{name: kinds[name](text) for name, text in row.items()}) for row in rows]


row_of_any = row_of(random_games("nim", [0]).records(PAIRINGS[0])[0])


def read_parquet(path):
    table = pytest.importorskip("pyarrow.parquet").read_table(path)
    return [GameRow(**row) for row in table.to_pylist()]


@pytest.mark.parametrize(("write", "read"), [(to_csv, read_csv), (to_parquet, read_parquet)])
def test_every_game_is_a_row(records, tmp_path, write, read):
    assert write(iter(records), tmp_path / "games") == 60
    rows = read(tmp_path / "games")
    for row, record in zip(rows, records, strict=True):
        moves = MOVES_APART.join(make_game(row.game).moves[action] for action in record.actions)
        played = record.result, record.ending, record.reason, record.opening, len(record.actions), moves
        counted = *record.moves, *record.seconds, record.key, ""
        assert row == (*record.pairing, record.number, *record.players, *played, *counted)
    assert any("\n" in row.reason for row in rows)
    assert max(row.key for row in rows) > 2**63
    assert [*tmp_path.iterdir()] == [tmp_path / "games"]


FORMULAS = ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\tx", "\rx", "\n=x", "'=x", "'", "x=1", " =1", "＝1", "", 'a, "b"']


@pytest.mark.parametrize("name", FORMULAS)
def test_no_text_of_a_csv_file_is_a_formula_and_all_are_read_again(records, tmp_path, name):
    record = replace(records[0], pairing=records[0].pairing._replace(a=name), reason=name)
    to_csv([record], tmp_path / "games.csv")
    with (tmp_path / "games.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    for column in ("a", "reason", "player_0"):
        assert row[column][:1] not in tuple("=+-@\t\r\n＝＋－＠")
        assert row[column].removeprefix("'") == name
    to_json_lines([record], tmp_path / "games.jsonl")
    assert json.loads((tmp_path / "games.jsonl").read_text(encoding="utf-8"))["a"] == name


def test_a_text_is_read_again(records, tmp_path):
    path = tmp_path / "games.txt"
    assert to_text(iter(records), str(path)) == 60
    assert parse(path.read_bytes().decode()) == records


def test_no_games_make_an_empty_table(tmp_path):
    for end, write in FORMATS.items():
        assert write([], tmp_path / f"games{end}") == 0
    assert (tmp_path / "games.csv").read_text().strip() == ",".join(GameRow._fields)


@pytest.mark.parametrize("end", FORMATS)
def test_games_are_written_while_they_come_and_nothing_is_left_when_they_fail_to(records, tmp_path, monkeypatch, end):
    monkeypatch.setattr(export, "CHUNK", 10)

    def failing():
        for _ in range(40):
            yield from records
        [partial] = tmp_path.iterdir()
        assert partial.stat().st_size > 20_000
        raise KeyError("no more")

    with pytest.raises(KeyError):
        FORMATS[end](failing(), tmp_path / f"games{end}")
    assert list(tmp_path.iterdir()) == []
