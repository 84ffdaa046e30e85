"""Makes the suites of openings that ship anew, by the commands in their files: `python -m benchmarks.making.suites [NAME…]`.

Without names all of them; a name is that of a file, as `othello-size-6`. The slow ones take some minutes.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from ludus.cli import main

GAMES = Path(__file__).parents[2] / "games"
COMMAND = "# ludus openings "


def make_suites(names: list[str]) -> None:
    """Makes the suites of these names, or all."""
    for path in sorted(GAMES.glob("*/*.openings")):
        if not names or path.stem in names:
            command = next(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(COMMAND))
            main([*shlex.split(command.removeprefix("# ludus ")), "--out", str(path)])


if __name__ == "__main__":
    make_suites(sys.argv[1:])
