"""How strong AlphaZero's networks are with more thought than a training is measured with: the table of docs/alphazero.md.

python benchmarks/strength.py                # plays what is not played yet, into strength.json
python benchmarks/strength.py quarto         # of one game
python benchmarks/strength.py --table        # the page's table, from strength.json

The networks are those that `python benchmarks/training.py alphazero` makes; one that is not there yet is left out.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from ludus.arena import evaluate, grade
from ludus.baselines.folder import Folder
from ludus.cli.bench import machine
from ludus.envs.files import write_whole

ROOT = Path(__file__).parent.parent
PLACE = Path(__file__).with_name("strength.json")
GAMES, SEED = 400, 1
SEEDS = 1, 2


class Line(NamedTuple):
    """A line of the table.

    Args:
        game: what is played.
        policy: the policy's spec, with SEED for the seed of a run.
        against: whom it plays.
        graded: whether its moves are graded, too: a sample of those in games against a random player.
    """

    game: str
    policy: str
    against: str
    graded: bool = False

    @property
    def specs(self) -> list[str]:
        """The policy by each seed, or by itself where it has none."""
        return [*dict.fromkeys(self.policy.replace("SEED", str(seed)) for seed in SEEDS)]

    @property
    def there(self) -> list[str]:
        """Those that can play: runs have to have come to their end."""
        return [spec for spec in self.specs if not spec.startswith("run:") or finished(spec)]


LINES = [
    Line("quarto", "run:runs/alphazero-quarto-SEED,simulations=400,ahead=20000,root_ahead=1000000", "hard", graded=True),
    Line("quarto", "perfect", "hard"),
    Line("quixo", "run:runs/alphazero-quixo-SEED,simulations=400,root_ahead=100000", "minimax:depth=5"),
]


def finished(spec: str) -> bool:
    """Whether the run that a spec names has come to its end."""
    run = ROOT / spec.removeprefix("run:").partition(",")[0]
    return run.exists() and Folder.open(run).finished


def played(game: str, policy: str, against: str | None) -> dict[str, Any]:
    """A policy's score against another one; against nobody, the grade of its moves."""
    begun = time.perf_counter()
    if against is None:
        graded = grade(policy, game, games=GAMES, seed=SEED).document()
        told = {name: graded[name] for name in ("graded", "optimal_rate")}
    else:
        score = evaluate(policy, game, against, GAMES, seed=SEED)
        told = {name: getattr(score, name) for name in ("wins", "draws", "losses")}
    return {
        "game": game, "policy": policy, "against": against, "games": GAMES, "seed": SEED, **told,
        "seconds": round(time.perf_counter() - begun, 1), "machine": machine(),
    }  # fmt: skip


def table(results: list[dict[str, Any]]) -> str:
    """The results as the page shows them."""
    rows = ["| game | policy | against | wins, draws, losses | points | seconds | optimal |", "|---|---|---|---:|---:|---:|---:|"]
    rates = {one["policy"]: f"{100 * one['optimal_rate']:.1f} %" for one in results if one["against"] is None}
    for one in results:
        if one["against"] is not None:
            score = f"{one['wins']}, {one['draws']}, {one['losses']} | {100 * points(one):.1f} % | {one['seconds']:,.0f}"
            rows.append(f"| {one['game']} | `{one['policy']}` | `{one['against']}` | {score} | {rates.get(one['policy'], '')} |")
    return "\n".join(rows)


def points(score: dict[str, Any]) -> float:
    """The share of the points: a draw is half a win."""
    return (score["wins"] + score["draws"] / 2) / score["games"]


def main() -> None:
    """Plays what is missing, and shows all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="which games; all where none is named")
    parser.add_argument("--table", action="store_true", help="show what was kept, and play nothing")
    chosen = parser.parse_args()
    results = json.loads(PLACE.read_text()) if PLACE.exists() else []
    kept = {(one["game"], one["policy"], one["against"]) for one in results}
    lines = [] if chosen.table else [line for line in LINES if not chosen.games or line.game in chosen.games]
    for line in lines:
        for policy, against in product(line.there, (line.against, None) if line.graded else (line.against,)):
            if (line.game, policy, against) not in kept:
                results.append(played(line.game, policy, against))
                write_whole(PLACE, (json.dumps(results, indent=1) + "\n").encode())
                print(json.dumps(results[-1]), flush=True)
    print(table(results))


if __name__ == "__main__":
    main()
