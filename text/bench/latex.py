r"""The main table of a bench report as LaTeX, for a paper: models by games, with `booktabs`.

\usepackage{booktabs}
…
\begin{table} \input{bench} \caption{…} \end{table}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ...arena.report.words import MINUS
from ...core.files.writing import path_of, write_whole
from .estimates import Estimate
from .measures import BenchReport
from .tables import games_of, number, ranked_models

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
    games = games_of(report)
    heads = ["model", *games, "legal"]
    models = ranked_models(report)
    bodies = [
        [_row(report, model, games) for model in models if (model in report.controls) == controls] for controls in (False, True)
    ]
    lines = [line for body in bodies if body for line in (r"\midrule", *body)]
    start = rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}"
    head = _line([escape_latex(text) for text in heads])
    return "\n".join([NOTE + start, r"\toprule", head, *lines, r"\bottomrule", r"\end{tabular}", ""])


def _row(report: BenchReport, model: str, games: Sequence[str]) -> str:
    rows = [report.of(model, game) for game in games]
    overall = report.of(model)
    cells = [_cell(row and row.measure) for row in rows]
    return _line([escape_latex(report.names[model]), *cells, _cell(overall and overall.legal_first)])


def _cell(of: Estimate | None) -> str:
    if of is None or of.point is None or of.low is None or of.high is None:
        return "--"
    point, low, high = (escape_latex(number(each)) for each in (of.point, of.low, of.high))
    return rf"{point} {{\scriptsize ({low} to {high})}}"


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def escape_latex(text: str) -> str:
    """A text as LaTeX prints it, in one line."""
    printable = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)
    return "".join(SPECIAL.get(character, character) for character in printable)
