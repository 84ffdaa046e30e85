"""What pages, errors and workflows say about installing is what works: the distribution is `ludus-games`, without a release yet."""

import os
import re
from pathlib import Path

import pytest

import ludus
from ludus.core.plugins.loading import EXTRAS as LIBRARIES
from ludus.core.plugins.loading import install_with

from ..helpers.system.processes import ROOT

PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
OPTIONAL = PROJECT.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
EXTRAS = set(re.findall(r"^(\w+) = \[", OPTIONAL, re.MULTILINE))
SKIPPED = {*[".git", ".venv", ".types", ".hypothesis", ".pytest_cache", ".ruff_cache", "__pycache__", "build", "dist", "results"]}
KINDS = {"", ".py", ".md", ".toml", ".yml", ".yaml", ".cff", ".txt", ".jinja", ".js", ".html"}
NAME = r"""(?<![\w/.-])ludus(?:-games)?(?![\w/.-])"""
REFUSED = [
    rf"\b(?:pip3?|pipx|uv|conda|mamba|poetry)\s+(?:pip\s+)?(?:install|add)\b[^\n;&|#`]*?{NAME}",  # of the index, not ours
    r"\bludus\\*\[[a-z]+(?:,[a-z]+)*\\*\]",  # an extra of somebody else's project
    r"\bludus\s*[=>~]=\s*\d",
    r"pypi\.org/(?:project|p)/ludus(?![\w-])",
    r"""\b(?:version|distribution|metadata|requires|files)\(['"]ludus['"]\)""",
]
"""What no text may say."""


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Every text of the repository but this one, by its place."""
    files = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED and not name.endswith(".egg-info")]
        files += [Path(folder, name) for name in names]
    ours = [file for file in files if file.suffix in KINDS and file != Path(__file__)]
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8", errors="replace") for file in ours}


def test_no_text_installs_what_another_project_has_on_the_index(texts: dict[str, str]):
    assert {"README.md", "Makefile", ".ci/run", ".github/workflows/checks.yml", "text/models.py", "docs/neighbours.md"} <= {*texts}
    assert [(name, *re.findall(rule, text)) for name, text in texts.items() for rule in REFUSED if re.search(rule, text)] == []


def test_every_extra_that_a_text_names_is_one_of_ours(texts: dict[str, str]):
    named = {
        (name, extra)
        for name, text in texts.items()
        for many in re.findall(r"'\\*\.\\*\[([\w,]+)\\*\]'", text)
        for extra in many.split(",")
    }
    assert {("docs/start.md", "llm"), ("docs/text.md", "verifiers"), ("Makefile", "all")} <= named
    assert [(name, extra) for name, extra in named if extra not in EXTRAS] == []
    assert install_with("rl,llm").startswith("pip install '.[rl,llm]'")


def test_the_core_brings_nothing_that_draws_pages_windows_or_servers():
    core = re.findall(r'^    "([\w-]+)>', PROJECT.partition("\ndependencies = [")[2].partition("\n]")[0], re.MULTILINE)
    extra = {name: re.findall(r'"([\w-]+)>', line) for name, line in re.findall(r"^(\w+) = \[(.*?)\]", OPTIONAL, re.MULTILINE)}
    modules = {"resvg-py": "resvg_py", "pygame-ce": "pygame", "vl-convert-python": "vl_convert"}
    assert {name: tuple(modules.get(each, each) for each in extra[name]) for name in LIBRARIES} == LIBRARIES
    assert "numpy" in core
    assert {*core} & {each for name in LIBRARIES for each in extra[name]} == set()


def test_the_version_and_its_date_are_the_same_everywhere():
    citation, changelog = (ROOT / "CITATION.cff").read_text(), (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = [re.findall(r'^version(?: = |: )"?(.*?)"?$', text, re.MULTILINE) for text in (PROJECT, citation)]
    assert versions == [[ludus.__version__]] * 2
    (date,) = re.findall(r"^date-released: (.*)$", citation, re.MULTILINE)
    assert re.findall(r"^## (.*) \((.*)\)$", changelog, re.MULTILINE)[0] == (ludus.__version__, date)
