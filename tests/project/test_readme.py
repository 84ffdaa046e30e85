"""The code of the README and of the page for beginners runs, and their commands exist."""

import re
import subprocess
import sys

import pytest

import ludus
from ludus.cli.parser import COMMANDS

from ..helpers.system.processes import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
START = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
BLOCKS: list[str] = [*CODE.findall(README), "".join(CODE.findall(START))]  # those of the second go on from each other


@pytest.mark.parametrize("code", BLOCKS, ids=lambda code: code.splitlines()[0])
def test_the_code_runs_as_it_stands(code: str):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_commands_and_ids_are_there():
    assert {line.split()[1] for line in (README + START).splitlines() if line.startswith("ludus ")} <= {*COMMANDS}
    for name in ludus.game_names():
        assert f"ludus/{name}-v0" in README
