"""The endpoint of examples/endpoint.py in a process of its own, for studies of language models."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

from .study import ROOT


@contextmanager
def endpoint(*options: str) -> Generator[str]:
    """The address of an endpoint, which is there meanwhile.

    Args:
        options: of examples/endpoint.py.
    """
    command = [sys.executable, "examples/endpoint.py", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the endpoint did not start"
            yield found[0]
        finally:
            process.kill()
