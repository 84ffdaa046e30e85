"""`ludus text bench`: what it prints and writes, and whose positions it asks about."""

import json

import pytest

from ludus.text.bench.answers import read_answers

CONTROLS = ("--controls", "perfect,first-legal")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_controls_are_measured_without_a_model_and_all_is_written(document, folder):
    shown = document("text", "bench", "--games", "nim,tictactoe", "--positions", 9, *CONTROLS)
    assert (shown["folder"], shown["questions"], shown["answers"], shown["stopped"]) == ("text-bench", 36, 36, "")
    points = {(row["model"], row["game"]): row["measure"]["point"] for row in shown["measures"]}
    assert [points["perfect", game] for game in ("nim", "tictactoe", "all games")] == [1, 1, 1]
    assert points["first-legal", "all games"] < 1
    answers, _ = read_answers(folder / "text-bench" / "answers.jsonl")
    assert {(answer.model, answer.game) for answer in answers} == {
        (model, game) for model in CONTROLS[1].split(",") for game in ("nim", "tictactoe")
    }
    report = json.loads((folder / "text-bench" / "report.json").read_text())
    assert {**shown, **report} == shown
    assert "perfect" in (folder / "text-bench" / "report.html").read_text()


def test_positions_of_a_file_are_asked_about_and_those_that_ask_nothing_are_counted(run, folder):
    file = folder / "two.jsonl"
    file.write_text("".join(f'{{"game": "nim:heaps=2+3", "position": "{position}"}}\n' for position in ("2 3", "2 2")))
    status, out, _ = run("text", "bench", "--positions", file, *CONTROLS)
    assert status == 0
    assert "Left out of two.jsonl: 1 position, since every move keeps the value there" in " ".join(out.split())
