"""Other processes, and copies of the tree for them to run from."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command: object, cwd: Path, **environment: object) -> str:
    """What a Python process prints, on stdout and stderr alike; it must end well. Keywords go into its environment."""
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}"
    return done.stdout


def checkout(place: Path) -> Path:
    """A copy of the tree, without its tests; `place / ".types"` on the path makes it `ludus`."""
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "tests")
    shutil.copytree(ROOT, place, ignore=ignored)
    (place / ".types").mkdir()
    (place / ".types" / "ludus").symlink_to("..")
    return place
