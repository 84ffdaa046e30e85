"""Matches: the strength of all policies. Shown on the pages of policies, games, search, training, AlphaZero and the arena."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from statistics import median
from typing import Any

import ludus
from ludus.agents import policies_for, policy_names
from ludus.arena.planning.protocols import protocol
from ludus.arena.tournament import play_protocol
from ludus.baselines.runs.run import Run
from ludus.core.words import percent

from .. import RESULTS
from ..common import TITLES, counts, play, share, table, together
from ..runner import Rows, Study
from ..seeds import HEADS, seeds_of, summarise
from .trained import RANDOM, TrainedLine, train_line

GAMES, SEEDS = 200, (1, 2)
"""The games of each match, half of them from each seat, and the seeds of matches that are played twice."""
TORCH = ("numpy", "llvmlite", "torch")


# ---- every policy against a random player


def all_policies() -> dict[str, Any]:
    """A cell for each game and policy."""
    return {
        f"{game} {name}": partial(play, name, game, "random", GAMES, opening_plies=0)
        for game in TITLES
        for name in policies_for(ludus.make_game(game))
    }


def show_policies(rows: Rows) -> dict[str, str]:
    """A row for each policy and a column for each game; and a table of each game alone, the strongest policy first."""
    by_game = {game: dict[str, Any]() for game in TITLES}
    for cell, row in rows.items():
        game, _, name = cell.partition(" ")
        by_game[game][name] = row
    lines = [[f"`{name}`", *(wins_and_draws(those.get(name)) for those in by_game.values())] for name in policy_names()]
    tables = {game: table(["policy", "wins", "draws", "losses", "µs a move"], ranked(those)) for game, those in by_game.items()}
    return {"table": table(["", *TITLES.values()], [line for line in lines if any(line[1:])]), "games": str(GAMES), **tables}


def ranked(those: Rows) -> Iterator[list[str]]:
    """The policies of one game, the strongest first."""
    for name in sorted(those, key=lambda name: those[name]["score"][0] + those[name]["score"][1] / 2, reverse=True):
        yield [f"`{name}`", *(f"{100 * count / GAMES:g} %" for count in those[name]["score"]), micros(those[name])]


def wins_and_draws(row: Any) -> str:
    """Wins and draws in %, and microseconds per move; empty if the policy does not play the game."""
    return f"{100 * row['score'][0] / GAMES:g} / {100 * row['score'][1] / GAMES:g} · {micros(row)}" if row else ""


def micros(row: Any) -> str:
    """Microseconds per move."""
    taken = 1e6 * row["seconds_a_move"]
    return f"{taken:.1f}" if taken < 1 else f"{taken:,.0f}"


# ---- the matches that earlier projects reported

SMALL = "othello:size=6"
CLASSICS = [
    *((SMALL, f"minimax:depth={depth}", "random") for depth in (1, 3, 5, 7)),
    *((SMALL, f"minimax:depth={depth},mobility=3", "random") for depth in (1, 3, 5, 7)),
    *((SMALL, f"minimax:depth={depth},prune=false,table=false", "random") for depth in (1, 3, 5)),
    (SMALL, "expectimax", "random"),
    *(("quarto", policy, against) for policy, against in (("hard", "easy"), ("hard", "random"), ("easy", "random"))),
    *(("quarto", policy, "random") for policy in ("frontiers", "frontiers:highest=false", "minimax:depth=4")),
    *(("quixo", policy, "random") for policy in ("minimax:depth=3", "minimax:depth=5,evaluation=plain", "greedy", "mcts")),
    *((game, "perfect", "random") for game in ("nim", "tictactoe", "quixo:size=3", "quixo:size=4", "quarto", SMALL)),
]
ORIGINALLY = {"frontiers": "delay_minmax=False", "frontiers:highest=false": "delay_minmax=True"}
"""The names of settings in those projects."""
REPORTED = {
    "alphabeta": {1: "75 %, 96 nodes", 3: "98.7 %, 1,560", 5: "100 %, 18,698", 7: "100 %, 211,212"},
    "minimax": {1: "81 %, 97 nodes", 3: "98 %, 3,506", 5: "99.3 %, 133,706"},
}
"""The original's results in Othello on 6×6 against random, by depth: games won, and nodes per game."""
SETTINGS = {"alphabeta": "", "minimax": ",prune=false,table=false", "ours": ",mobility=3"}
"""The settings of minimax besides its depth."""


