"""The files of tests/written say what they said when they were written; and what was left unfinished goes on."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from ludus.arena import resume, tournament

from ..helpers.system.processes import run as process
from ..written.reading import FILES, GRADED, POLICIES, read, read_games

EXPECTED = json.loads((FILES / "expected.json").read_text(encoding="utf-8"))
RUNS = [name for name in EXPECTED if name.startswith("runs/")]


@pytest.fixture
def copy_file(tmp_path):
    """Copies a file or a run into a folder of the test, where it may be written: that folder."""

    def copy(name: str) -> Path:
        source, target = FILES / name, tmp_path / name
        target.parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
        return tmp_path

    return copy


def assert_same_meaning(actual, expected, where: str) -> None:
    """Compares what a file says: there may be more fields, and other processors round numbers differently."""
    if isinstance(expected, dict):
        assert {*expected} <= {*actual}, where
        for name, value in expected.items():
            assert_same_meaning(actual[name], value, f"{where}.{name}")
    elif isinstance(expected, list):
        assert len(actual) == len(expected), where
        for number, pair in enumerate(zip(actual, expected, strict=True)):
            assert_same_meaning(*pair, f"{where}[{number}]")
    elif isinstance(expected, float):
        assert actual == pytest.approx(expected, rel=1e-3, abs=1e-4), where
    else:
        assert actual == expected, where


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_says_what_it_said_when_it_was_written(name, copy_file):
    assert_same_meaning(read(name, copy_file(name)), EXPECTED[name], name)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_goes_on_where_it_was_stopped_and_ends(name, copy_file, document, monkeypatch):
    for library in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, library, None)  # no plots, which take most of the time
    run = copy_file(name) / name
    before = (run / "metrics.csv").read_text()
    ended = document("train", "--resume", run)
    assert ended["finished"]
    assert (run / "metrics.csv").read_text().startswith(before)
    assert len((run / "metrics.csv").read_text()) > len(before)
    assert len(json.loads((run / "run.json").read_text())["sessions"]) == 2


def test_there_is_a_run_of_every_trainer(tmp_path):
    names = process("-c", "import ludus.baselines; print(*ludus.baselines.trainer_names())", cwd=tmp_path).split()
    trainers = {json.loads((FILES / name / "run.json").read_text())["trainer"] for name in RUNS}
    missing = {*names} - trainers
    assert not missing, f"add {', '.join(sorted(missing))} to tests/written/make.py, and run it"


def test_a_tournament_that_was_stopped_ends_as_if_it_had_not_been(copy_file, tmp_path):
    store = copy_file("unfinished.sqlite") / "unfinished.sqlite"
    before = read_games(store)
    assert resume(store).done == 12 > len(before)
    tournament(GRADED, POLICIES, 4, seed=1, store=tmp_path / "whole.sqlite")
    assert read_games(store) == read_games(tmp_path / "whole.sqlite")
    assert read_games(store)[: len(before)] == before


def test_answers_that_were_kept_are_not_asked_again(copy_file):
    file = copy_file("answers.kept") / "answers.kept"
    before = file.read_bytes()
    read(file.name, file.parent)
    assert file.read_bytes() == before
