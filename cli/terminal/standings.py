"""The standings of a tournament, shown on the terminal while it is played."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from ...arena import Tournament
from ...arena.ratings.score import fault_words, repeat_words
from ...games.display import TextTable
from .display import display, refresher

REFRESH = 0.5
"""Seconds between two updates of the standings."""


@contextmanager
def show_standings(contest: Tournament, progress_only: bool) -> Generator[Callable[[Tournament], None]]:
    """Shows a progress bar and the standings; yields the function to call whenever games have been played.

    Args:
        contest: the tournament.
        progress_only: show the progress bar without the standings.
    """
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn())
    progress = Progress(*columns, TimeRemainingColumn())
    bar = progress.add_task("", total=contest.total, completed=contest.done)
    with display(progress) as live:
        refresh = refresher(live, REFRESH)

        def watch(contest: Tournament) -> None:
            progress.update(bar, completed=contest.done)
            if not progress_only:
                refresh(lambda: Group(standings(contest), progress))

        yield watch


def standings(contest: Tournament) -> Group:
    """The present Elo of each policy in each game, and remarks on faults and repeated games."""
    ratings = contest.rate(resamples=0)
    rows: list[list[str]] = []
    for name in dict.fromkeys(entrant.name for entrant in contest.plan.entrants):
        elos = [ratings[game].elo.get(name) for game in contest.games]
        rows.append([name, *("" if rating is None else f"{rating.elo:+.0f}" for rating in elos)])
    scores = [contest.scores_of(game) for game in contest.games]
    remarks = [words for of_game in scores for words in fault_words(of_game) + repeat_words(of_game)]
    return Group("Elo so far", TextTable("", ["policy", *contest.games], rows).rich(), *map(Text, remarks))
