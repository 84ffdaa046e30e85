"""Every block of code on the pages runs, or is named here with the reason why not; every command line has options that exist."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ludus.baselines import train
from ludus.cli.parser import COMMANDS, parser, pop_imports

from ..helpers.pages import cut
from ..helpers.system.processes import ROOT, run_script

PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md")])
}
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
ALONE = {"README.md", "docs/coming_from.md"}
"""Pages whose blocks are each a script; on the others a block goes on from the one before."""

SHELL = f"import sys\nsys.path.append({str(ROOT)!r})\nfrom tests.helpers.pages import shell\n"
"""What a script begins with: the function that runs a block of shell commands."""

LIBRARIES = ("pyspiel", "torch", "sb3_contrib", "pettingzoo.classic")
"""What some blocks need that not every set-up has."""

FRAGMENTS = {
    "@translates(ast.IfExp)": "a line of the compiler, with `...` for what it does",
    "# kalah.py": "the outline of examples/kalah.py, which tests/games/test_outside.py plays",
    "def seeds_ahead": "a function of the same file",
    "class Kalah(Game):\n    known": "a class variable in the same file",
    "from openenv import GenericEnvClient": "asks a server; tests/text/test_serving.py does so",
}
"""Blocks that are only read, by their beginnings, and why."""

EXAMPLES = "from tests.helpers.recorded import write_examples\nwrite_examples()\n"
"""What writes the files of games that a reader has."""
FEWER = "from functools import partial\nludus.check_game = partial(ludus.check_game, games=1)\n"
"""What has a game checked in fewer games than by default."""
GIVEN = {
    "README.md": {"ludus list ": EXAMPLES},
    "docs/arena.md": {"printf 'first,second": EXAMPLES},
    "docs/records.md": {"ludus replay club.txt": EXAMPLES},
    "docs/grading.md": {"ludus grade othello --games club.pgn": EXAMPLES},
    "docs/plugins.md": {"result =": f"import ludus\nludus.plug_in('examples.kalah')\n{FEWER}"},
    "docs/text.md": {"from ludus.text.environments": "input = str.upper\n"},
}
"""What a page takes from its reader, by the beginnings of the blocks that need it: a game, and somebody who types."""


def blocks(kind: str) -> Iterator[tuple[str, str]]:
    """The pages and blocks of a kind: `python`, `sh`, …"""
    for page, text in PAGES.items():
        yield from ((page, code) for found, code in FENCE.findall(text) if found.split()[-1:] == [kind])


def scripts() -> Iterator[tuple[str, str]]:
    """Names and texts of the scripts that the blocks of a page make, Python and shell in the order of the page."""
    made: dict[str, str] = {}
    for page, text in PAGES.items():
        for number, (kind, code) in enumerate(FENCE.findall(text)):
            first = next((given for start, given in GIVEN.get(page, {}).items() if code.startswith(start)), "")
            if kind == "sh":
                made[page] = f"{made.get(page, SHELL)}{first}shell({code!r})\n"
            elif kind.split()[-1:] == ["python"] and not code.startswith(tuple(FRAGMENTS)):
                name = f"{page} {number}" if page in ALONE else page
                made[name] = f"{made.get(name, SHELL)}{first}{cut(code)}\n"
    return iter(made.items())


@pytest.mark.parametrize(("name", "code"), [pytest.param(*script, id=script[0]) for script in scripts()])
def test_the_code_on_the_page_runs(name: str, code: str, tmp_path: Path):
    for library in LIBRARIES:
        if f"import {library}" in code or f"from {library}" in code:
            pytest.importorskip(library)
    for folder in ("benchmarks", "docs", "examples"):  # commands name files in them
        (tmp_path / folder).symlink_to(ROOT / folder)
    script = tmp_path / "page.py"
    script.write_text(code, encoding="utf-8")
    run_script(script, [], tmp_path)


def test_fragments_are_python_and_on_the_pages():
    found = [code for _, code in blocks("python") if code.startswith(tuple(FRAGMENTS))]
    assert len(found) == len(FRAGMENTS)
    for code in found:
        compile(code, "page", "exec")


# ---- command lines


@cache
def command_lines() -> list[tuple[str, list[str]]]:
    """The pages and words of the command lines, in blocks and in backticks within sentences, without comments."""
    found: list[tuple[str, str]] = []
    for page, text in PAGES.items():
        for kind, code in FENCE.findall(text):
            lines = code.replace("\\\n", " ").splitlines()
            found += [(page, line.removeprefix("$ ")) for line in lines if line.startswith("$ ") or kind == "sh"]
        found += [(page, line) for line in re.findall(r"`(ludus [^`]+)`", FENCE.sub("", text)) if page != "CHANGELOG.md"]
    return [(page, words) for page, line in found if (words := shlex.split(line, comments=True))]


@pytest.fixture(scope="module")
def folder_with_a_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the run that command lines go on with."""
    place = tmp_path_factory.mktemp("pages")
    train("qlearning", "tictactoe", place / "runs" / "q1", games=100)
    return place


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_options_on_the_pages_are_accepted(
    command: str, folder_with_a_run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(folder_with_a_run)
    refused: list[tuple[str, list[str], str]] = []
    for page, (program, *written) in command_lines():
        words = ["runs/q1" if word == "DIR" else word for word in written]
        pop_imports(words)
        if program != "ludus" or words[:1] != [command] or "…" in words or words == [command]:
            continue
        try:
            parser(words).parse_args(words)
        except SystemExit:
            printed = capsys.readouterr().err
            if not re.search("arguments are required|expected one argument", printed):  # a sentence may name the one that matters
                refused.append((page, words, printed))
    assert refused == []


def test_the_targets_of_make_on_the_pages_are_there():
    targets = {*re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[0].split()}
    for page, (program, *words) in command_lines():
        assert program != "make" or {word for word in words if "=" not in word} <= targets, page
