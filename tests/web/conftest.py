"""A server of the page, a browser, and tabs in it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from ..helpers.site import served
from ..helpers.system.browser import launched
from ..helpers.tab import Tab


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with served() as host:
        yield host


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as chromium:
        yield chromium


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
