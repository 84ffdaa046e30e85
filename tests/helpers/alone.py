"""What the page without a server is made of, made once for all tests of a run, however many processes it has."""

import os
from pathlib import Path

import pytest

from ludus.core.files.locking import turn
from ludus.web.alone.building import build_page, make_files


def page_files(factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the page, by name: one process of the run makes them, while the others wait for it."""
    ours, shared = factory.getbasetemp(), _shared(factory)
    made = shared / "page"
    with turn(shared / "page.lock", 0o600):
        if not made.exists():
            _write(make_files(), ours / "made").rename(made)
    return {path.name: path.read_bytes() for path in made.iterdir()}


def page_file(factory: pytest.TempPathFactory, files: dict[str, bytes]) -> Path:
    """The page, built once in the same way."""
    page = _shared(factory) / "alone" / "ludus.html"
    with turn(page.parent.with_suffix(".lock"), 0o600):
        if not page.exists():
            _write({page.name: build_page(files)}, factory.getbasetemp() / "built").rename(page.parent)
    return page


def _shared(factory: pytest.TempPathFactory) -> Path:
    """A folder of all processes of the run: each process of pytest-xdist has a folder in it."""
    ours = factory.getbasetemp()
    return ours.parent if "PYTEST_XDIST_WORKER" in os.environ else ours


def _write(files: dict[str, bytes], folder: Path) -> Path:
    folder.mkdir()
    for name, body in files.items():
        (folder / name).write_bytes(body)
    return folder
