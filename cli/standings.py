"""The standing of a tournament on the terminal: a table that lives while it is played, and tables at its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from ..arena import Tournament
from ..arena.score import fault_words, total
from .output import print_table

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
    console = Console(stderr=True)
    shown = 0.0
    with Live(progress, console=console, transient=True, refresh_per_second=4) as live:

        def watch(contest: Tournament) -> None:
            nonlocal shown
            progress.update(bar, completed=contest.done)
            if console.is_terminal and not silent and time.monotonic() - shown > REFRESH:
                live.update(Group(overview(contest), progress))
                shown = time.monotonic()

        yield watch


def overview(contest: Tournament) -> Table:
    """The Elo of each policy in each game, as it stands."""
    table = Table(box=SIMPLE_HEAD, title="Elo so far", title_justify="left")
    table.add_column("policy", overflow="fold")
    ratings = contest.rate(resamples=0)
    for game in contest.games:
        table.add_column(game, justify="right")
    for name in dict.fromkeys(entrant.name for entrant in contest.plan.entrants):
        found = [ratings[game].elo.get(name) for game in contest.games]
        table.add_row(name, *("" if rating is None else f"{rating.elo:+.0f}" for rating in found))
    return table


def print_standings(contest: Tournament) -> None:
    """For each game a table of its policies, the strongest first."""
    for game in contest.games:
        rated, scores = contest.ratings[game], contest.scores_of(game)
        rows: list[list[str]] = []
        for name, rating in sorted(rated.elo.items(), key=lambda item: -item[1].elo):
            played = total(scores, name)
            shares = (100 * count / max(1, played.games) for count in (played.wins, played.draws, played.losses))
            elo = (f"{rating.elo:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}")
            speed = f"{1e6 * played.seconds_a_move[0]:,.1f}"
            rows.append([name, *elo, " / ".join(f"{share:.0f}" for share in shares), f"{played.games:,}", speed])
        print_table(game, ["policy", "Elo", "95 %", "w / d / l %", "games", "µs a move"], rows)
        print(*fault_words(scores), sep="\n")
