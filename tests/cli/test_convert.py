"""`ludus convert A B`: games and positions in another format, and what that format cannot hold."""

import json

import pytest

from ludus.arena.matches.record import parse
from ludus.arena.store.store import Store
from ludus.cli import main
from ludus.records import write_games

from ..helpers.arena.played import plan_of, random_games
from ..helpers.recorded import random_game

GAMES = [random_game("othello", seed, players=("Ada", "Bob"), comments={2: "so"}) for seed in range(3)]


@pytest.fixture
def convert(capsys):
    """What `ludus convert … --json` prints."""

    def command(*arguments):
        assert main(["convert", *map(str, arguments), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return command


def test_what_is_lost_is_told_in_a_sentence(tmp_path, capsys):
    write_games(tmp_path / "a.pgn", GAMES)
    assert main(["convert", str(tmp_path / "a.pgn"), str(tmp_path / "b"), "--to", "positions"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("3 games written to ")
    assert "What positions cannot hold was left out or cut: moves (of 3 games), players (of 3 games), comments (of 3 games)." in out


ENDED = random_game(
    "othello",
    5,
    players=("A name of more than twenty letters", "漢字"),
    header={"Event": "Open", "Date": "2031-05-17"},
    comments={2: "so", 60: "the end"},
)


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("a.pgn", []),
        ("a.moves", ["players", "header", "comments"]),
        ("a.positions", ["moves", "players", "header", "comments"]),
    ],
)
def test_what_was_cut_or_left_out_is_found_by_reading_again(tmp_path, convert, name, lost):
    write_games(tmp_path / "0.pgn", [ENDED])
    assert convert(tmp_path / "0.pgn", tmp_path / name)["lost"] == dict.fromkeys(lost, 1)


def test_a_store_is_converted_and_read_again_as_it_was(tmp_path, convert):
    plan = plan_of("tictactoe", "nim", count=8)
    with Store.create(tmp_path / "a.db", plan) as store:
        games = {pairing: random_games(pairing.game, range(8)) for pairing in plan.pairings}
        for pairing in plan.pairings:
            store.add(pairing, games[pairing])
    assert convert(tmp_path / "a.db", tmp_path / "b.pgn")["games"] == 16
    assert parse((tmp_path / "b.pgn").read_text()) == [
        game for pairing in plan.pairings for game in games[pairing].records(pairing)
    ]
    assert convert(tmp_path / "a.db", tmp_path / "c.pgn", "--game", "nim")["games"] == 8
