"""Texts as chess's PGN: ours are read again as they were, and those of other programs as these write them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.envs import make_game
from ludus.records import RecordedGame, read_games, write_games
from ludus.records.file import RecordFile
from ludus.records.pgn import pgn_text, read_pgn

from ..helpers.games import VARIANTS
from ..helpers.recorded import random_game


def read(tmp_path, text, game=None):
    (tmp_path / "a.pgn").write_text(text, encoding="utf-8")
    return [*read_games(tmp_path / "a.pgn", game)]


def moves_of(record):
    return [record.rules.moves[action] for action in record.actions]


@pytest.mark.parametrize("spec", VARIANTS)
def test_what_is_written_is_read_again_as_it_was(tmp_path, spec):
    games = [random_game(spec, seed, plies, start) for seed, plies, start in [(0, None, False), (1, 3, False), (2, None, True)]]
    more = {"players": ("Ada", 'Bo"b\\'), "header": {"Date": "2031-05-17"}, "comments": {0: "so", 2: "a (b); c *", 3: "1. 1-0 ["}}
    games += [random_game(spec, 3, 3, **more), RecordedGame(make_game(spec).spec)]
    for name in ("a.pgn", "a.txt"):
        assert write_games(tmp_path / name, games) == 5
        assert [*read_games(tmp_path / name)] == games
    assert [*read_games(tmp_path / "a.txt", spec)] == games


texts = st.text(st.characters(codec="utf-8") | st.sampled_from('"\\[]{}\n\r\u2028\x85\udce4'))


@settings(max_examples=100)
@given(st.integers(0, 99), st.tuples(texts, texts), texts, st.lists(texts, max_size=3))
def test_any_names_and_remarks_are_written_so_that_the_game_is_read_again(seed, players, note, remarks):
    comments = {ply: plain for ply, text in enumerate(remarks) if (plain := plain_text(text))}
    record = random_game("tictactoe", seed, 4, players=players, header={"Note": note}, comments=comments)
    assert [*read_pgn(RecordFile(None, pgn_text(record).encode()))] == [record]  # pyright: ignore[reportArgumentType]


def plain_text(text):
    return " ".join(text.encode(errors="ignore").decode().replace("}", ")").replace("\0", " ").split())


FOREIGN = """
[Event "Open, \\"round\\" 2"]
[Black "Müller"]
[White "B\\ob"]
[Result "*"]

% a line for programs
1. f5 d6 2.c3 {the tiger} d3 $1 (2... c5 {or} 3. b4 (3. f6)) 3. c4 ; so far
3... f4 *

