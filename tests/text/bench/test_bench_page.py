# type: ignore
"""The page of a bench: what it says is what was measured, a stranger's words are text, and it needs nothing beside it."""

import re
from html import unescape

import pytest
from axe_playwright_python.sync_playwright import Axe

from ludus.envs import make_game
from ludus.text.bench.findings import findings
from ludus.text.bench.measures import measure
from ludus.text.bench.page import write_page
from ludus.text.bench.tables import report_tables

from ...helpers.system.browser import CHROMIUM
from ...helpers.text.benched import answers_of, noisy

MODEL = "llm:model=<b>m</b>"
EVIL = "</pre><script>document.title = 'harm'</script><img src=x onerror=alert(1)>\u202e\x00 &amp;"
ABOUT = {
    "positions": {"tictactoe": {"set": "ludus-positions-1", "count": 60, "checksum": "abcdef"}},
    "variants": [{"name": "plain"}, {"name": "list"}],
    "prompts": {"tictactoe, none, plain": "4:012345"},
    "disguises": ["mirror"],
    "repeats": 1,
}


@pytest.fixture(scope="module")
def report():
    games = {"nim": "1 3 5", "tictactoe": "X-O------ X"}
    answers = []
    for game, position in games.items():
        places = {"count": 60, "game": game, "position": position}
        answers += noisy(MODEL, 0.2, reply=EVIL, **places) + noisy(MODEL, 0.2, seed=1, variant="null", **places)
        answers += noisy(MODEL, 0.6, seed=2, variant="list", **places) + noisy(MODEL, 0.2, seed=3, disguise="mirror", **places)
        answers += noisy("other", 0.9, seed=4, **places) + answers_of([0.5] * 60, model="random", game=game)
    return measure(answers, controls=["random"], about=ABOUT)


@pytest.fixture(scope="module")
def file(report, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_page(report, path)
    return path


@pytest.fixture(scope="module")
def words(file):
    """What a reader sees, without the marks between."""
    body = file.read_text(encoding="utf-8").partition("</style>")[2].partition('<script type="module">')[0]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", body)))


def test_it_has_the_findings_and_every_number_of_the_tables(report, words):
    assert all(sentence in words for sentence in findings(report))
    for table in report_tables(report):
        for row in table.rows:
            assert " ".join(cell for cell in row if cell).replace("  ", " ") in words


def test_the_words_of_strangers_are_text(report, file):
    page = file.read_text(encoding="utf-8")
    assert page.count("<script") == 1
    assert "<b>m" not in page
    assert "<img" not in page
    assert "&lt;/pre&gt;&lt;script&gt;" in page
    assert "default-src 'none'" in unescape(page)
    game = make_game("tictactoe")
    assert game.svg(game.position("X-O------ X")) in page  # the position of a worst answer is drawn


def test_the_worst_answers_say_what_a_move_made_of_the_position(report, words):
    assert [answer.value_lost for answer in report.worst if answer.model == MODEL] == [2.0, 2.0]
    assert "it played a1, which makes a won position a lost one." in words


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_in_a_browser_it_fits_asks_nobody_and_axe_finds_nothing(chromium, file):
    size = {"width": 390, "height": 900}
    page = chromium.new_context(bypass_csp=True, color_scheme="dark", viewport=size).new_page()
    complaints, requests = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    assert page.title() == "How well language models play · ludus"
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")] == []
    for width in (390, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert (complaints, [address for address in requests if not address.startswith("data:")]) == ([], [file.as_uri()])
