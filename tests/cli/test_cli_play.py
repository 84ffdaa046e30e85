"""`ludus play`: lines that are typed, the board and the answers; saving, loading and taking back."""

import io
import json
import sys
from pathlib import Path

import pytest

import ludus
from ludus.baselines import Measure, train


@pytest.fixture
def play(run, monkeypatch):
    """Plays a game in which these lines are typed, and then the input ends."""

    def game(*arguments, lines):
        typed = iter(lines)

        def answer(prompt=""):
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        return run("play", *arguments)

    return game


@pytest.fixture
def play_json(document, monkeypatch):
    """Plays a game with these lines on stdin: the JSON document."""

    def game(*arguments, lines):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return document("play", *arguments)

    return game


CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


def test_play_shows_the_board_and_answers_each_move(play):
    status, out, err = play("tictactoe", lines=["b2", "QUIT", "a1"])
    assert (status, err) == (0, "")
    assert "Tic-tac-toe (tictactoe): you are X, against random." in out
    assert "random plays " in out
    assert out.count("X to move") == 2
    assert "[O]" in out


def test_play_takes_back_a_move_with_its_answer(play_json):
    assert play_json("tictactoe", lines=["b2", "undo"])["moves"] == []
    one = play_json("tictactoe", lines=["b2", "quit"])["moves"]
    assert one[0] == "b2"
    assert len(one) == 2
    free = next(cell for cell in CELLS if cell not in one)
    assert play_json("tictactoe", lines=["b2", free, "undo"])["moves"] == one
    assert play_json("tictactoe", lines=["b2", free, "undo", "undo"])["moves"] == []


@pytest.mark.parametrize(
    ("spec", "line", "words"),
    [
        ("tictactoe", "z9", ["no move 'z9'", "a1", "c3"]),
        ("tictactoe", "mvoes", ["no move 'mvoes'", "did you mean 'moves'"]),
        ("quarto", "gve 3", ["no move 'gve 3'", "did you mean 'give 3'"]),
        ("othello", "pass", ["pass is not legal now", "d3", "e6"]),
        ("quixo", "a1-a5", ["did you mean 'a1>a5'"]),
        ("connect_four", "d1", ["a disc in column d falls to d6, not to d1; row 1 is at the top"]),
        ("tictactoe", "save", ["save needs the name of a file"]),
    ],
)
def test_play_answers_what_it_cannot_do_with_what_was_meant(play, spec, line, words):
    status, out, err = play(spec, lines=[line])
    assert (status, err) == (0, "")
    said = out.split("help, quit.")[1]
    assert all(word in said for word in words)
    assert "plays" not in said


@pytest.mark.parametrize(
    ("spec", "lines", "move"),
    [
        ("quarto", ["  GIVE   3 "], "give 3"),
        ("tictactoe", ["", "   ", "b2"], "b2"),
        *(("connect_four", [column], "d") for column in ("d", "D", "4", "d6", " D6 ")),
    ],
)
def test_play_takes_moves_in_any_case_and_spacing_and_in_other_notations(play_json, spec, lines, move):
    assert play_json(spec, lines=[*lines, "quit"])["moves"][0] == move


@pytest.mark.parametrize("seat", [0, 1])
def test_play_goes_to_the_end_of_the_game(play, play_json, seat):
    status, out, _ = play("tictactoe", "--seat", seat, "--seed", 5, lines=CELLS * 2)
    ended = play_json("tictactoe", "--seat", seat, "--seed", 5, lines=CELLS * 2)
    assert status == 0
    assert out.rstrip().endswith({1: "you win.", 0: "a draw.", -1: "you lose."}[ended["outcome"]])
    game = ludus.make_game("tictactoe")
    state = game.play_line(map(game.action, ended["moves"]))[-1]
    assert game.text(state) == ended["position"]
    assert game.outcome(state)[seat] == ended["outcome"]
    assert (ended["game"], ended["against"], ended["seat"], ended["seed"]) == ("tictactoe", "random", seat, 5)


def test_play_saves_a_game_and_resumes_it(play, play_json, tmp_path):
    file = tmp_path / "a game.json"
    _, out, _ = play("othello:size=4", "--seed", 2, "--seat", 1, lines=[f"save {file}"])
    assert f"saved; resume with: ludus play --load '{file}'" in out
    saved = json.loads(file.read_text())
    assert saved["game"] == "othello:size=4"
    assert len(saved["moves"]) == 1
    assert list(tmp_path.iterdir()) == [file]
    game = ludus.make_game("othello:size=4")
    move = game.move_name(game.legal_actions(game.position(saved["position"]))[0])
    resumed = play_json("--load", file, lines=[move])
    assert resumed["moves"][:2] == [*saved["moves"], move]
    assert resumed == play_json("othello:size=4", "--seed", 2, "--seat", 1, lines=[move])
    play("--load", file, lines=[move, f"save {file}"])
    assert json.loads(file.read_text()) == resumed


def test_a_saved_game_keeps_the_policy_as_it_was_typed(play, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    train("qlearning", "tictactoe", "q1", games=100, measure=Measure(every="never"))
    (tmp_path / "mine.py").write_text("def first(states, keys):\n    return [0 if not state[0] & 1 else 1 for state in states]\n")
    for number, spec in enumerate(["minimax:depth=2", "run:q1", "q1", "mine:first"]):
        _, out, error = play("tictactoe", "--against", spec, lines=["c3", f"save {number}.json"])
        assert (error, f"{spec} plays " in out) == ("", True)
        assert json.loads(Path(f"{number}.json").read_text())["against"] == spec
        needed = ["--trust"] if "mine:" in spec else []
        status, out, error = play("--load", f"{number}.json", *needed, lines=[])
        assert (status, error, f"against {spec}." in out) == (0, "", True)
        if needed:
            assert play("--load", f"{number}.json", lines=[])[0] == 2


def test_play_takes_a_move_back_that_the_policy_fails_to_answer(play, monkeypatch, tmp_path):
    (tmp_path / "failing.py").write_text("def broken(observations, masks):\n    raise RuntimeError('no licence')\n")
    monkeypatch.syspath_prepend(tmp_path)
    status, out, err = play("tictactoe", "--against", "failing:broken", lines=["c3", "board"])
    assert (status, err) == (0, "")
    assert "raised RuntimeError: no licence (failing.py, line " in out
    assert out.count("; your move c3 is taken back") == 1
    assert out.count("X to move") == 2


# ---- what the oracle says, and policies with a memory


def test_the_oracle_shows_the_value_of_each_move_and_guesses_none(play):
    printed = play("tictactoe", "--position", "XX-OO---- X", lines=["oracle"])[1]
    values = dict(line.split(maxsplit=1) for line in printed.splitlines() if line.startswith("  "))
    assert {"c1": "won in 1 ply", "c2": "drawn", **dict.fromkeys(("a3", "b3", "c3"), "lost in 2 plies")}.items() <= values.items()
    assert "4 moves are out of reach: the oracle of Othello knows" in play("othello", lines=["oracle"])[1]
