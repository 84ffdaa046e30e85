"""`ludus text bench`: how well language models play, beside policies that answer in prose."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain
from pathlib import Path

from ...arena.data.exact.files import read_records
from ...core.files.writing import add_to_errors, write_whole
from ...core.numbers import several
from ...core.plugins.loading import install_with, missing_library
from ...games.registry import make_game
from ...text.bench.controls import CONTROLS
from ...text.bench.findings import findings
from ...text.bench.measures import measure
from ...text.bench.running import BenchRun, ask
from ...text.bench.sets import FROZEN, PositionSet, frozen_set, position_set
from ...text.bench.settings import BenchSettings
from ...text.bench.tables import report_tables
from ...text.disguises import disguise_names
from ...text.variants import prompt_variants
from ..terminal.display import progress_bar
from ..terminal.options import or_file, pathname, whole
from ..terminal.output import print_json, print_page, refuse, write_and_show


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.set_defaults(print_help=parser.print_help)
    add = parser.add_argument
    add(
        "what",
        nargs="?",
        choices=["bench"],
        help="bench asks models about positions with exact values, and shows what their moves lose",
    )
    add(
        "--model",
        nargs="+",
        default=[],
        metavar="SPEC",
        help="models, as llm:model=NAME,url=ADDRESS; other policies answer in prose (default: the controls alone)",
    )
    add("--games", metavar="SPECS", help=f"games, separated by commas (default: {','.join(FROZEN)})")
    add(
        "--positions",
        action=or_file(whole(1)),
        metavar="N|FILE",
        help="number of positions of each game; or a file of `ludus positions`, to ask about these (default: all that ship)",
    )
    add("--variants", default="plain", metavar="NAMES|FILE", help="variants of the prompt, the baseline first (default: plain)")
    add("--disguises", default="", metavar="NAMES", help="disguises in which the games are asked about as well; all for all")
    add("--repeats", action=whole(1, 1000), default=1, metavar="N", help="how often each question is asked (default: 1)")
    add("--controls", default=",".join(CONTROLS), metavar="NAMES", help=f"controls, or none (default: {','.join(CONTROLS)})")
    add(
        "--out",
        action=pathname(),
        default=Path("text-bench"),
        metavar="FOLDER",
        help="folder for the answers and the report; the same command goes on in it (default: text-bench)",
    )


def run(chosen: argparse.Namespace) -> int:
    """Asks, and reports."""
    if chosen.what is None:
        chosen.print_help()
        return 0
    settings = settings_of(chosen)
    try:
        with progress_bar("asking", chosen.json) as progress:
            made = ask(settings, chosen.out, progress)
    except KeyboardInterrupt:
        print(f"the answers so far are in {chosen.out}; the same command goes on", file=sys.stderr)
        raise
    if made.answers:
        report_on(made, settings, chosen)
    if made.stopped:
        left = several(made.questions - len(made.answers), "question")
        raise ValueError(f"{made.stopped}; {left} of {made.questions:,} are not answered, and the same command goes on")
    return 0


def report_on(made: BenchRun, settings: BenchSettings, chosen: argparse.Namespace) -> None:
    """Writes the report into the folder of the run, with the page if its libraries are there; and prints it."""
    about = settings.document()
    report = measure(made.answers, controls=settings.controls, seed=settings.seed, about=about)
    page = None if missing_library("report") else chosen.out / "report.html"

    def write() -> None:
        with add_to_errors(lambda: f"the answers are in {chosen.out}"):
            write_whole(chosen.out / "report.json", json.dumps(report.as_json(), indent=2).encode() + b"\n")
            if page:
                from ...text.bench.page import write_page  # here, since it needs the libraries of pages

                write_page(report, page)

    def print_all(written: bool) -> None:
        if chosen.json:
            counts = {"folder": str(chosen.out), "questions": made.questions, "answers": len(made.answers), "stopped": made.stopped}
            print_json(counts | report.as_json())
            return
        print("\n".join(map(str, report_tables(report))), *findings(report), sep="\n")
        for each in settings.sets:
            if each.left_out:
                left = several(each.left_out, "position")
                print(f"Left out of {each.name}: {left}, since every move keeps the value there, or not all values are known.")
        if written and page:
            print_page(page)
        elif written:
            print(f"To write a page of it: {install_with('report')}; then the same command again")

    write_and_show(write, print_all)


def settings_of(chosen: argparse.Namespace) -> BenchSettings:
    """What the options ask for."""
    sets, disguises = sets_of(chosen), names_in(chosen.disguises)
    if disguises == ("all",):
        disguises = tuple(dict.fromkeys(chain.from_iterable(disguise_names(each.rules) for each in sets)))
    return BenchSettings(
        models=tuple(chosen.model),
        controls=names_in(chosen.controls),
        sets=sets,
        count=chosen.positions if isinstance(chosen.positions, int) else None,
        variants=prompt_variants(chosen.variants),
        disguises=disguises,
        repeats=chosen.repeats,
        seed=chosen.seed,
    )


def sets_of(chosen: argparse.Namespace) -> tuple[PositionSet, ...]:
    """The frozen sets of the games, or the positions in a file."""
    if isinstance(chosen.positions, Path):
        refuse(chosen, f"{chosen.positions} says which game it is about", "games")
        game, positions = read_records(chosen.positions)
        return (position_set(game, positions, name=chosen.positions.name),)
    return tuple(frozen_set(make_game(spec)) for spec in (names_in(chosen.games) if chosen.games else FROZEN))


def names_in(text: str) -> tuple[str, ...]:
    """The names in a text, separated by commas, each once; () for none."""
    return tuple(dict.fromkeys(name for word in text.split(",") if (name := word.strip()) not in ("", "none")))
