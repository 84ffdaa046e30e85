"""Reads damaged files and texts, and counts the outcomes for each format. Shown in docs/safety.md.

python -m benchmarks fuzz --anew --minutes 30          # make fuzz MINUTES=30

Each trial damages a format at random in one of the ways of tests/fuzz. A format with a checksum must be read unchanged or be
refused; others may also be read as another valid value. Any other outcome, such as an error that is not a sentence, ends the
command, and is to be mended first.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from ludus.core.files.writing import make_folder

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

FIRST, LEAST = 100_000, 2000
"""The first seed, larger than those of the tests; and the minimum number of trials per format."""


def cells(minutes: float = 30.0) -> dict[str, Any]:
    """A cell for each format. They share `--minutes`; each has at least 2000 trials."""
    from tests.fuzz.formats import FORMATS

    return {format_.name: partial(damage, format_, 60 * minutes / len(FORMATS)) for format_ in FORMATS}


def damage(format_: Any, seconds: float) -> dict[str, int]:
    """The number of trials by their outcomes.

    Raises:
        AssertionError: an outcome that must not be.
    """
    from tests.fuzz.trial import many

    logging.getLogger("ludus").setLevel(logging.CRITICAL)
    end, here = time.monotonic() + seconds, Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # a damaged path may name a file
        try:
            counts, findings = many(format_, Path(folder), range(FIRST, FIRST + LEAST))
            seed = FIRST + LEAST
            while time.monotonic() < end:
                make_folder(Path(folder) / str(seed))
                more, others = many(format_, Path(folder) / str(seed), range(seed, seed + LEAST), lambda: time.monotonic() < end)
                counts, findings, seed = counts + more, findings + others, seed + LEAST
        finally:
            os.chdir(here)
    assert not findings, "\n".join(findings)
    return dict(counts)


def show(rows: Rows) -> dict[str, str]:
    """A row for each format."""
    lines = [
        [name, f"{sum(row.values()):,}", *(f"{row.get(kind, 0):,}" for kind in ("refused", "same", "another")), "0"]
        for name, row in rows.items()
    ]
    heads = ["format", "damages", "refused with a sentence", "read unchanged", "read as another valid value", "anything else"]
    return {"table": table(heads, lines)}


STUDIES = (Study(RESULTS / "fuzz.json", cells, show, 0, usage="--minutes 30"),)
