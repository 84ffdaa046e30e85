"""What policies, files and messages in a store are called is shown as text, in the browser's page, the report and a notebook."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import ludus
from ludus.arena import Tournament, tournament
from ludus.arena.report.page import write_report
from ludus.arena.store.store import Store

from ..helpers.site import served
from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import address, watching

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    '"><svg onload=alert(3)>',
    "' onmouseover='alert(4)' style='position:fixed;inset:0'",
    "</script><script>alert(6)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt; &#60;script&#62;",
    "long " + "w" * 3000,
]
REASON = "</p><img src=x onerror=alert('reason')>"
SCRIPTS = "script:not([type='application/json'])"
INJECTED = f"main :is(img, iframe, object, embed, link, style, {SCRIPTS}, form:not(.filters), base, a[href^='java'])"


def hostile(name: str):
    """A policy of this name, which sometimes raises a hostile message."""

    def policy(observations, masks):
        if observations.sum() % 3 == 0:
            raise ValueError(REASON)
        return masks.argmax(1)

    policy.__name__ = name
    return policy


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=alert('file')> {{1}} '\".sqlite"
    tournament("nim", [hostile(name) for name in HOSTILE], 2, seed=2, faults="count", store=path).store.close()
    return path


def check_text(page: Page) -> None:
    """Checks that all names are there, as they are, and that none of them became an element."""
    rows = page.locator(".standing tbody th")
    assert sorted(rows.all_text_contents()) == sorted(HOSTILE)
    assert page.locator(INJECTED).count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_in_the_browser(chromium: Browser, path: Path):
    with served(watched=[str(path)]) as host, watching(chromium, host, 390) as page:
        page.goto(address(host, path))
        expect(page.locator(".standing tbody th")).to_have_count(len(HOSTILE))
        expect(page.locator("#watched a").first).to_have_text(path.name)
        check_text(page)
        for name in HOSTILE[:4]:
            page.get_by_label("Policy").select_option(name)
            expect(page.locator(".games tbody tr")).to_have_count(2 * (len(HOSTILE) - 1))
        page.locator(".games tbody a").first.click()
        expect(page.locator(".stage .board svg")).to_be_visible()
        page.get_by_role("button", name="To the start").click()
        check_text(page)
        page.goto(address(host, path, pairing=HOSTILE[0], number=0))
        expect(page.get_by_role("alert").last).to_contain_text(HOSTILE[0])


def test_in_the_report_and_in_a_notebook(chromium: Browser, path: Path, tmp_path: Path):
    file, notebook = tmp_path / "report.html", tmp_path / "notebook.html"
    with Store.open(path) as store:
        contest = Tournament(store)
        write_report(file, contest, title=HOSTILE[0], command=HOSTILE[1], graded=5)
        record = next(record for record in store.records() if record.reason)
    notebook.write_text(f"<!DOCTYPE html><title>x</title>{ludus.show(record)._repr_html_()}", encoding="utf-8")
    with watching(chromium, str(tmp_path)) as page:
        page.goto(file.as_uri())
        check_text(page)
        for choice in page.locator(".choice button").all():
            choice.click()
        page.goto(notebook.as_uri())
        frame = page.frame_locator("iframe")
        frame.locator(".moves button").last.click()
        expect(frame.locator(".verdict")).to_contain_text(REASON)
        expect(frame.locator(INJECTED)).to_have_count(0)
