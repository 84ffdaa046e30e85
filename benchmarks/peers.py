"""Side by side with peers, on this machine: the same loop, in the same run, ours and theirs in turn; medians count.

`make bench` measures everything, into README.md and results.json beside this file; `--seconds` and `--runs` make it shorter.
Peers are PettingZoo's tic-tac-toe, OpenSpiel's Othello through Shimmy, and pgx; one that is not installed is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, NamedTuple

import pettingzoo
from pettingzoo.test import performance_benchmark

import ludus  # noqa: F401  registers the environments
from ludus.cli.bench import aec_rate, machine, start_seconds, vector_rate
from ludus.envs import game_names, thread_count
from ludus.envs.registry import id_name

BOARDS = 8192
LIBRARIES = ("gymnasium", "pettingzoo", "shimmy", "open_spiel", "pgx", "jax", "numpy")
Rate = Callable[[float], float]  # measures for about so many seconds and gives steps a second


class Measure(NamedTuple):
    """A loop over a game: who runs it, ours first, and what we aim at, beside the last peer or alone."""

    what: str
    game: str
    rates: dict[str, Rate]
    target: str

    def rows(self, seconds: float, runs: int) -> Iterator[dict[str, Any]]:
        """Runs all in turn, several times; a row for each of ours and theirs."""
        found = [{whose: rate(seconds) for whose, rate in self.rates.items()} for _ in range(runs)]
        medians = {whose: statistics.median(run[whose] for run in found) for whose in self.rates}
        for whose, median in medians.items():
            row = {"what": self.what, "game": self.game, "whose": whose, "steps_per_second": median}
            row["times_as_fast"] = None if whose == "ludus" else medians["ludus"] / median
            row["target"] = self.target if whose == [*medians][-1] else None
            yield row | {"runs": [run[whose] for run in found]}
        print(f"{self.what}, {self.game}: {medians}", file=sys.stderr)


@contextlib.contextmanager
def peer(name: str) -> Iterator[None]:
    """Goes on without a peer that is not installed, and says so."""
    try:
        yield
    except ImportError as error:
        print(f"{name} is left out: {error}; `make bench` installs the peers", file=sys.stderr)


# ---- one board, in PettingZoo's loop


def five_seconds_of(env: Any) -> Rate:
    """PettingZoo's own benchmark, which takes five seconds and prints turns per second."""

    def rate(seconds: float) -> float:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            performance_benchmark(env)
        (line,) = (line for line in printed.getvalue().splitlines() if line.endswith("turns per second"))
        return float(line.split()[0])

    return rate


class MaskFromInfo:
    """OpenSpiel's environment, whose masks stand in `info`, as the loop wants it: with the mask in the observation."""

    def __init__(self, env: Any) -> None:
        self.reset, self.step, self.agent_iter, self._env = env.reset, env.step, env.agent_iter, env

    def last(self) -> tuple[Any, ...]:
        """As `last()` of the environment inside, its observation included."""
        observation, reward, terminated, truncated, info = self._env.last()
        return {"observation": observation, **info}, reward, terminated, truncated, info


def one_board() -> Iterator[Measure]:
    """Ours against PettingZoo's tic-tac-toe and OpenSpiel's Othello."""
    boards = {"ludus": pettingzoo.make("aec", "ludus/tictactoe-v0")}
    with peer("PettingZoo's tic-tac-toe"):
        from pettingzoo.classic import tictactoe_v3

        boards |= {"PettingZoo, raw_env()": tictactoe_v3.raw_env(), "PettingZoo, env()": tictactoe_v3.env()}
    for what, rate_of in ("performance_benchmark", five_seconds_of), ("masked loop", lambda env: partial(aec_rate, env)):
        yield Measure(f"AEC, {what}", "tictactoe", {whose: rate_of(env) for whose, env in boards.items()}, "7 times")
    rates: dict[str, Rate] = {"ludus": partial(aec_rate, pettingzoo.make("aec", "ludus/othello-v0"))}
    with peer("OpenSpiel through Shimmy"):
        import shimmy

        theirs = MaskFromInfo(shimmy.OpenSpielCompatibilityV0(game_name="othello"))
        rates["OpenSpiel, through Shimmy"] = partial(aec_rate, theirs)
    yield Measure("AEC, masked loop", "othello", rates, "10 times")


# ---- many boards: random legal actions, every step's observations and masks, a new game where one ends


