"""The shipped networks compared exactly with perfect play, alone and with search. Shown in docs/alphazero.md.

python -m benchmarks.strength.networks            # grades what is missing or out of date
python -m benchmarks.strength.networks nim        # of one game

`ludus grade GAME --policy POLICY --exact` prints the same of one policy.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from ludus.arena import grade, grade_exact

from ..provenance import GRADING, ROOT, RULES, Part, Study, match_sources, oracle_sources, repeated, table

SEED = 0
ALONE = "alphazero:simulations=1,considered=1,solver=false,ahead=0,temperature=0"
"""The network's favourite action."""


class Line(NamedTuple):
    """A row of the table.

    Args:
        game: what is played.
        policy: the policy's spec.
        title: what it is.
    """

    game: str
    policy: str
    title: str


SMALL_QUIXO = "quixo:size=4"
"""Too many positions come up for an exact grade with search: the exact values of all moves in games are compared instead."""
SEARCHES = {"alone": ALONE, "searched": "alphazero"}
OPPONENTS = "random", "perfect"
GAMES, OPENING = 200, 4
"""Games, and the random plies that they begin with."""
LINES = [
    Line("nim", ALONE, "network alone"),
    Line("nim", "alphazero:simulations=16", "16 simulations"),
    Line("tictactoe", ALONE, "network alone"),
    Line("tictactoe", "alphazero:simulations=50", "50 simulations"),
]


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each row, and for each sample of moves."""
    found = dict[str, Part]()
    for line in LINES:
        measure = partial(exactly, line.game, line.policy)
        found[f"{line.game}, {line.title}"] = repeated(measure, (*oracle_sources(line.game), *OWN, *trained(line.game)))
    for name, policy in SEARCHES.items():
        for against in OPPONENTS:
            sources = (*match_sources(SMALL_QUIXO, against), *oracle_sources(SMALL_QUIXO), *OWN, *trained(SMALL_QUIXO))
            found[f"{name}, against {against}"] = repeated(partial(sampled, policy, against), sources)
    return found


def trained(game: str) -> list[str]:
    """The files of the network that is shipped for a game."""
    folder, name = game.partition(":")[0], game.replace(":", "-").replace("=", "-")
    return [f"games/{folder}/{name}.{ending}" for ending in ("json", "safetensors")]


def sampled(policy: str, against: str) -> dict[str, Any]:
    """The grade of all moves of a policy in games of 4×4 Quixo."""
    found = grade(policy, SMALL_QUIXO, games=GAMES, against=against, opening_plies=OPENING, most=None, seed=SEED).document()
    return {name: found[name] for name in ("value_lost", "optimal_rate", "graded")}


def exactly(game: str, policy: str) -> dict[str, Any]:
    """The exact grade of a policy."""
    found = grade_exact(policy, game, seed=SEED).document()
    return {name: found[name] for name in ("value_lost", "value_thrown", "exploitability", "positions", "optimal_positions")}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """The table of the page."""
    rows = list[list[str]]()
    for line in LINES:
        if one := found.get(f"{line.game}, {line.title}"):
            made = json.loads((ROOT / trained(line.game)[0]).read_bytes())
            numbers = [f"{one[name]:.4f}" for name in ("value_lost", "value_thrown", "exploitability")]
            kept = f"{100 * one['optimal_positions']:.2f} % of {sum(one['positions']):,}"
            rows.append([f"`{line.game}`", f"{made['seconds']:,.0f} s", line.title, kept, *numbers])
    figures = {"table": table(HEADS, rows, align="lrlr"), "games": str(GAMES), "opening": str(OPENING), **without_search()}
    for name in SEARCHES:
        for against in OPPONENTS:
            if one := found.get(f"{name}, against {against}"):
                figures[f"{name}.{against}.kept"] = f"{100 * one['optimal_rate']:.1f} % of {one['graded']:,}"
                figures[f"{name}.{against}.lost"] = f"{one['value_lost']:.3f}"
    return figures


def without_search() -> dict[str, str]:
    """A table of how strong the shipped networks are alone, as kept beside them, and a figure of each game for sentences."""
    rows, figures = list[list[str]](), dict[str, str]()
    for game in SHIPPED:
        made = json.loads((ROOT / trained(game)[0]).read_bytes())
        alone, settings = made["without search"], made["settings"]
        exam, wins = alone["exam"], alone["against random"]["wins"]
        kept, error = f"{100 * exam['optimal']:.1f} %", f"{exam['value error']:.2f}"
        trained_on = [learnt_from(settings), random_plies(settings), from_oracle(settings), f"{made['seconds']:,.0f} s"]
        rows.append([f"`{game}`", *trained_on, f"{kept} of {exam['positions']}", error, str(wins)])
        figures |= {f"{game}.kept": kept, f"{game}.error": error, f"{game}.minutes": f"{made['seconds'] / 60:.0f}"}
    return {"alone": table(ALONE_HEADS, rows, align="lr"), **figures}


def learnt_from(settings: Mapping[str, Any]) -> str:
    """How much a training has played: positions of AlphaZero, games of n-tuples."""
    return f"{settings['positions']:,}" if "positions" in settings else f"{settings['games']:,} games, n-tuples"


def random_plies(settings: Mapping[str, Any]) -> str:
    """The most random plies that games of a training begin with."""
    usual, share = str(settings.get("openings", settings.get("opening"))), settings.get("long_share")
    return f"{usual}; {settings['long_openings']} in {100 * share:.0f} % of the games" if share else usual


def from_oracle(settings: Mapping[str, Any]) -> str:
    """The largest share of what a training learns from that has the oracle's targets: it does not know all positions."""
    lessons = settings.get("lesson_share", 0)
    return f"{100 * (lessons + (1 - lessons) * settings.get('exact_share', 0)):.0f} %"


SHIPPED = "tictactoe", "nim", "quarto", "quixo:size=4", "quixo", "othello:size=6", "othello"
ALONE_HEADS = [
    *("game", "positions of self-play", "random plies at first, at most", "targets from the oracle, at most", "trained"),
    *("keeps the value in", "mean error of its value", "wins of 200 against random"),
]
HEADS = [
    *("game", "trained", "policy", "positions played without error"),
    *("value lost a move, random opponent", "a game, perfect opponent", "exploitability"),
]
OWN = (
    "search/mcts",
    "agents/alphazero.py",
    *GRADING,
    "baselines/alphazero/networks/evaluator.py",
    "baselines/alphazero/networks/residual.py",
)
STUDY = Study(__file__, parts, shown, (*RULES, *OWN), SEED, ("numpy", "llvmlite", "torch"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
