"""Writes licences.md: the licences of what Ludus depends on, as the installed packages state them.

python docs/licences.py     in an environment with all extras; what is not installed keeps the row that it had
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "licences.md"
HEAD = """\
# Licences of dependencies

Ludus is under the [MIT licence](../LICENSE). It imports these packages, which pip installs from their own distributions. The table
is what each installed package says about its licence (`python docs/licences.py`); what they depend on in turn is not listed.

| package | needed by | version | licence |
|---|---|---|---|
"""


def requirements() -> Iterator[tuple[str, str]]:
    """What pyproject.toml names: the package, and the extra that needs it, or `the core`."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    core = re.search(r"^dependencies = \[(.*?)^\]", project, re.MULTILINE | re.DOTALL)
    optional = re.search(r"^\[project.optional-dependencies\]\n(.*?)^\[", project, re.MULTILINE | re.DOTALL)
    assert core
    assert optional
    groups = [("the core", line) for line in core[1].splitlines()]
    groups += [(f"`{line.partition(' = ')[0]}`", line.partition(" = ")[2]) for line in optional[1].splitlines() if " = " in line]
    for group, line in groups:
        for name in re.findall(r'"([\w.-]+)', re.sub(r"\s#.*", "", line)):
            if name != "ludus-games":
                yield name, group


def licence(about: PackageMetadata) -> str:
    """The licence that a package states: the expression, the classifiers, or a short field."""
    stated = about.get_all("License-Expression") or [
        text.rpartition(" :: ")[2] for text in about.get_all("Classifier") or [] if text.startswith("License :: ")
    ]
    words = (about.get("License") or "").strip().partition("\n")[0]
    return ", ".join(dict.fromkeys(stated)) or (words if words and "Copyright" not in words else "only in its own text")


def page(before: str) -> str:
    """The page; rows of packages that are not installed are those of the page before."""
    kept = {row.split("|")[1].strip(): row for row in before.splitlines() if row.startswith("| ")}
    needed = dict[str, list[str]]()
    for name, group in requirements():
        needed.setdefault(name, []).append(group)
    rows = list[str]()
    for name, groups in needed.items():
        try:
            about = metadata(name)
        except PackageNotFoundError:
            rows.append(kept.get(name, f"| {name} | {', '.join(groups)} | | not installed when this was made |"))
            continue
        rows.append(f"| {name} | {', '.join(groups)} | {about['Version']} | {licence(about)} |")
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""), encoding="utf-8")
