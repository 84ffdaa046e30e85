"""The cache of compiled kernels is code: nobody else may write it, and what is damaged in it is compiled again."""

import json
import logging
import os
import shutil
import stat
import sys

import llvmlite.binding as llvm
import numpy as np
import pytest

from ludus.cli import main
from ludus.native import cache, objects, private

from ..helpers.native import kernels
from ..helpers.system.damaged_objects import object_for
from ..helpers.system.processes import ROOT, run, run_file

kernels_of_these_tests = kernels.kernels_of_these_tests
POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and owners are POSIX's")
BODY = b"an object file" * 50


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache with one file, which nothing has been said of yet."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    cache._warn.cache_clear()
    cache.write("nim", "twice-0", BODY)
    assert cache.read("nim", "twice-0") == BODY
    return tmp_path / "cache"


def said(caplog):
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


# ---- whose it is


LEVELS = [".", "kernels", "kernels/nim"]


@POSIX
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777])
def test_a_folder_that_others_may_write_is_not_used_which_is_said_once(folder, level, mode, caplog, capsys):
    (folder / level).chmod(mode)
    before = (folder / "kernels/nim/twice-0.kernel").read_bytes()
    for _ in range(3):
        assert cache.read("nim", "twice-0") is None
        cache.write("nim", "twice-0", b"other")
    assert (folder / "kernels/nim/twice-0.kernel").read_bytes() == before
    (sentence,) = said(caplog)
    place = (folder / level).resolve()
    assert f"chmod go-w {place}" in sentence
    assert "LUDUS_CACHE" in sentence

    assert main(["cache"]) == 0
    assert f"chmod go-w {place}" in capsys.readouterr().out.replace("\n", "")
    assert main(["cache", "--json"]) == 0
    assert f"chmod go-w {place}" in json.loads(capsys.readouterr().out)["refused"]

    place.chmod(mode & ~0o022)
    assert cache.read("nim", "twice-0") == BODY
    assert cache.refusal() is None


@POSIX
@pytest.mark.parametrize("level", [*LEVELS, "kernels/nim/twice-0.kernel"])
def test_what_belongs_to_somebody_else_is_not_used(folder, level, monkeypatch, caplog):
    if os.geteuid() == 0:
        os.chown(folder / level, 12345, 12345)
    else:
        for place in LEVELS:
            (folder / place).stat()
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert cache.read("nim", "twice-0") is None
    (sentence,) = said(caplog)
    assert "belongs to another user" in sentence
    assert "LUDUS_CACHE" in sentence


@POSIX
def test_a_file_that_others_may_write_is_compiled_again_and_replaced(folder):
    (folder / "kernels/nim/twice-0.kernel").chmod(0o664)
    assert cache.read("nim", "twice-0") is None
    cache.write("nim", "twice-0", BODY)
    assert cache.read("nim", "twice-0") == BODY


@POSIX
def test_in_a_folder_with_the_sticky_bit_the_cache_is_used(tmp_path, monkeypatch):
    tmp_path.chmod(0o1777)
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    cache.write("nim", "twice-0", BODY)
    assert cache.read("nim", "twice-0") == BODY


@POSIX
def test_a_symbolic_link_counts_as_what_it_leads_to(folder, tmp_path, monkeypatch, caplog):
    (tmp_path / "link").symlink_to(folder)
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "link"))
    assert cache.read("nim", "twice-0") == BODY
    folder.chmod(0o777)
    assert cache.read("nim", "twice-0") is None
    assert len(said(caplog)) == 1


