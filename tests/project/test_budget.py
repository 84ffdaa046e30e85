"""How large the project may be: no room is larger than the table of CONTRIBUTING.md allows."""

import re
from pathlib import Path

from ..helpers.system.processes import ROOT

TABLE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Budgets")[2]
ALLOWED = {room: int(number.replace(",", "")) for room, number in re.findall(r"\| (\w+) \| ([\d,]+) ", TABLE)}
ABOUT = "these are larger than the table allows; CONTRIBUTING.md, Budgets, says what to do"
ROOMS = [room for room in ALLOWED if (ROOT / room).is_dir()]


def sources(suffix: str) -> list[Path]:
    """The files of all rooms and of the root with this suffix."""
    return [*ROOT.glob(f"*.{suffix}"), *(file for room in ROOMS for file in (ROOT / room).rglob(f"*.{suffix}"))]


def count_lines(files: list[Path]) -> int:
    return sum(file.read_text(encoding="utf-8").count("\n") for file in files)


def test_no_room_is_larger_than_its_budget():
    sizes = {room: count_lines([*(ROOT / room).rglob("*.py")]) for room in ROOMS}
    sizes |= {"root": count_lines([*ROOT.glob("*.py")]), "JavaScript": count_lines(sources("js"))}
    sizes |= {"files": len([file for file in sources("py") if not file.is_relative_to(ROOT / "tests")])}
    assert {name: (size, ALLOWED[name]) for name, size in sizes.items() if size > ALLOWED[name]} == {}, ABOUT


def test_every_folder_with_sources_is_a_room():
    folders = {file.relative_to(ROOT).parts[0] for file in ROOT.glob("*/[!.]*.py")}
    assert folders - {*ROOMS} == set()
