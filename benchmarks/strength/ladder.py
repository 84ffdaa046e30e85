"""A tournament of the opponents of the protocol ludus-1: 25,200 games that rate them. Shown in docs/arena.md.

python -m benchmarks.strength.ladder           # plays what is missing or out of date
python -m benchmarks.strength.ladder quarto    # of one game
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from ludus.arena import tournament
from ludus.arena.planning.protocols import protocol
from ludus.arena.tournament import play_protocol

from ..provenance import MATCHES, Part, Study, match_sources, table

NAME, QUICK = "ludus-1", ("random", "greedy", "minimax:depth=2")
RATINGS = ("arena/ratings/ratings.py", "arena/ratings/davidson.py")
TITLES = {
    "nim": "Nim",
    "tictactoe": "tic-tac-toe",
    "quarto": "Quarto",
    "quixo": "Quixo",
    "othello:size=6": "Othello 6×6",
    "othello": "Othello",
}


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each game."""
    opponents = protocol(NAME).opponents
    return {
        game: Part(partial(measured, game), partial(again, game), (*match_sources(game, *opponents[game]), *RATINGS))
        for game in TITLES
    }


def measured(game: str) -> dict[str, Any]:
    """All pairs of opponents, and their ratings with intervals."""
    contest = play_protocol(NAME, [], [game], workers=2)
    pairs = [{"a": one.pairing.a, "b": one.pairing.b, "by_seat": one.by_seat.tolist()} for one in contest.scores_of(game)]
    return {"pairs": pairs, "ratings": {name: list(rated) for name, rated in contest.ratings[game].elo.items()}}


def again(game: str, kept: dict[str, Any]) -> tuple[Any, Any]:
    """The games of the quickest opponents, as stored and now."""
    pinned = protocol(NAME)
    contest = tournament(game, QUICK, pinned.games, seed=pinned.seed, opening_plies=pinned.opening_plies[game])
    now = [[score.pairing.a, score.pairing.b, score.by_seat.tolist()] for score in contest.scores_of(game)]
    was = [[pair["a"], pair["b"], pair["by_seat"]] for pair in kept["pairs"] if {pair["a"], pair["b"]} <= {*QUICK}]
    return sorted(was), sorted(now)


def shown(found: dict[str, Any]) -> dict[str, str]:
    """Elo: a row for each opponent, a column for each game."""
    names = protocol(NAME).opponents["nim"]
    rows = [[f"`{name}`", *(f"{found[game]['ratings'][name][0]:+.0f}" for game in found)] for name in names]
    games = sum(sum(map(sum, pair["by_seat"])) for one in found.values() for pair in one["pairs"])
    return {
        "table": table(["", *(TITLES[game] for game in found)], rows),
        "specs": table(["", *(f"`{game}`" for game in found)], rows),
        "games": f"{games:,}",
    }


STUDY = Study(__file__, parts, shown, (*MATCHES, *RATINGS), protocol(NAME).seed)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
