"""What came of running the mutants: result.json, and the line in tests/README.md that says how many were killed."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from .mutant import LISTS, Mutant, all_mutants
from .runner import DEAD, Verdict

RESULT, PAGE = LISTS / "result.json", LISTS.parent / "README.md"
LINE = re.compile(r"^\*\*\d+ of \d+ mutants were killed\*\*.*$", re.MULTILINE)


def read() -> dict[str, Any]:
    """The result that is committed; without mutants before the first run."""
    return json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {"mutants": []}


def keep(mutant: Mutant, verdict: Verdict, about: dict[str, Any]) -> None:
    """Writes a verdict among those that stand, in the order of the lists; what is in no list any more goes.

    Args:
        mutant: the fault.
        verdict: what came of it.
        about: the command, the date, the commit and the versions of this run.
    """
    rows = {row["print"]: row for row in read()["mutants"]}
    rows[print_of(mutant)] = {"mutant": mutant.breaks, "print": print_of(mutant), **verdict._asdict(), "commit": about["commit"]}
    known = [rows[one] for one in map(print_of, all_mutants()) if one in rows]
    RESULT.write_text(json.dumps({**about, "mutants": known}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(LINE.sub(sentence(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def print_of(mutant: Mutant) -> str:
    """The fingerprint of a mutant and its tests, by which a verdict is known to be of it."""
    words = "\0".join((mutant.breaks, mutant.file, mutant.before, mutant.after, *mutant.tests))
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def sentence() -> str:
    """The result in a line."""
    found = read()
    killed = sum(row["outcome"] in DEAD for row in found["mutants"])
    return f"**{killed} of {len(found['mutants'])} mutants were killed** by `{found['command']}`, last on {found['date']}."
