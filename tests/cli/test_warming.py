"""Kernels are compiled in advance: by `ludus cache --warm`, in several processes, also for other users; and in a wheel."""

import json
import shutil

import pytest

from benchmarks.making import compiled_wheel
from ludus.cli import main, warming
from ludus.core.native import LEVELS, cache
from ludus.core.native.compiler.target import level

from ..helpers.system.processes import run

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


def test_a_folder_that_cannot_be_used_is_refused_before_anything_is_compiled(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(warming, "warm", None)
    (tmp_path / "a file").write_text("")
    (tmp_path / "open to others").mkdir()
    (tmp_path / "open to others").chmod(0o777)
    for place in ("a file", "open to others"):
        monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / place))
        assert main(["cache", "--warm", "nim"]) == 2
        printed = capsys.readouterr()
        assert (printed.out, place in printed.err, printed.err.count("\n")) == ("", True, 1)


# ---- kernels that come with ludus

PLAYS = """
import sys, numpy as np, ludus
from ludus.core.announcing import listen
from ludus.core.native import build, cache
cache.SHIPPED = cache.Path(sys.argv[1])
if sys.argv[2:]:
    build.build = None
with listen(lambda news: print(news.kernel, end=" ")):
    game = ludus.make_game("tictactoe")
    print(*ludus.make_policy("greedy", game).act(game.start[None], np.array([1], np.uint64)))
"""


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """A folder with what greedy needs for tic-tac-toe, as a wheel has it."""
    if level() is None:
        pytest.skip("no level of x86-64")
    package = tmp_path_factory.mktemp("package")
    names = ("expect", "first_foreign")
    kernels = [job for job in warming.needed_kernels(["tictactoe"]) if job.linked.kernel.__name__ in names]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_CACHE", str(tmp_path_factory.mktemp("cache")))
        compiled_wheel.add_kernels(package, kernels)
    return package


def plays(package, folder, *without):
    """What a process prints that plays with the kernels of a package; without a compiler it must not compile."""
    return run("-c", PLAYS, package, *without, cwd=package, LUDUS_CACHE=folder, HOME="/dev/null")


def test_kernels_that_come_with_ludus_are_used_without_a_home_a_cache_or_a_compiler(shipped, tmp_path):
    (tmp_path / "file").write_text("")
    assert plays(shipped, tmp_path / "file" / "cache", "no compiler") == "2\n"
    assert len([*shipped.rglob("*.kernel")]) == 3 * len(LEVELS)


def test_kernels_that_were_compiled_for_this_machine_are_used_first_and_damaged_ones_are_compiled_anew(shipped, tmp_path):
    package, names = shutil.copytree(shipped, tmp_path / "package"), {"expect", "first_foreign"}
    for file in package.rglob("*.kernel"):
        file.write_bytes(file.read_bytes()[:-1] + b"!")
    *compiled, action = plays(package, tmp_path / "cache").split()
    assert ({*compiled}, action) == (names, "2")
    assert plays(package, tmp_path / "cache", "no compiler") == "2\n"