1-0
"""


def test_a_text_of_another_program_is_read(tmp_path):
    text = FOREIGN.replace("\n1-0\n", "")
    [record] = read(tmp_path, text, "othello")
    assert moves_of(record) == ["f5", "d6", "c3", "d3", "c4", "f4"]
    assert (record.players, record.result) == (("Müller", "B\\ob"), None)
    assert record.header == {"Event": 'Open, "round" 2'}
    assert record.comments == {3: "the tiger", 5: "so far"}
    [again] = read(tmp_path, text.replace("[Event", '[Game "Othello"]\n[Event'))
    assert again == record
    [again] = read(tmp_path, text.replace("[Event", '[Game "Reversi"]\n[Event'), "othello")
    assert moves_of(again) == moves_of(record)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_it_is_read_in_the_encodings_of_other_programs_with_their_ends_of_lines(tmp_path, encoding):
    (tmp_path / "a.pgn").write_bytes(FOREIGN.replace("\n1-0\n", "").replace("\n", "\r\n").encode(encoding))
    [record] = read_games(tmp_path / "a.pgn", "othello")
    assert record.players == ("Müller", "B\\ob")


@pytest.mark.parametrize(
    "text",
    [
        "1. a1 2. b2 3. c3",
        "1. a1 b2 2. c3",
        "1.a1 b2 2.c3 *",
        "1. a1 1... b2 2. c3",
        "1. a1\n1... b2\n2. c3",
        "1. A1 B2 3. C3",
        "1. a1 b2 {so} 3. c3",
        '[White "?"]\na1 b2\nc3',
        "1. a1b2 2. c3\n\n",
        "7. a1 b2\n9. c3",
        "1. a1!? b2 ! 2. c3??",
    ],
)
def test_moves_are_numbered_in_any_way_or_not_at_all(tmp_path, text):
    [record] = read(tmp_path, text, "tictactoe")
    assert moves_of(record) == ["a1", "b2", "c3"]


def test_several_games_follow_each_other_with_headers_results_or_numbers_between_them(tmp_path):
    text = '1. a1 b2 *\n1. b2\n1. c3 2. a1\n[White "Ada"]\n[Black "Bob"]\n1. a1 1-0\n\n[White "Cy"]\n1. b2\n'
    text += '\ufeff[White "Di"]\n1. c2\n'
    games = read(tmp_path, text, "tictactoe")
    assert [" ".join(moves_of(record)) for record in games] == ["a1 b2", "b2", "c3 a1", "a1", "b2", "c2"]
    assert [record.players[0] for record in games] == ["player 0", "player 0", "player 0", "Ada", "Cy", "Di"]
    assert [record.result for record in games] == [None, None, None, 1, None, None]


@pytest.mark.parametrize("tag", ["Start", "FEN"])
def test_a_game_may_be_set_up(tmp_path, tag):
    [record] = read(tmp_path, f'[SetUp "1"]\n[{tag} "XO------- X"]\n1. b2 *', "tictactoe")
    assert (record.start, moves_of(record), record.header) == ("XO------- X", ["b2"], {})


@pytest.mark.parametrize(("written", "result"), [("37-27", 1), ("0-64", -1), ("32-32", 0), ("?", None)])
def test_a_result_may_be_two_scores(tmp_path, written, result):
    after = [f'[White "Ada"]\n1. f5 d6 {written} {{so}}', f'[Result "*"]\n1. f5 2. d6\n\n{written}\n\n[White "Di"]\n1. f5']
    for text in (f'[Result "{written}"]\n1. f5 d6', *(after if result is not None else ())):
        record = read(tmp_path, text, "othello")[0]
        assert (moves_of(record), record.result) == (["f5", "d6"], result)


def test_two_numbers_that_are_a_move_of_the_game_are_a_move(tmp_path):
    for end, result in (("", None), (" 12-7", 1)):
        [record] = read(tmp_path, f"1. 1-1 2. 2-3{end}", "nim")
        assert (moves_of(record), record.result) == (["1-1", "2-3"], result)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. a1\n2. {why", ["line 2", "brace"]),
        ("1. a1 (2. b2", ["line 1", "parenthesis"]),
        ("1. a1 b2\n2. b2 *", ["line 2", "move 3, 'b2'", "not legal"]),
        ("1. a1 * b2", ["line 1", "'b2' comes after the result"]),
        ('[Start "XO"]\n1. a1', ["line 1", "not a position"]),
        ('[Result "1-0"]\n[Result "0-1"]', ["line 2", "Result appears twice, as '1-0' and as '0-1'"]),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path, text, words):
    with pytest.raises(ValueError, match=r"a\.pgn, line") as error:
        read(tmp_path, text, "tictactoe")
    assert all(word in str(error.value) for word in words), error.value


def test_a_text_that_names_no_game_asks_for_it(tmp_path):
    with pytest.raises(ValueError, match="does not say its Game"):
        read(tmp_path, "1. a1 b2")


@pytest.mark.parametrize("text", ["(" * 100_000, "{" * 100_000, "1. a1" + " ()" * 50_000, "a1 " * 50_000])
def test_hostile_texts_take_no_long_time(tmp_path, text):
    with pytest.raises(ValueError, match="line 1"):
        read(tmp_path, text, "nim")


def test_what_says_nothing_in_a_header_is_passed_over_with_a_warning(tmp_path):
    text = '[Event hm]\n[Site "here"]\n[site "there"]\n["x"]\n[' + " " * 100_000 + "\n1. a1"
    with pytest.warns(UserWarning, match=" is passed over") as warned:
        [record] = read(tmp_path, text, "tictactoe")
    assert (record.header, moves_of(record)) == ({"Site": "here"}, ["a1"])
    beginnings = [str(each.message).partition(" is ")[0] for each in warned]
    assert beginnings == ["line 1", "line 3: the header 'site'", "line 4", "line 5"]


@pytest.mark.parametrize("name", ["", " ", "a]", 'a"', "a\nb", "a ", "Game", "result", "White", "Black", "X", "Needs"])
def test_a_header_that_could_not_be_read_again_is_not_written(tmp_path, name):
    with pytest.raises(ValueError, match="a header of PGN cannot have the name"):
        write_games(tmp_path / "a.pgn", [random_game("tictactoe", 0, header={name: "so"})])
    with pytest.raises(ValueError, match="cannot have the name 'date'"):
        write_games(tmp_path / "a.pgn", [random_game("tictactoe", 0, header={"Date": "1", "date": "2"})])
    assert [*tmp_path.iterdir()] == []
