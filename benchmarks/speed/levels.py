"""The hot kernels, compiled for this processor by its name and for levels of x86-64, in turn. Shown in benchmarks/README.md.

LLVM chooses other instructions for each name, and not always better ones: what is slower for this processor than for one of the
levels that it has should be understood. Each target has a process and a cache of its own: a process compiles for one target, and
uses kernels of a lower level where it finds them.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import llvmlite.binding as llvm
import numpy as np

from ludus.agents.mcts import Mcts
from ludus.agents.minimax import Minimax
from ludus.cli.measuring import seconds
from ludus.core.native.compiler import target
from ludus.envs import Game, game_names, make_game, set_threads
from ludus.games.game import StateArray
from ludus.games.registry import id_name
from ludus.oracles import make_oracle
from ludus.oracles.othello import OthelloOracle, ffo
from ludus.oracles.quixo.retrograde import solve_size
from ludus.search import Watch

from .. import RESULTS
from ..common import positions_after, run, table
from ..runner import Rows, Study

BOARDS, ROUNDS = 8192, 15
LENGTH = 0.04
"""Work is repeated for this many seconds in each measurement."""
BATCHES = 16
"""Batches of boards that take turns: of one that comes again and again, a processor learns the branches."""
V4 = target.Target(target.V3.triple, "x86-64-v4", f"{target.V3.features},+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl")
TARGETS = {each.cpu: each for each in (V4, *target.LEVELS)}
Work = Callable[[int], object]
"""Does a piece of work; the number says how often it was done before."""


def all_work() -> Iterator[tuple[str, Work]]:
    """What is measured of each game, and of oracles that search."""
    for name in game_names():
        yield from work_of(make_game(name))
    othello, quarto, quixo, connect_four = map(make_game, ("othello", "quarto", "quixo", "connect_four"))
    ending = next(othello.position(each.text) for each in ffo() if each.number == 40)
    yield "othello: solve FFO #40", lambda _: OthelloOracle(othello).score(ending)
    yield "othello: minimax by patterns", choose(Minimax(othello, depth=5, evaluation="patterns"), boards_of(othello)[1][0])
    placed, late = positions_after(quarto, 13, 64), positions_after(connect_four, 16, 64)
    yield "quarto: solve, 6 placed", lambda i: make_oracle(quarto).value(placed[i % len(placed)])
    yield "quixo: solve 3×3", lambda _: solve_size(3, Watch())
    yield "quixo: perft 4", lambda _: quixo.perft(4)
    yield "connect_four: solve, 16 placed", lambda i: make_oracle(connect_four).value(late[i % len(late)])


def work_of(game: Game) -> Iterator[tuple[str, Work]]:
    """Vector steps, masks, observations, trees with random playouts, and negamax."""
    envs, batches = boards_of(game)
    states, seats = batches.reshape(-1, game.num_words), np.zeros(BOARDS, np.int8)
    yield f"{game.name}: vector step", lambda _: envs.step(envs.sample_actions())
    yield f"{game.name}: masks", lambda i: game.masks(batches[i % BATCHES])
    yield f"{game.name}: observations", lambda i: game.observations(batches[i % BATCHES], seats)
    yield f"{game.name}: mcts", choose(Mcts(game, simulations=1000, solver=False), states)
    yield f"{game.name}: minimax", choose(Minimax(game, depth=5), states)


def boards_of(game: Game) -> tuple[Any, StateArray]:
    """Boards, and batches of their positions in random games (16, 8192, words)."""
    envs: Any = gymnasium.make_vec(f"ludus/{id_name(game.name)}-v0", num_envs=BOARDS, opponent=None, autoreset_mode="SameStep")
    envs.reset(seed=0)
    batches = list[StateArray]()
    for _ in range(2 * BATCHES):
        envs.step(envs.sample_actions())
        batches.append(envs.unwrapped.rules_state)
    return envs, np.stack(batches[BATCHES:])


def choose(policy: Any, states: StateArray) -> Work:
    """Calls of a policy for one position each."""
    return lambda i: policy.act(states[i * 97 % len(states)][None], np.full(1, i, np.uint64))


def time_all(name: str) -> dict[str, float]:
    """Seconds of each work in this process, whose kernels are compiled for a level by its name, or for this processor."""
    if name:
        compile_for(TARGETS[name])
    set_threads(1)
    times = dict[str, float]()
    for what, work in all_work():
        work(0)  # compiles
        count = max(1, round(LENGTH / seconds(partial(work, 1))))
        times[what] = seconds(partial(repeat, work, range(2, 2 + count))) / count
    return times


def compile_for(chosen: target.Target) -> None:
    """Has this process compile its kernels for a target, all of whose features are there."""
    llvm.get_host_cpu_name = lambda: chosen.cpu
    llvm.get_host_cpu_features = lambda: llvm.FeatureMap({feature[1:]: True for feature in chosen.features.split(",")})


def repeat(work: Work, numbers: range) -> None:
    """Does work again and again, and keeps none of its results, for keeping them would take new memory each time."""
    for i in numbers:
        work(i)


def measure() -> list[dict[str, Any]]:
    """A row for each work: its seconds for this processor, and how many times as long it takes for each level (medians)."""
    features = {*target.host().features.split(",")}
    levels = [name for name, each in TARGETS.items() if features >= {*each.features.split(",")}]
    rounds = list[dict[str, dict[str, float]]]()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):  # in turn, so that all meet the same load
            caches = {name: {**os.environ, "LUDUS_CACHE": str(Path(folder, name or "host"))} for name in ("", *levels)}
            command = sys.executable, "-m", "benchmarks.speed.levels"
            rounds.append({name: json.loads(run(*command, name, env=cache)) for name, cache in caches.items()})
    return [
        {
            "what": what,
            "seconds": min(each[""][what] for each in rounds),
            "times": {name: statistics.median(each[name][what] / each[""][what] for each in rounds) for name in levels},
        }
        for what in rounds[0][""]
    ]


def cells() -> dict[str, Any]:
    """One cell: all work, on one thread."""
    return {"kernels": measure}


def show(rows: Rows) -> dict[str, str]:
    """The table, with the geometric mean of each level below."""
    measured = rows["kernels"]
    levels = [*measured[0]["times"]]
    lines = [
        [title(row["what"]), f"{1000 * row['seconds']:.3g}", *(f"{row['times'][name]:.2f}" for name in levels)] for row in measured
    ]
    means = [f"{statistics.geometric_mean(row['times'][name] for row in measured):.2f}" for name in levels]
    return {"table": table(["kernel", "ms", *levels], [*lines, ["geometric mean", "", *means]])}


def title(what: str) -> str:
    """A row's title, with the game's name as people write it."""
    name, _, rest = what.partition(": ")
    return f"{make_game(name).title}: {rest}"


STUDIES = (Study(RESULTS / "levels.json", cells, show),)

if __name__ == "__main__":
    print(json.dumps(time_all(sys.argv[1])))
