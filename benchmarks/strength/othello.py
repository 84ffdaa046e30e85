"""Othello's search by patterns: what its depth, its cuts and its book are worth, how far off the patterns are, and the discs that
moves lose; and matches against other programs, and the part of the game in which the discs go. Shown in docs/search.md.


    python -m benchmarks engines --openings FILE --egaroucid COMMAND --zebra COMMAND --judge COMMAND

FILE holds openings, one a line: here the 10,784 of eight moves of XOT, by M. Berg, as Egaroucid has them in
bin/resources/xot/openingslarge.txt. A COMMAND is what `engine:` takes (docs/text.md#engines). The words of a row follow it:

    egaroucid LEVEL              Egaroucid for Web, src/web of https://github.com/Nyanyan/Egaroucid (commit 8a98e5a), by its levels
    zebra DEPTH SCORE WINNER     https://github.com/hoshir/zebra (commit c4a4acc): its depth, and the numbers of empty cells with
                                 which it solves for the score and for the winner

Both are under the GPL, so that neither they nor the adapters that let them speak our protocol come with ludus. They play without a
book, on one thread, and each game has a new process. The judge states values (`features value`), a disc being 1/64. Processor time
is that of the process; only Linux says it, so matches are played there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

import ludus
from benchmarks.making.othello_patterns import Round, empties, features_of, play_games, rms
from ludus.agents.minimax import Minimax
from ludus.agents.policy import Policy
from ludus.agents.registry import make_policy
from ludus.arena.ratings.means import mean_interval
from ludus.arena.report.words import MINUS, percent
from ludus.games.game import StateArray
from ludus.games.lines import GameLines
from ludus.games.othello.rules import Othello
from ludus.oracles import make_oracle
from ludus.oracles.othello import OthelloOracle
from ludus.records.openings import load_openings
from ludus.search import AlphaBeta
from ludus.search.patterns.evaluation import UNITS, shipped_patterns, stage_of

from .. import RESULTS
from ..common import play, points, table
from ..runner import Rows, Study

# ---- patterns

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
LOST, EXAMINED = "discs lost", 20
"""The cell of the discs lost, and the games for it."""
FRESH, PLAYED = 2, 4_000
"""The seed of games from which nothing was learnt, and how many there are."""
SOLVED, SEARCHED = (8, 12, 16, 20), (28, 36, 44, 52)
"""The empty cells of positions whose values are exact, and of those whose values come from a deep search."""
ESTIMATED, AHEAD = 500, 3
"""Positions of each number of empty cells at most, and the plies of a shallow search."""
DEEP: dict[str, Any] = {"evaluation": "patterns", "nodes": 400_000}
ERRORS = {"spread": "spread of the values, discs", "alone": "patterns alone, off by", "ahead": f"search of {AHEAD} plies, off by"}
GAME, CELLS = Othello(), 64


def patterns_cells() -> dict[str, Any]:
    """A cell for each match and seed, for the errors with each number of empty cells, and for the discs lost."""
    matches = {
        f"engine {engine} – {against}, seed {seed}": partial(play, engine, "othello", against, GAMES, seed=seed)
        for engine, against in OWN_MATCHES
        for seed in SEEDS
    }
    errors = {f"{empty} empty": partial(measure_errors, empty) for empty in SOLVED + SEARCHED}
    return {**matches, **errors, LOST: discs_lost}


def measure_errors(empty: int) -> dict[str, Any]:
    """How far off the patterns alone are, and a search of a few plies, in positions of games from which nothing was learnt.

    The numbers are root mean squares in discs; `spread` is that of the values themselves.
    """
    stage, evaluation = stage_of(CELLS - empty), shipped_patterns()
    states = fresh_positions()[stage]
    states = states[empties(states) == empty][:ESTIMATED]
    alone = evaluation.tables[stage][features_of(states)].sum(axis=1) / UNITS
    ahead = search_discs(AlphaBeta(GAME, evaluation, AHEAD), states)
    values = exact_discs(states) if empty in SOLVED else search_discs(Minimax(GAME, **DEEP).searcher, states)
    errors = {"spread": values, "alone": values - alone, "ahead": values - ahead}
    return {"positions": len(states), **{name: rms(each) for name, each in errors.items()}}


def exact_discs(states: StateArray) -> NDArray[np.float64]:
    """The scores of positions (N,)."""
    scores = OthelloOracle(GAME, empties=SOLVED[-1]).position_values(states, scores=True).scores
    assert scores is not None
    return scores.astype(np.float64)


def search_discs(search: AlphaBeta, states: StateArray) -> NDArray[np.float64]:
    """The values of positions by search, in discs (N,)."""
    values = search.search(states, np.zeros(len(states), np.uint64)).values / UNITS
    return np.clip(values, -CELLS, CELLS)  # a win that is certain counts far more


@cache
def fresh_positions() -> list[StateArray]:
    """Positions of each stage, some random plies away from games of the search against itself (N, 3)."""
    return play_games(Round(PLAYED, 1, PLAYED, ()), shipped_patterns(), np.random.default_rng(FRESH))


def discs_lost() -> dict[str, Any]:
    """The discs that moves lose within the oracle's reach of 20 empty cells, in games against minimax:depth=6."""
    game = ludus.make_game("othello")
    oracle, players = make_oracle(game), [ludus.make_policy(spec, game) for spec in (ENGINE, "minimax:depth=6")]
    rng, lost = np.random.default_rng(1), list[int]()
    for number in range(EXAMINED):
        state, ply = game.start, 0
        while game.outcome(state) is None:
            seat = (game.player(state) + number) % 2
            key = rng.integers(2**64, size=1, dtype=np.uint64)
            action = int(rng.choice(game.legal_actions(state))) if ply < 6 else int(players[seat].act(state[None], key)[0])
            if seat == 0 and oracle.reaches(state):
                scores = oracle.after(state)
                lost.append(int(max(after.score or 0 for after in scores.values()) - (scores[action].score or 0)))
            state, ply = game.play(state, action), ply + 1
    return {"moves": len(lost), "discs": sum(lost) / len(lost), "most": max(lost)}


