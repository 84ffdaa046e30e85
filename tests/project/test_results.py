"""Results of studies: they keep how they were made, and an interruption loses at most one cell."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks.common import Rate, points, readable, table, take_in_turn
from benchmarks.runner import Study, studies, versions
from ludus.cli.machine import describe_machine, machine

from ..helpers.system.processes import ROOT


class Toy:
    """A study of two cells in its own folder."""

    def __init__(self, folder: Path) -> None:
        self.wins, self.calls = 7, list[str]()
        self.study = Study(folder / "toy.json", self.cells, lambda rows: {"wins": str(rows)}, 5)

    def cells(self, scale: int = 1) -> dict[str, Any]:
        """Games and times."""
        return {"games": lambda: self.measured("games", self.wins * scale), "times": lambda: self.measured("times", 0.5)}

    def measured(self, name: str, value: float) -> dict[str, float]:
        self.calls.append(name)
        return {"value": value}


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


def test_a_result_keeps_how_it_was_made(toy: Toy):
    toy.study.run([])
    document = json.loads(toy.study.file.read_text())
    assert (document["command"], document["seed"]) == ("python -m benchmarks toy", 5)
    (session,) = document["sessions"]
    assert session.keys() == {"date", "commit", "machine", "versions", "rows"}
    assert session["machine"] == describe_machine(machine())
    assert session["versions"] == versions(["numpy", "llvmlite"])
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", session["date"])
    seconds, row = session["rows"]["games"]
    assert row == {"value": 7}
    assert 0 <= seconds < 60
    assert toy.study.origin().startswith(f"`python -m benchmarks toy`, seed 5; {session['date']}, {session['machine']}; python 3.")


def test_a_study_names_the_command_that_measures_it(toy: Toy):
    assert (toy.study.command, replace(toy.study, script="toys", usage="--all").command) == (
        "python -m benchmarks toy",
        "toys --all",
    )


def test_what_is_measured_is_measured_again_only_anew(toy: Toy, capsys: pytest.CaptureFixture[str]):
    toy.study.run([])
    toy.wins = 8
    toy.study.run([])
    assert toy.calls == ["games", "times"]
    toy.study.run(["game", "--anew", "--scale", "10"])
    assert toy.calls == ["games", "times", "games"]
    assert toy.study.rows() == {"games": {"value": 80}, "times": {"value": 0.5}}
    capsys.readouterr()
    toy.study.run(["--show"])
    assert "wins: {'games': {'value': 80}" in capsys.readouterr().out


def test_an_interruption_loses_at_most_one_cell_and_the_command_goes_on(toy: Toy, monkeypatch: pytest.MonkeyPatch):
    def interrupted(name: str, value: float) -> dict[str, float]:
        if name == "times":
            raise KeyboardInterrupt
        return {"value": value}

    with monkeypatch.context() as patch:
        patch.setattr(toy, "measured", interrupted)
        with pytest.raises(KeyboardInterrupt):
            toy.study.run(["--anew"])
    assert toy.study.missing() == ["times"]
    toy.study.run([])
    assert (toy.study.missing(), toy.calls) == ([], ["times"])


def test_several_processes_share_the_cells(toy: Toy, monkeypatch: pytest.MonkeyPatch):
    other = Toy(toy.study.file.parent)

    def measured(name: str, value: float) -> dict[str, float]:
        toy.calls.append(name)
        other.study.run([])
        return {"value": value}

    monkeypatch.setattr(toy, "measured", measured)
    toy.study.run([])
    assert (toy.calls, other.calls, toy.study.missing()) == (["games"], ["times"], [])


def test_what_another_process_measures_meanwhile_is_kept(toy: Toy, monkeypatch: pytest.MonkeyPatch):
    def measured(name: str, value: float) -> dict[str, float]:
        if name == "games":
            Toy(toy.study.file.parent).study.run(["times"])
        return {"value": value}

    monkeypatch.setattr(toy, "measured", measured)
    toy.study.run(["games"])
    assert toy.study.missing() == []


def test_rows_of_cells_that_are_gone_and_sessions_without_rows_leave_the_file(toy: Toy):
    toy.study.run([])
    old = json.loads(toy.study.file.read_text())
    old["sessions"][0]["rows"]["gone"] = [1.0, {}]
    old["sessions"].append({**old["sessions"][0], "date": "2020-01-01", "rows": {"times": [1.0, {}]}})
    toy.study.file.write_text(json.dumps(old))
    toy.study.run(["times", "--anew"])
    (session,) = toy.study.sessions()
    assert session["rows"].keys() == {"games", "times"}


def test_a_study_has_figures_when_all_its_cells_are_measured(toy: Toy, capsys: pytest.CaptureFixture[str]):
    toy.study.run(["games"])
    assert toy.study.figures() == {}
    assert "toy shows no figures yet; not measured: times" in capsys.readouterr().err
    toy.study.run([])
    assert toy.study.figures().keys() == {"wins", "made"}


def test_a_cell_that_there_is_not_is_named(toy: Toy, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        toy.study.run(["wins"])
    assert "no cell is called wins; there are games, times" in capsys.readouterr().err


def test_the_list_says_how_old_a_result_is_and_what_it_costs(toy: Toy, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setattr(command, "studies", lambda: {"toy": toy.study})
    command.main([])
    assert re.search(r"toy +0 of 2 +never +unknown +python -m benchmarks toy", capsys.readouterr().out)
    toy.study.run([])
    command.main([])
    assert re.search(r"toy +2 of 2 +20\d\d-\d\d-\d\d +0 +0 +0 ms +python -m benchmarks toy", capsys.readouterr().out)
    assert [*map(readable, (0.1, 100, 1000, 10_000))] == ["100 ms", "100 s", "16.7 min", "2.78 h"]
    assert command.main(["chess"]) == 2
    assert "There is no study chess; there are toy." in capsys.readouterr().err


def test_several_ways_are_measured_in_turn_and_compared_run_by_run():
    turns = list[str]()

    def way(name: str, *clock: float) -> Callable[[], Rate]:
        rates = [Rate(each, 2 * each) for each in clock]
        return lambda: (turns.append(name), rates.pop(0))[1]

    ours, theirs = take_in_turn({"ours": way("ours", 10, 30, 20), "theirs": way("theirs", 5, 3, 10)}, 3)
    assert turns == ["ours", "theirs"] * 3
    assert ours == {"whose": "ours", "rate": 20}
    assert theirs == {"whose": "theirs", "rate": 5, "times": 2, "least": 2, "most": 10, "by_processor": 2}


def test_every_result_has_its_study_and_every_row_its_cell():
    every = studies()
    assert {*(ROOT / "benchmarks" / "results").iterdir()} == {study.file for study in every.values()}
    for study in every.values():
        document = json.loads(study.file.read_text(encoding="utf-8"))
        assert (document["command"], document["seed"]) == (study.command, study.seed)
        assert {name for session in study.sessions() for name in session["rows"]} <= {*study.cells()}, study.name


def test_points_are_wins_and_half_of_the_draws_and_tables_are_aligned():
    assert points([100, 100, 0])[0] == "75.0 %"
    assert table(["a", "b"], [["x", ""]]) == "| a | b |\n|---|---:|\n| x | |"


def test_the_figures_are_made_with_the_core_alone():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['torch', 'stable_baselines3', 'sb3_contrib', 'neat', 'deap', 'scipy', "
        "'ray', 'jax', 'pgx', 'mctx', 'shimmy', 'pyspiel', 'pandas', 'minari', 'torchrl', 'tianshou'])); "
        f"sys.path.insert(0, {str(ROOT / 'docs')!r}); import filling; assert filling.figures()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
