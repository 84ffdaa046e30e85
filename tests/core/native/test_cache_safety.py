"""The cache of compiled kernels is code: nobody else may write it, and what is damaged in it is compiled again."""

import json
import logging
import os
import shutil
import stat

import numpy as np
import pytest

from ludus.cli import main
from ludus.core.native import cache
from ludus.oracles.files import read_arrays, write_arrays

from ...helpers.native import kernels

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
@pytest.mark.parametrize("mode", [0o775, 0o1777])
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
@pytest.mark.parametrize("umask", [0, 0o077])
def test_others_may_read_what_is_made_and_not_write_it_whatever_the_umask(umask, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "above/cache"))
    path = cache.folder() / "tables/some.values"
    before = os.umask(umask)
    try:
        cache.write("nim", "twice-0", BODY)
        write_arrays(path, values=np.arange(3))
    finally:
        os.umask(before)
    made = {str(path.relative_to(tmp_path)): stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert made.pop("above") == 0o777 & ~umask
    assert made.pop("above/cache/kernels/nim/twice-0.kernel") == made.pop("above/cache/tables/some.values") == 0o644
    assert len(made) == 4
    assert set(made.values()) == {0o755}
    assert cache.read("nim", "twice-0") == BODY
    assert read_arrays(path, "it is made again") is not None


@POSIX
def test_tables_that_others_may_write_are_not_read(folder, caplog):
    path = folder / "tables/some.values"
    write_arrays(path, values=np.arange(3))
    assert (read_arrays(path, "so be it") or {})["values"].tolist() == [0, 1, 2]
    path.parent.chmod(0o777)
    assert read_arrays(path, "so be it") is None
    (sentence,) = said(caplog)
    assert "chmod go-w" in sentence
    with pytest.raises(cache.NotPrivateError, match="chmod go-w"):
        write_arrays(path, values=np.arange(3))


# ---- what stands in a file's place


def test_a_file_under_the_name_of_another_kernel_or_game_is_not_read(folder):
    cache.write("quarto", "other-0", BODY)
    kept = folder / "kernels/nim/twice-0.kernel"
    for name in ("nim/twice-1", "nim/thrice-0", "quarto/twice-0"):
        shutil.copy(kept, folder / f"kernels/{name}.kernel")
        assert cache.read(*name.split("/")) is None