def show_patterns(rows: Rows) -> dict[str, str]:
    """The tables of matches and of errors, and the discs that moves lost."""
    lines = list[list[str]]()
    for (engine, against), seed in product(OWN_MATCHES, SEEDS):
        row = rows[f"engine {engine} – {against}, seed {seed}"]
        score = ", ".join(map(str, row["score"]))
        lines.append([f"`{engine}`", f"`{against}`", str(seed), score, bounded(row["score"]), f"{row['seconds']:.0f}"])
    heads = ["engine", "against", "seed", "wins, draws, losses", "points (at least)", "seconds"]
    errors = list[list[str]]()
    for empty in SOLVED + SEARCHED:
        row = rows[f"{empty} empty"]
        numbers = [f"{row[name]:.1f}" for name in ERRORS]
        errors.append([str(empty), "the oracle" if empty in SOLVED else "search", str(row["positions"]), *numbers])
    return {
        "errors": table(["empty cells", "values by", "positions", *ERRORS.values()], errors, align="rlr"),
        "matches": table(heads, lines, align="lllllr"),
        "discs": f"{rows[LOST]['discs']:.2f}",
        "moves": str(rows[LOST]["moves"]),
    }


def bounded(score: list[int]) -> str:
    """The share of points, and the lower end of its 95 % interval."""
    share, least = points(score)
    return f"{share} ({least.removesuffix(' %')})"


# ---- matches against other programs

SEED, OPENINGS, BLOCK = 1, 200, 20
"""So many openings are drawn by the seed, the same for each match, and played from both seats; a cell has a block of them."""
JUDGED, EXACT = (52, 36, 28), 18
"""The empty cells with which a game is judged, and with which its score is found by the oracle."""
GAME = Othello()
CELLS = 64
Judge: TypeAlias = Callable[[StateArray], float]
"""Finds the score, in discs, of a state (W,) for the player to move."""


class Match(NamedTuple):
    """A match.

    Args:
        settings: ours, besides those of every match.
        program: which other program.
        words: what follows its command.
    """

    settings: str
    program: str
    words: str

    @property
    def spec(self) -> str:
        return f"minimax:evaluation=patterns,{self.settings},probcut=1"

    def cells(self) -> dict[str, int]:
        """The first opening of each cell, by the cell's name."""
        return {f"{self.settings} – {self.program} {self.words}, from {first}": first for first in range(0, OPENINGS, BLOCK)}


MATCHES = (
    Match("depth=1", "egaroucid", "1"),
    Match("depth=3", "egaroucid", "3"),
    Match("depth=6,endings=14", "egaroucid", "5"),
    Match("depth=11,endings=16", "egaroucid", "7"),
    Match("depth=16,endings=20", "egaroucid", "10"),
    Match("depth=8,endings=15", "zebra", "6 14 16"),
    Match("depth=12,endings=18", "zebra", "8 16 18"),
    Match("depth=15,endings=19", "zebra", "10 18 20"),
)
"""In the first two both search to the same depth; in the others ours is the last that takes no more processor time than theirs,
with endings as large as that time allows."""
TITLES = {"egaroucid": "Egaroucid, level", "zebra": "Zebra"}


