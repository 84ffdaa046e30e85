"""What every figure of the pages rests on: a result in `benchmarks/results`, with how, when and from which sources it was made.

A script declares a `Study`: named parts that are measured one by one, the sources they depend on, and how pages show what was
found. `python -m benchmarks.FOLDER.NAME` measures and keeps the result, `make docs` writes it into the pages, and `make results`
lists the results whose sources have changed since.
"""

from .declared import CLASSICS, MATCHES, RULES
from .markdown import table
from .study import Part, Study

__all__ = ["CLASSICS", "MATCHES", "RULES", "Part", "Study", "table"]
