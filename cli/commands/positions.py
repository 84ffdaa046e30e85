"""`ludus positions GAME --count N --out FILE`: writes positions with the exact value of every legal move, and their data card."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from ...arena.data.exact.collecting import MOST_POSITIONS, POOL, Sampling, Span, collect
from ...arena.data.exact.files import ARRAYS, check_targets, write_positions
from ...arena.data.exact.solving import counts
from ...core.files.writing import check_target, write_whole
from ...core.numbers import several, short_repr
from ...envs import make_game
from ...games.game import Game
from ...oracles import make_oracle
from ...text.bench.sets import ASKS, make_set
from ...text.bench.sets.choosing import USUAL_POOL
from ..terminal.display import progress_bar
from ..terminal.options import pathname, whole
from ..terminal.output import print_json, print_table, refuse

SPAN = re.compile(r"(\d*):(\d*)|(\d+)")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example quixo:size=4")
    add("--count", action=whole(1, MOST_POSITIONS), default=1000, metavar="N", help="number of positions (default: 1000)")
    add("--ply", metavar="LO:HI", help="only positions this many plies after the start of the game, both included")
    add("--empties", metavar="LO:HI", help="only positions with this many empty cells, as :12 for at most twelve")
    add(
        "--pool",
        action=whole(1, 100),
        metavar="N",
        help="how many times as many positions are solved, of which those in rare strata are kept; 1 takes them as random"
        f" games bring them (default: {POOL}; 1 for arrays)",
    )
    add("--scores", action="store_true", help="for arrays: scores of actions too, in games that have them, which takes longer")
    add(
        "--asks",
        action="store_true",
        help="equal shares of what positions ask (win now, stop a loss, quiet) and of both players, as the frozen sets have; for"
        " `ludus text bench --positions`, as .jsonl",
    )
    add(
        "--out",
        action=pathname(),
        required=True,
        metavar="FILE|FOLDER",
        help="file to write: .npz for arrays to train on (planes, masks, the value of each action), .jsonl or .parquet for records;"
        " or a folder, for a dataset of records as on the Hugging Face Hub",
    )


def run(chosen: argparse.Namespace) -> None:
    """Collects and writes positions."""
    out: Path = chosen.out
    is_arrays = out.suffix == ARRAYS
    oracle = make_oracle(make_game(chosen.game))
    if chosen.scores and not oracle.has_score:
        raise ValueError(f"--scores is given, and {oracle.game} has no scores; leave it out")
    sampling = Sampling(
        count=chosen.count,
        seed=chosen.seed,
        plies=span_of(chosen.ply, "--ply", 400),
        empties=span_of(chosen.empties, "--empties", oracle.game.num_cells),
        pool=chosen.pool or (1 if is_arrays else POOL),
        scores=chosen.scores or not is_arrays,
    )
    if chosen.asks:
        write_set(oracle.game, sampling, chosen)
        return
    check_targets(out)
    oracle.prepare()
    with progress_bar(f"{oracle.game}: solving positions", chosen.json) as progress:
        solved = collect(oracle, sampling, progress)
    written, card_path = write_positions(oracle, solved, sampling, out)
    total, strata = len(solved.states), {str(stratum): number for stratum, number in counts(solved).items()}
    if chosen.json:
        tests = int(solved.test.sum())
        print_json({"file": str(out), "card": str(card_path), "positions": total, "test": tests, "strata": strata})
        return
    print_table(f"{several(total, 'position')} of {oracle.game}", ["stratum", "positions"], [*strata.items()])
    if total < chosen.count:
        print("Random games reached no other positions that the oracle can solve, counting symmetric positions as one.")
    print(f"Written to {' and '.join(map(str, written))}, described in {card_path}")


def write_set(game: Game, sampling: Sampling, chosen: argparse.Namespace) -> None:
    """Writes positions in equal shares of what they ask, which are those of `make_set` with the same seed."""
    refuse(chosen, "with --asks positions are lines of their own kind", "scores")
    out: Path = chosen.out
    if out.suffix != ".jsonl":
        raise ValueError(f"--out {out} has an unknown format; with --asks the name must end in .jsonl")
    check_target(out)
    made = make_set(
        game, sampling.count, seed=sampling.seed, plies=sampling.plies, empties=sampling.empties, pool=chosen.pool or USUAL_POOL
    )
    write_whole(out, made.lines)
    asked = {ask: sum(each.asks == ask for each in made.positions) for ask in ASKS}
    if chosen.json:
        print_json({"file": str(out), "positions": len(made.positions), "sha256": made.checksum, "asks": asked})
        return
    print_table(f"{several(len(made.positions), 'position')} of {game}", ["asks", "positions"], [*asked.items()])
    print(f"Written to {out}, with the SHA-256 {made.checksum}")


def span_of(text: Any, name: str, most: int) -> Span | None:
    """The numbers that an option names, as `4:12`, `:12`, `4:` or `4`; None where it is not given."""
    if text is None:
        return None
    if not (bounds := SPAN.fullmatch(text)):
        raise ValueError(f"{name} is {short_repr(text)}; give the least and the most, as 4:12, or one of them, as :12 or 4:")
    least, highest, both = bounds.groups()
    return Span.of((int(both or least or 0), int(both or highest or most)), name)