def engines_cells(openings: str = "", egaroucid: str = "", zebra: str = "", judge: str = "") -> dict[str, Any]:
    """A cell for each match and block of openings.

    Args:
        openings: a file of openings.
        egaroucid, zebra: the commands of the programs.
        judge: the command of a program that states values.
    """
    commands = {"egaroucid": egaroucid, "zebra": zebra}
    return {
        name: partial(play_block, match, first, openings, commands[match.program], judge)
        for match in MATCHES
        for name, first in match.cells().items()
    }


def play_block(match: Match, first: int, openings: str, command: str, judge: str, count: int = BLOCK) -> dict[str, Any]:
    """The scores of `count` openings from the one numbered `first`, from both seats each; and the times and moves of all.

    Raises:
        ValueError: there is no command or no file, or one of them cannot be used, or this is not Linux.
        Forfeits: the other program has no legal move.
    """
    if not (openings and command and judge):
        needed = f"--openings FILE, --{match.program} COMMAND and --judge COMMAND"
        raise ValueError(f"a match needs openings, a program and a judge; give {needed}")
    lines = load_openings(openings, GAME).arrays
    if len(lines.ends) < first + count:
        raise ValueError(f"{openings} has {len(lines.ends)} openings; the match needs {first + count} at least")
    if sys.platform != "linux":  # else our own time, spent on asking it, would count as the program's
        raise ValueError(f"a match takes the processor time of a program, which {sys.platform} does not say; play it on Linux")
    drawn = np.random.default_rng(SEED).permutation(len(lines.ends))[first : first + count]
    ours, score, keys = make_policy(match.spec, GAME), make_judge(judge), np.random.default_rng((SEED, first))
    ours.prepare()
    scores, seconds, moves = list[list[float]](), np.zeros(2), np.zeros(2, int)
    for opening in drawn:
        for seat in (0, 1):
            theirs = make_policy(f"engine:seconds=600 {command} {match.words}", GAME)
            for policy in (ours, theirs):
                choose(policy, GAME.start, [], keys)  # starts a program, and loads what it needs, outside of its time
            line = [int(move) for move in lines.moves[opening] if move >= 0]
            each, spent, chosen = play_game(ours, theirs, lines.ends[opening], line, seat, keys, score)
            scores, seconds, moves = [*scores, each], seconds + spent, moves + chosen
    return {
        "scores": scores,
        "seconds": seconds.round(6).tolist(),
        "moves": moves.tolist(),
        "judge": " ".join([Path(word).name for word in judge.split()]),
    }


def play_game(
    ours: Policy,
    theirs: Policy,
    state: StateArray,
    line: list[int],
    seat: int,
    keys: np.random.Generator,
    judge: Judge,
) -> tuple[list[float], list[float], list[int]]:
    """A game from a state (W,) to which a line of actions leads; we have the seat. Forced passes are played unasked.

    Returns:
        Our score in discs with each number of JUDGED empty cells, then with EXACT, then at the end; the processor time of both,
        ours first; and how many moves both chose.
    """
    players, seconds, moves, reached = (ours, theirs), [0.0, 0.0], [0, 0], dict[int, StateArray]()
    while GAME.outcome(state) is None:
        action = GAME.legal_actions(state)[0]
        if GAME.move_name(action) != "pass":
            reached[CELLS - int(state[0] | state[1]).bit_count()] = state
            mover = int(GAME.player(state) != seat)
            action, spent = choose(players[mover], state, line, keys)
            seconds[mover], moves[mover] = seconds[mover] + spent, moves[mover] + 1
        state, line = GAME.play(state, action), [*line, action]
    end = score_for(seat, state, solve)
    judges = dict.fromkeys(JUDGED, judge) | {EXACT: solve}
    scores = [score_for(seat, reached[empty], score) if empty in reached else end for empty, score in judges.items()]
    return [*scores, end], seconds, moves


