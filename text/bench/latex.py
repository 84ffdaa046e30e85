r"""The main table of a bench report as LaTeX, for a paper: models by games, with `booktabs`.

\usepackage{booktabs}
…
\begin{table} \input{bench} \caption{…} \end{table}
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ...arena.report.words import MINUS
from ...core.files.writing import path_of, write_whole
from .measures import BenchReport
from .tables import measure_table, ranked_models

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{character: rf"\{character}" for character in "&%$#_{}"},
    MINUS: "$-$",
}
"""Characters that LaTeX would take for something else, and how they are written."""
NOTE = """\
% Needs \\usepackage{booktabs}. The measure: one less the value that answers lost over what random legal play loses in the same
% positions; 0 is random legal play, 1 perfect play. In brackets: 95 % intervals, by resampling groups of positions that share a
% symmetry. "legal": the share of questions with a legal move at the first try. Games weigh equally.
"""


def write_latex(report: BenchReport, path: str | Path) -> None:
    """Writes the table of the measures, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path_of(path), latex_table(report).encode())


def latex_table(report: BenchReport) -> str:
    """Models by games, as a `tabular`: the measure and its interval, the share of legal moves; the controls last."""
    measures = measure_table(report)
    heads = [*measures.columns, "legal"]
    bodies = dict[bool, list[str]]()
    for model, (_, *cells) in zip(ranked_models(report), measures.rows, strict=True):
        legal = row.legal_first.words() if (row := report.of(model)) else ""
        line = _line([escape_latex(report.names[model]), *map(_cell, (*cells, legal))])
        bodies.setdefault(model in report.controls, []).append(line)
    lines = [line for body in bodies.values() for line in (r"\midrule", *body)]
    start = rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}"
    return "\n".join([NOTE + start, r"\toprule", _line(map(escape_latex, heads)), *lines, r"\bottomrule", r"\end{tabular}", ""])


def _cell(words: str) -> str:
    """A number, and its interval in small letters; a dash for none."""
    point, _, interval = escape_latex(words).partition(" ")
    return rf"{point} {{\scriptsize {interval}}}" if words else "--"


def _line(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def escape_latex(text: str) -> str:
    """A text as LaTeX prints it, in one line."""
    printable = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)
    return "".join(SPECIAL.get(character, character) for character in printable)
