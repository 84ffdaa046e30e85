"""What came of running the mutants: result.json, and the line in tests/README.md that says how many were killed."""

from __future__ import annotations

import json
import re
from typing import Any

from .mutant import LISTS, Mutant, all_mutants
from .runner import DEAD, Verdict

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
