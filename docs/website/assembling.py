"""Collects the pages of the site in one folder, from which Sphinx builds it: `make site`.

python docs/website/assembling.py FOLDER

The pages are those of docs/ and a few others of the repository, as they are, with one change: a link to a file of code leads to a
page that shows this file. The API reference is written from the docstrings.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from links import Links
from reference import reference_pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ELSEWHERE = {
    "docs/home.md": "index.md",
    "README.md": "index.md",
    "docs/README.md": "pages.md",
    "docs/search.md": "exact_play.md",
    "benchmarks/README.md": "benchmarks.md",
    "tests/README.md": "tests.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages that lie elsewhere in the site than in the folder docs; a link to the README leads to the home page, and Sphinx has
a page named `search` of its own."""
NAVIGATION = {
    "Start": ["start", "environments", "policies", "web"],
    "Games": ["games/nim", "games/tictactoe", "games/quarto", "games/quixo", "games/othello"],
    "Guides": ["guides/researchers", "guides/measuring", "guides/students", "guides/extending"],
    "Tutorials": [f"tutorials/{name}" for name in ("first_environment", "maskable_ppo", "alphazero", "measure", "solve")],
    "Training": ["training", "sb3", "alphazero", "opponents", "neighbours", "coming_from"],
    "Measuring": ["arena", "grading", "study", "exact_play", "text", "scale"],
    "Extending": ["plugins", "check", "kernels"],
    "Reference": ["reference/index", "benchmarks"],
    "Project": ["promises", "safety", "changelog", "contributing", "tests"],
    "More": ["pages", "puzzles", "classics"],
}
"""The pages by the groups of the menu; those that no group names come last."""


def assemble(place: Path) -> None:
    """Writes the sources of the site to a folder, which is emptied first."""
    shutil.rmtree(place, ignore_errors=True)
    links = Links(ROOT, dict(site_pages()))
    for source, target in site_pages():
        if source != "README.md":
            text = (ROOT / source).read_text(encoding="utf-8")
            if target.startswith("games/"):  # whose headings are those of docstrings
                text = text.replace("\n### ", "\n## ")
            _write(place / target, links.followed(text, source) + (menu() if target == "index.md" else ""))
    for target, text in (reference_pages() | links.source_pages()).items():
        _write(place / target, text)
    for source in links.files:
        _copy(ROOT / source, place / "files" / source)
    for image in (DOCS / "images").rglob("*.*"):
        _copy(image, place / image.relative_to(DOCS))


def site_pages() -> Iterator[tuple[str, str]]:
    """The repository's pages that the site shows, and where."""
    for page in sorted(DOCS.rglob("*.md")):
        source = page.relative_to(ROOT).as_posix()
        yield source, ELSEWHERE.get(source, page.relative_to(DOCS).as_posix())
    yield from ((source, target) for source, target in ELSEWHERE.items() if not source.startswith("docs/"))


def menu() -> str:
    """The tables of contents of the home page, from which the menu is made."""
    named = {page for pages in NAVIGATION.values() for page in pages}
    there = {target.removesuffix(".md") for _, target in site_pages()} - {"index"}
    groups = NAVIGATION | {"More": [*NAVIGATION["More"], *sorted(there - named)]}
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
