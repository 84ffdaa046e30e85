"""Ludus and other libraries in the same loops, measured in turn; medians. Shown in README.md and benchmarks/README.md.

`make bench` measures what is missing. The others are PettingZoo's tic-tac-toe, OpenSpiel's Othello directly and through
Shimmy, and pgx.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pettingzoo

import ludus  # noqa: F401  registers the environments
from ludus.cli.measuring import aec_rate, start_seconds, vector_rate
from ludus.core.native.compiler import target
from ludus.envs import game_names, make_game

from .. import RESULTS
from ..common import Rate, run, table, take_in_turn
from ..runner import Rows, Study
from .levels import compile_for

BOARDS, SECONDS, RUNS = 8192, 2.0, 3
Loop = Callable[[float], float]  # runs for about this many seconds and returns steps per second


def compare(what: str, game: str, loops: dict[str, Loop], target: str) -> dict[str, Any]:
    """A loop over a game in turn by all libraries that run it, ours first.

    Args:
        what, game: what the loop does.
        loops: it by its library.
        target: against the last one, or for ours alone.
    """
    rates = take_in_turn({whose: partial(timed, loop) for whose, loop in loops.items()}, RUNS)
    print(f"{what}, {game}: {rates}", file=sys.stderr)
    return {"what": what, "game": game, "target": target, "rates": rates}


def timed(loop: Loop) -> Rate:
    """Steps per second, by the clock and by processor time."""
    clock, processor = time.perf_counter(), time.process_time()
    steps = loop(SECONDS)
    return Rate(steps, steps * (time.perf_counter() - clock) / (time.process_time() - processor))


# ---- one board, in PettingZoo's loop


class MaskFromInfo:
    """Moves the mask of OpenSpiel's environment from `info` into the observation, where the loop expects it."""

    def __init__(self, env: Any) -> None:
        self.reset, self.step, self.agent_iter, self._env = env.reset, env.step, env.agent_iter, env

    def last(self) -> tuple[Any, ...]:
        """Like `last()` of the wrapped environment."""
        observation, reward, terminated, truncated, info = self._env.last()
        return {"observation": observation, **info}, reward, terminated, truncated, info


def one_board() -> Iterator[dict[str, Any]]:
    """Ours, PettingZoo's tic-tac-toe, and OpenSpiel's Othello, directly and as a PettingZoo environment."""
    import shimmy
    from pettingzoo.classic import tictactoe_v3

    boards = {"ludus": pettingzoo.make("aec", "ludus/tictactoe-v0")}
    boards |= {"PettingZoo, raw_env()": tictactoe_v3.raw_env(), "PettingZoo, env()": tictactoe_v3.env()}
    yield compare("AEC, masked loop", "tictactoe", {whose: partial(aec_rate, env) for whose, env in boards.items()}, "7 times")
    rates: dict[str, Loop] = {"ludus": partial(aec_rate, pettingzoo.make("aec", "ludus/othello-v0"))}
    rates["OpenSpiel, its own loop"] = openspiel_rate("othello")
    theirs = MaskFromInfo(shimmy.OpenSpielCompatibilityV0(game_name="othello"))
    rates["OpenSpiel, through Shimmy"] = partial(aec_rate, theirs)
    yield compare("AEC, masked loop", "othello", rates, "10 times")


def openspiel_rate(name: str) -> Loop:
    """OpenSpiel's own loop in Python: each step reads the mover's observation and mask, and takes a random legal action."""
    import pyspiel  # pyright: ignore[reportMissingImports]

    game: Any = pyspiel.load_game(name)
    shape = game.observation_tensor_shape()
    rng = random.Random(0)

    def rate(seconds: float) -> float:
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                player = state.current_player()
                np.array(state.observation_tensor(player), np.float32).reshape(shape)
                mask = np.array(state.legal_actions_mask(player), np.int8)
                state.apply_action(rng.choice(np.flatnonzero(mask).tolist()))
                steps += 1
        return steps / (time.perf_counter() - began)

    return rate


# ---- many boards: random legal actions, observations and masks at each step, automatic reset


def many_boards(how: str = "") -> Iterator[dict[str, Any]]:
    """Ours, and pgx if it has the game; `how` ends the name of the loop."""
    peers = {"tictactoe": ("tic_tac_toe", "6 times"), "othello": ("othello", "20 times")}
    for name in game_names():
        rates: dict[str, Loop] = {"ludus": lambda seconds, name=name: vector_rate(name, BOARDS, None, seconds)}
        theirs, target = peers.get(name, (None, "20,000,000 a second"))
        if theirs:
            rates |= dict([best_of_pgx(theirs, (1024, BOARDS, 4 * BOARDS), (20,)), best_of_pgx(theirs, (BOARDS,), (1,))])
        yield compare(f"vector, {BOARDS} boards, SameStep, opponent=None{how}", name, rates, target)


def best_of_pgx(name: str, sizes: tuple[int, ...], calls: tuple[int, ...]) -> tuple[str, Loop]:
    """The fastest use of pgx, found by short runs: how actions are chosen, the number of boards, and of steps per call."""
    ways = {
        f"{choose}, {boards} boards, {steps} steps a call": pgx_rate(name, choose, boards, steps)
        for choose in ("cumulative sum", "matrix product", "random scores")
        for boards in sizes
        for steps in calls
    }
    heats = {way: statistics.median(rate(0.3) for _ in range(3)) for way, rate in ways.items()}
    print("\n".join(f"  pgx {name}, {way}: {rate:,.0f} steps/s" for way, rate in heats.items()), file=sys.stderr)
    best = max(ways, key=lambda way: heats[way])
    return f"pgx: {best}", ways[best]