def classic_matches() -> dict[str, Any]:
    """A cell for each match, from the usual start."""
    return {f"{game} {a} – {b}": partial(play, a, game, b, GAMES, opening_plies=0) for game, a, b in CLASSICS}


def show_classics(rows: Rows) -> dict[str, str]:
    """A row for each match; and the cells of minimax in Othello beside the original's."""
    lines = list[list[str]]()
    for name, row in rows.items():
        game, _, match = name.partition(" ")
        first, nodes = match.partition(" ")[0], f"{row['nodes']:,.0f}" if "nodes" in row else ""
        called = f" ({ORIGINALLY[first]})" if first in ORIGINALLY else ""
        percents = [f"{100 * count / GAMES:.1f}" for count in row["score"]]
        lines.append([game, f"{match}{called}", *percents, nodes, f"{1000 * row['seconds'] / GAMES:.2f}"])
    heads = ["game", "match", "win %", "draw %", "loss %", "nodes a game", "ms a game"]
    cells = {f"othello.{name}": f"{by_depth(there)} | {searched(name, list(there), rows)}" for name, there in REPORTED.items()}
    cells["othello.ours"] = searched("ours", list(REPORTED["alphabeta"]), rows)
    return {"table": table(heads, lines, align="llr"), **cells}


def searched(name: str, depths: list[int], rows: Rows) -> str:
    """Two cells: the results of minimax with the settings of that name in Othello at each depth, and its command."""
    settings, reached = SETTINGS[name], dict[int, str]()
    for depth in depths:
        row = rows[f"{SMALL} minimax:depth={depth}{settings} – random"]
        reached[depth] = f"{100 * row['score'][0] / GAMES:g} %, {row['nodes']:,.0f}"
    command = f"ludus arena {SMALL} --policies minimax:depth={depths[-1]}{settings} random --opening-plies 0"
    return f"{by_depth(reached)} | `{command}`"


def by_depth(texts: dict[int, str]) -> str:
    """A cell with one line per depth."""
    return "<br>".join(f"depth {depth}: {text}" for depth, text in texts.items())


# ---- Quixo with and without a memory of positions, so that games do not run in circles

TRAINED = 60_000
TEN = seeds_of(60)
"""The seeds: n-tuples learn with them in a minute of one core or less, and all policies play with them."""
EACH, STRONG = 40, "minimax:depth=5"
"""The games with each seed, and the opponent."""
REMEMBERING = (
    "td_ntuple:depth=3,repeats=false",
    "td_ntuple:depth=3",
    "td_ntuple:depth=5",
    "alphazero:simulations=100,repeats=false",
    "alphazero:simulations=100",
)


def circles() -> dict[str, Any]:
    """A cell for each policy and seed."""
    return {f"{spec}, seed {seed}": partial(play_quixo, spec, seed) for seed in TEN for spec in (*REMEMBERING, RANDOM)}


def play_quixo(spec: str, seed: int) -> dict[str, Any]:
    """A match of n-tuples that were trained with the seed, and the seconds that they learnt, or of a policy of the package."""
    name, _, settings = spec.partition(":")
    if name != "td_ntuple":
        return play(spec, "quixo", STRONG, EACH, seed=seed)
    run, learnt = train_quixo(seed)
    options = dict(option.split("=") for option in settings.split(","))
    policy = run.trainer.policy_of(run.plan.game, run.plan.settings, run.trainer.learnt(), **options)
    return {"learnt": learnt, **play(policy, "quixo", STRONG, EACH, seed=seed)}


