"""What is counted is written in words: one game, two games; and a score by how much it is won or lost."""

import pytest

from ludus.arena import grade_exact
from ludus.cli import main
from ludus.core.numbers import several, several_seconds


def test_one_is_not_many():
    assert [several(count, "game") for count in (0, 1, 2, 12345)] == ["0 games", "1 game", "2 games", "12,345 games"]
    assert [several(count, "ply", "plies") for count in (1, 2)] == ["1 ply", "2 plies"]
    assert [several_seconds(count) for count in (0.5, 1.0, 60)] == ["0.5 seconds", "1 second", "60 seconds"]


@pytest.mark.parametrize(("black", "words"), [(15, "won by 14"), (9, "won by 2"), (8, "drawn"), (6, "lost by 4")])
def test_a_score_says_by_how_much_it_is_won_or_lost(black, words, capsys):
    assert main(["solve", "othello:size=4", "X" * black + "O" * (16 - black) + " X"]) == 0
    assert f"the position is {words}." in capsys.readouterr().out


def test_commands_count_one_of_each(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = ["nim:heaps=1"]
    assert main(["perft", *game, "1"]) == 0
    assert main(["arena", *game, "--policies", "random", "greedy", "--games", "2", "--no-report", "--store", "s"]) == 0
    assert main(["replay", "s", "--game", "0", "--export", "one.csv"]) == 0
    assert main(["positions", *game, "--count", "1", "--out", "one.jsonl"]) == 0
    printed = capsys.readouterr().out + (tmp_path / "one.md").read_text(encoding="utf-8")
    for words in ("1 leaf in", "1 game written to", "1 position of nim:heaps=1", "1 position of Nim"):
        assert words in printed
    assert "1 plies" not in printed


def test_grades_count_one_of_each():
    assert "in 1 ply" in str(grade_exact("greedy", "nim:heaps=1"))
