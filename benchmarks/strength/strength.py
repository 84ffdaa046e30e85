"""The strength of the shipped networks of AlphaZero with search. Shown in docs/alphazero.md.

python -m benchmarks.strength.strength                # plays what is missing or out of date
python -m benchmarks.strength.strength quarto         # of one game
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any, NamedTuple

from ludus.arena import evaluate, grade
from ludus.arena.ratings.intervals import wilson

from ..provenance import GRADING, MATCHES, Part, Study, counts, match_sources, oracle_sources, table

SEEDS = 1, 2
GAMES, FEW = 200, 8
"""The games with each seed, half of them from each seat; and those of a short rerun."""


class Line(NamedTuple):
    """A line of the table.

    Args:
        game: what is played.
        policy: the policy's spec.
        against: the opponent.
        graded: whether a sample of its moves in games against a random player is graded.
    """

    game: str
    policy: str
    against: str
    graded: bool = False

    @property
    def name(self) -> str:
        """What its results are called."""
        return f"{self.game} {self.policy} – {self.against}"


DEEP = "alphazero:simulations=400,ahead=50000"
LINES = [
    Line("quarto", "alphazero:simulations=400", "hard"),
    Line("quarto", DEEP, "hard", graded=True),
    Line("quarto", "perfect", "hard"),
    Line("quixo", "alphazero:simulations=100", "minimax:depth=5"),
    Line("othello", "alphazero:simulations=200,ahead=0", "minimax:depth=4"),
]
NETWORKS = (
    *("agents/alphazero.py", "search/mcts"),
    *(f"games/{game}/{game}.{ending}" for game in ("quarto", "quixo", "othello") for ending in ("json", "safetensors")),
    *("baselines/alphazero/networks/evaluator.py", "baselines/alphazero/networks/residual.py"),
    "baselines/ntuples",
)


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each match and seed, and for each grade."""
    found = dict[str, Part]()
    for line in LINES:
        own = NETWORKS if line.policy.startswith("alphazero") else match_sources(line.game, line.policy)
        sources = (*match_sources(line.game, line.against), *own)
        for seed in SEEDS:
            found[f"{line.name}, seed {seed}"] = Part(partial(played, line, seed), partial(again, line, seed), sources)
        if line.graded:
            sources = (*match_sources(line.game, "random"), *oracle_sources(line.game), *GRADING, *own)
            found[f"{line.name}, graded"] = Part(partial(graded, line), sources=sources)
    return found


def played(line: Line, seed: int) -> dict[str, Any]:
    """The score of a match and of its first games, and the seconds it took."""
    first = few(line, seed)  # compiles, too, which is not timed
    began = time.perf_counter()
    score = counts(evaluate(line.policy, line.game, line.against, GAMES, seed=seed))
    return {"score": score, "seconds": round(time.perf_counter() - began, 1), "first": first}


def few(line: Line, seed: int) -> list[int]:
    """The score of the first games of a match."""
    return counts(evaluate(line.policy, line.game, line.against, FEW, seed=seed))


def again(line: Line, seed: int, kept: dict[str, Any]) -> tuple[Any, Any]:
    """The score of the first games, as stored and now."""
    return kept["first"], few(line, seed)


def graded(line: Line) -> dict[str, Any]:
    """The grade of a policy's moves."""
    found = grade(line.policy, line.game, games=2 * GAMES, seed=SEEDS[0]).document()
    return {name: found[name] for name in ("graded", "optimal_rate")}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The table of the page, and figures for sentences."""
    rows, figures = list[list[str]](), dict[str, str]()
    for line in LINES:
        matches = [found[name] for seed in SEEDS if (name := f"{line.name}, seed {seed}") in found]
        if not matches:
            continue
        wins, draws, losses = map(sum, zip(*(one["score"] for one in matches), strict=True))
        games, points, seconds = wins + draws + losses, wins + draws / 2, sum(one["seconds"] for one in matches)
        rate = found.get(f"{line.name}, graded")
        optimal = f"{100 * rate['optimal_rate']:.1f} %" if rate else ""
        share, least = f"{100 * points / games:.1f} %", f"{100 * wilson(points, games)[0]:.1f} %"
        score = f"{wins}, {draws}, {losses}"
        rows.append([f"`{line.game}`", f"`{line.policy}`", f"`{line.against}`", score, share, least, f"{seconds:,.0f}", optimal])
        name = f"{line.game}.{'deep' if line.policy == DEEP else line.policy.partition(':')[0]}"
        figures |= {f"{name}.points": share, f"{name}.least": least, f"{name}.seconds": f"{seconds:,.0f} s"}
        figures |= {f"{name}.optimal": optimal} if rate else {}
    heads = ["game", "policy", "against", "wins, draws, losses", "points", "at least", "seconds", "optimal"]
    return {"table": table(heads, rows, align="lllr"), **figures}


STUDY = Study(__file__, parts, shown, MATCHES, SEEDS[0], ("numpy", "llvmlite", "torch"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
