"""`ludus cache --warm`: kernels are compiled in advance, in several processes, also for other users."""

import json
import logging
import sys

import pytest

from ludus.cli import main, warming
from ludus.native import cache

from ..helpers.games import forget
from ..helpers.system.processes import OUTSIDE, run

SMALL = (OUTSIDE / "small_game.py").read_text()
DERIVED = """
import sys, ludus
from ludus.games.kernels.keys import derive
from ludus.core.announcing import listen
with listen(print):
    print(ludus.make_game("nim").kernel(derive)(1, 2))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LUDUS_SHARED", raising=False)
    cache._warn.cache_clear()
    return tmp_path / "cache"


@pytest.fixture
def two(monkeypatch):
    """Replaces the kernels of games by two small ones."""
    needed_kernels = warming.needed_kernels

    def two_of(specs):
        return [job for job in needed_kernels(specs) if job.linked.kernel.__name__ in ("derive", "players")]

    monkeypatch.setattr(warming, "needed_kernels", two_of)


def warmed(capsys):
    assert main(["cache", "--warm", "nim", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_what_is_there_already_is_not_compiled_again(folder, two, capsys):
    assert cache.entries() == []
    printed = warmed(capsys)
    assert (printed["folder"], printed["kernels"], printed["compiled"]) == (str(folder), 2, 2)
    of_games = {"first_foreign", "look", "set_up", "foresee", "serve"}
    assert {"derive", "players"} <= {entry.kernel for entry in cache.entries()} <= {"derive", "players", *of_games}
    assert warmed(capsys)["compiled"] == 0
    assert run("-c", DERIVED, cwd=folder, LUDUS_CACHE=folder).count("\n") == 1  # its result, and nothing heard


def test_a_shared_folder_is_read_and_never_written(folder, two, tmp_path, capsys):
    shared, mine = folder, tmp_path / "mine"
    warmed(capsys)
    before = sorted(shared.rglob("*"))
    assert run("-c", DERIVED, cwd=tmp_path, LUDUS_CACHE=mine, LUDUS_SHARED=shared).count("\n") == 1
    assert not mine.exists()
    new = DERIVED.replace("derive)(1, 2)", "mix)(1)").replace("import derive", "import mix")
    assert "kernel='mix'" in run("-c", new, cwd=tmp_path, LUDUS_CACHE=mine, LUDUS_SHARED=shared)
    assert [file.name.split("-")[0] for file in mine.rglob(f"*{cache.SUFFIX}")] == ["mix"]
    assert sorted(shared.rglob("*")) == before


def test_a_shared_folder_that_others_may_write_is_not_used(folder, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "shared"))
    cache.write("nim", "twice-0", b"an object file")
    monkeypatch.setenv("LUDUS_CACHE", str(folder))
    monkeypatch.setenv("LUDUS_SHARED", str(tmp_path / "shared"))
    assert cache.read("nim", "twice-0") == b"an object file"
    (tmp_path / "shared" / "kernels").chmod(0o777)
    assert cache.read("nim", "twice-0") is None
    assert f"chmod go-w {tmp_path / 'shared' / 'kernels'}" in cache.refusal()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


@pytest.mark.parametrize("case", ["a file", "open to others"])
def test_a_folder_that_cannot_be_used_is_refused_before_anything_is_compiled(case, folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(warming, "warm", None)
    place = tmp_path / "place"
    if case == "a file":
        place.write_text("")
    else:
        place.mkdir()
        place.chmod(0o777)
    monkeypatch.setenv("LUDUS_CACHE", str(place))
    assert main(["cache", "--warm", "nim"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert str(place) in printed.err
    assert printed.err.count("\n") == 1


@pytest.fixture
def without_unfit_game():
    """Removes the game that a test registers."""
    yield
    forget(sys.modules["unfit_game"].SmallGame)


def test_a_kernel_that_does_not_compile_is_named(folder, without_unfit_game, tmp_path, monkeypatch, capsys):
    (tmp_path / "unfit_game.py").write_text(
        SMALL.replace("    if three(state[0] & ALL):", "    if len([state]) > 1 or three(state[0] & ALL):")
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    needed_kernels = warming.needed_kernels
    monkeypatch.setattr(
        warming, "needed_kernels", lambda specs: [job for job in needed_kernels(specs) if job.linked.kernel.__name__ == "outcomes"]
    )
    assert main(["cache", "--warm", "unfit_game:SmallGame"]) == 2
    printed = capsys.readouterr().err
    assert "the kernel outcomes of unfit_game:SmallGame cannot be compiled" in printed
    assert "ludus check unfit_game:SmallGame" in printed


def test_a_name_stands_for_all_variants_and_a_spec_for_one():
    assert warming.specs_of("quarto") == ["quarto", "quarto:squares=true"]
    assert warming.specs_of("quarto:squares=true") == ["quarto:squares=true"]
    jobs = warming.needed_kernels(warming.specs_of("quarto"))
    assert [job.linked.kernel.__name__ for job in jobs].count("action_for") == 2
    assert [job.linked.kernel.__name__ for job in jobs].count("masks") == 1
