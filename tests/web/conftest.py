"""A server of the page, the page without one, and tabs of a browser."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from playwright.sync_api import Browser

from ..helpers.alone import page_file, page_files
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
