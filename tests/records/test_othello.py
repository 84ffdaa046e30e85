"""Files of Othello's players and programs: transcripts, GGF, OBF, WTHOR."""

import struct

import pytest

from ludus.envs import make_game
from ludus.records import RecordedGame, read_games, write_games
from ludus.records.file import RecordFile
from ludus.records.formats import find_format

from ..helpers.recorded import GGS, OBF, WTHOR_GAMES, random_game, wthor
from ..helpers.sentences import says

OTHELLO = make_game("othello")
PLAYED = [random_game("othello", seed) for seed in range(12)]


def moves_of(record):
    return [record.rules.moves[action] for action in record.actions]


def put(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_the_board_lies_as_in_the_files_of_others():
    assert [OTHELLO.moves[action] for action in OTHELLO.legal_actions(OTHELLO.start)] == ["d3", "c4", "f5", "e6"]
    assert OTHELLO.text(OTHELLO.start)[27:37] == "OX------XO"


@pytest.mark.parametrize("instead", ["--", "pass", "PA", "@@", "ps", ""])
def test_transcripts_are_read_with_any_sign_for_a_pass_or_none(tmp_path, instead):
    assert any("pass" in moves_of(record) for record in PLAYED)
    assert write_games(tmp_path / "a.transcripts", PLAYED) == 12
    text = (tmp_path / "a.transcripts").read_text()
    assert text.startswith("".join(moves_of(PLAYED[0])[:5]))
    for written in (text, text.upper(), text.replace("\n", "\r\n")):
        path = put(tmp_path, "b.txt", written.replace("--", instead))
        assert [*read_games(path)] == [*read_games(path, "othello")] == PLAYED


def test_games_of_the_server_are_read(tmp_path):
    first, second = read_games(put(tmp_path, "a.ggf", GGS))
    assert (first.players, first.result, moves_of(first)) == (("Ada", "Bob"), 1, ["f5", "d6", "c3", "d3", "c4"])
    assert first.header == {
        "Place": "GGS/os",
        "Date": "2003.12.15_13:24:03.MST",
        "RB": "2197.01",
        "TI": "05:00//02:00",
        "TY": "8r20",
        "Seconds": "0.01 1.75",
    }
    assert first.comments == {2: "value -2.5"}
    assert (second.players, second.result, second.start, moves_of(second)) == (("player 0", "Cy"), None, None, ["d3"])
    assert [*read_games(put(tmp_path, "b.txt", GGS))] == [first, second]


def test_positions_with_scores_and_comments_are_read_in_any_signs(tmp_path):
    line = OBF.splitlines()[1]
    for text in (OBF, line.replace("X", "*").replace("O", "o")):
        [record] = read_games(put(tmp_path, "a.obf", text))
        assert record.start == line.partition(";")[0]
        assert (record.header, record.comments, record.actions) == ({"Scores": "g8:+18 h1:+12 b1:-4"}, {0: "the first"}, ())
    assert find_format(RecordFile.open(put(tmp_path, "b.txt", OBF))).name == "obf"


def names(texts, size):
    return struct.pack("<4BIHH4B", 20, 1, 12, 31, 0, len(texts), 0, 0, 0, 0, 0) + b"".join(
        text.encode("latin-1").ljust(size, b"\0") for text in texts
    )


@pytest.mark.parametrize("beside", [("WTHOR.JOU", "WTHOR.TRN"), ("wth_2001.jou", "wth_2001.trn")])
def test_games_of_wthor_are_read_with_the_names_beside_them(tmp_path, beside):
    put(tmp_path, beside[0], names(["Andréani", "Tastet", "Tamenori"], 20))
    put(tmp_path, beside[1], names(["Divers", "Paris 2001"], 26))
    first, second = read_games(put(tmp_path, "WTH_2001.wtb", wthor(*WTHOR_GAMES)))
    assert moves_of(first) == ["f5", "d6", "c3", "d3", "c4"]
    assert (first.players, first.result) == (("Andréani", "Tamenori"), 1)
    assert first.header == {"Event": "Paris 2001", "Date": "2001", "Black discs": "40", "Black discs in theory": "38"}
    assert (second.players, second.result, moves_of(second)) == (("Tamenori", "WTHOR 3"), 0, ["d3"])


def test_wthor_without_names_or_by_another_name_is_read_too(tmp_path):
    path = put(tmp_path, "games.bin", wthor(*WTHOR_GAMES, size=0))
    assert [record.players for record in read_games(path)] == [("WTHOR 0", "WTHOR 2"), ("WTHOR 2", "WTHOR 3")]
    assert find_format(RecordFile.open(path)).name == "wthor"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "a1 b2 c3\n", ["does not say which game"]),
        ("a.txt", "f5d6\nf5f5\n", ["line 2: move 2, 'f5'"]),
        ("a.ggf", GGS.replace("GM[Othello]", "GM[Amazons]"), ["line 2", "'Amazons'"]),
        ("a.ggf", GGS.replace("TY[8r20]", "TY[8a]"), ["line 2", "anti"]),
        ("a.ggf", GGS.replace("W[d6/-2.5/1.25]", "W[a1]"), ["line 4", "move 2, 'a1'", "not legal"]),
        ("a.ggf", GGS.replace("W[d6/-2.5/1.25]", "B[d6]"), ["line 4", "move 2, 'd6'", "white is to move"]),
        ("a.ggf", GGS.replace("B[c4];)", "B[c4;)"), ["line 5", "is due"]),
        ("a.ggf", GGS.replace("BO[8 -------- -------- --", "BO[8 -------- -------- ", 1), ["line 3", "not a board"]),
        ("a.ggf", GGS.replace("BO[8 ", f"BO[10 {'-' * 36} ", 1), ["line 3", "10×10 is not supported"]),
        ("a.obf", f"{OBF}-------- -------\n", ["line 3", "is not a position of OBF"]),
        ("a.obf", OBF.replace("G8:+18", "G9:+18"), ["line 2", "'G9:+18' is not a move with its score"]),
        ("a.obf", f"{'-' * 63} X;", ["line 1", "63 cells"]),
        ("a.wtb", b"short", ["has 5 bytes"]),
        ("a.wtb", wthor(*WTHOR_GAMES)[:-1], ["header says 2 games, and it has room for 1.99"]),
        ("a.wtb", wthor(*WTHOR_GAMES, count=3), ["header says 3 games"]),
        ("a.wtb", wthor((0, 0, 0, 32, 32, [56, 56])), ["game 1: move 2, 'f5'"]),
        ("a.wtb", wthor(WTHOR_GAMES[0], (0, 0, 0, 32, 32, [99])), ["game 2: move 1, 'byte 99'"]),
    ],
)
def test_a_mistake_is_named_with_its_line_or_game(tmp_path, name, content, words):
    with pytest.raises(ValueError, match=f"{name}, ") as error:
        [*read_games(put(tmp_path, name, content))]
    says(error, *words)


START = random_game("othello", 0, 5, start=True)


@pytest.mark.parametrize(
    ("name", "game", "words"),
    [
        ("a.transcripts", random_game("nim", 0), "of Othello alone"),
        ("a.transcripts", START, "starts from a position"),
        ("a.transcripts", RecordedGame("othello"), "without moves"),
        *((f"a.{suffix}", START, "names no format that is written") for suffix in ("ggf", "obf", "wtb", "json")),
    ],
)
def test_what_a_format_cannot_hold_is_told_and_nothing_is_written(tmp_path, name, game, words):
    with pytest.raises(ValueError, match=words):
        write_games(tmp_path / name, [game])
    assert [*tmp_path.iterdir()] == []
