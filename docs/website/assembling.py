"""Collects the pages of the site in one folder, from which Sphinx builds it: `make site`.

python docs/website/assembling.py FOLDER

The pages are those of docs/ and a few others of the repository, as they are, with one change: a link to a file of code leads to a
page that shows this file. The API reference is written from the docstrings. On the home page and on each game's page there is a
board to play on: the page that `make page` builds, in a frame.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from itertools import chain
from os.path import normpath
from pathlib import Path
from urllib.parse import urlencode

from links import Links
from reference import reference_pages

from ludus.web.alone import BUILT as PAGE
from ludus.web.offers import Offers

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ELSEWHERE = {
    "docs/README.md": "index.md",
    "README.md": "index.md",
    "docs/search.md": "exact_play.md",
    "benchmarks/README.md": "benchmarks.md",
    "tests/README.md": "tests.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages that lie elsewhere in the site than in the folder docs; a link to the README leads to the home page, and Sphinx has
a page named `search` of its own."""
FIRST = "quixo"
"""The game on the home page."""
BOARD = """
```{{raw}} html
<iframe class="board" src="{address}" title="A board to play on" loading="lazy"></iframe>
<p><a href="{address}">Play on the whole page</a>, with other opponents and with what perfect play says.</p>
```
"""
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
LISTED = re.compile(r"^- \[[^\n]*?\]\(([^)]+)\)", re.MULTILINE)
"""A heading of the home page, and the link that begins an entry of its list: from them the menu is made."""


def assemble(place: Path) -> None:
    """Writes the sources of the site to a folder, which is emptied first."""
    shutil.rmtree(place, ignore_errors=True)
    links = Links(ROOT, dict(site_pages()))
    for source, target in site_pages():
        if source != "README.md":
            text = (ROOT / source).read_text(encoding="utf-8")
            if target.startswith("games/"):
                text = with_board(text, "\n| | |\n", Path(target).stem, "../").replace("\n### ", "\n## ")
            if target == "index.md":
                text = with_board(text, "\n## Start\n", FIRST)
            _write(place / target, links.followed(text, source) + (menu() if target == "index.md" else ""))
    for target, text in (reference_pages() | links.source_pages()).items():
        _write(place / target, text)
    for source in links.files:
        _copy(ROOT / source, place / "files" / source)
    for image in (DOCS / "images").rglob("*.*"):
        _copy(image, place / image.relative_to(DOCS))


def with_board(text: str, before: str, game: str, up: str = "") -> str:
    """A page with a board before some words, on which the reader begins a game against the weakest level.

    Raises:
        ValueError: the words are not on the page.
    """
    if before not in text:
        raise ValueError(f"the board of {game} is to stand before {before!r}, which its page does not have")
    (offer,) = (offer for offer in Offers().document()["games"] if offer["name"] == game)
    fields = {"game": game, "first": "you", "second": offer["levels"][game][0]["policy"]}
    return text.replace(before, BOARD.format(address=f"{up}{PAGE.name}#{escape(urlencode(fields))}") + before, 1)


def site_pages() -> Iterator[tuple[str, str]]:
    """The repository's pages that the site shows, and where."""
    for page in sorted(DOCS.rglob("*.md")):
        source = page.relative_to(ROOT).as_posix()
        yield source, ELSEWHERE.get(source, page.relative_to(DOCS).as_posix())
    yield from ((source, target) for source, target in ELSEWHERE.items() if not source.startswith("docs/"))


def menu() -> str:
    """The tables of contents of the home page, from which the menu is made: its own lists, and the API reference.

    Raises:
        ValueError: a page of the site is in no list.
    """
    places = dict(site_pages())
    _, *parts = HEADING.split((DOCS / "README.md").read_text(encoding="utf-8"))
    groups = {
        name: [places[normpath(f"docs/{link}")].removesuffix(".md") for link in LISTED.findall(text)]
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }
    groups["Reference"].insert(0, "reference/index")
    if missing := {target.removesuffix(".md") for target in places.values()} - {"index", *chain(*groups.values())}:
        raise ValueError(f"docs/README.md lists no {', '.join(sorted(missing))}")
    lists = {name: "\n".join(pages) for name, pages in groups.items()}
    return "".join(f"\n```{{toctree}}\n:hidden:\n:caption: {name}\n\n{pages}\n```\n" for name, pages in lists.items())


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def _copy(source: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, place)


if __name__ == "__main__":
    assemble(Path(sys.argv[1]))
