"""`ludus arena GAME… --policies SPEC…`: a tournament, with a live table, a store, ratings, and a page that shows it all."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Iterable
from contextlib import redirect_stdout
from itertools import combinations
from pathlib import Path

from ...agents import policies_for
from ...arena import Tournament
from ...arena.engines.engines import check_engine
from ...arena.engines.guarded import Guard
from ...arena.matches.openings import plies_of_openings
from ...arena.planning.plan import LONGEST_OPENING, Plan
from ...arena.planning.planning import cast_of, draw_up, draw_up_by
from ...arena.planning.protocols import protocol
from ...arena.store.store import Store
from ...envs import game_names, make_game
from ...envs.files.writing import also_saying, check_target
from ..terminal.numbers import games, seconds, whole
from ..terminal.output import keep_and_show, print_json, print_page, progress_bar, refuse
from ..terminal.standings import followed

LIGHT = {"minimax": "minimax:depth=3", "mcts": "mcts:simulations=100", "perfect": "perfect:nodes=500"}
"""Settings of slow policies where none are asked for."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What to play, how, and where to keep it."""
    parser.add_argument("game", nargs="*", help="specs of games, as quixo:size=4 (all five)")
    parser.add_argument("--policies", nargs="+", metavar="SPEC", help="who takes part (all built-in policies, with light settings)")
    parser.add_argument("--against", nargs="+", metavar="SPEC", default=[], help="whom they meet instead of each other")
    parser.add_argument("--self-play", action="store_true", help="let each policy meet itself, too")
    parser.add_argument("--games", action=games(), metavar="N", help="games per pair, half of them in each seat (100)")
    parser.add_argument("--protocol", metavar="NAME", help="measure the policies by a protocol, as ludus-1")
    parser.add_argument("--opening-plies", action=whole(0, LONGEST_OPENING), metavar="N", help="random plies that games begin with")
    parser.add_argument("--move-time", action=seconds(), metavar="SECONDS", help="who takes longer for a move loses the game")
    parser.add_argument(
        "--start-time",
        action=seconds(),
        metavar="SECONDS",
        help="with --move-time: how long a policy may take to get ready for its first move (120, or 20 times --move-time)",
    )
    parser.add_argument(
        "--no-ask-again",
        action="store_true",
        help="lose all games of a batch that a policy answers badly, where otherwise it is asked again position by position",
    )
    parser.add_argument(
        "--workers", action=whole(1), default=1, metavar="N", help="processes that play, which changes no result (1)"
    )
    parser.add_argument("--engine", default="local", choices=["local", "ray"], help="workers of this machine, or of a Ray cluster")
    parser.add_argument("--store", type=Path, metavar="FILE", help="where to keep the games (a new file, named by the time)")
    parser.add_argument("--resume", type=Path, metavar="STORE", help="go on with a tournament that was interrupted")
    parser.add_argument("--trust", action="store_true", help="with --resume: let code run that the store names")
    parser.set_defaults(seed=None)  # so that one that is given where it says nothing is refused
    page = parser.add_mutually_exclusive_group()
    page.add_argument("--report", type=Path, metavar="FILE", help="where to write the page (beside the store)")
    page.add_argument("--no-report", action="store_true", help="write no page")


def run(chosen: argparse.Namespace) -> None:
    """Plays a tournament to its end, prints what came of it, and writes the page."""
    check_engine(chosen.engine, chosen.workers)
    store = chosen.resume or chosen.store or Path(time.strftime("ludus-%Y%m%d-%H%M%S.sqlite"))
    page = None if chosen.no_report else chosen.report or store.parent / f"{store.stem}.html"
    check_targets(page, store, new=not chosen.resume)
    with Guard() as guard:
        contest = go_on(chosen, guard) if chosen.resume else begin(chosen, store, guard)
        if chosen.workers > 1 or chosen.engine != "local" or contest.plan.move_time is not None:
            guard.close()  # where all policies play in other processes, they were only looked at here
        play(contest, chosen, f"go on with: ludus arena --resume {shlex.quote(str(store))}")
    show(contest, chosen, page)


def begin(chosen: argparse.Namespace, store: Path, guard: Guard) -> Tournament:
    """A new tournament, its store made."""
    refuse(chosen, "it is for a store that is gone on with, by --resume; what you type is trusted", "trust")
    if chosen.protocol:
        settled = ("against", "self_play", "games", "opening_plies", "move_time", "start_time", "no_ask_again", "seed")
        refuse(chosen, "--protocol settles it", *settled)
        plan, cast = draw_up_by(protocol(chosen.protocol), chosen.policies or [], chosen.game, guard)
    else:
        games = chosen.game or game_names()
        plan, cast = draw_up(
            games,
            chosen.policies or light_policies(games),
            100 if chosen.games is None else chosen.games,
            against=chosen.against,
            self_play=chosen.self_play,
            seed=chosen.seed or 0,
            opening_plies=chosen.opening_plies,
            move_time=chosen.move_time,
            start_time=chosen.start_time,
            ask_again=not chosen.no_ask_again,
            guard=guard,
        )
    return Tournament(Store.create(store, plan), cast)


