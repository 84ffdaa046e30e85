"""Files of Othello's players and programs: transcripts, GGF, OBF, WTHOR."""

import struct
from dataclasses import replace
from itertools import pairwise

import pytest

from ludus.envs import make_game
from ludus.records import RecordedGame, read_games, read_positions, write_games
from ludus.records.file import RecordFile
from ludus.records.formats import FORMATS, find_format

from ..helpers.recorded import random_game

OTHELLO = make_game("othello")
PLAYED = [random_game("othello", seed) for seed in range(12)]
PASS = OTHELLO.action("pass")


def moves_of(record):
    return [record.rules.moves[action] for action in record.actions]


def put(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def error_of(path, game=None):
    with pytest.raises(ValueError, match=rf"{path.name}, ") as error:
        [*read_games(path, game)]
    return str(error.value)


def test_the_board_lies_as_in_the_files_of_others():
    assert [OTHELLO.moves[action] for action in OTHELLO.legal_actions(OTHELLO.start)] == ["d3", "c4", "f5", "e6"]
    assert OTHELLO.text(OTHELLO.start)[27:37] == "OX------XO"
    assert any(PASS in record.actions for record in PLAYED)


# ---- transcripts


@pytest.mark.parametrize("instead", ["--", "pass", "PA", "@@", "ps", ""])
def test_transcripts_are_read_with_any_sign_for_a_pass_or_none(tmp_path, instead):
    assert write_games(tmp_path / "a.transcripts", PLAYED) == 12
    text = (tmp_path / "a.transcripts").read_text()
    assert text.count("\n") == 12
    assert text.startswith("".join(moves_of(PLAYED[0])[:5]))
    for written in (text, text.upper(), text.replace("\n", "\r\n")):
        path = put(tmp_path, "b.txt", written.replace("--", instead))
        assert [*read_games(path)] == PLAYED
        assert [*read_games(path, "othello")] == PLAYED


def test_a_line_of_another_game_is_no_transcript(tmp_path):
    path = put(tmp_path, "a.txt", "a1 b2 c3\n")
    assert "does not say which game" in error_of(path)
    [record] = read_games(path, "tictactoe")
    assert moves_of(record) == ["a1", "b2", "c3"]
    assert "line 2: move 2, 'f5'" in error_of(put(tmp_path, "b.txt", "f5d6\nf5f5\n"))


def test_smaller_boards_have_transcripts_too(tmp_path):
    games = [random_game("othello:size=6", seed) for seed in range(3)]
    write_games(tmp_path / "a.transcripts", games)
    assert [*read_games(tmp_path / "a.transcripts", "othello:size=6")] == games


# ---- GGF


def test_ggf_is_read_again_as_it_was(tmp_path):
    games = [
        *(random_game("othello", seed, players=("Ada", "Bob"), header={"Place": "here", "RB": "1837"}) for seed in range(6)),
        *(random_game(spec, 7, start=True) for spec in ("othello", "othello:size=6", "othello:size=4")),
        random_game("othello", 8, 9),
    ]
    assert write_games(tmp_path / "a.ggf", games) == 10
    assert [*read_games(tmp_path / "a.ggf")] == games
    given_up = RecordedGame("othello", None, games[-1].actions, result=-1)
    write_games(tmp_path / "b.ggf", [given_up])
    assert [*read_games(tmp_path / "b.ggf")] == [given_up]


GGS = """2
(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Ada]PW[Bob]RB[2197.01]TI[05:00//02:00]TY[8r20]RE[+64.000:r]
BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
B[F5//0.01]W[d6/-2.5/1.25]B[c3]W[d3//0.5]
B[c4];)(;GM[othello]PB[]PW[Cy]TY[8]RE[?]BO[8 ---------------------------O*------*O--------------------------- *]B[D3//2.991];)
"""


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


def test_lines_of_a_header_are_not_taken_for_ggfs_own(tmp_path):
    game = random_game("othello", 0, players=("Ada", "Bob"))
    others = {"RE": "-64:r", "GM": "Chess", "PB": "Cy", "PW": "Di", "TY": "8a", "KM": "1", "BO": "8", "B": "a1", "RB": "1837"}
    write_games(tmp_path / "a.ggf", [replace(game, header=others)])
    assert [*read_games(tmp_path / "a.ggf")] == [replace(game, header={"RB": "1837"})]
    [first, _] = games = [*read_games(put(tmp_path, "b.ggf", GGS))]
    write_games(tmp_path / "c.ggf", games)
    assert next(read_games(tmp_path / "c.ggf")).header["TY"] == first.header["TY"]


@pytest.mark.parametrize(
    ("was", "becomes", "words"),
    [
        ("GM[Othello]", "GM[Amazons]", ["line 2", "'Amazons'"]),
        ("TY[8r20]", "TY[8a]", ["line 2", "anti"]),
        ("W[d6/-2.5/1.25]", "W[a1]", ["line 4", "move 2, 'a1'", "not legal"]),
        ("W[d6/-2.5/1.25]", "B[d6]", ["line 4", "move 2, 'd6'", "white is to move"]),
        ("B[c4];)", "B[c4;)", ["line 5", "is due"]),
        ("BO[8 -------- -------- --", "BO[8 -------- -------- ", ["line 3", "not a board"]),
        ("BO[8 -------- -------- --------", f"BO[10 {'-' * 36} -------- -------- --------", ["line 3", "10×10 is not supported"]),
    ],
)
def test_a_mistake_in_ggf_is_told_with_its_line(tmp_path, was, becomes, words):
    assert was in GGS
    told = error_of(put(tmp_path, "a.ggf", GGS.replace(was, becomes, 1)))
    assert all(word in told for word in words), told


# ---- OBF


OBF = """% problems
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; b1:-4; % the first
-------- -------
"""


def test_obf_is_read_with_scores_and_comments_and_written_again(tmp_path):
    first = OBF.splitlines()[1]
    [record] = read_games(put(tmp_path, "a.obf", "\n".join(OBF.splitlines()[:2])))
    assert record.start == first.partition(";")[0]
    assert (record.header, record.comments, record.actions) == ({"Scores": "g8:+18 h1:+12 b1:-4"}, {0: "the first"}, ())
    write_games(tmp_path / "b.obf", [record])
    assert (tmp_path / "b.obf").read_text() == first.replace("b1", "B1") + "\n"
    assert [*read_games(tmp_path / "b.obf")] == [record]
    other_signs = first.replace("X", "*").replace("O", "o")
    assert [*read_games(put(tmp_path, "c.txt", other_signs))] == [record]
    write_games(tmp_path / "d.obf", PLAYED)
    assert (read_positions(tmp_path / "d.obf", "othello") == [game.states()[-1] for game in PLAYED]).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OBF, ["line 3", "is not a position of OBF"]),
        (OBF.replace("G8:+18", "G9:+18"), ["line 2", "'G9:+18' is not a move with its score"]),
        (f"{'-' * 100} X;", ["line 1", "10×10 is not supported"]),
        (f"{'-' * 63} X;", ["line 1", "63 cells"]),
        (f"{'-' * 64} X;", ["line 1", "never empty"]),
    ],
)
def test_a_mistake_in_obf_is_told_with_its_line(tmp_path, text, words):
    told = error_of(put(tmp_path, "a.obf", text))
    assert all(word in told for word in words), told


