"""The standing of a tournament on the terminal: a table that lives while it is played."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from ...arena import Tournament
from ...arena.matches.score import fault_words, repeat_words
from ...envs.showing import TextTable
from .display import display

REFRESH = 0.5
"""Seconds between two looks at the standing."""


@contextmanager
def followed(contest: Tournament, silent: bool) -> Generator[Callable[[Tournament], None]]:
    """What to call as a tournament goes on: shows it on the terminal, on stderr.

    Args:
        contest: the tournament.
        silent: show its progress alone.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn())
    progress = Progress(*columns, TimeRemainingColumn())
    bar = progress.add_task("", total=contest.total, completed=contest.done)
    shown = 0.0
    with display(progress) as live:

        def watch(contest: Tournament) -> None:
            nonlocal shown
            progress.update(bar, completed=contest.done)
            if live.is_started and not silent and time.monotonic() - shown > REFRESH:
                live.update(Group(overview(contest), progress))
                shown = time.monotonic()

        yield watch


def overview(contest: Tournament) -> Group:
    """The Elo of each policy in each game, as it stands, the faults, and games that were repeated."""
    ratings = contest.rate(resamples=0)
    rows: list[list[str]] = []
    for name in dict.fromkeys(entrant.name for entrant in contest.plan.entrants):
        found = [ratings[game].elo.get(name) for game in contest.games]
        rows.append([name, *("" if rating is None else f"{rating.elo:+.0f}" for rating in found)])
    scores = [contest.scores_of(game) for game in contest.games]
    remarks = [words for of_game in scores for words in fault_words(of_game) + repeat_words(of_game)]
    return Group("Elo so far", TextTable("", ["policy", *contest.games], rows).rich(), *map(Text, remarks))
