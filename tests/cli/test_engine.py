"""`ludus engine`: what it answers to bytes of any kind."""

import io
import sys

import pytest

from ludus.cli import main


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