def light_policies(games: Iterable[str]) -> list[str]:
    """All built-in policies that play one of the games, the slow ones with settings that make them quick."""
    names = dict.fromkeys(name for game in games for name in policies_for(make_game(game)))
    return [LIGHT.get(name, name) for name in names]


def go_on(chosen: argparse.Namespace, guard: Guard) -> Tournament:
    """A tournament that was begun, as far as it is kept."""
    settled = ("game", "policies", "against", "self_play", "games", "protocol", "opening_plies", "move_time", "start_time")
    refuse(chosen, "the store settles it", *settled, "no_ask_again", "store", "seed")
    store = Store.open(chosen.resume, trust=chosen.trust)
    return Tournament(store, cast_of(store.plan, {}, guard))


def play(contest: Tournament, chosen: argparse.Namespace, if_interrupted: str) -> None:
    """Plays what is missing, with a live table; where that ends early, says how to go on."""
    try:
        with followed(contest, chosen.json) as watch, redirect_stdout(sys.stderr):  # policies may print
            contest.play(workers=chosen.workers, engine=chosen.engine, faults="count", watch=watch)
    except (KeyboardInterrupt, Exception):
        print(f"{contest.done:,} of {contest.total:,} games are played; {if_interrupted}", file=sys.stderr)
        raise


def show(contest: Tournament, chosen: argparse.Namespace, page: Path | None) -> None:
    """Writes the page, unless there is to be none, and prints what came of a tournament."""
    store = contest.store.path
    again = f"ludus arena --resume {shlex.quote(str(store))} --report FILE"
    safe = f"all games are kept; write the page elsewhere with: {again}" if store else "the results are printed above"

    def write() -> None:
        if page:
            with progress_bar("grading the moves for the page", chosen.json) as progress, also_saying(lambda: safe):
                contest.report(page, command=command_of(contest.plan), progress=progress)

    def print_all(written: bool) -> None:
        shown = page if written else None
        if chosen.json:
            print_json({**contest.document(), "store": store and str(store), "report": shown and str(shown)})
            return
        print(contest)
        if store:
            print(f"Every game, move by move: ludus replay {shlex.quote(str(store))}")
        if shown:
            print_page(shown)

    keep_and_show(write, print_all)


def command_of(plan: Plan) -> str:
    """The command that plays a tournament from its beginning."""
    games = [*dict.fromkeys(pairing.game for pairing in plan.pairings)]
    first, second = ([*dict.fromkeys(pairing[side] for pairing in plan.pairings if pairing.a != pairing.b)] for side in (1, 2))
    everybody = [entrant.name for entrant in plan.entrants]
    if plan.protocol:
        ladders = protocol(plan.protocol).opponents
        mine = [name for name in first if not any(name in ladder for ladder in ladders.values())]
        some = [] if games == [*ladders] else games
        return shlex.join(["ludus", "arena", *some, "--protocol", plan.protocol, *(["--policies", *mine] if mine else [])])
    words = ["ludus", "arena", *games, "--policies"]
    all_met = _everybody_met(plan)
    words += everybody if all_met else [*first, "--against", *second]
    themselves = {pairing.a for pairing in plan.pairings if pairing.a == pairing.b}
    words += ["--self-play"] if themselves - (set() if all_met else {*second}) else []
    words += ["--games", str(plan.games), "--seed", str(plan.seed)]
    if any(plies != plies_of_openings(make_game(game)) for game, plies in plan.opening_plies.items()):
        words += ["--opening-plies", str(plan.opening_plies[games[0]])]
    words += [] if plan.move_time is None else ["--move-time", str(plan.move_time)]
    words += [] if plan.start_time is None else ["--start-time", str(plan.start_time)]
    return shlex.join(words + ([] if plan.ask_again else ["--no-ask-again"]))


def _everybody_met(plan: Plan) -> bool:
    """Whether in every game each policy met each other, and each or none itself."""
    met: dict[str, list[tuple[str, str]]] = {}
    for game, a, b in plan.pairings:
        met.setdefault(game, []).append((a, b))
    names = [entrant.name for entrant in plan.entrants]
    for pairs in met.values():
        here = [name for name in names if any(name in pair for pair in pairs)]
        with_themselves = zip(here, here, strict=True) if any(a == b for a, b in pairs) else ()
        if {*pairs} != {*combinations(here, 2), *with_themselves}:
            return False
    return True


def check_targets(page: Path | None, store: Path, *, new: bool) -> None:
    """Checks that the page, and a new store, can be written, before anything is played.

    Raises:
        ValueError: both would be one file.
        OSError: one of them cannot be written.
    """
    if store.is_dir():
        raise IsADirectoryError(f"{store} is a folder; name the file of a store")
    if new:
        check_target(store, stream=False)
    if page and page.resolve() == store.resolve():
        raise ValueError(f"the page and the store are both to be {page}; name two files")
    if page:
        check_target(page)