def pgx_rate(name: str, choose: str, boards: int, steps: int) -> Loop:
    """pgx's boards and the choice of actions in one jit; the observation is part of the state that each step returns."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make(name)  # pyright: ignore[reportArgumentType]
    step = jax.vmap(auto_reset(env.step, env.init))

    def chosen(key: Any, mask: Any) -> Any:
        if choose == "random scores":
            return jnp.argmax(jnp.where(mask, jax.random.uniform(key, mask.shape), -1.0), axis=-1)
        if choose == "matrix product":
            so_far = mask.astype(jnp.float32) @ jnp.triu(jnp.ones((mask.shape[1], mask.shape[1]), jnp.float32))
        else:
            so_far = jnp.cumsum(mask.astype(jnp.int32), axis=-1)
        nth = jnp.floor(jax.random.uniform(key, (boards,)) * so_far[:, -1])
        return jnp.argmax(so_far > nth[:, None], axis=-1)

    def advance(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choice, reset = jax.random.split(key, 3)
        return (step(state, chosen(choice, state.legal_action_mask), jax.random.split(reset, boards)), key), None

    @jax.jit
    def call(carry: Any) -> Any:
        return advance(carry, None)[0] if steps == 1 else jax.lax.scan(advance, carry, None, length=steps)[0]

    key = jax.random.key(0)
    carry = jax.block_until_ready(call((jax.jit(jax.vmap(env.init))(jax.random.split(key, boards)), key)))

    def rate(seconds: float) -> float:
        nonlocal carry
        calls, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            carry = jax.block_until_ready(call(carry))
            calls += 1
        return calls * steps * boards / (time.perf_counter() - began)

    return rate


# ---- the time to a first environment


def first_ever_seconds(name: str) -> float:
    """Seconds from the start of a process to the first `gym.make(...).reset()` of a game, with an empty cache."""
    with tempfile.TemporaryDirectory() as empty:
        return start_seconds(name, LUDUS_CACHE=empty)


def starts() -> dict[str, Any]:
    """Seconds to a first environment: with a full cache, and of each game with an empty one."""
    start_seconds()  # fills the caches
    return {
        "warm": statistics.median(start_seconds() for _ in range(RUNS)),
        "first_ever": {name: statistics.median(first_ever_seconds(name) for _ in range(RUNS)) for name in game_names()},
    }


def many_boards_with_avx2() -> list[dict[str, Any]]:
    """Both libraries as on a processor without AVX-512: in a process that compiles for x86-64-v3, with an empty cache for ours."""
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "LUDUS_CACHE": empty, "XLA_FLAGS": "--xla_cpu_max_isa=AVX2"}
        return json.loads(run(sys.executable, "-m", "benchmarks.speed.peers", env=environment))


def cells() -> dict[str, Any]:
    """One board, many boards, also with what AVX2 has alone, and the time to start."""
    return {
        "one board": lambda: [*one_board()],
        "many boards": lambda: [*many_boards()],
        "many boards, AVX2": many_boards_with_avx2,
        "start": starts,
    }


def show(rows: Rows) -> dict[str, str]:
    """The table of all rates, the short one of README.md, and the seconds to a first environment."""
    heads = ["what", "game", "whose", "ludus is … times as fast", "by processor time", "target", "steps/s"]
    loops = [*rows["one board"], *rows["many boards"]]
    lines = list[list[str]]()
    for loop in loops:
        for row in loop["rates"]:
            times = [f"{row[name]:.1f}" if name in row else "" for name in ("times", "by_processor")]
            target = loop["target"] if row is loop["rates"][-1] else ""
            lines.append([loop["what"], loop["game"], row["whose"], *times, target, f"{row['rate']:,.0f}"])
    warm, first = f"{rows['start']['warm']:.2f}", rows["start"]["first_ever"]
    starts = [["Othello, caches warm", warm], *([f"{name}, first ever", f"{seconds:.1f}"] for name, seconds in first.items())]
    short = ["random legal actions", "ludus is … times as fast", "as", "ludus, steps/s", "the other, steps/s"]
    return {
        "rates": table(heads, lines, align="lllr"),
        "short": table(short, [line for loop in loops for line in short_lines(loop)], align="lrlr"),
        "avx2": table(short, [line for loop in rows["many boards, AVX2"] for line in short_lines(loop)], align="lrlr"),
        "starts": table(["from the start of a process to its first `gym.make(...).reset()`", "seconds"], starts),
        "warm": warm,
        "first": f"{min(first.values()):.1f} to {max(first.values()):.1f}",
        "setting": f"{RUNS} runs of {SECONDS:g} s",
    }


def short_lines(loop: dict[str, Any]) -> list[list[str]]:
    """The rows of a loop in README.md: one for each other library, or one for ours alone."""
    ours, *others = loop["rates"]
    title = f"{loop['what'].partition(', SameStep')[0]}, {make_game(loop['game']).title}"
    own = steps(ours["rate"])
    if not others:
        return [[title, "", "", own, ""]]
    names = [row["whose"].replace("pgx:", "pgx (made for GPUs, here on the CPU):") for row in others]
    return [[title, f"{row['times']:.1f}", name, own, steps(row["rate"])] for row, name in zip(others, names, strict=True)]


def steps(rate: float) -> str:
    """Steps per second, large numbers in millions."""
    return f"{rate / 1e6:.2f} M" if rate >= 8e5 else f"{rate:,.0f}"


LIBRARIES = ("gymnasium", "pettingzoo", "shimmy", "open_spiel", "pgx", "jax", "numpy", "llvmlite")
STUDIES = (Study(RESULTS / "peers.json", cells, show, libraries=LIBRARIES),)

if __name__ == "__main__":
    compile_for(target.V3)
    print(json.dumps([*many_boards(", AVX2")]))