# ---- WTHOR


def wthor(*games, size=8, year=2001, count=None):
    """A file of WTHOR by its published layout: of each game the numbers of tournament, black and white, two scores, its moves."""
    records = [struct.pack("<3H2B", *numbers) + bytes(moves).ljust(60, b"\0") for *numbers, moves in games]
    header = struct.pack("<4BIHH4B", 20, 1, 12, 31, len(games) if count is None else count, 0, year, size, 0, 24, 0)
    return header + b"".join(records)


def names(texts, size):
    return struct.pack("<4BIHH4B", 20, 1, 12, 31, 0, len(texts), 0, 0, 0, 0, 0) + b"".join(
        text.encode("latin-1").ljust(size, b"\0") for text in texts
    )


GAMES = (1, 0, 2, 40, 38, [56, 64, 33, 34, 43]), (0, 2, 3, 32, 32, [34])


@pytest.mark.parametrize("beside", [("WTHOR.JOU", "WTHOR.TRN"), ("wth_2001.jou", "wth_2001.trn")])
def test_games_of_wthor_are_read_with_the_names_beside_them(tmp_path, beside):
    put(tmp_path, beside[0], names(["Andréani", "Tastet", "Tamenori"], 20))
    put(tmp_path, beside[1], names(["Divers", "Paris 2001"], 26))
    first, second = read_games(put(tmp_path, "WTH_2001.wtb", wthor(*GAMES)))
    assert moves_of(first) == ["f5", "d6", "c3", "d3", "c4"]
    assert (first.players, first.result) == (("Andréani", "Tamenori"), 1)
    assert first.header == {"Event": "Paris 2001", "Date": "2001", "Black discs": "40", "Black discs in theory": "38"}
    assert (second.players, second.result, moves_of(second)) == (("Tamenori", "WTHOR 3"), 0, ["d3"])