@lru_cache(maxsize=1)  # the cells of a seed follow each other
def train_quixo(seed: int) -> tuple[Run, float]:
    """N-tuples after a part of the preset's games, and the seconds of processors that these took."""
    run, row = train_line(TrainedLine("td_ntuple", "quixo", "quixo", {"games": TRAINED}), seed)
    return run, row["seconds"]


def of_seeds(rows: Rows, name: str, seeds: Iterable[int] = SEEDS) -> list[Any]:
    """The rows of a match with each seed."""
    return [rows[f"{name}, seed {seed}"] for seed in seeds]


def show_circles(rows: Rows) -> dict[str, str]:
    """A row for each policy, whose numbers are those of its seeds, beside random play; and how long n-tuples learnt."""
    lines, floor = list[list[str]](), median(share(row["score"]) for row in of_seeds(rows, RANDOM, TEN))
    for spec in REMEMBERING:
        played = of_seeds(rows, spec, TEN)
        score, _, _, seconds = together(played)
        made = summarise([[share(row["score"]) for row in played]], floor=floor).cells(percent)
        lines.append([f"`{spec}`", score, *made, percent(floor), seconds])
    heads = ["policy", "wins, draws, losses", *(f"points: {head}" for head in HEADS), "random play", "seconds"]
    learnt = median(row["learnt"] for row in of_seeds(rows, REMEMBERING[0], TEN))
    figures = {"games": f"{TRAINED:,}", "each": str(EACH), "seeds": str(len(TEN)), "seconds": f"{learnt:.0f}"}
    return {"table": table(heads, lines, align="llr"), **figures}


# ---- the shipped networks of AlphaZero with search

DEEP = "alphazero:simulations=400,ahead=50000"
SHIPPED = [
    ("quarto", "alphazero:simulations=400", "hard"),
    ("quarto", DEEP, "hard"),
    ("quarto", "perfect", "hard"),
    ("quixo", "alphazero:simulations=100", "minimax:depth=5"),
    ("othello", "alphazero:simulations=200,ahead=0", "minimax:depth=4"),
    ("connect_four", "alphazero:simulations=100", "minimax:depth=6"),
]


def strength() -> dict[str, Any]:
    """A cell for each match and seed."""
    return {
        f"{game} {policy} – {against}, seed {seed}": partial(play, policy, game, against, GAMES, seed=seed)
        for game, policy, against in SHIPPED
        for seed in SEEDS
    }


def show_strength(rows: Rows) -> dict[str, str]:
    """A row for each match, and figures for sentences."""
    lines, figures = list[list[str]](), dict[str, str]()
    for game, policy, against in SHIPPED:
        score, made, least, seconds = together(of_seeds(rows, f"{game} {policy} – {against}"))
        lines.append([f"`{game}`", f"`{policy}`", f"`{against}`", score, made, least, seconds])
        name = f"{game}.{'deep' if policy == DEEP else policy.partition(':')[0]}"
        figures |= {f"{name}.points": made, f"{name}.least": least, f"{name}.seconds": f"{seconds} s"}
    heads = ["game", "policy", "against", "wins, draws, losses", "points", "at least", "seconds"]
    return {"table": table(heads, lines, align="lllr"), **figures}


# ---- the opponents of the protocol ludus-2: their Elo, and the value their moves lose over that of random moves

SUITES = "ludus-2"
GRHINO_LEVELS = 1, 2


def ladder_2() -> dict[str, Any]:
    """A cell for each game."""
    return {game: partial(rate_and_grade, game) for game in protocol(SUITES).opponents}


def rate_and_grade(game: str) -> dict[str, Any]:
    """The number of games, the Elo of each opponent with its 95 % interval, and what its moves lose."""
    contest = play_protocol(SUITES, [], [game])
    games = sum(int(score.by_seat.sum()) for score in contest.scores_of(game))
    losses = {name: loss.document() for name, loss in contest.losses[game].items()}
    return {"games": games, "ratings": {name: list(rated) for name, rated in contest.ratings[game].elo.items()}, "losses": losses}


