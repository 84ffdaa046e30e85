"""The figures of the pages: each stands between comments that name the result it comes from.

<!-- result: NAME.FIGURE -->what the study NAME of benchmarks/ shows under this name<!-- / -->
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
MARKED = re.compile(r"<!-- result: (\S+) -->(.*?)<!-- / -->", re.DOTALL)
UNMEASURED = "*not measured yet*"


def pages() -> Iterator[Path]:
    """The pages that show figures."""
    yield ROOT / "README.md"
    for folder in ("docs", "docs/games", "benchmarks"):
        yield from sorted((ROOT / folder).glob("*.md"))


def figures() -> dict[str, str]:
    """All figures, as `NAME.FIGURE`; and `NAME` alone for a study of which cells were never measured."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from benchmarks.runner import studies

    known = dict[str, str]()
    for name, study in studies().items():
        if study.sessions():
            known |= {f"{name}.{figure}": text for figure, text in study.figures().items()}
        if study.missing():
            known[name] = UNMEASURED
    return known


def filled(page: str, known: Mapping[str, str]) -> str:
    """A page with its figures as they are known.

    Raises:
        ValueError: it names a figure that is not there.
    """

    def figure(marked: re.Match[str]) -> str:
        name = marked[1]
        text = known.get(name, known.get(name.partition(".")[0]))
        if text is None:
            raise ValueError(f"no result has a figure {name}; `python -m benchmarks {name.partition('.')[0]} --show` lists them")
        return f"<!-- result: {name} -->" + (f"\n\n{text}\n\n" if "\n" in text else text) + "<!-- / -->"

    return MARKED.sub(figure, page)