def test_wthor_without_names_or_by_another_name_is_read_too(tmp_path):
    path = put(tmp_path, "games.bin", wthor(*GAMES, size=0))
    assert [record.players for record in read_games(path)] == [("WTHOR 0", "WTHOR 2"), ("WTHOR 2", "WTHOR 3")]
    assert find_format(RecordFile.open(path)).name == "wthor"


def test_wthor_is_read_again_as_it_was(tmp_path):
    fields = [{"players": pair, "header": {"Event": "Müller Cup", "Date": "1999"}} for pair in pairwise("abcdefghijklm")]
    games = [random_game("othello", seed, **more) for seed, more in enumerate(fields)]
    games.append(RecordedGame("othello", None, (37, 43), ("m", "n"), -1, {"Event": "b", "Date": "1999"}))
    assert write_games(tmp_path / "a.wtb", games) == 13
    assert {file.name for file in tmp_path.iterdir()} == {"a.wtb", "a.jou", "a.trn"}
    assert [len((tmp_path / f"a.{end}").read_bytes()) for end in ("wtb", "jou", "trn")] == [16 + 13 * 68, 16 + 14 * 20, 16 + 2 * 26]
    for game, again in zip(games, read_games(tmp_path / "a.wtb"), strict=True):
        assert (again.actions, again.players, again.result) == (game.actions, game.players, game.result)
        assert again.header.items() >= game.header.items()
        discs = int(again.header["Black discs"])
        assert game.result == (discs > 32) - (discs < 32)


def test_wthor_says_of_a_game_nothing_that_was_not_written(tmp_path):
    write_games(tmp_path / "a.wtb", PLAYED[:1])
    [record] = read_games(tmp_path / "a.wtb")
    assert [*record.header] == ["Black discs"]
    assert record.players == PLAYED[0].players


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"short", "has 5 bytes"),
        (wthor(*GAMES)[:-1], "header says 2 games, and it has room for 1.99"),
        (wthor(*GAMES, count=3), "header says 3 games"),
        (wthor(*GAMES, size=10), "10×10 is not supported"),
        (wthor((0, 0, 0, 32, 32, [56, 56])), "game 1: move 2, 'f5'"),
        (wthor(GAMES[0], (0, 0, 0, 32, 32, [99])), "game 2: move 1, 'byte 99'"),
    ],
)
def test_a_damaged_file_of_wthor_is_named(tmp_path, content, words):
    assert words in error_of(put(tmp_path, "a.wtb", content))


def test_damaged_names_of_wthor_are_named(tmp_path):
    put(tmp_path, "wthor.jou", b"short")
    assert "wthor.jou cannot be read" in error_of(put(tmp_path, "a.wtb", wthor(*GAMES)))
    put(tmp_path, "wthor.jou", names(["Ada"], 20)[:-18].replace(b"\1", b"\1"))
    assert next(read_games(tmp_path / "a.wtb")).players == ("Ad", "WTHOR 2")


