"""The page of stores and runs in a real browser, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page


@contextmanager
def watching(chromium: Browser, host: str, width: int = 1200, **how: str) -> Iterator[Page]:
    """A tab of the browser. At its end it must have complained of nothing, and asked nobody but the server."""
    context = chromium.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **how)
    page = context.new_page()
    page.set_default_timeout(15_000)
    complaints, foreign = list[str](), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda request: foreign.append(request.url) if f"//{host}/" not in request.url else None)
    yield page
    context.close()
    assert (complaints, foreign) == ([], [])


def address(host: str, name: object, **fields: object) -> str:
    """The address of a store's or a run's page."""
    return f"http://{host}/watch#{urlencode({'name': str(name), **fields})}"