def show_ladder_2(rows: Rows) -> dict[str, str]:
    """A row for each opponent and a column for each game: Elo, and value lost over that of random moves; and what was graded."""
    names = protocol(SUITES).opponents["nim"]

    def by_game(cell: Callable[[Any, str], str]) -> str:
        lines = [[f"`{name}`", *(cell(row, name) for row in rows.values())] for name in names]
        return table(["", *(f"`{game}`" for game in rows)], lines)

    def elo(row: Any, name: str) -> str:
        rated, low, high = row["ratings"][name]
        return "0" if low == high else f"{rated:+.0f} ({low:+.0f} to {high:+.0f})"

    def lost(row: Any, name: str) -> str:
        loss = row["losses"][name]
        return f"{loss['share']:.2f} ({loss['low']:.2f} to {loss['high']:.2f})"

    def graded(row: Any) -> str:
        shares = sorted({f"{100 * loss['known']:.0f}" for loss in row["losses"].values()}, key=int)
        return " to ".join(dict.fromkeys((shares[0], shares[-1]))) + " %"

    first = {game: str(min(loss["first_ply"] for loss in row["losses"].values())) for game, row in rows.items()}
    lines = [[f"`{game}`", first[game], graded(row), f"{row['losses']['random']['floor']:.2f}"] for game, row in rows.items()]
    heads = [
        "game",
        "from ply",
        "moves of an opponent that can be graded",
        "value lost a random move, in the positions of `random`",
    ]
    return {
        "elo": by_game(elo),
        "losses": by_game(lost),
        "graded": table(heads, lines),
        "games": f"{sum(row['games'] for row in rows.values()):,}",
    }


# ---- GRhino, a program of others (`apt install grhino`), by the protocol ludus-2


def grhino_2() -> dict[str, Any]:
    """A cell for each level."""
    return {f"level {level}": partial(rate_grhino, level) for level in GRHINO_LEVELS}


def grhino(level: int) -> str:
    """The spec of a level without its opening book; RuntimeError where GRhino is not installed."""
    program = shutil.which("gtp-rhino") or shutil.which("gtp-rhino", path="/usr/games")
    if program is None:
        raise RuntimeError("gtp-rhino is not on the path; on Debian: apt install grhino")
    return f"engine:protocol=gtp {program} --level {level} --book 0"


def rate_grhino(level: int) -> dict[str, Any]:
    """The Elo of a level with its 95 % interval, its results against each opponent, and what its moves lose."""
    contest, name = play_protocol(SUITES, [grhino(level)], ["othello"]), grhino(level)
    against = {score.pairing.b: counts(score) for score in contest.scores_of("othello")}
    elo, loss = contest.ratings["othello"].elo[name], contest.losses["othello"][name]
    return {"elo": list(elo), "against": against, "loss": loss.document()}


def show_grhino_2(rows: Rows) -> dict[str, str]:
    """A row for each level: Elo, points, and value lost over that of random moves."""
    lines = [
        [
            level.removeprefix("level "),
            "{:+.0f} ({:+.0f} to {:+.0f})".format(*row["elo"]),
            "{share:.2f} ({low:.2f} to {high:.2f})".format(**row["loss"]),
            f"{100 * row['loss']['known']:.0f} %",
            *(", ".join(map(str, row["against"][name])) for name in (protocol(SUITES).zero, "mcts:simulations=400")),
        ]
        for level, row in rows.items()
    ]
    heads = ["GRhino's level", "Elo", "value lost over random's", "graded", f"against `{protocol(SUITES).zero}`"]
    return {"table": table([*heads, "against `mcts:simulations=400`"], lines)}


STUDIES = (
    Study(RESULTS / "policies.json", all_policies, show_policies, 0),
    Study(RESULTS / "classics.json", classic_matches, show_classics, 0),
    Study(RESULTS / "circles.json", circles, show_circles, TEN[0], TORCH),
    Study(RESULTS / "strength.json", strength, show_strength, SEEDS[0], TORCH),
    Study(RESULTS / "ladder_2.json", ladder_2, show_ladder_2, protocol(SUITES).seed),
    Study(RESULTS / "grhino_2.json", grhino_2, show_grhino_2, protocol(SUITES).seed),
)
