"""Policies that answer other programs in GTP: what is wrong is told in the protocol's own form."""

from __future__ import annotations

import io
import sys

import pytest

import ludus
from ludus.cli import main
from ludus.text.answering import answer_lines


def gtp(*commands: str, game: str = "othello:size=4", policy: str = "random") -> list[str]:
    """The responses to commands, without the empty lines."""
    responses = [*answer_lines(policy, commands, "gtp", game)]
    assert responses[1::2] == [""] * (len(responses) // 2)
    return responses[::2]


@pytest.mark.parametrize(
    ("command", "response"),
    [
        ("play white b1", "? black is to move"),
        ("play black a1", "? a1 is not legal"),
        ("play black z9", "? Othello has no move 'z9'"),
        ("play red b1", "? 'red' is no colour; colours are black and white"),
        ("boardsize 4", "="),
        ("boardsize 5", "? unacceptable size '5'; othello:size=4 has 4"),
        ("boardsize x", "? unacceptable size 'x'"),
        ("set_game Go", "? unsupported game 'Go'; this plays Othello"),
        ("undo", "? cannot undo; no move has been played"),
        ("ludus-setup_board nonsense", "? 'nonsense' is"),
        ("dance", "? unknown command 'dance'"),
        ("12 dance # a comment", "?12 unknown command 'dance'"),
        ("known_command dance", "= false"),
        ("known_command genmove", "= true"),
        ("time_left black 10 0", "="),
        ("final_score", "? cannot score; the game is not over"),
        ("version", f"= {ludus.__version__}"),
    ],
)
def test_a_command_of_gtp_is_answered_or_refused_by_its_reason(command: str, response: str):
    assert gtp(command, " ", "#")[0].startswith(response)


def test_moves_are_taken_back_and_the_board_is_shown():
    first, *_, second, board = gtp("play b b1", "undo", "play black b1", "undo", "showboard")
    assert (first, second) == ("=", "=")
    assert [row.split()[0] for row in board.splitlines()[2:6]] == list("1234")


def test_a_pass_that_is_forced_may_be_left_out_and_a_finished_game_has_passes_alone():
    game = ludus.make_game("othello:size=4")
    line = ["a2", "a3", "b4", "c1", "a4", "pass", "b1", "a1", "d2", "c4", "d4", "pass", "d1", "d3"]
    states = game.play_line(map(game.action, line))
    commands = [f"play {'bw'[game.player(state)]} {move}" for state, move in zip(states, line, strict=False) if move != "pass"]
    assert set(gtp(*commands)) == {"="}
    assert gtp(*commands, "genmove black", "genmove white")[-2:] == ["= pass", "= pass"]


@pytest.mark.parametrize(
    ("game", "position", "score"),
    [
        ("othello:size=4", "XXXXXXXXXXOOOOOO X", "= B+4"),
        ("othello:size=4", "OOOOOOOOOOOOOO-- X", "= W+14"),
        ("tictactoe", "XXXOO---- O", "= B+1"),
        ("tictactoe", "OOOXX-X-- X", "= W+1"),
        ("tictactoe", "XOXXOOOXX O", "= 0"),
    ],
)
def test_the_final_score_names_who_has_won_and_by_how_much(game: str, position: str, score: str):
    assert gtp(f"ludus-setup_board {position}", "final_score", game=game) == ["=", score]


def test_a_policy_without_a_move_is_an_error():
    assert gtp("genmove black", policy="engine:false") == ["? engine:false has no move: ended with status 1"]


def test_moves_that_lead_elsewhere_are_refused_and_then_there_is_no_position():
    answers = answer_lines("random", ["game nim:heaps=1+2", "position 1 2", "start 1 2", "moves 2-1", "go 1"])
    assert [answer[:60] for answer in answers] == [
        "error the moves lead to '1 1', and the position is '1 2'; se",
        "error 'go' is not expected here; first send game SPEC, then ",
    ]


# ---- `ludus engine`: what it answers to bytes of any kind


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """What the command prints when it is sent some bytes."""

    def send(sent: bytes, *words: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent)))
        assert main(["engine", *words]) == 0
        return capsys.readouterr().out

    return send


def test_gtp_is_answered_on_standard_output(answers):
    assert answers(b"7 genmove black", "--policy", "perfect", "--protocol", "gtp", "--game", "tictactoe") == "=7 b3\n\n"


def test_lines_that_are_no_text_or_too_long_are_answered_and_the_next_ones_are_read(answers):
    position = b"position " + b"9" * 1_000_000
    sent = [b"\xff\xfe", b"game nim:heaps=2+2", position, b"\tposition\t0 1 ", b"go 1" + b" " * 20_000, b"go 7"]
    first, second, *rest = answers(b"\r\n".join(sent), "--policy", "random").splitlines()
    assert first.startswith("error ")
    assert second.startswith("error '999")
    assert rest == ["bestmove 2-1", "bestmove 2-1"]
