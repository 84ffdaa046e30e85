"""A server that other machines reach, in a real browser: the printed address is enough, and nothing less is."""

import pytest
from playwright.sync_api import Browser, expect

from ..helpers.site import served
from ..helpers.system.browser import CHROMIUM


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_browser_plays_by_the_printed_address_and_after_a_reload(chromium: Browser):
    with served(token="one-of-many") as host:
        page = chromium.new_context().new_page()
        page.goto(f"http://{host}/?token=one-of-many#game=tictactoe&second=random")
        for _ in range(2):
            expect(page.locator("#status")).to_contain_text("move")
            assert "token" not in page.url
            page.reload()
        stranger = chromium.new_context().new_page()
        stranger.goto(f"http://{host}/#game=tictactoe")
        expect(stranger.locator("body")).to_contain_text("This server asks for a token")
        for tab in (page, stranger):
            tab.context.close()
