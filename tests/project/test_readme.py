"""The code of the README runs, and its commands exist."""

import re
import subprocess
import sys

import pytest

import ludus
from ludus.cli.parser import COMMANDS

from ..helpers.system.processes import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS, ids=lambda code: code.splitlines()[0])
def test_the_code_runs_as_it_stands(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_commands_and_ids_are_there():
    assert {line.split()[1] for line in README.splitlines() if line.startswith("ludus ")} <= {*COMMANDS}
    for name in ludus.game_names():
        assert f"ludus/{name}-v0" in README