def test_games_of_wthor_and_their_names_are_written_together_or_not_at_all(tmp_path):
    write_games(tmp_path / "a.wtb", PLAYED[:1])
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    (tmp_path / "a.trn").unlink()
    (tmp_path / "a.trn").mkdir()
    with pytest.raises(OSError, match=r"a\.trn is a folder"):
        write_games(tmp_path / "a.wtb", PLAYED)
    (tmp_path / "a.trn").rmdir()
    del before["a.trn"]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_names_of_other_games_are_refused_and_not_replaced(tmp_path):
    write_games(tmp_path / "a.wtb", PLAYED[:1])
    write_games(tmp_path / "b.wtb", PLAYED)
    (tmp_path / "b.jou").replace(tmp_path / "a.jou")
    assert "a.jou are of other games" in error_of(tmp_path / "a.wtb")
    (tmp_path / "a.wtb").unlink()
    with pytest.raises(ValueError, match=r"a\.wtb needs a.jou and a.trn beside it, and there is one already"):
        write_games(tmp_path / "a.wtb", PLAYED)


# ---- what other programs read, and nobody here


SHORTEST = RecordedGame(
    game="othello",
    actions=tuple(make_game("othello").action(move) for move in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]),
    players=("Ada", "Bob"),
    result=1,
    header={"Event": "Cup", "Date": "2001", "Black discs in theory": "40"},
    comments={9: "the shortest"},
)
WRITTEN = {
    "transcripts": "e6f4e3f6g5d6e7f5c5\n",
    "ggf": "(;GM[Othello]DT[2001]PB[Ada]PW[Bob]RE[+64]TY[8]"
    "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    "B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)\n",
    "obf": "--------------------X------XXX----XXXXX----XXX------X----------- O; % the shortest\n",
    "moves": "# Game: othello\ne6 f4 e3 f6 g5 d6 e7 f5 c5  # the shortest\n",
}


def test_games_are_written_as_other_programs_read_them():
    assert {name: "".join(FORMATS[name].write([SHORTEST])) for name in WRITTEN} == WRITTEN
    given_up = replace(SHORTEST, actions=SHORTEST.actions[:4], result=-1)
    assert "RE[-64:r]" in "".join(FORMATS["ggf"].write([given_up]))
    games, players, events = FORMATS["wthor"].pack([SHORTEST, given_up]).values()
    moves = bytes([65, 46, 35, 66, 57, 64, 75, 56, 53])
    assert struct.unpack_from("<4BIHH4B", games) == (0, 0, 0, 0, 2, 0, 2001, 8, 0, 0, 0)
    assert games[16:] == wthor((0, 0, 1, 64, 40, moves), (0, 0, 1, 0, 40, moves[:4]))[16:]
    assert (players[16:], events[16:]) == (names(["Ada", "Bob"], 20)[16:], names(["Cup"], 26)[16:])
    assert [struct.unpack_from("<H", file, 8)[0] for file in (players, events)] == [2, 1]


def test_the_score_in_theory_of_wthor_is_read_again(tmp_path):
    others = [{**SHORTEST.header, "Black discs in theory": discs} for discs in ("64", "65", "-1", "many")]
    write_games(tmp_path / "a.wtb", [SHORTEST, *(replace(SHORTEST, header=header) for header in others)])
    assert [record.header.get("Black discs in theory") for record in read_games(tmp_path / "a.wtb")] == ["40"] + [None] * 4


# ---- what they cannot hold


START = random_game("othello", 0, 5, start=True)


@pytest.mark.parametrize(
    ("suffix", "game", "words"),
    [
        *((suffix, random_game("nim", 0), "of Othello alone") for suffix in (".transcripts", ".ggf", ".obf", ".wtb")),
        (".transcripts", START, "starts from a position"),
        (".transcripts", RecordedGame("othello"), "without moves"),
        (".wtb", START, "from the start alone"),
        (".wtb", random_game("othello:size=6", 0), "on 8×8"),
        (".wtb", random_game("othello", 0, 5), "finished games alone"),
        (".json", START, "names no format"),
    ],
)
def test_what_a_format_cannot_hold_is_told_and_nothing_is_written(tmp_path, suffix, game, words):
    with pytest.raises(ValueError, match=words):
        write_games(tmp_path / f"a{suffix}", [game])
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["a.ggf", "a.obf", "a.wtb", "a.transcripts"])
def test_they_are_files_of_othello_alone(tmp_path, name):
    write_games(tmp_path / name, [PLAYED[0]])
    for game in ("nim", "othello:size=6"):
        told = error_of(tmp_path / name, game)
        assert "are wanted" in told or "not legal" in told or "no move" in told
