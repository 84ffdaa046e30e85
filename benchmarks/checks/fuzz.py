"""Reads damaged files and texts, and counts the outcomes for each format. Shown in docs/safety.md.

python -m benchmarks.checks.fuzz --minutes 30          # make fuzz MINUTES=30

Each trial damages a format at random in one of the ways of tests/fuzz. A format with a checksum must be read unchanged or be
refused; others may also be read as another valid value. Any other outcome, such as an error that is not a sentence, is a
finding, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from ludus.core.files.writing import make_folder

from ..provenance import Part, Study, table

FIRST, LEAST = 100_000, 2000
"""The first seed, larger than those of the tests; and the minimum number of trials per format."""

SOURCES = (*(f"tests/fuzz/{name}.py" for name in ("damages", "formats", "trial")), "core/files", "core/plugins", "core")
"""What the trials of all formats depend on."""
STORE = ("arena/store", "arena/matches/record.py", "arena/planning")
RUN = ("baselines/runs", "baselines/tabular", "arena/planning")
ORACLES = ("oracles/files.py", "oracles/quarto/book.py", "oracles/quixo/table.py")
READERS = {
    "saved game": ("cli/playing/live_game.py",),
    **dict.fromkeys(("store: bytes", "store: values"), STORE),
    "record of games": ("arena/matches/record.py",),
    **dict.fromkeys(("run.json", "evaluations.json", "metrics.csv"), RUN),
    **dict.fromkeys(("checkpoint: bytes", "checkpoint: arrays", "policy: bytes", "policy: arrays"), RUN),
    "table": ("oracles/statespace/table.py",),
    **dict.fromkeys(("Quarto's book", "Quixo's table"), ORACLES),
    "cached kernel": ("native/cache.py",),
    "protocol": ("arena/planning",),
    **dict.fromkeys(("spec of a game", "position"), ("games",)),
    "spec of a policy": ("agents/registry.py",),
}
"""What else each format is read by."""


def options(parser: argparse.ArgumentParser) -> None:
    """Adds the time limit."""
    parser.add_argument(
        "--minutes", type=float, default=30.0, help="total time, shared by the formats; each has at least 2000 trials (default: 30)"
    )


def parts(chosen: argparse.Namespace) -> dict[str, Part]:
    """A part for each format."""
    from tests.fuzz.formats import FORMATS

    seconds = 60 * chosen.minutes / len(FORMATS)
    return {
        format_.name: Part(partial(measured, format_.name, seconds), sources=(*SOURCES, *READERS[format_.name]))
        for format_ in FORMATS
    }


def measured(name: str, seconds: float) -> dict[str, Any]:
    """The number of trials, their outcomes, and the findings."""
    from tests.fuzz.formats import FORMATS
    from tests.fuzz.trial import many

    (format_,) = (format_ for format_ in FORMATS if format_.name == name)
    logging.getLogger("ludus").setLevel(logging.CRITICAL)
    end = time.monotonic() + seconds
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # a damaged path may name a file
        try:
            counts, found = many(format_, Path(folder), range(FIRST, FIRST + LEAST))
            seed = FIRST + LEAST
            while time.monotonic() < end:
                make_folder(Path(folder) / str(seed))
                more, others = many(format_, Path(folder) / str(seed), range(seed, seed + LEAST), lambda: time.monotonic() < end)
                counts, found, seed = counts + more, found + others, seed + LEAST
        finally:
            os.chdir(here)
    for one in found:
        print(one, file=sys.stderr, flush=True)
    return {"sealed": format_.sealed, "tried": counts.total() + len(found), **counts, "found": found}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each format."""
    rows = [
        [name, f"{one['tried']:,}", *(f"{one.get(kind, 0):,}" for kind in ("refused", "same", "another")), str(len(one["found"]))]
        for name, one in found.items()
    ]
    heads = ["format", "damages", "refused with a sentence", "read unchanged", "read as another valid value", "anything else"]
    tried = f"{sum(one['tried'] for one in found.values()):,}"
    return {"table": table(heads, rows), "tried": tried, "found": str(sum(len(one["found"]) for one in found.values()))}


STUDY = Study(__file__, parts, shown, SOURCES, 0, options=options, usage="--minutes 30")

if __name__ == "__main__":
    status = STUDY.run()
    raise SystemExit(status or int(any(one["found"] for one in STUDY.found().values())))
