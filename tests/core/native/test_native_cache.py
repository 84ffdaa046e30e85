"""Compiled kernels that are kept: neither lost nor stale, and those of a game from outside are like the others."""

import enum
import os
import tempfile
import types
from collections import namedtuple
from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.core.native import Link, apart, cache, load, object_file_of, releases_gil
from ludus.core.native.compiler import target

from ...helpers.native import kernels
from ...helpers.native.kernels import GAME, kernel_from
from ...helpers.system.processes import checkout, run

kernels_of_these_tests = kernels.kernels_of_these_tests


# ---- what is kept of them, by other processes

COMPILED = "'ludus.core.native.build' in sys.modules"
"""Whether a process has compiled something."""
TWICE = """
import sys, ludus, numpy as np

def twice(n: int) -> int:
    return 2 * max(np.int64(n), n)  # which have the same name in every process

print(ludus.make_game("tictactoe").kernel(twice)(21), "ludus.core.native.build" in sys.modules)
"""
BUILT, KEPT = "True\n", "False\n"  # whether the compiler was needed


def run_twice(folder, **environment):
    """What the program prints: it is a file, where the compiler reads its kernel."""
    (folder / "program.py").write_text(TWICE)
    return run("program.py", cwd=folder, **environment)


def test_a_second_process_builds_nothing_unless_the_file_is_damaged_or_gone(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    assert run_twice(tmp_path) == "42 " + BUILT
    assert run_twice(tmp_path) == "42 " + KEPT
    (file,) = tmp_path.rglob(f"*{cache.SUFFIX}")
    content = file.read_bytes()
    file.write_bytes(content[:-100] + bytes([content[-100] ^ 1]) + content[-99:])  # tests/fuzz does more damage
    assert run_twice(tmp_path) == "42 " + BUILT
    assert file.read_bytes() == content
    assert (len(cache.entries()), cache.clear(), cache.entries()) == (1, 1, [])
    assert run_twice(tmp_path) == "42 " + BUILT


def test_a_folder_that_cannot_be_written_costs_the_cache_and_no_more(tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    for place in ("cache", "cache/deeper"):
        assert run_twice(tmp_path, LUDUS_CACHE=tmp_path / place) == "42 " + BUILT


# ---- never stale


def says(tree, *expressions):
    """What expressions come to in a process of that checkout, and whether it compiled something."""
    code = f"import sys, ludus\nfrom ludus.games.kernels.keys import derive\nprint({', '.join(expressions)}, {COMPILED})"
    return run("-c", code, cwd=tree, PYTHONPATH=".types", LUDUS_CACHE=tree / "cache").split()


EDITS = {
    "a line of the rules": ("games/tictactoe/rules.py", "u64(0o111111)", "u64(0o011111)", "ludus.make_game('tictactoe').perft(7)"),
    "how kernels are built": (
        "core/native/entry.py",
        '"PyLong_FromUnsignedLongLong" if',
        '"PyLong_FromLongLong" if',
        "ludus.make_game('nim').kernel(derive)(1, 1)",
    ),
}


def test_edits_are_noticed_and_so_is_their_undoing(tmp_path):
    tree, expressions = checkout(tmp_path / "tree"), [expression for *_, expression in EDITS.values()]
    *before, _ = says(tree, *expressions)
    for value, (name, (file, old, new, expression)) in zip(before, EDITS.items(), strict=True):
        source, written = (tree / file).read_text(), (tree / file).stat().st_mtime
        assert source.count(old) == 1
        (tree / file).write_text(source.replace(old, new))
        os.utime(tree / file, (written + 10, written + 10))  # Python looks at whole seconds, to see whether its bytecode is stale
        assert says(tree, expression)[0] != value, name
        (tree / file).write_text(source)
        os.utime(tree / file, (written, written))
    assert says(tree, *expressions) == [*before, "False"]


TABLE = np.eye(1, 2000, 1500, dtype=np.int64)[0]
"""A long table, all zeros but for one entry in the middle."""
ADDS = "def kernel(n: int) -> int:\n    return n + "
AROUND = "def around(k):\n    def kernel(n: int) -> int:\n        return n + k\n    return kernel\nkernel = around(K)"
WHERE = {
    "a global": lambda k: kernel_from(ADDS + "K", K=k),
    "a default": lambda k: kernel_from(f"def more(n, k={k}): return n + k\n{ADDS}more(0)"),
    "a default that the text does not show": lambda k: kernel_from(f"def more(n, k=K): return n + k\n{ADDS}more(0)", K=k),
    "a function": lambda k: kernel_from(f"def more(n): return n + {k}\n{ADDS}more(0)"),
    "a function around": lambda k: kernel_from(AROUND, K=k),
    "an array": lambda k: kernel_from(ADDS + "TABLE[1500]", TABLE=k * TABLE),
    "an array in a tuple": lambda k: kernel_from(ADDS + "TABLES[0][1500]", TABLES=(k * TABLE,)),
    "a module": lambda k: kernel_from(ADDS + "settings.K", settings=module(K=k)),
    "an enumeration": lambda k: kernel_from(ADDS + "Piece.K", Piece=enum.IntEnum("Piece", {"K": k})),
    "the names of a tuple": lambda k: kernel_from(ADDS + "Pair(1, 2).a", Pair=namedtuple("Pair", ("a b", "b a")[k - 1])),
}


def module(**content):
    """A module of these names."""
    made = types.ModuleType("settings")
    vars(made).update(content)
    return made


@pytest.mark.parametrize("make", WHERE.values(), ids=WHERE)
def test_a_value_is_noticed_wherever_it_stands(make):
    assert [GAME.kernel(make(k))(10) for k in (1, 2)] == [11, 12]


def fingerprint(kernel):
    """The name under which a kernel is kept here, whatever this process has loaded."""
    return object_file_of(kernel, Link("tests", {}, {})).symbol(load.host())


def test_what_a_kernel_takes_and_how_it_is_marked_is_part_of_its_name():
    text = "def kernel(a: Numbers) -> int:\n    return a[0]"
    takes = [Annotated[NDArray[np.int64], 1], Annotated[NDArray[np.int32], 1], Annotated[NDArray[np.int64], 2]]
    kernels = [kernel_from(text, Numbers=numbers) for numbers in takes[:2]]
    grouped = [
        kernel_from("def kernel(a: It) -> int:\n    return a.n", It=NamedTuple("It", [("n", kind)])) for kind in (int, np.uint64)
    ]
    marked = [releases_gil(kernel_from(text, Numbers=takes[0])), kernel_from(text, Numbers=takes[0])]
    calls = "def zeros(n): return n\ndef kernel(n: int) -> int:\n    return zeros(n)"
    aparts = [kernel_from(calls) for _ in range(2)]
    apart(aparts[0].__globals__["zeros"])
    for one, other in (kernels, grouped, marked, aparts):
        assert fingerprint(one) != fingerprint(other)
    assert fingerprint(kernel_from(text, Numbers=takes[0])) == fingerprint(marked[1])


def test_everything_that_compiled_code_depends_on_is_part_of_its_name(monkeypatch):
    kernel, machine = kernel_from("def kernel(n: int) -> int:\n    return n"), target.host()
    others = [replace(machine, **{part: "z80"}) for part in ("triple", "cpu", "features")]
    names = {fingerprint(kernel)}
    changes = [*((load, "host", lambda other=other: other) for other in others), (load.llvmlite, "__version__", "0.0.1")]
    for owner, name, value in [*changes, (load, "object", tuple)]:  # whose objects have another size
        with monkeypatch.context() as patch:
            patch.setattr(load, "_compile_environment", load._compile_environment.__wrapped__)
            patch.setattr(owner, name, value, raising=False)
            names.add(fingerprint(kernel))
    assert len(names) == 6


@pytest.mark.parametrize(
    ("lacks", "cpu", "level"),
    [("", "haswell", target.V3), ("+avx2", "nehalem", target.V2), ("", "znver2", target.V2), ("+sse4.2", "core2", None)],
)
def test_a_processor_has_the_best_level_whose_features_it_all_has_and_that_are_quick(lacks, cpu, level, monkeypatch):
    features = ",".join(name for name in target.V3.features.split(",") if name != lacks)
    monkeypatch.setattr(target, "host", lambda: target.Target("", cpu, f"{features},+sse4a,-avx512f"))
    assert target.level.__wrapped__() == level


# ---- where they are kept


@pytest.mark.parametrize("found", ["no home", "~/.cache/ludus"])
def test_a_user_without_a_home_has_kernels_among_the_temporary_files(found, monkeypatch, tmp_path):
    def no_home(name):
        if found == "no home":
            raise RuntimeError("could not determine the home directory")
        return found

    monkeypatch.delenv("LUDUS_CACHE")
    monkeypatch.setattr(cache.platformdirs, "user_cache_dir", no_home)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert cache.folder() == tmp_path / f"ludus-{os.geteuid()}"
    assert GAME.kernel(kernel_from(f"def kernel(n: int) -> int:\n    return n - 17 - {len(found)}"))(40) == 23 - len(found)
    assert [entry.kernel for entry in cache.entries()] == ["kernel"]
    assert cache.refusal() is None
    cache.folder().chmod(0o777)  # as somebody else may have left it there
    assert "others may write" in (cache.refusal() or "")
