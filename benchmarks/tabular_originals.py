"""The tabular and evolved players that the trainers grew from, as presets, beside what ours reach: docs/classics.md.

python benchmarks/tabular_originals.py              # trains what is missing or out of date
python benchmarks/tabular_originals.py qlearning    # of one trainer
"""

from __future__ import annotations

import argparse
from functools import partial
from statistics import median

from provenance import MATCHES, Part, Study

from ludus.arena import grade
from ludus.baselines import train

SEEDS = (1, 2, 3)
LINES = [
    ("qlearning", "tictactoe", "original"),
    ("qlearning", "tictactoe", "two_learners"),
    ("qlearning", "tictactoe", None),
    ("montecarlo", "tictactoe", "values"),
    ("montecarlo", "tictactoe", None),
    ("evolved_table", "nim", "original"),
    ("evolved_table", "nim", None),
    ("evolved_mixture", "nim", "original"),
    ("evolved_mixture", "nim", None),
]
"""What is trained, with each seed: trainer, game, and preset, or none for our defaults."""
REPORTED = {
    ("qlearning", "original"): "98 % first, 96 % second",
    ("qlearning", "two_learners"): "no figure of its own",
    ("montecarlo", "values"): "above 97 %",
    ("evolved_table", "original"): "no figure",
    ("evolved_mixture", "original"): "no figure",
}
"""What the originals reported, by trainer and preset."""


def measured(trainer: str, game: str, preset: str | None, seeds: tuple[int, ...] = SEEDS) -> list[dict[str, float]]:
    """What training with each seed comes to against random play, computed and not played, as first and as second."""
    rows = list[dict[str, float]]()
    for seed in seeds:
        found = grade(train(trainer, game, seed=seed, preset=preset).policy(), game, exact=True)
        (first, second), (first_lost, second_lost) = found.win_rate_vs_random, found.loss_rate_vs_random
        rows.append({"first": first, "second": second, "first_lost": first_lost, "second_lost": second_lost})
    return rows


def again(line: tuple[str, str, str | None], kept: list[dict[str, float]]) -> tuple[object, object]:
    """What the first seed comes to, then and now."""
    return kept[:1], measured(*line, seeds=SEEDS[:1])


def name_of(line: tuple[str, str, str | None]) -> str:
    """The name of a line's part."""
    return "-".join(filter(None, (line[0], line[2])))


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each line."""
    return {name_of(line): Part(partial(measured, *line), partial(again, line)) for line in LINES}


def shown(found: dict[str, list[dict[str, float]]]) -> dict[str, str]:
    """For each original the cells of its row in the first table of docs/classics.md; nothing until all is measured."""
    if len(found) < len(LINES):
        return {}
    cells = {line: cell(line, found[name_of(line)]) for line in LINES}
    games = {trainer: game for trainer, game, _ in LINES}
    rows = dict[str, str]()
    for (trainer, preset), reported in REPORTED.items():
        game = games[trainer]
        rows[f"{trainer}-{preset}"] = " | ".join([reported, cells[trainer, game, preset], cells[trainer, game, None]])
    return rows


def cell(line: tuple[str, str, str | None], rows: list[dict[str, float]]) -> str:
    """What a line wins, and does not lose, as first and as second, and its command."""
    won = [spread([row[seat] for row in rows]) for seat in ("first", "second")]
    kept = [spread([1 - row[f"{seat}_lost"] for row in rows]) for seat in ("first", "second")]
    trainer, game, preset = line
    command = f"ludus train {trainer} {game}" + (f" --preset {preset}" if preset else "")
    drawn = f"; not lost {kept[0]} % and {kept[1]} %" if game == "tictactoe" else ""
    return f"won {won[0]} % first, {won[1]} % second{drawn}<br>`{command}`"


def spread(shares: list[float]) -> str:
    """The median of shares in percent, and the lowest and the highest."""
    low, middle, high = (f"{100 * share:.1f}" for share in (min(shares), median(shares), max(shares)))
    return middle if low == high else f"{middle} ({low} to {high})"


SOURCES = (
    *("baselines/positions.py", "baselines/tabular.py", "baselines/walk.py", "baselines/qlearning.py", "baselines/montecarlo.py"),
    *("agents/genetics", "baselines/genetics", "baselines/evolved_table.py", "baselines/evolved_mixture.py", *MATCHES),
)
STUDY = Study(__file__, parts, shown, SOURCES, 1, ("numpy", "llvmlite", "deap"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
