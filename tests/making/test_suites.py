"""The tool that makes the suites of openings anew, by the commands in their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.making import suites as tool


def test_the_tool_makes_the_named_suites_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = {name: (tool.GAMES / name / f"{name}.openings").read_text() for name in ("nim", "tictactoe")}
    for name, text in shipped.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.openings").write_text("\n".join(text.splitlines()[:3]))
    monkeypatch.setattr(tool, "GAMES", tmp_path)
    tool.make_suites(["nim"])
    made = {name: (tmp_path / name / f"{name}.openings").read_text().splitlines() for name in shipped}
    assert made["nim"][4:] == shipped["nim"].splitlines()[4:]
    assert len(made["tictactoe"]) == 3
