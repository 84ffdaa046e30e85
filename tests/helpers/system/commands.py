"""Commands in new processes."""

import os
import subprocess
import sys


def process(*arguments, stdin="", **environment):
    """Runs a command in a new process."""
    return subprocess.run(
        [sys.executable, "-m", "ludus.cli", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **environment},
    )
