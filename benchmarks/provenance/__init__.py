"""Where all figures of the pages come from: results in `benchmarks/results`, with the command, date and sources of each.

A script declares a `Study`: named parts that are measured one by one, the sources they depend on, and how pages show the
results. `python -m benchmarks.FOLDER.NAME` measures and writes the result, `make docs` writes it into the pages, and
`make results` lists the results whose sources have changed.
"""

from .declared import GRADING, MATCHES, RULES, match_sources, oracle_sources
from .endpoints import endpoint
from .markdown import table
from .matches import Counting, counting, counts
from .stamping import stamp
from .study import ROOT, Part, Study, repeated
from .times import TOLERANCE, medians, of_times, without_seconds

__all__ = [
    "GRADING",
    "MATCHES",
    "ROOT",
    "RULES",
    "TOLERANCE",
    "Counting",
    "Part",
    "Study",
    "counting",
    "counts",
    "endpoint",
    "match_sources",
    "medians",
    "of_times",
    "oracle_sources",
    "repeated",
    "stamp",
    "table",
    "without_seconds",
]
