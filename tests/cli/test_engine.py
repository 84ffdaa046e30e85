"""`ludus engine`: what it answers to bytes of any kind."""

import io
import sys

import pytest

from ludus.cli import main


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
