"""A server of the page, the page without one, and tabs of a browser."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ludus.core.files.locking import turn
from ludus.web.alone.building import build_page, make_files

from ..helpers.site import served
from ..helpers.tab import Tab


@pytest.fixture(scope="session")
def host() -> Iterator[str]:
    """A server for all tests of a process that need nothing else of it."""
    with served() as host:
        yield host


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the page without a server, by name."""
    if find_spec("ziglang") is None:
        pytest.skip("needs ziglang, which the extra `page` brings")
    return page_files(tmp_path_factory)


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> str:
    """The address of the page without a server, a file of the disk."""
    return page_file(tmp_path_factory, files).as_uri()


@pytest.fixture
def tab(chromium: Browser, host: str) -> Iterator[Tab]:
    tab = Tab(chromium, host, 1200, 900, touch=False)
    yield tab
    tab.close()


@pytest.fixture
def phone(chromium: Browser, host: str) -> Iterator[Tab]:
    tab = Tab(chromium, host, 390, 844, touch=True)
    yield tab
    tab.close()


# ---- what the page without a server is made of, made once for all tests of a run, however many processes it has


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
