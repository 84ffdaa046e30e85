"""`ludus solve`: a position, all boards, and files of positions."""

import json

import pytest

from ludus.cli import main

FFO_59 = "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X"
FFO_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


@pytest.fixture
def solve(capsys):
    """What `ludus solve … --json` prints."""

    def command(*arguments):
        assert main(["solve", *map(str, arguments), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return command


@pytest.fixture
def printed(capsys):
    """What `ludus solve …` prints for people."""

    def command(*arguments):
        assert main(["solve", *map(str, arguments)]) == 0
        return capsys.readouterr().out

    return command


def test_quixo_without_a_position_counts_all_boards(solve):
    found = solve("quixo:size=3")
    # published: of the 19683 boards of 3×3, 12748 are won for the side to move, 6935 lost, none drawn; the start is a win in 7
    assert (found["won"], found["lost"], found["drawn"]) == (12748, 6935, 0)
    assert (found["position"], found["value"], found["distance"]) == ("--------- X", 1, 7)


@pytest.mark.parametrize(
    ("game", "position", "expected"),
    [
        ("tictactoe", "XX-OO---- X", {"value": 1, "best": ["c1"], "distance": 1}),
        ("tictactoe", "XXXOO---- O", {"value": -1, "best": [], "distance": 0}),  # the game is over
        ("othello", FFO_1, {"value": 1, "score": 18, "best": ["g8"], "distance": None}),
        ("othello", f"{'-' * 27}OX------XO{'-' * 27} X", {"value": None, "score": None, "best": []}),
    ],
)
def test_a_position_is_solved_without_counts_of_all_boards(solve, game, position, expected):
    found = solve(game, position)
    assert expected.items() <= found.items()
    assert (found["game"], found["position"], "won" in found, "score" in found) == (game, position, False, game == "othello")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tictactoe", "XX-OO---- X"], "For X the position is won in 1 ply."),
        (["othello"], "Out of reach. The oracle of Othello knows"),
        *(
            (["othello:size=4", "X" * black + "O" * (16 - black) + " X"], f"the position is {words}.")
            for black, words in ((15, "won by 14"), (8, "drawn"), (6, "lost by 4"))
        ),
    ],
)
def test_people_read_a_sentence(printed, words, sentence):
    assert sentence in printed(*words)


# ---- files of positions


def test_each_position_of_a_file_is_solved_and_compared_with_the_scores_of_the_file(tmp_path, solve, printed):
    lines = [f"{FFO_1}; G8:+18; H1:+12;", f"{FFO_1}; G8:+16; H1:+12;", f"{FFO_1};"]
    (tmp_path / "a.obf").write_text("\n".join(lines))
    found = solve("othello", tmp_path / "a.obf")
    assert (found["known"], found["agree"], found["differ"]) == (3, 1, 1)
    first, second, third = found["positions"]
    assert (first["position"], first["score"], first["best"]) == (FFO_1, 18, ["g8"])
    assert (first["file_score"], first["file_best"], first["agrees"]) == (18, ["g8"], True)
    assert second["agrees"] is False
    assert (third["file_score"], third["file_best"], third["agrees"]) == (None, None, None)
    out = printed("othello", tmp_path / "a.obf")
    assert all(words in out for words in ("3 of 3 positions solved", "1 agree and 1 differ"))


def test_best_moves_of_a_file_are_marked_where_a_limit_comes_before_all_are_known(tmp_path, printed):
    (tmp_path / "a.obf").write_text(f"{FFO_59};\n{FFO_1};\n")
    out = printed("othello", tmp_path / "a.obf", "--nodes", 50000)
    assert all(words in out for words in ("g8, …", "…: the limit was reached before all moves were searched"))
    assert out.count("…") == 2
