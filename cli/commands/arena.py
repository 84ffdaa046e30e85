"""`ludus arena GAME… --policies SPEC…`: plays a tournament, keeps its games, rates the policies, and writes a report page."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, redirect_stdout
from itertools import chain, count
from pathlib import Path

from rich.console import Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from ...agents import policies_for
from ...arena import Tournament
from ...arena.matches.settings import LONGEST_OPENING, MatchSettings
from ...arena.planning.plan import Plan
from ...arena.planning.planning import cast_of, make_plan, make_plan_by
from ...arena.planning.protocols import protocol
from ...arena.ratings.score import fault_words, repeat_words
from ...arena.store.store import Store
from ...core.files.writing import add_to_errors, check_target
from ...core.numbers import several
from ...core.plugins.loading import install_with, missing_library
from ...core.progress import ProgressLog
from ...core.workers.pool import needs_pool
from ...core.workers.worker import Worker
from ...envs import game_names, make_game
from ...games.display import TextTable
from ..errors import FAULTS
from ..terminal.display import display, progress_bar, refresher
from ..terminal.options import games, pathname, seconds, sequential_test, whole
from ..terminal.output import check_page, print_json, print_page, refuse, with_trust, write_and_show

LIGHT = {"minimax": "minimax:depth=3", "mcts": "mcts:simulations=100", "perfect": "perfect:nodes=500"}
"""Settings for slow policies if no policies are named."""
FIXED = (
    *("against", "self_play", "games", "sprt", "swiss", "openings", "opening_plies", "move_time", "game_time", "start_time"),
    *("no_ask_again", "common_keys"),
)
"""What a protocol fixes, and the store of a tournament that is resumed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", nargs="*", help="specs of games, for example quixo:size=4 (default: all games)")
    add("--policies", nargs="+", metavar="SPEC", help="specs of the policies (default: all built-in ones, with quick settings)")
    add("--against", nargs="+", metavar="SPEC", default=[], help="opponents to play instead of each other")
    add("--self-play", action="store_true", help="also let each policy play against itself")
    add(
        "--games",
        action=games(),
        metavar="N",
        help="games per pair, half in each seat (default: 100; with --openings, two of each)",
    )
    add(
        "--sprt",
        action=sequential_test(),
        metavar="ELO0,ELO1,ALPHA,BETA",
        help="play until a sequential test tells whether a policy is ELO0 or ELO1 ahead of the other, at most --games games"
        " (default: 20,000; with --openings, two of each); ALPHA and BETA are 0.05 if left out",
    )
    add(
        "--swiss",
        action=whole(1),
        metavar="ROUNDS",
        help="play Swiss rounds instead of all pairs: in each, those with equal points meet, --games a pair (default: 2)",
    )
    add("--protocol", metavar="NAME", help="protocol that fixes opponents and settings, for example ludus-2")
    add("--openings", metavar="FILE|NAME", help="begin games with these openings, each from both seats: a file, or balanced")
    add("--opening-plies", action=whole(0, LONGEST_OPENING), metavar="N", help="random plies at the start of games")
    add("--move-time", action=seconds(), metavar="SECONDS", help="time limit per move; exceeding it loses the game")
    add("--game-time", action=seconds(), metavar="SECONDS", help="time limit for all moves of a game together, as 90s, 30m or 1h")
    add(
        "--start-time",
        action=seconds(),
        metavar="SECONDS",
        help="with a time limit: that for a policy to get ready (default: the longest of 120, 20 times --move-time, --game-time)",
    )
    add(
        "--no-ask-again",
        action="store_true",
        help="after an invalid answer to a batch, count all its games as lost (default: ask again for each position)",
    )
    add(
        "--common-keys",
        action="store_true",
        help="give all pairs the same randomness, so that policies meet an opponent with the same dice",
    )
    add("--fail-on-faults", action="store_true", help="exit with status 3 if a game was lost by a fault, such as an illegal action")
    add("--workers", action=whole(1), default=1, metavar="N", help="number of processes; results do not depend on it (default: 1)")
    add("--engine", default="local", choices=["local", "ray"], help="workers on this machine or on a Ray cluster")
    add("--store", action=pathname(), metavar="FILE", help="new file for the games (default: named by date and time)")
    add("--resume", action=pathname(), metavar="STORE", help="resume an interrupted tournament")
    add("--trust", action="store_true", help="with --resume: allow code named in the store to run")
    parser.set_defaults(seed=None)  # to refuse a seed where it has no effect
    page = parser.add_mutually_exclusive_group()
    page.add_argument("--report", action=pathname(), metavar="FILE", help="file for the report page (default: next to the store)")
    page.add_argument("--no-report", action="store_true", help="do not write a report page")


def run(chosen: argparse.Namespace) -> int:
    """Plays a tournament, prints the results and writes the page; returns 3 where a fault lost a game and that is to be seen."""
    apart = needs_pool(chosen.engine, chosen.workers)
    store = chosen.resume or chosen.store or free_name(time.strftime("ludus-%Y%m%d-%H%M%S"))
    page = page_of(chosen, store.parent / f"{store.stem}.html")
    check_targets(page, store, new=not chosen.resume)
    with Worker() as worker:
        contest = resume(chosen, worker) if chosen.resume else begin(chosen, store, worker)
        if apart or contest.plan.move_time or contest.plan.game_time:
            worker.close()  # all policies play in other processes; here they were only checked
        play(contest, chosen, f"resume with: {resume_command(store, contest.plan)}")
    show(contest, chosen, page)
    faults = any(score.faults.any() for game in contest.games for score in contest.scores_of(game))
    return FAULTS if faults and chosen.fail_on_faults else 0


