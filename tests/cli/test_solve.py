"""`ludus solve`, and the oracle in `ludus play`."""

import json

import pytest

from ludus.cli import main
from ludus.oracles import make_oracle

FFO_59 = "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X"
FFO_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


@pytest.fixture
def solve(capsys):
    """What `ludus solve … --json` prints."""

    def command(*arguments):
        assert main(["solve", *map(str, arguments), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

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
        (
            "othello",
            "---------------------------OX------XO--------------------------- X",
            {"value": None, "score": None, "best": []},
        ),
        ("quixo:size=3", "X-------- O", {"value": -1, "distance": 6}),
    ],
)
def test_a_position_is_solved_without_counts_of_all_boards(solve, game, position, expected):
    found = solve(game, position)
    assert expected.items() <= found.items()
    assert (found["game"], found["position"], "won" in found, "score" in found) == (game, position, False, game == "othello")
    assert min(found["nodes"], found["seconds"]) >= 0


def test_a_limit_makes_it_try_beyond_its_reach(solve):
    found = solve("othello", "--nodes", 20000)
    assert found["value"] is None
    assert found["nodes"] >= 20000


def test_people_read_a_sentence(capsys):
    assert main(["solve", "tictactoe", "XX-OO---- X"]) == 0
    out = capsys.readouterr().out
    assert "For X the position is won in 1 ply." in out
    assert "Best: c1" in out
    assert main(["solve", "othello"]) == 0
    assert "Out of reach. The oracle of Othello knows" in capsys.readouterr().out


@pytest.fixture
def asked(run, monkeypatch):
    """What the oracle says in a game of `ludus play`."""

    def play(*arguments):
        lines = iter(["oracle", "quit"])
        monkeypatch.setattr("builtins.input", lambda prompt: print(end=prompt) or next(lines))
        return run("play", *arguments)[1]

    return play


def test_in_play_the_oracle_shows_the_value_of_each_move(asked):
    printed = asked("tictactoe", "--position", "XX-OO---- X")
    values = dict(line.split(maxsplit=1) for line in printed.split("X> ")[1].splitlines() if line.strip())
    assert values == {"c1": "won in 1 ply", "c2": "drawn", **dict.fromkeys(("a3", "b3", "c3"), "lost in 2 plies")}
    assert [*values][:2] == ["c1", "c2"]


def test_in_play_moves_out_of_reach_are_not_guessed(asked):
    assert "4 moves are out of reach: the oracle of Othello knows" in asked("othello")


# ---- files of positions


def test_a_limit_that_ends_the_count_of_positions_says_nothing_of_the_best_moves(solve, monkeypatch):
    monkeypatch.setattr(type(make_oracle("tictactoe")), "counts", lambda oracle, watch: watch.stop())
    found = solve("tictactoe", "--nodes", 1_000_000)
    assert (found["value"], len(found["best"]), found["stopped"], "won" in found) == (0, 9, False, False)


def test_each_position_of_a_file_is_solved_and_compared_with_the_scores_of_the_file(tmp_path, capsys, solve):
    lines = [f"{FFO_1}; G8:+18; H1:+12;", f"{FFO_1}; G8:+16; H1:+12;", f"{FFO_1};"]
    (tmp_path / "a.obf").write_text("\n".join(lines))
    found = solve("othello", tmp_path / "a.obf")
    assert (found["known"], found["agree"], found["differ"]) == (3, 1, 1)
    first, second, third = found["positions"]
    assert (first["position"], first["score"], first["best"]) == (FFO_1, 18, ["g8"])
    assert (first["file_score"], first["file_best"], first["agrees"]) == (18, ["g8"], True)
    assert second["agrees"] is False
    assert (third["file_score"], third["file_best"], third["agrees"]) == (None, None, None)
    assert main(["solve", "othello", str(tmp_path / "a.obf")]) == 0
    out = capsys.readouterr().out
    assert "3 of 3 positions solved" in out
    assert "1 agree and 1 differ" in out


def test_best_moves_of_a_file_are_marked_where_a_limit_comes_before_all_are_known(tmp_path, capsys):
    (tmp_path / "a.obf").write_text(f"{FFO_59};\n{FFO_1};\n")
    assert main(["solve", "othello", str(tmp_path / "a.obf"), "--nodes", "50000"]) == 0
    out = capsys.readouterr().out
    assert "2 of 2 positions solved" in out
    assert "g8, …" in out
    assert "…: the limit was reached before all moves were searched" in out
    assert out.count("…") == 2


def test_the_last_position_of_each_game_of_a_file_is_solved(tmp_path, solve):
    (tmp_path / "a.moves").write_text("a1 b2\nb2 a1 c3 a3\n")
    found = solve("tictactoe", tmp_path / "a.moves")
    assert [(position["position"], position["value"]) for position in found["positions"]] == [
        ("X---O---- X", 0),
        ("O---X-O-X X", 0),
    ]


def test_what_is_no_file_is_a_position(capsys):
    for name in ("nowhere.obf", "no/where"):
        assert main(["solve", "tictactoe", name]) == 2
        assert f"there is no file '{name}'" in capsys.readouterr().err
    assert main(["solve", "tictactoe", "XO"]) == 2
    told = capsys.readouterr().err
    assert "is not a position" in told
    assert "file" not in told
