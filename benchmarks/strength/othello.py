"""Othello's search by patterns: what its depth, its cuts and its book are worth, and how it plays against Egaroucid and Zebra.

Shown in docs/search.md.

    python -m benchmarks engines --openings FILE --egaroucid COMMAND --zebra COMMAND

FILE holds openings, one a line: here the 10,784 of eight moves of XOT, by M. Berg, as Egaroucid has them in
bin/resources/xot/openingslarge.txt. A COMMAND is what `engine:` takes (docs/text.md#engines). The words of a row follow it:

    egaroucid LEVEL              Egaroucid for Web, src/web of https://github.com/Nyanyan/Egaroucid (commit 8a98e5a), by its levels
    zebra DEPTH SCORE WINNER     https://github.com/hoshir/zebra (commit c4a4acc): its depth, and the numbers of empty cells with
                                 which it solves for the score and for the winner

Both are under the GPL, so that neither they nor the adapters that let them speak our protocol come with ludus. They play without a
book, on one thread.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from ludus.arena import evaluate
from ludus.core.words import percent

from .. import RESULTS
from ..common import counts, play, points, share, table
from ..runner import Rows, Study

# ---- the search beside itself

ENGINE = "minimax:evaluation=patterns,nodes=20000,endings=14"
DEEPER = "minimax:evaluation=patterns,nodes=80000,endings=14"
OWN_MATCHES = (
    ("minimax:evaluation=patterns,depth=1", "minimax:depth=3"),
    (f"{ENGINE},probcut=1", ENGINE),
    (f"{DEEPER},probcut=1", DEEPER),
    (f"{ENGINE},book=true", ENGINE),
)
SEEDS, GAMES = (1, 2), 100
"""The seeds of each match, and its games with each."""


def patterns_cells() -> dict[str, Any]:
    """A cell for each match and seed."""
    return {
        f"engine {engine} – {against}, seed {seed}": partial(play, engine, "othello", against, GAMES, seed=seed)
        for engine, against in OWN_MATCHES
        for seed in SEEDS
    }


def show_patterns(rows: Rows) -> dict[str, str]:
    """A row for each match."""
    lines = list[list[str]]()
    for (engine, against), seed in product(OWN_MATCHES, SEEDS):
        row = rows[f"engine {engine} – {against}, seed {seed}"]
        made, least = points(row["score"])
        score, bounded = ", ".join(map(str, row["score"])), f"{made} ({least.removesuffix(' %')})"
        lines.append([f"`{engine}`", f"`{against}`", str(seed), score, bounded, f"{row['seconds']:.0f}"])
    heads = ["engine", "against", "seed", "wins, draws, losses", "points (at least)", "seconds"]
    return {"matches": table(heads, lines, align="lllllr")}


# ---- matches against other programs

MATCHES = (
    # our settings, the other program, the words that follow its command
    ("depth=1", "egaroucid", "1"),
    ("depth=3", "egaroucid", "3"),
    ("depth=6,endings=14", "egaroucid", "5"),
    ("depth=11,endings=16", "egaroucid", "7"),
    ("depth=16,endings=20", "egaroucid", "10"),
    ("depth=8,endings=15", "zebra", "6 14 16"),
    ("depth=12,endings=18", "zebra", "8 16 18"),
    ("depth=15,endings=19", "zebra", "10 18 20"),
)
"""In the first two both search to the same depth; in the others ours is the last that takes no more processor time than theirs,
with endings as large as that time allows."""
TITLES = {"egaroucid": "Egaroucid, level", "zebra": "Zebra"}
PLAYED, SEED = 400, 1


def engines_cells(openings: str = "", egaroucid: str = "", zebra: str = "") -> dict[str, Any]:
    """A cell for each match.

    Args:
        openings: a file of openings.
        egaroucid, zebra: the commands of the programs.
    """
    commands = {"egaroucid": egaroucid, "zebra": zebra}
    return {
        f"{settings} – {program} {words}": partial(play_program, settings, f"{commands[program]} {words}", openings)
        for settings, program, words in MATCHES
    }


def play_program(settings: str, command: str, openings: str) -> dict[str, Any]:
    """The score of a match, its 95 % interval, in which the two games of an opening count as one result, and seconds a move.

    Args:
        settings: ours, besides those of every match.
        command: the other program's.
        openings: a file of openings.
    """
    spec, theirs = f"minimax:evaluation=patterns,{settings},probcut=1", f"engine:seconds=600 {command}"
    score = evaluate(spec, "othello", theirs, PLAYED, seed=SEED, openings=openings)
    return {"score": counts(score), "interval": score.points_interval(), "seconds_a_move": score.seconds_a_move}


def show_engines(rows: Rows) -> dict[str, str]:
    """A row for each match: its result and times."""
    lines = list[list[str]]()
    for settings, program, words in MATCHES:
        row = rows[f"{settings} – {program} {words}"]
        low, high = (100 * bound for bound in row["interval"])
        times = (f"{1000 * seconds:.2f}" for seconds in row["seconds_a_move"])
        made = percent(share(row["score"])), f"{low:.0f} to {high:.0f}"
        lines.append([f"`{settings}`", f"{TITLES[program]} {words}", str(sum(row["score"])), *made, *times])
    heads = ["`minimax:evaluation=patterns,probcut=1` and", "against", "games", "points", "95 %", "ms a move", "theirs"]
    return {"table": table(heads, lines, align="llr")}


USAGE = "--openings FILE --egaroucid COMMAND --zebra COMMAND"

STUDIES = (
    Study(RESULTS / "patterns.json", patterns_cells, show_patterns, 1),
    Study(RESULTS / "engines.json", engines_cells, show_engines, SEED, usage=USAGE),
)
