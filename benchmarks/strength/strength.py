"""The strength of AlphaZero's networks with a longer search than in training. Shown in docs/alphazero.md.

python -m benchmarks.strength.strength                # plays what is missing or out of date
python -m benchmarks.strength.strength quarto         # of one game

The networks are those that `python -m benchmarks.strength.training alphazero` makes.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ludus.arena import evaluate, grade

from ..provenance import MATCHES, Part, Study, counts, match_sources, oracle_sources, table

GAMES, FEW, SEED = 400, 8, 1
SEEDS = 1, 2


class Line(NamedTuple):
    """A line of the table.

    Args:
        game: what is played.
        policy: the policy's spec, with SEED for the seed of a run.
        against: the opponent.
        graded: whether a sample of its moves in games against a random player is graded.
    """

    game: str
    policy: str
    against: str
    graded: bool = False

    @property
    def specs(self) -> list[str]:
        """The policy with each seed, or as it is if it has none."""
        return [*dict.fromkeys(self.policy.replace("SEED", str(seed)) for seed in SEEDS)]


LINES = [
    Line("quarto", "run:runs/alphazero-quarto-SEED,simulations=400,ahead=20000,root_ahead=1000000", "hard", graded=True),
    Line("quarto", "perfect", "hard"),
    Line("quixo", "run:runs/alphazero-quixo-SEED,simulations=400,root_ahead=100000", "minimax:depth=5"),
]


NETWORKS = (
    *("agents/policies/alphazero.py", "agents/search/mcts"),
    *("baselines/alphazero/networks/evaluator.py", "baselines/alphazero/networks/residual.py"),
)


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each match, and for each grade."""
    found = dict[str, Part]()
    for line in LINES:
        for policy in line.specs:
            trained = policy.startswith("run:")
            own = NETWORKS if trained else match_sources(line.game, policy)
            found[f"{line.game} {policy} – {line.against}"] = Part(
                partial(played, line.game, policy, line.against),
                partial(again, line.game, policy, line.against),
                (*match_sources(line.game, line.against), *own),
            )
            if line.graded:
                sources = (*match_sources(line.game, "random"), *oracle_sources(line.game), "arena/grading", *own)
                found[f"{line.game} {policy}, graded"] = Part(partial(graded, line.game, policy), sources=sources)
    return found


def played(game: str, policy: str, against: str) -> dict[str, Any]:
    """The score of a match and of its first games, and the seconds it took."""
    began = time.perf_counter()
    score = counts(evaluate(policy, game, against, GAMES, seed=SEED))
    seconds = round(time.perf_counter() - began, 1)
    return {"score": score, "seconds": seconds, "first": counts(evaluate(policy, game, against, FEW, seed=SEED))}


def again(game: str, policy: str, against: str, kept: dict[str, Any]) -> tuple[Any, Any] | None:
    """The score of the first games, as stored and now; None if it was not stored, or the policy's run does not exist."""
    run = policy.removeprefix("run:").partition(",")[0]
    if "first" not in kept or (run != policy and not Path(run).exists()):
        return None
    return kept["first"], counts(evaluate(policy, game, against, FEW, seed=SEED))


def graded(game: str, policy: str) -> dict[str, Any]:
    """The grade of a policy's moves."""
    found = grade(policy, game, games=GAMES, seed=SEED).document()
    return {name: found[name] for name in ("graded", "optimal_rate")}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The table of the page, and the worst seed of each policy for sentences."""
    rows, figures = list[list[str]](), dict[str, str]()
    for line in LINES:
        worst, rates, seconds = list[float](), list[float](), list[float]()
        for policy in line.specs:
            one = found.get(f"{line.game} {policy} – {line.against}")
            rate = found.get(f"{line.game} {policy}, graded")
            if one is None:
                continue
            optimal = f"{100 * rate['optimal_rate']:.1f} %" if rate else ""
            score = ", ".join(map(str, one["score"])), f"{100 * points(one['score']):.1f} %", f"{one['seconds']:,.0f}"
            rows.append([line.game, f"`{policy}`", f"`{line.against}`", *score, optimal])
            worst.append(points(one["score"]))
            seconds.append(one["seconds"])
            rates += [rate["optimal_rate"]] if rate else []
        name = f"{line.game}.{line.policy.partition(':')[0]}"
        figures |= {f"{name}.points": f"{100 * min(worst):.1f} %"} if worst else {}
        figures |= {f"{name}.seconds": f"{max(seconds):,.0f} s"} if seconds else {}
        figures |= {f"{name}.optimal": f"{100 * min(rates):.1f} %"} if rates else {}
    heads = ["game", "policy", "against", "wins, draws, losses", "points", "seconds", "optimal"]
    return {"table": table(heads, rows, align="lllr"), **figures}


def points(score: list[int]) -> float:
    """The share of points; a draw is half a win."""
    wins, draws, _ = score
    return (wins + draws / 2) / GAMES


STUDY = Study(__file__, parts, shown, (*MATCHES, *NETWORKS), SEED, ("numpy", "llvmlite", "torch"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
