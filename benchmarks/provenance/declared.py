"""What figures depend on, found from the imports of a game, of its oracle and of policies."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import ludus
from ludus.oracles import make_oracle

from .imports import reached
from .study import ROOT

GAMES = ("nim", "othello", "quarto", "quixo", "tictactoe")
KERNELS = "games/kernels"
FOLDERS = ("oracles", "agents", "search", "oracles/statespace", "arena/matches", "games")
"""Folders whose files decide which actions are chosen, and what they lead to."""

TABLES = {".book", ".npz"}
PLUMBING = {
    *("oracles/registry.py", "agents/analysis.py", "agents/answers.py", "arena/matches/players.py"),
    *("games/batches.py", "games/game.py", "games/known.py", "games/linking.py", "games/registry.py"),
    *(f"games/{name}/known.py" for name in GAMES),
}
"""Files there that look others up, or carry what others have found."""

RULES = (*(f"games/{name}/rules.py" for name in GAMES), "games/squares.py", KERNELS)
"""The rules of all games."""

GRADING = "arena/grading", "oracles/values.py"
"""What grades a policy, besides the oracle of its game."""

MATCHES = (*RULES, *(f"arena/matches/{name}.py" for name in ("games", "job", "keys", "openings")))
"""What determines the games of matches of all games, besides the policies."""


@cache
def match_sources(game: str, *policies: str) -> tuple[str, ...]:
    """What determines the games of classic policies: the rules, the policies, their search and oracles, and how games are played.

    Args:
        game: its spec.
        policies: their specs.
    """
    made = [ludus.make_policy(policy, game) for policy in policies]
    known = oracle_sources(game) if any(policy.partition(":")[0] == "perfect" for policy in policies) else ()
    return tuple(dict.fromkeys((*_reached("arena/matches/job.py", *map(_file_of, made)), *rules_sources(game), *known)))


@cache
def oracle_sources(game: str) -> tuple[str, ...]:
    """What determines the values of a game: the rules, its oracle, how that searches, and how far."""
    known = f"games/{ludus.make_game(game).name}/known.py"
    return tuple(dict.fromkeys((*_reached(_file_of(make_oracle(game))), *rules_sources(game), known)))


@cache
def rules_sources(game: str) -> tuple[str, ...]:
    """The rules of one game."""
    return (*_reached(_file_of(ludus.make_game(game))), KERNELS)


def _reached(*places: str) -> tuple[str, ...]:
    """The files that decide, among those that files import, and the tables beside them."""
    files = [place for place in reached(ROOT, places, FOLDERS) if place not in PLUMBING]
    folders = {(ROOT / place).parent for place in files}
    return (
        *files,
        *sorted(table.relative_to(ROOT).as_posix() for folder in folders for table in folder.iterdir() if table.suffix in TABLES),
    )


def _file_of(made: object) -> str:
    """The file of an object's class, relative to the repository."""
    place = sys.modules[type(made).__module__].__file__
    assert place
    return Path(place).resolve().relative_to(ROOT).as_posix()
