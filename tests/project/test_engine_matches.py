"""Matches against other programs: a block of games against one that moves at random, programs that fail, and what pages show."""

import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.strength import othello as engines
from benchmarks.strength.othello import Match, line_of_parts, line_of_result, play_block
from ludus.agents.answers import Forfeits

RANDOM = """
import random, sys, ludus
game = ludus.make_game("othello")
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "features" and "mute" not in sys.argv:
        print("features value", flush=True)
    elif word == "position":
        state = game.position(rest)
    elif word == "go":
        key, *value = rest.split()
        move = random.Random(int(key)).choice(game.legal_actions(state))
        print("bestmove", game.move_name(move), *(["value 0.5"] if value else []), flush=True)
"""
"""A player that takes every position to be won by 32 discs for the player to move."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not say the processor time of others")
OPENINGS = "f5d6c4d3c2b3b4b5\nf5f4g3g6f3g4e3e2\n"


def program(folder: Path, text: str) -> str:
    """The command of a program."""
    path = folder / "program.py"
    path.write_text(text)
    return shlex.join([sys.executable, str(path)])


@pytest.fixture
def openings(tmp_path: Path) -> str:
    path = tmp_path / "openings.txt"
    path.write_text(OPENINGS)
    return str(path)


@linux
def test_a_block_is_played_from_both_seats_and_judged(tmp_path: Path, openings: str):
    command = program(tmp_path, RANDOM)
    row = play_block(Match("depth=2,endings=18", "random", ""), 1, openings, command, command, count=1)
    assert len(row["scores"]) == 2
    for at_52, at_36, at_28, at_18, end in row["scores"]:
        assert {abs(score) for score in (at_52, at_36, at_28)} == {32}
        assert end >= at_18 > 0  # a search that solves what is left loses nothing there
    assert row["scores"][0][0] == -row["scores"][1][0]  # the same position, from the other seat
    assert min(row["seconds"]) > 0
    assert row["judge"] == f"{Path(sys.executable).name} program.py"
    again = play_block(Match("depth=2,endings=18", "random", ""), 1, openings, command, command, count=1)
    assert again["scores"] == row["scores"]


@linux
@pytest.mark.parametrize(
    ("text", "reason"),
    [("import sys; sys.exit('no data')", "ended with status 1: no data"), (RANDOM.replace("game.move_name(move)", "'a1'"), "'a1'")],
)
def test_a_program_that_fails_stops_the_match_with_a_sentence(tmp_path: Path, openings: str, text: str, reason: str):
    with pytest.raises(Forfeits, match="has no move: ") as caught:
        play_block(Match("depth=1", "bad", ""), 0, openings, program(tmp_path, text), "a judge", count=1)
    assert reason in str(caught.value)


def test_a_judge_without_values_and_a_match_without_a_program_are_refused(tmp_path: Path, openings: str):
    judge = engines.make_judge(program(tmp_path, RANDOM) + " mute")
    with pytest.raises(ValueError, match="states no value; a program that does announces `features value`"):
        judge(engines.GAME.start)
    with pytest.raises(ValueError, match="give --openings FILE, --zebra COMMAND and --judge COMMAND"):
        play_block(Match("depth=1", "zebra", "6 14 16"), 0, openings, "", "")


def test_where_the_time_of_a_program_is_not_known_no_match_is_played(monkeypatch: pytest.MonkeyPatch, openings: str):
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(ValueError, match="which darwin does not say; play it on Linux"):
        play_block(Match("depth=1", "random", ""), 0, openings, "a program", "a judge", count=1)


def test_a_bad_line_of_the_openings_is_named(tmp_path: Path):
    (tmp_path / "openings.txt").write_text("f5d6\nf5f5\n")
    with pytest.raises(ValueError, match="line 2: move 2, 'f5'"):
        play_block(Match("depth=1", "random", ""), 0, str(tmp_path / "openings.txt"), "a program", "a judge")


def test_pages_show_points_by_opening_times_and_the_discs_of_each_part():
    match = Match("depth=1", "egaroucid", "1")
    first = {"scores": [[2, 4, 4, 4, 10], [-2, 0, 0, 0, -6]], "seconds": [0.3, 0.1], "moves": [100, 100]}
    second = {"scores": [[2, 0, 0, 0, 0], [-2, 0, 0, -8, -4]], "seconds": [0.1, 0.1], "moves": [100, 100]}
    result = line_of_result(match, [first, second])
    # a win and a loss are half of the points of the first opening, a draw and a loss a quarter of the second's
    assert result[:4] == ["`depth=1`", "Egaroucid, level 1", "4", "37.5 %"]
    assert result[5:] == ["+0.0", "2.00", "1.00"]
    # of the two openings the means are 0, 2, 2, 2, 2 and 0, 0, 0, -4, -2
    wide = 1.96 * np.std([2, 0], ddof=1) / 2**0.5
    assert line_of_parts(match, [first, second])[1:] == [f"+1.0 ± {wide:.1f}", "0", "−2.0 ± 3.9", "+1.0 ± 2.0"]