def choose(policy: Policy, state: StateArray, line: Sequence[int], keys: np.random.Generator) -> tuple[int, float]:
    """A policy's action in a state (W,) to which a line leads, and its processor seconds: those of a program where one answers."""
    playing = policy.begin(1)
    playing.lines = GameLines.of(GAME.start, line)
    key = keys.integers(2**64, size=1, dtype=np.uint64)
    elsewhere, own = policy.seconds_elsewhere, time.process_time()
    answer = playing.answer(state[None], key, np.zeros(1, np.int64))
    own, elsewhere = time.process_time() - own, policy.seconds_elsewhere - elsewhere
    return int(answer.every_action(policy.spec)[0]), elsewhere or own


def make_judge(command: str) -> Judge:
    """A judge that asks a program."""
    key, program = np.zeros(1, np.uint64), make_policy(f"engine:seconds=600 {command}", GAME)

    def judge(state: StateArray) -> float:
        values = program.analyse(state[None], key).values
        if values is None:
            raise ValueError(f"the judge {command!r} states no value; a program that does announces `features value`")
        return float(CELLS * values[0])

    return judge


def solve(state: StateArray) -> int:
    """The score of a state (W,) for the player to move, by the oracle."""
    scores = oracle().position_values(state[None], scores=True).scores
    assert scores is not None
    return int(scores[0])


@cache
def oracle() -> OthelloOracle:
    """The oracle, with one table for all positions."""
    return OthelloOracle(GAME, empties=EXACT)


def score_for(seat: int, state: StateArray, score: Judge) -> float:
    """The score of a state (W,) for a seat."""
    found = score(state)
    return round(found if GAME.player(state) == seat else -found, 2)


def show_engines(rows: Rows) -> dict[str, str]:
    """Two lines for each match: its result and times; and the discs won and lost in each part of its games."""
    matches = {match: [rows[name] for name in match.cells()] for match in MATCHES}
    heads = ["`minimax:evaluation=patterns,probcut=1` and", "against", "games", "points", "95 %", "discs a game"]
    parts = [f"{start} to {stop} empty" for start, stop in pairwise((*JUDGED, EXACT, 0))]
    return {
        "table": table([*heads, "ms a move", "theirs"], [line_of_result(*each) for each in matches.items()], align="llr"),
        "parts": table(["against", *parts], [line_of_parts(*each) for each in matches.items()]),
        "judge": " and ".join(sorted({f"`{block['judge']}`" for blocks in matches.values() for block in blocks})),
    }


def title_of(match: Match) -> str:
    """The other program as tables name it."""
    return f"{TITLES[match.program]} {match.words}"


def scores_of(blocks: Sequence[dict[str, Any]]) -> NDArray[np.float64]:
    """Our scores (openings, seats, times of a game)."""
    scores = np.array([scores for block in blocks for scores in block["scores"]])
    return scores.reshape(-1, 2, scores.shape[-1])


def line_of_result(match: Match, blocks: Sequence[dict[str, Any]]) -> list[str]:
    """The points with their interval, in which the two games of an opening are one number; the discs; milliseconds a move."""
    ends = scores_of(blocks)[..., -1]
    points = ((np.sign(ends) + 1) / 2).mean(axis=1)
    values, counts = np.unique(points, return_counts=True)
    low, high = mean_interval(values, counts.astype(np.float64))
    spent, moves = (np.sum([block[name] for block in blocks], axis=0) for name in ("seconds", "moves"))
    share, bounds = percent(points.mean()), f"{100 * low:.0f} to {100 * high:.0f}"
    times = [f"{each:.2f}" for each in 1000 * spent / moves]
    return [f"`{match.settings}`", title_of(match), str(ends.size), share, bounds, write_discs(ends.mean()), *times]


def line_of_parts(match: Match, blocks: Sequence[dict[str, Any]]) -> list[str]:
    """What our score grows by in each part of a game, with 1.96 standard errors over openings; 0 where it never changes."""
    scores = scores_of(blocks).mean(axis=1)
    steps = np.diff(scores, axis=1)
    errors = 1.96 * steps.std(axis=0, ddof=1) / len(steps) ** 0.5
    means = zip(steps.mean(axis=0), errors, strict=True)
    return [title_of(match), *(f"{write_discs(mean)} ± {error:.1f}" if error else "0" for mean, error in means)]


def write_discs(discs: float) -> str:
    """Discs with their sign, as +1.5; never −0.0."""
    return f"{round(discs, 1) + 0.0:+.1f}".replace("-", MINUS)


USAGE = "--openings FILE --egaroucid COMMAND --zebra COMMAND --judge COMMAND"

STUDIES = (
    Study(RESULTS / "patterns.json", patterns_cells, show_patterns, 1),
    Study(RESULTS / "engines.json", engines_cells, show_engines, SEED, usage=USAGE),
)