def many_boards() -> Iterator[Measure]:
    """Ours against pgx where it has the game, else alone."""
    peers = {"tictactoe": ("tic_tac_toe", "5 times"), "othello": ("othello", "20 times")}
    for name in game_names():
        rates: dict[str, Rate] = {"ludus": lambda seconds, name=name: vector_rate(name, BOARDS, None, seconds)}
        theirs, target = peers.get(name, (None, "20,000,000 a second"))
        if theirs:
            with peer("pgx"):
                rates |= dict([best_of_pgx(theirs, (1024, BOARDS, 4 * BOARDS), (20,)), best_of_pgx(theirs, (BOARDS,), (1,))])
        yield Measure(f"vector, {BOARDS} boards, SameStep, opponent=None", name, rates, target)


def best_of_pgx(name: str, sizes: tuple[int, ...], calls: tuple[int, ...]) -> tuple[str, Rate]:
    """pgx in the way that is fastest here, found in a heat: how it chooses, how many boards, how many steps in one call."""
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


def pgx_rate(name: str, choose: str, boards: int, steps: int) -> Rate:
    """pgx's boards and the choice of actions under one jit; the observation is part of the state that each step returns."""
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


def first_ever_seconds(name: str) -> float:
    """Seconds from the start of a process to the first `gym.make(...).reset()` of a game, nothing compiled yet."""
    code = f"import gymnasium as gym, ludus; gym.make('ludus/{id_name(name)}-v0').reset(seed=0)"
    with tempfile.TemporaryDirectory() as empty:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "LUDUS_CACHE": empty})
        return time.perf_counter() - began


def measured(seconds: float, runs: int) -> dict[str, Any]:
    """Measures everything."""
    setting = {"machine": machine(), "threads": thread_count(), "seconds": seconds, "runs": runs}
    rates = [row for measures in (one_board, many_boards) for measure in measures() for row in measure.rows(seconds, runs)]
    names = {found.name.lower().replace("-", "_"): found.version for found in distributions()}
    start_seconds()  # warms the caches
    return setting | {
        "versions": {name: names[name] for name in LIBRARIES if name in names},
        "rates": rates,
        "start_seconds": statistics.median(start_seconds() for _ in range(max(3, runs))),
        "first_ever_seconds": {name: statistics.median(first_ever_seconds(name) for _ in range(runs)) for name in game_names()},
    }


def page(document: dict[str, Any]) -> str:
    """The numbers as a page."""
    lines = ["| what | game | whose | steps/s | ludus is … times as fast | target |", "|---|---|---|---:|---:|---:|"]
    for row in document["rates"]:
        times, target = row["times_as_fast"], row["target"] or ""
        cells = row["what"], row["game"], row["whose"], f"{row['steps_per_second']:,.0f}", f"{times:.1f}" if times else "", target
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| from the start of a process to its first `gym.make(...).reset()` | seconds |", "|---|---:|"]
    lines += [f"| Othello, caches warm | {document['start_seconds']:.2f} |"]
    lines += [f"| {name}, first ever | {seconds:.1f} |" for name, seconds in document["first_ever_seconds"].items()]
    used = ", ".join(f"{name} {found}" for name, found in document["versions"].items())
    what = f"Medians of {document['runs']} runs of {document['seconds']:g} s on {document['threads']} threads"
    return "\n".join([HEAD, *lines, "", f"{what}; {document['machine']}; {used}.", ""])


HEAD = """# Side by side with peers

`make bench` measures and writes this page, and every run into `results.json`. Ours and theirs run in turn, in the same loop:

- **AEC** steps one board in PettingZoo's loop with random legal actions: in `pettingzoo.test.performance_benchmark`, which
  takes five seconds, and in the loop of `ludus bench`. The target for tic-tac-toe is against `env()`.
- **vector** steps many boards at once with random legal actions; each step gives observations and masks, and a game that ends
  is followed by the next. Ours come as numpy arrays at each step; pgx keeps its boards inside jax, and actions are chosen under
  the same `jit`. Of several ways to choose, the fastest here is taken: in the same loop, a call for each step of as many
  boards (the target is against that), and with twenty steps fused into one call, which hands out the last of twenty
  observations, at the number of boards that suits it best.
"""


def main() -> None:
    """Measures, and writes what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="length of one run of each (2)")
    parser.add_argument("--runs", type=int, default=3, help="runs, of which the median counts (3)")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else on stdout")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="the folder for README.md and results.json")
    chosen = parser.parse_args()
    document = measured(chosen.seconds, chosen.runs)
    (chosen.out / "results.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    (chosen.out / "README.md").write_text(page(document), encoding="utf-8")
    print(json.dumps(document, indent=2) if chosen.json else page(document))


if __name__ == "__main__":
    main()
