"""The tests of a room, and those elsewhere that notice its planted faults: `python -m tests.helpers.rooms oracles` prints them."""

import sys

from ..mutants.mutant import all_mutants
from .sources import LAYERS
from .system.processes import ROOT

ALWAYS = ["tests/project/test_budget.py", "tests/project/test_names.py"]
"""What a change of any room may break."""


def tests_of(room: str) -> list[str]:
    """The folder of a room's own tests, and the tests of other folders that the mutants of the room name.

    All that imports the room would be too much for a quick answer: most of it stands on the ground rooms.
    """
    if room not in LAYERS:
        raise SystemExit(f"there is no room {room!r}; there are {', '.join(LAYERS)}")
    own = [f"tests/{room}"] if (ROOT / "tests" / room).is_dir() else []
    named = {test.partition("[")[0] for mutant in all_mutants() if mutant.file.startswith(f"{room}/") for test in mutant.tests}
    return own + sorted(f"tests/{test}" for test in named if not test.startswith(f"{room}/")) + ALWAYS


if __name__ == "__main__":
    print(*tests_of(sys.argv[1]))
