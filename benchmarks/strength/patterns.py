"""The strength of patterns on Othello 8×8: learnt by TD(λ) at one ply, and as the evaluation of a search. Shown in docs/search.md
and docs/training.md.

python -m benchmarks.strength.patterns              # measures what is missing or out of date
python -m benchmarks.strength.patterns engine       # the search alone
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any

import numpy as np

import ludus
from ludus.arena import evaluate
from ludus.arena.ratings.intervals import wilson
from ludus.baselines import train
from ludus.baselines.runs.measure import Measure
from ludus.oracles import make_oracle

from ..provenance import MATCHES, Part, Study, counts, repeated, table

NEVER = Measure(every="never")
GAMES, FEW, SEEDS = 400, 20, (1, 2)
OPPONENT = "minimax:depth=3"
OLD: dict[str, Any] = {
    "rate": 0.1,
    "rate_end": 0.0,
    "trace": 0.8,
    "sparring": 0.0,
    "stages": 1,
    "coherence": False,
    "shapes": ("1x4", "d4"),
}
"""The settings before; what is not named in a variant of the present ones is as the preset has it."""
VARIANTS: dict[str, dict[str, Any]] = {
    "as it was": OLD,
    "with sparring in half of the games": OLD | {"sparring": 0.5},
    "with 20 random plies at first, at most": OLD | {"opening": 20},
    "with shapes of edges and corners": OLD | {"shapes": None},
    "with 8 stages": OLD | {"stages": 8},
    "with coherence": OLD | {"coherence": True, "rate": 1.0, "rate_end": 1.0},
    "the preset": {},
    "the preset without sparring": {"sparring": 0.0},
    "the preset with one stage": {"stages": 1},
    "the preset without coherence": {"coherence": False, "rate": 0.5, "rate_end": 0.0},
    "the preset with short lines": {"shapes": ("1x4", "d4")},
    "the preset with λ = 0.5": {"trace": 0.5},
}
TRAINED = 20_000
LENGTHS = 10_000, 30_000, 100_000
ENGINE = "minimax:evaluation=patterns,nodes=20000,endings=14"
DEEPER = "minimax:evaluation=patterns,nodes=80000,endings=14"
MATCHES_PLAYED = (
    (ENGINE, "minimax:depth=6", 400),
    (ENGINE, "mcts:simulations=10000", 400),
    ("minimax:evaluation=patterns,depth=1", OPPONENT, 400),
    (f"{ENGINE},probcut=1", ENGINE, 400),
    (f"{DEEPER},probcut=1", DEEPER, 400),
    (f"{ENGINE},book=true", ENGINE, 400),
    ("minimax:evaluation=patterns,seconds=0.1,endings=18,probcut=1,book=true", "minimax:depth=6", 400),
)
EXAMINED = 20


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each training and seed, for each match and seed, and for the discs lost."""
    trained = {f"{name}, {TRAINED} games": (settings, TRAINED) for name, settings in VARIANTS.items()}
    trained |= {f"the preset, {games} games": ({}, games) for games in LENGTHS}
    found = {
        f"td_ntuple {name}, seed {seed}": Part(
            partial(learnt, settings, games, seed), partial(learnt_again, settings, games, seed), LEARNING
        )
        for name, (settings, games) in trained.items()
        for seed in SEEDS
    }
    for engine, against, games in MATCHES_PLAYED:
        for seed in SEEDS:
            name = f"engine {engine} – {against}, seed {seed}"
            short = None if "seconds" in engine else partial(again, engine, against, seed)
            found[name] = Part(partial(played, engine, against, games, seed), short)
    found[f"engine {ENGINE}, discs lost"] = repeated(partial(discs_lost, ENGINE))
    return found


def learnt(settings: dict[str, Any], games: int, seed: int) -> dict[str, Any]:
    """The score at one ply of what was learnt with these settings, and the seconds of processor that learning took."""
    began = time.process_time()
    run = train("td_ntuple", "othello", seed=seed, games=games, preset="othello", measure=NEVER, **settings)
    seconds = round(time.process_time() - began, 1)
    return {"score": counts(evaluate(run.policy(), "othello", OPPONENT, GAMES, seed=seed)), "seconds": seconds}


def learnt_again(settings: dict[str, Any], games: int, seed: int, kept: dict[str, Any]) -> tuple[Any, Any]:
    """The score of what was learnt, as stored and now."""
    return kept["score"], learnt(settings, games, seed)["score"]


def played(engine: str, against: str, games: int, seed: int) -> dict[str, Any]:
    """The score of a match and of its first games, and its seconds."""
    few = counts(evaluate(engine, "othello", against, FEW, seed=seed))  # compiles, too, which is not timed
    began = time.perf_counter()
    score = counts(evaluate(engine, "othello", against, games, seed=seed))
    return {"score": score, "first": few, "seconds": round(time.perf_counter() - began, 1)}


def again(engine: str, against: str, seed: int, kept: dict[str, Any]) -> tuple[Any, Any]:
    """The score of the first games, as stored and now."""
    return kept["first"], counts(evaluate(engine, "othello", against, FEW, seed=seed))


def discs_lost(engine: str) -> dict[str, Any]:
    """The discs that moves lose within the oracle's reach of 20 empty cells, in games against minimax:depth=6."""
    game = ludus.make_game("othello")
    oracle, players = make_oracle(game), [ludus.make_policy(spec, game) for spec in (engine, "minimax:depth=6")]
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


def shown(found: dict[str, Any]) -> dict[str, str]:
    """Two tables: of learning, with the worse seed's share of points, and of the search."""
    learning, matches = list[list[str]](), list[list[str]]()
    names = dict.fromkeys(name.rpartition(",")[0] for name in found if name.startswith("td_ntuple"))
    for name in names:
        runs = [found[f"{name}, seed {seed}"] for seed in SEEDS if f"{name}, seed {seed}" in found]
        label, games, _ = name.removeprefix("td_ntuple ").rsplit(maxsplit=2)
        seconds = f"{max(run['seconds'] for run in runs):.0f}"
        learning.append([label.rstrip(","), f"{int(games):,}", seconds, " · ".join(points(run["score"]) for run in runs)])
    for name, one in found.items():
        if "score" in one and name.startswith("engine"):
            match, seed = name.removeprefix("engine ").split(", seed ")
            engine, against = match.split(" – ")
            score = ", ".join(map(str, one["score"]))
            matches.append([f"`{engine}`", f"`{against}`", seed, score, points(one["score"]), f"{one['seconds']:.0f}"])
    lost = found.get(f"engine {ENGINE}, discs lost")
    heads = ["engine", "against", "seed", "wins, draws, losses", "points (at least)", "seconds"]
    of_learning = ["`td_ntuple`", "games", "seconds", f"points against `{OPPONENT}`, by seed (at least)"]
    return {
        "learning": table(of_learning, learning, align="lrrl"),
        "matches": table(heads, matches, align="lllllr"),
        **({"discs": f"{lost['discs']:.2f}", "moves": str(lost["moves"])} if lost else {}),
    }


def points(score: list[int]) -> str:
    """The share of points, and the lower end of its 95 % interval."""
    wins, draws, losses = score
    games = wins + draws + losses
    return f"{100 * (wins + draws / 2) / games:.1f} % ({100 * wilson(wins + draws / 2, games)[0]:.1f})"


PLAYERS = (*MATCHES, "search", "agents/minimax.py", "oracles/othello")
LEARNING = (*PLAYERS, "baselines/ntuples")
STUDY = Study(__file__, parts, shown, (*PLAYERS, "agents/mcts.py"), 1)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
