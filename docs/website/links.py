"""Links of the pages, as they lead somewhere in the site.

In the repository a page may link to any file. In the site, a link to a page leads to its place there, one to a file of code or to a
folder leads to a page that shows it, and one to another file to a copy.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath

LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^()\s#]+)(#[^()\s]*)?(?=\))")
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
SHOWN = {".py": "python", ".c": "c", ".toml": "toml", ".css": "css", ".js": "javascript", ".md": "markdown"}
"""Files that pages of the site show, and their languages; Markdown that is no page of the site is shown as text."""
HEAD = "---\norphan: true\nnosearch: true\n---\n\n"


class Links:
    """The links of the site.

    Args:
        root: the repository.
        pages: the places in the site of the repository's pages.
    """

    def __init__(self, root: Path, pages: Mapping[str, str]) -> None:
        self.root, self.pages = root, pages
        self.files = set[str]()
        """Files that pages link to, and that are copied."""
        self._shown = dict[str, None]()

    def followed(self, text: str, source: str) -> str:
        """The text of a page with its links as they lead in the site.

        Raises:
            ValueError: a link leads nowhere.
        """
        pieces = FENCED.split(text)  # code stands at the odd places
        pieces[::2] = [LINK.sub(lambda link: self._target(link, source), piece) for piece in pieces[::2]]
        return "".join(pieces)

    def source_pages(self) -> dict[str, str]:
        """The pages that show files and folders, by their places in the site."""
        made = dict[str, str]()
        while waiting := [path for path in self._shown if _place(path) not in made]:  # folders show files
            made |= {_place(path): self._page(path) for path in waiting}
        return made

    def _target(self, link: re.Match[str], source: str) -> str:
        path = normpath(PurePosixPath(source).parent / link[1])
        if not (self.root / path).exists():
            raise ValueError(f"{source} links to {link[1]}, which is not there")
        return relpath(self._where(path), PurePosixPath(self.pages[source]).parent) + (link[2] or "")

    def _where(self, path: str) -> str:
        """Where something of the repository is in the site."""
        for page in (path, f"{path}/README.md"):
            if page in self.pages:
                return self.pages[page]
        if path.startswith("docs/images/"):
            return path.removeprefix("docs/")
        if (self.root / path).is_dir() or PurePosixPath(path).suffix in SHOWN:
            self._shown[path] = None
            return _place(path)
        self.files.add(path)
        return f"files/{path}"

    def _page(self, path: str) -> str:
        place = self.root / path
        if place.is_dir():
            return f"{HEAD}# {path}\n\n" + "\n".join(self._listed(path))
        text = place.read_text(encoding="utf-8")
        fence = "`" * (3 + text.count("```"))
        return f"{HEAD}# {path}\n\n{fence}{SHOWN[place.suffix]}\n{text}{fence}\n"

    def _listed(self, folder: str) -> Iterator[str]:
        """A line for each file and folder of a folder."""
        for entry in sorted((self.root / folder).iterdir()):
            if entry.name.startswith(("_", ".")) or not (entry.is_dir() or entry.suffix in SHOWN):
                continue
            if entry.is_dir():
                yield f"- {entry.name}/{_summary(entry)}"
            else:
                where = self._where(entry.relative_to(self.root).as_posix())
                yield f"- [{entry.name}]({relpath(where, PurePosixPath(_place(folder)).parent)}){_summary(entry)}"


def _place(path: str) -> str:
    """The place of the page that shows a file or folder."""
    return f"sources/{path}.md"


def _summary(entry: Path) -> str:
    """The first line of a module's docstring."""
    place = entry / "__init__.py" if entry.is_dir() else entry
    said = ast.get_docstring(ast.parse(place.read_text(encoding="utf-8"))) if place.suffix == ".py" and place.exists() else None
    return f": {said.splitlines()[0]}" if said else ""