def free_name(name: str) -> Path:
    """The first file of this name, or of it with a number, that is not there yet: two tournaments may begin in one second."""
    numbered = (Path(f"{name}-{number}.sqlite") for number in count(2))
    return next(path for path in chain([Path(f"{name}.sqlite")], numbered) if not path.exists())


def page_of(chosen: argparse.Namespace, default: Path) -> Path | None:
    """The file of the page; None if none is wanted, or none is named and what writes pages is not installed."""
    if chosen.no_report or (chosen.report is None and missing_library("report")):
        return None
    return chosen.report or default


def begin(chosen: argparse.Namespace, store: Path, worker: Worker) -> Tournament:
    """Creates a new tournament and its store."""
    refuse(chosen, "it applies only to --resume, because what you type is trusted anyway", "trust")
    if chosen.protocol:
        refuse(chosen, "--protocol fixes it", *FIXED, "seed")
        plan, cast = make_plan_by(protocol(chosen.protocol), chosen.policies or [], chosen.game, worker)
    else:
        games = chosen.game or game_names()
        plan, cast = make_plan(
            games,
            chosen.policies or light_policies(games),
            chosen.games,
            against=chosen.against,
            self_play=chosen.self_play,
            seed=chosen.seed or 0,
            settings=MatchSettings(
                openings=chosen.openings,
                opening_plies=chosen.opening_plies,
                move_time=chosen.move_time,
                game_time=chosen.game_time,
                start_time=chosen.start_time,
                ask_again=not chosen.no_ask_again,
                common_keys=chosen.common_keys,
            ),
            sprt=chosen.sprt,
            swiss=chosen.swiss,
            worker=worker,
        )
    return Tournament(Store.create(store, plan), cast)


def light_policies(games: Iterable[str]) -> list[str]:
    """All built-in policies that play one of the games, slow ones with quick settings."""
    names = dict.fromkeys(name for game in games for name in policies_for(make_game(game)))
    return [LIGHT.get(name, name) for name in names]


def resume(chosen: argparse.Namespace, worker: Worker) -> Tournament:
    """Opens a tournament that was interrupted."""
    refuse(chosen, "the store fixes it", "game", "policies", "protocol", *FIXED, "store", "seed")
    store = Store.open(chosen.resume, trust=chosen.trust)
    return Tournament(store, cast_of(store.plan, {}, worker))


def resume_command(store: Path, plan: Plan) -> str:
    """The command that resumes a tournament."""
    named = (*(entrant.spec for entrant in plan.entrants), *(pairing.game for pairing in plan.pairings))
    return with_trust(f"ludus arena --resume {shlex.quote(str(store))}", *named)


def play(contest: Tournament, chosen: argparse.Namespace, hint: str) -> None:
    """Plays the missing games with live standings; if interrupted, prints how many are played, and a hint."""
    try:
        with show_standings(contest, chosen.json) as watch, redirect_stdout(sys.stderr):  # policies may print
            contest.play(workers=chosen.workers, engine=chosen.engine, faults="count", watch=watch)
    except (KeyboardInterrupt, Exception):
        store = contest.store.path
        more = f"; {hint}" if store is None or store.exists() else ""
        most = "at most " if contest.plan.sprt else ""
        print(f"{contest.done:,} of {most}{several(contest.total, 'game')} are played{more}", file=sys.stderr)
        raise


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
        refresh = refresher(live)

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


def show(contest: Tournament, chosen: argparse.Namespace, page: Path | None, **how: int) -> None:
    """Writes the page, if one is wanted, as `Tournament.report` takes it, and prints the results and how to look at them."""
    store = contest.store.path
    retry = f"{resume_command(store, contest.plan)} --report FILE" if store else ""
    advice = f"all games are kept; write the page elsewhere with: {retry}" if store else "the results are printed above"

    def write() -> None:
        if page:
            with progress_bar("grading the moves for the page", chosen.json) as progress, add_to_errors(lambda: advice):
                contest.report(
                    page,
                    command="" if chosen.command == "arena" and chosen.resume else shlex.join(["ludus", *chosen.words]),
                    progress=ProgressLog("grading the moves for the page").counting(progress),
                    **how,
                )

    def print_all(written: bool) -> None:
        shown = page if written else None
        if chosen.json:
            print_json({**contest.document(), "store": store and str(store), "report": shown and str(shown)})
            return
        print(contest)
        if store:
            print(f"To see the games, move by move: ludus replay {shlex.quote(str(store))}")
            print(f"To see all of it in the browser: ludus web {shlex.quote(str(store))}")
        if shown:
            print_page(shown)
        elif page is None and store and not chosen.no_report:
            print(f"To write a page of it: {install_with('report')}; then: {retry}")

    write_and_show(write, print_all)


def check_targets(page: Path | None, store: Path, *, new: bool) -> None:
    """Checks that the page and a new store can be written, before any game is played."""
    if store.is_dir():
        raise IsADirectoryError(f"{store} is a folder; name a file for the store")
    if new:
        check_target(store, stream=False)
    if page and page.resolve() == store.resolve():
        raise ValueError(f"the page and the store are both {page}; name two files")
    check_page(page)
