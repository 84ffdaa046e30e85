"""What other systems lack is not needed: stand-ins for Windows and macOS, which the workflows run on.

A process loses the modules and names that Python has on Linux alone, and does what it does elsewhere.
"""

import argparse
from pathlib import Path

import pytest

from ludus.cli.commands import web
from ludus.core.workers import worker

from ..helpers.sources import SOURCES
from ..helpers.system.processes import run

WINDOWS = """
import os, select, signal, sys
import asyncio, filelock, gymnasium, multiprocessing, pettingzoo, platformdirs, tempfile, uvicorn
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None  # importing it fails
for name in ("fork", "forkpty", "killpg", "register_at_fork", "sched_getaffinity"):
    delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGALRM"):
    delattr(signal, name)
del select.poll
"""
NAMES = [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in SOURCES if "__main__" not in name]
MODULES = [f"ludus.{name}" for name in NAMES]
IMPORTS = """
from importlib import import_module
for name in {modules}:
    try:
        import_module(name)
    except ImportError as error:
        assert error.name.partition('.')[0] in ('torch', 'ray', 'verifiers'), error
print("all")
"""


def test_every_module_can_be_imported_without_what_windows_lacks(tmp_path: Path):
    left_out = "sys.modules |= dict.fromkeys(['torch', 'ray', 'verifiers'])"  # which have their own ways there
    code = WINDOWS + left_out + IMPORTS.format(modules=MODULES)
    assert run("-c", code, cwd=tmp_path) == "all\n"


def test_rules_are_compiled_and_kept_without_what_windows_lacks(tmp_path: Path):
    names = "('geteuid', 'getuid', 'getsid', 'getpgrp', 'set_blocking', 'O_DIRECTORY', 'O_NOCTTY')"
    code = f"{WINDOWS}\nfrom ludus.core.native import cache\ncache.POSIX = False\nfor name in {names}:\n    delattr(os, name)\n"
    words = "arena nim --policies random greedy --games 4 --report page.html"
    code += f"from ludus.cli import main\nmain({words.split()})"
    for _ in range(2):  # the second time from the cache
        printed = run("-c", code, cwd=tmp_path, LUDUS_CACHE=tmp_path / "cache")
    assert "page.html" in printed
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list((tmp_path / "cache").rglob("*.kernel"))


def test_a_process_of_its_own_is_refused_in_a_sentence_where_there_is_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker.os, "name", "nt")
    with pytest.raises(OSError, match="processes of their own need Linux or macOS; play with one worker and without a time limit"):
        worker.Worker().call(abs, -1)


def test_the_page_in_the_browser_is_refused_in_a_sentence_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(web.os, "name", "nt")
    with pytest.raises(OSError, match=r"need Linux or macOS; on Windows start it in WSL, or play in the terminal with ludus play"):
        web.run(argparse.Namespace())
