"""Plants mutants, each in a copy of the repository of its own, and runs the tests that must notice them; and keeps the results."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from .mutant import LISTS, Mutant, all_mutants

KILLED, TIMEOUT, SURVIVED, BROKEN = "killed", "killed by the time limit", "survived", "broken"
DEAD = KILLED, TIMEOUT
PASSED, FAILED = 0, 1
"""How pytest ends when all tests passed, and when one failed; it ends otherwise where it could not run them."""


class Verdict(NamedTuple):
    """What the tests made of a mutant."""

    outcome: str  # BROKEN where pytest could not even run the tests
    by: str  # the test that failed; of a mutant that survived or is broken, the end of what pytest printed
    seconds: float


def judge(root: Path, mutant: Mutant, cache: Path, limit: float) -> Verdict:
    """Plants a mutant in a copy of the repository and runs its tests until one fails, or until the limit in seconds.

    Faulty kernels come to lie in the cache, too, so it must not be the user's.
    """
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        place = copied(root, Path(folder))
        (place / mutant.file).write_text(mutant.planted(place), encoding="utf-8")
        status, printed = run(place, mutant.tests, cache, limit)
    failed = [line.split(" ", 1)[1].split(" - ")[0] for line in printed.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    outcome = {None: TIMEOUT, PASSED: SURVIVED, FAILED: KILLED}.get(status, BROKEN)
    by = failed[0] if outcome == KILLED and failed else "" if outcome in DEAD else printed[-2000:]
    return Verdict(outcome, by, round(time.monotonic() - began, 1))


def run(root: Path, tests: tuple[str, ...], cache: Path, limit: float | None = None) -> tuple[int | None, str]:
    """Runs tests of a copy until one fails: pytest's exit status, None after so many seconds, and what it printed."""
    options = ["-x", "-q", "--tb=short", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    command = [sys.executable, "-m", "pytest", *options, *(f"tests/{test}" for test in tests)]
    around = {**os.environ, "PYTHONPATH": str(root / ".types"), "PYTHONDONTWRITEBYTECODE": "1", "LUDUS_CACHE": str(cache)}
    with subprocess.Popen(
        command, cwd=root, env=around, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        try:
            printed, _ = process.communicate(timeout=limit)
            return process.returncode, printed
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            with suppress(ProcessLookupError):  # all that the tests have started, too
                os.killpg(process.pid, signal.SIGKILL)


def copied(root: Path, folder: Path) -> Path:
    """A copy, in a folder, of the files of a repository that git knows or would take in."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.split("\0")
    place = folder / "ludus"
    for name in filter(None, names):
        if (root / name).is_symlink() or (root / name).exists():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, place / name, follow_symlinks=False)
    return place


# ---- what came of them: result.json, and the line in tests/README.md that says how many were killed

RESULT, PAGE = LISTS / "result.json", LISTS.parent / "README.md"
LINE = re.compile(r"^\*\*\d+ of \d+ mutants were killed\*\*.*$", re.MULTILINE)


def read() -> dict[str, Any]:
    """The result that is committed: how it was made, and the verdict on each mutant by what it breaks."""
    return json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {"mutants": {}}


def keep(mutant: Mutant, verdict: Verdict, about: dict[str, Any]) -> None:
    """Writes a verdict beside the others, in the order of the lists; verdicts on mutants that are gone are left out."""
    verdicts = {**read()["mutants"], mutant.breaks: verdict._asdict()}
    known = {other.breaks: verdicts[other.breaks] for other in all_mutants() if other.breaks in verdicts}
    head = json.dumps({**about, "mutants": {}}, ensure_ascii=False).removesuffix("}}")
    rows = (f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(row, ensure_ascii=False)}" for name, row in known.items())
    RESULT.write_text(head + "\n" + ",\n".join(rows) + "\n}}\n", encoding="utf-8")
    PAGE.write_text(LINE.sub(sentence(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def sentence() -> str:
    """The result in a line."""
    result = read()
    killed = sum(row["outcome"] in DEAD for row in result["mutants"].values())
    return f"**{killed} of {len(result['mutants'])} mutants were killed** by `{result['command']}`, last on {result['date']}."