@POSIX
@pytest.mark.parametrize("umask", [0, 0o002, 0o077])
def test_files_are_for_the_user_alone_whatever_the_umask(umask, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "above/cache"))
    before = os.umask(umask)
    try:
        cache.write("nim", "twice-0", BODY)
        cache.make_folder(cache.folder() / "tables")
    finally:
        os.umask(before)
    made = {str(path.relative_to(tmp_path)): stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert made.pop("above") == 0o777 & ~umask
    assert made.pop("above/cache/kernels/nim/twice-0.kernel") == 0o600
    assert len(made) == 4
    assert set(made.values()) == {0o700}


@POSIX
def test_tables_that_others_may_write_are_not_read(folder, caplog):
    from ludus.oracles.files import read_arrays, write_arrays

    path = folder / "tables/some.values"
    write_arrays(path, values=np.arange(3))
    assert (read_arrays(path, "so be it") or {})["values"].tolist() == [0, 1, 2]
    path.parent.chmod(0o777)
    assert read_arrays(path, "so be it") is None
    (sentence,) = said(caplog)
    assert "chmod go-w" in sentence
    with pytest.raises(private.NotPrivateError, match="chmod go-w"):
        write_arrays(path, values=np.arange(3))


# ---- what stands in a file's place


@POSIX
@pytest.mark.parametrize(
    "make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to(path)]
)
def test_what_is_no_file_is_not_waited_for(make, folder):
    path = folder / "kernels/nim/twice-0.kernel"
    path.unlink()
    make(path)
    assert cache.read("nim", "twice-0") is None
    cache.write("nim", "twice-0", BODY)
    assert [entry.kernel for entry in cache.entries()] in ([], ["twice"])


def test_a_file_under_the_name_of_another_kernel_or_game_is_not_read(folder):
    cache.write("quarto", "other-0", BODY)
    kept = folder / "kernels/nim/twice-0.kernel"
    for name in ("nim/twice-1", "nim/thrice-0", "quarto/twice-0"):
        shutil.copy(kept, folder / f"kernels/{name}.kernel")
        assert cache.read(*name.split("/")) is None


# ---- what an object file says of itself

TRIPLES = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "arm64-apple-darwin",
    "x86_64-pc-windows-msvc",
]


@pytest.fixture(params=TRIPLES)
def made_for(request):
    """A triple, and an object file for it."""
    return request.param, object_for(request.param)


def test_the_sections_of_an_object_file_are_those_that_llvm_finds(made_for):
    triple, body = made_for
    objects.check(body, "ludus_kernel", triple)
    whole = llvm.ObjectFileRef.from_data(body)
    for mine, other in zip(objects.parts_of(body, triple).sections, whole.sections(), strict=True):
        content = body[mine.start : mine.stop]
        assert (other.name() or b"").removesuffix(b"__LD") == mine.name  # Mach-O's names of 16 bytes run into what follows
        assert content in (other.data() if other.size() else b"", b"")
        assert bool(content) <= (mine.code == other.is_text())


def test_an_object_file_that_is_cut_anywhere_is_refused(made_for):
    triple, body = made_for
    for length in range(0, len(body) - 8, 3):
        with pytest.raises(ValueError, match="damaged"):
            objects.check(body[:length], "ludus_kernel", triple)


def test_an_object_file_of_another_machine_or_without_the_function_is_refused(made_for):
    triple, body = made_for
    with pytest.raises(ValueError, match="ludus_other"):
        objects.check(body, "ludus_other", triple)
    for other in TRIPLES:
        if other != triple:
            with pytest.raises(ValueError, match="damaged"):
                objects.check(body, "ludus_kernel", other)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the damage is done to ELF files")
def test_llvm_survives_every_damaged_object_file_that_passes(tmp_path):
    assert "1000 damages" in run(
        "-m", "tests.helpers.system.damaged_objects", 1, 1000, cwd=ROOT, PYTHONPATH=ROOT / ".types", LUDUS_CACHE=tmp_path
    )


BROKEN = """
from ludus.native import Link, cache, compile_kernel, load, objects

def twice(n: int) -> int:
    return 2 * n

link = Link("any", {}, {})
assert compile_kernel(twice, link)(21) == 42
(symbol,) = load._loaded
name = "twice-" + symbol.removeprefix("ludus_")
whole = cache.read("any", name)
cuts = [0, 10, 64, len(whole) // 2, len(whole) - 64]
for damaged in (*(whole[:cut] for cut in cuts), b"?" * 5000, *(whole[:n] + bytes(8) + whole[n + 8 :] for n in (0, 16, 40, 56))):
    load._loaded.clear()
    cache.write("any", name, damaged)  # with the right checksum
    assert compile_kernel(twice, link)(21) == 42
    objects.check(cache.read("any", name), symbol)
print("compiled again")
"""


def test_damage_under_a_right_checksum_is_compiled_again(tmp_path):
    assert run_file(BROKEN, cwd=tmp_path, LUDUS_CACHE=tmp_path / "cache") == "compiled again\n"
