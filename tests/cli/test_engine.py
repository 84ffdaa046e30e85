"""`ludus engine`: what it answers to bytes of any kind."""

import io
import sys

import pytest

from ludus.cli import main


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("--protocol gtp", "gtp does not name the game; --game GAME says which one is played"),
        ("--game nim", "leave --game out"),
        ("--protocol gtp --game quarto", "no such move as 'give 0' of quarto"),
    ],
)
def test_a_protocol_and_a_game_that_do_not_go_together_are_refused(words, refusal, capsys: pytest.CaptureFixture[str]):
    assert main(["engine", "--policy", "random", *words.split()]) == 2
    assert refusal in capsys.readouterr().err


def test_gtp_is_answered_on_standard_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"7 genmove black")))
    assert main(["engine", "--policy", "perfect", "--protocol", "gtp", "--game", "tictactoe"]) == 0
    assert capsys.readouterr().out == "=7 b3\n\n"


def test_lines_that_are_no_text_or_too_long_are_answered_and_the_next_ones_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    sent = [
        b"\xff\xfe",
        b"game nim:heaps=2+2",
        b"position " + b"9" * 1_000_000,
        b"\tposition\t0 1 ",
        b"go 1" + b" " * 20_000,
        b"go 7",
    ]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\r\n".join(sent))))
    assert main(["engine", "--policy", "random"]) == 0
    first, second, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("error ")
    assert second.startswith("error '999")
    assert rest == ["bestmove 2-1", "bestmove 2-1"]
