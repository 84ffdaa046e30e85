"""Openings are read from any file of games or positions, or by the name of a suite, and refused where no game could begin."""

from dataclasses import replace

import numpy as np
import pytest

from ludus.core.files.documents import parse_document
from ludus.envs import make_game
from ludus.records import Openings, load_openings

LINES = "# proven: drawn by the oracle\n# second line\na1 b2\nb2 a1\nc3 b2 a1\n"
TICTACTOE = make_game("tictactoe")


@pytest.fixture
def file(tmp_path):
    """A file with three openings."""
    path = tmp_path / "three.openings"
    path.write_text(LINES)
    return path


def test_a_file_of_lines_has_a_name_a_label_and_openings_in_their_order(file):
    openings = load_openings(file, "tictactoe")
    assert (openings.name, openings.label, len(openings)) == ("three.openings", "proven: drawn by the oracle", 3)
    assert openings.starts == (None,) * 3
    assert openings.lines == ((0, 4), (4, 0), (8, 4, 0))
    assert openings.arrays.moves.tolist() == [[0, 4, -1], [4, 0, -1], [8, 4, 0]]
    for line, end in zip(openings.lines, openings.arrays.ends, strict=True):
        assert np.array_equal(TICTACTOE.play_line(line)[-1], end)


def test_a_file_may_name_its_game(file):
    with pytest.raises(ValueError, match="does not say which game"):
        load_openings(file)
    file.write_text("# Game: tictactoe\n" + LINES)
    assert load_openings(file) == load_openings(file, "tictactoe")
    assert load_openings(file).label == "proven: drawn by the oracle"
    with pytest.raises(ValueError, match=r"line 1: this is a game of tictactoe, and games of nim are wanted"):
        load_openings(file, "nim")
    with pytest.raises(ValueError, match=r"the openings of three.openings are of tictactoe, and games of quarto are to begin"):
        load_openings(load_openings(file), "quarto")
    with pytest.raises(ValueError, match="there are no openings 'balanced'; no suite comes with nim:heaps=1"):
        load_openings("balanced", "nim:heaps=1")


def test_openings_are_equal_whatever_their_names_and_their_checksum_says_so(file, tmp_path):
    openings = load_openings(file, "tictactoe")
    (tmp_path / "other.txt").write_text("a1 b2\nb2 a1\nc3 b2 a1  # a comment\n")
    other, turned = load_openings(tmp_path / "other.txt", "tictactoe"), replace(openings, lines=openings.lines[::-1])
    assert other == openings != turned
    assert (other.name, other.label) == ("other.txt", "")
    assert other.checksum == openings.checksum != turned.checksum


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("a1 b2\nb2 a1\na1 b2\n", r"opening 3 of three.openings leads to 'X---O---- X', as opening 1 does; leave one of them out"),
        ("a1 b2 c3\nc3 b2 a1\n", "opening 2 of three.openings leads to .* as opening 1 does"),
        ("a1 b2\na1 b1 a2 b2 a3\n", "opening 2 of three.openings leaves nothing to play: X wins in 'XO-XO-X-- O'"),
        ("a1 b2\na1 a1\n", r"three.openings, line 2: move 2, 'a1'"),
        ("# nothing\n", "three.openings holds no openings|three.openings, line 1"),
    ],
)
def test_what_no_game_can_begin_with_is_refused_in_a_sentence(file, lines, words):
    file.write_text(lines)
    with pytest.raises(ValueError, match=words):
        load_openings(file, "tictactoe")


def test_an_opening_that_reaches_the_limit_of_plies_is_refused():
    line = make_game("quixo:max_plies=2")
    moves = (line.action("a1>e1"), line.action("a2>e2"))
    with pytest.raises(ValueError, match=r"opening 1 of it has 2 plies, and quixo:max_plies=2 is over after 2"):
        Openings("it", "quixo:max_plies=2", (None,), (moves,))


def test_a_suite_is_found_by_its_name_and_before_a_file_of_that_name(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(type(TICTACTOE), "known", replace(TICTACTOE.known, openings=tmp_path))
    (tmp_path / "tictactoe.openings").write_text(LINES)
    (tmp_path / "balanced").write_text("a1\n")
    suite = load_openings("balanced", "tictactoe")
    assert (suite.name, len(suite)) == ("balanced", 3)
    assert len(load_openings("./balanced", "tictactoe")) == 1
    with pytest.raises(ValueError, match="there are no openings 'other'; with tictactoe comes 'balanced'; or name a file"):
        load_openings("other", "tictactoe")


def test_a_document_with_openings_that_cannot_be_is_refused():
    text = '{"name": "x", "game": "tictactoe", "starts": [null], "lines": [[0, %s]], "label": ""}'
    assert parse_document(text % 4, Openings, "it", "leave it").lines == ((0, 4),)
    for wrong in ("0", "9", "-2", "1" + 40 * "0"):
        with pytest.raises(ValueError, match=r"opening 1 of x: move 2, .* is not legal"):
            parse_document(text % wrong, Openings, "it", "leave it")
