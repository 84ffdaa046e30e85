"""The test files of a room and of what imports it: `python -m tests.helpers.rooms oracles` prints them."""

import re
import sys

from .sources import LAYERS
from .system.processes import ROOT


def tests_of(room: str) -> list[str]:
    """The folder of a room's own tests, and the files elsewhere that import the room themselves.

    Raises:
        SystemExit: there is no such room.
    """
    if room not in LAYERS:
        raise SystemExit(f"there is no room {room!r}; there are {', '.join(LAYERS)}")
    own = ROOT / "tests" / room
    pattern = re.compile(rf"^(?:from|import) ludus\.{room}\b|^from ludus import .*\b{room}\b", re.MULTILINE)
    files = (file for file in sorted((ROOT / "tests").rglob("test_*.py")) if not file.is_relative_to(own))
    others = [file for file in files if pattern.search(file.read_text(encoding="utf-8"))]
    return [str(path.relative_to(ROOT)) for path in [*([own] if own.is_dir() else []), *others]]


if __name__ == "__main__":
    print(*tests_of(sys.argv[1]))
