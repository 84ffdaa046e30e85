"""The slow cases, which `make test` leaves to `make test-all`: those that tests/slow.txt lists, with their processor seconds.

`python -m tests.helpers.slow` runs all cases in one process and writes the list anew: cases that take more than SECONDS, unless no
quicker one notices a mutant. Whole files stay as they are listed: a browser or Ray ends after the case that it worked for.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from ..mutants.mutant import all_mutants

FILE = Path(__file__).parents[1] / "slow.txt"
SECONDS = 1.0
"""What a case of `make test` takes at most, in seconds of the processor of the machine that wrote the list."""
SPENT = "LUDUS_SPENT"
"""The variable of the environment that names the folder to which processor seconds are written."""


def slow_cases() -> dict[str, float]:
    """The slow cases, by their ids in pytest, and whole files, by their paths, with their processor seconds; 0 for files."""
    lines = (line.split(maxsplit=1) for line in FILE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#")
    return {case: float(seconds) for seconds, case in lines}


def is_slow(case: str, slow: Iterable[str]) -> bool:
    """Whether a case, or the file that it is in, is slow."""
    return case in slow or case.partition("::")[0] in slow


def cases_of(test: str, cases: Iterable[str]) -> list[str]:
    """The cases of a test as mutants name it: without the folder, a function or one of its cases."""
    return [case for case in cases if case == f"tests/{test}" or case.startswith((f"tests/{test}[", f"tests/{test}::"))]


# ---- measuring


def processor_seconds() -> float:
    """The processor seconds of this process and of its children that have ended."""
    usages = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Notes the processor seconds of each case, as a plugin of pytest."""
    before = processor_seconds()
    try:
        return (yield)
    finally:
        with Path(os.environ[SPENT], f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps([item.nodeid, processor_seconds() - before]) + "\n")


def measure(arguments: Iterable[str]) -> dict[str, float]:
    """Runs cases, and returns the processor seconds of each."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.helpers.slow", "-m", "not apart", *arguments]
        subprocess.run(command, env={**os.environ, SPENT: folder, "PYTHONPATH": str(FILE.parents[1])}, check=False)
        lines = [line for file in Path(folder).iterdir() for line in file.read_text(encoding="utf-8").splitlines()]
    return dict(map(json.loads, lines))


def write(spent: dict[str, float]) -> None:
    """Writes the list: whole files as they are, and the slow cases, the slowest first."""
    text = FILE.read_text(encoding="utf-8")
    files = [case for case in slow_cases() if "::" not in case]
    slow = {case: seconds for case, seconds in spent.items() if seconds > SECONDS and not is_slow(case, files)}
    for mutant in all_mutants():
        cases = [case for test in mutant.tests for case in cases_of(test, spent)]
        if cases and all(is_slow(case, {*slow, *files}) for case in cases):
            quickest = min(cases, key=spent.__getitem__)
            slow.pop(quickest, None)
    head = text[: text.index("\n\n# Cases\n")]
    lines = [f"{seconds:.1f} {case}" for case, seconds in sorted(slow.items(), key=lambda pair: -pair[1])]
    FILE.write_text("\n".join([head, "", "# Cases", *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    write(measure(sys.argv[1:]))
