"""What single things cost: large tournaments, scored answers, asking a model, AlphaZero's training, evolved networks, data.

Shown in docs/data.md, docs/scale.md, docs/text.md, docs/alphazero.md and docs/training.md.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import ludus
from ludus.arena import tournament
from ludus.arena.matches.openings import openings
from ludus.cli.measuring import seconds
from ludus.rewards import score
from ludus.text import prompt

from .. import RESULTS, ROOT
from ..common import endpoint, rate, readable, run, table, take_in_turn
from ..runner import Rows, Study

# ---- a large tournament: processor time to play and to keep a game, bytes in the store, memory

PAIRINGS = [
    # game, two policies, games
    ("tictactoe", "random", "greedy", 100_000),
    ("quixo", "random", "greedy", 40_000),
    ("othello", "random", "greedy", 20_000),
    ("quarto", "easy", "hard", 4000),
    ("quixo", "minimax:depth=3", "mcts:simulations=100", 2000),
    ("othello", "minimax:depth=3", "mcts:simulations=100", 1000),
]
UNDER_WAY, RAY_PARTS = 1000, 3000
PLANNED, MOVES, PROCESSORS = 10_000 * 45, 60, 1000
"""The tournament that the page plans: games of ten policies in Othello, and the moves of a game."""


def keep_games(game: str, a: str, b: str, games: int) -> dict[str, Any]:
    """Processor seconds to store the games and to play them, bytes of the store, and the peak private memory of a worker, in MB."""
    ludus.set_threads(2)  # one for each worker
    tournament(game, [a, b], 20, workers=2)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        kept, size, memory = cost(game, a, b, games, 2, Path(folder))  # workers play, this process stores
        alone, _, _ = cost(game, a, b, games, 1, Path(folder))
    return {"games": games, "kept_seconds": kept, "played_seconds": alone - kept, "bytes": size, "worker_megabytes": memory}


def cost(game: str, a: str, b: str, games: int, workers: int, folder: Path) -> tuple[float, int, float]:
    """Processor seconds of this process for a stored tournament, bytes of the store, and peak memory of a worker in MB."""
    store, memory = folder / f"{workers}.sqlite", [0.0]
    watching = 0.0

    def watch(_: Any) -> None:
        nonlocal watching
        began = time.process_time()
        memory.append(largest_child())
        watching += time.process_time() - began

    began = time.process_time()
    tournament(game, [a, b], games, store=store, workers=workers, watch=watch)
    return time.process_time() - began - watching, store.stat().st_size, max(memory)


def largest_child() -> float:
    """The largest private memory of a child process, in MB."""
    children = Path("/proc/self/task").glob("*/children")
    sizes = [0.0]
    for child in " ".join(file.read_text() for file in children).split():
        with suppress(OSError):  # it has ended
            lines = Path(f"/proc/{child}/smaps_rollup").read_text().splitlines()
            sizes.append(sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024)
    return max(sizes)


def on_ray() -> dict[str, float]:
    """Processor seconds of the storing process per part on Ray, with a thousand parts submitted at once."""
    import ray

    from ludus.arena.engines.jobs import play_in
    from ludus.arena.matches.games import Pairing
    from ludus.arena.matches.job import Job
    from ludus.arena.matches.settings import MatchSettings
    from ludus.core.workers.pool import RayPool

    random = ludus.make_policy("random", "nim")
    job = Job(Pairing("nim", "random", "random"), (random, random), np.arange(2), 0, MatchSettings(2))
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        began = time.process_time()
        done = sum(1 for _ in play_in(RayPool(UNDER_WAY), repeat(job, RAY_PARTS)))
        return {"seconds_a_part": (time.process_time() - began) / done, "under_way": UNDER_WAY}
    finally:
        ray.shutdown()


def show_scale(rows: Rows) -> dict[str, str]:
    """The table of costs, their consequences for a thousand processors, and the plan of a large tournament."""
    each = [rows[" ".join(map(str, pairing))] for pairing in PAIRINGS]
    lines, keep = list[list[str]](), list[float]()
    for (game, a, b, games), row in zip(PAIRINGS, each, strict=True):
        played, kept = row["played_seconds"], row["kept_seconds"]
        numbers = f"{games / played:,.0f}", f"{kept / games * 1e6:.1f}", f"{row['bytes'] / games:.0f}", f"{played / kept:,.0f}"
        lines.append([game, a, b, *numbers])
        keep += [1e6 * kept / games] if (a, b) == ("random", "greedy") else []
    heads = [
        *("game", "", "", "games/s that a processor plays", "µs to keep a game", "bytes in the store"),
        "processors that one keeper serves",
    ]
    memory, size = [row["worker_megabytes"] for row in each], each[-1]["bytes"] / each[-1]["games"]
    part = rows["ray"]["seconds_a_part"]
    return {
        "table": table(heads, lines, align="lllr"),
        "plan": plan(),
        "memory": f"{min(memory):.0f} to {max(memory):.0f} MB",
        "keep": f"{min(keep):.1f} to {max(keep):.1f} µs",
        "full": f"{PROCESSORS * max(keep) / 1000:.0f} ms",
        "store": f"{size:.0f} bytes each, {size * PLANNED / 1e6:.0f} MB",
        "ray": f"{1000 * part:.1f} ms",
        "ray.share": f"{100 * PROCESSORS * part / 4:.0f} %",
    }


def plan() -> str:
    """The time of a round of ten policies on a thousand processors, by the time per move."""
    lines = list[list[str]]()
    for move in (0.001, 0.01, 0.1, 1.0):
        game = move * MOVES
        took = game * PLANNED
        times = readable(move), readable(game), f"{PROCESSORS / game:,.0f}", readable(took / PROCESSORS)
        lines.append([*times, f"{took / 3600:,.0f}"])
    return table(["time for a move", "a game", "games/s", f"{PLANNED:,} games take", "processor hours"], lines, align="r")


# ---- answers that are scored by exact regret, in batches about positions after random moves, and positions with all values

SCORED = ("nim", "tictactoe", "quixo:size=3", "quixo:size=4")
BATCH, BATCHES = 1024, 15
WORDS = {"marked": "<move>{move}</move>", "a sentence": "I have looked at the board.\n\nI'll play {move}."}


def score_answers(spec: str) -> dict[str, float]:
    """Answers a second by the median batch, after one that does not count, for each way of answering; after 0 to 7 random moves."""
    game, random, rates = ludus.make_game(spec), np.random.default_rng(0), dict[str, float]()
    for name, words in WORDS.items():
        times = list[float]()
        for batch in range(BATCHES + 1):
            states = np.concatenate([openings(game, batch, np.arange(BATCH // 8), plies)[1] for plies in range(8)])
            moves = [game.move_name(int(random.choice(game.legal_actions(state)))) for state in states]
            answers = [words.format(move=move) for move in moves]
            began = time.perf_counter()
            scores = score(game, states, answers)
            times.append(time.perf_counter() - began)
            assert all(one.value_lost is not None for one in scores)
        rates[name] = BATCH / statistics.median(times[1:])
    return rates


def write_positions() -> dict[str, float]:
    """Seconds of the command that writes positions, as a user has to wait for it."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["positions", "quixo:size=4", "--count", "100000", "--seed", "1", "--out", f"{folder}/positions.jsonl"]
        return {"seconds": seconds(partial(run, sys.executable, "-m", "ludus.cli", *command, cwd=ROOT))}


# ---- positions a second that a language model is asked about, and the bare client library at the same endpoint

AT_ONCE, REQUESTS, PAIRS = 64, 512, 7


def ask_both() -> list[dict[str, Any]]:
    """The rates of both in turn: the same questions with the same options; the bare library reads no move."""
    from openai import AsyncOpenAI  # here, since pages are built without it

    game = ludus.make_game("tictactoe")
    states, keys = np.repeat(game.start[None], REQUESTS, axis=0), np.arange(REQUESTS, dtype=np.uint64)
    with endpoint("tictactoe", "--policy", "random") as url:
        policy = ludus.make_policy(f"llm:model=local,url={url},concurrency={AT_ONCE},seeded=true", game)
        question, loop = prompt(game, game.start), asyncio.new_event_loop()
        client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
        ways = {
            "ludus": partial(rate, lambda: len(policy.act(states, keys))),
            "bare": partial(rate, lambda: loop.run_until_complete(ask_bare(client, question))),
        }
        for ask in ways.values():
            ask()  # connects, which does not count
        rates = take_in_turn(ways, PAIRS)
        loop.run_until_complete(client.close())
        loop.close()
    return rates


async def ask_bare(client: Any, question: str) -> int:
    """Asks with the client library alone."""
    seeds = iter(range(REQUESTS))

    async def work() -> None:
        for seed in seeds:
            message = {"role": "user", "content": question}
            answer = await client.chat.completions.create(model="local", messages=[message], temperature=0, seed=seed)
            assert answer.choices[0].message.content

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return REQUESTS


# ---- how fast one core plays and learns as AlphaZero

EXAMPLE = ROOT / "examples" / "training" / "alphazero_cost.py"
LEARNT = [("quarto", "Quarto", 32), ("quixo", "Quixo", 32), ("othello:size=6", "Othello 6×6", 32), ("othello", "Othello", 64)]
PRINTED = {"network": r"([\d,]+) evaluations/s", "play": r"([\d,]+) simulations/s", "learn": r"([\d,]+) positions/s"}
BOARDS, ROUNDS = 256, 5
LONG, PASSES = 60_000_000, 4
"""The positions of a full run of Othello, and how often each is used for learning."""


def run_example(game: str, simulations: int) -> dict[str, float]:
    """Per second of processor time: evaluations, simulations in self-play, and positions learnt from."""
    options = ["--simulations", str(simulations), "--boards", str(BOARDS), "--rounds", str(ROUNDS)]
    printed = run(sys.executable, EXAMPLE, game, *options)
    return {name: float(re.findall(pattern, printed)[0].replace(",", "")) for name, pattern in PRINTED.items()}


def optimise() -> dict[str, float]:
    """How many times as fast each game's network is when it is optimised for inference, by processor time."""
    import torch

    from ludus.baselines.alphazero.alphazero import AlphaZero
    from ludus.baselines.alphazero.networks.evaluator import Evaluator
    from ludus.baselines.alphazero.settings import AlphaZeroSettings
    from ludus.baselines.runs.networks import torch_threads, weights_of

    times = dict[str, float]()
    for spec, _, _ in LEARNT:
        game, settings = ludus.make_game(spec), AlphaZeroSettings(blocks=4, channels=32)
        weights = weights_of(AlphaZero(game, settings, seed=0).learner.net)
        planes = torch.zeros(BOARDS, *game.shape)
        networks = {str(fast): Evaluator(game, settings.shape, weights, fast).network for fast in (True, False)}
        ways = {name: partial(rate, partial(evaluate, network, planes)) for name, network in networks.items()}
        with torch_threads(1), torch.inference_mode():
            take_in_turn(ways, 1)  # fills the caches
            times[spec] = take_in_turn(ways, ROUNDS)[1]["by_processor"]
    return times


def evaluate(network: Any, planes: Any) -> int:
    """Some evaluations."""
    for _ in range(20):
        network(planes)
    return 20 * len(planes)


def show_learning(rows: Rows) -> dict[str, str]:
    """A row for each game, and the hours of a full run of Othello."""
    lines = list[list[str]]()
    for game, title, simulations in LEARNT:
        row = rows[game]
        share = f"{100 * row['play'] / row['network']:.0f} %"
        rates = f"{row['network']:,.0f}", f"{row['play']:,.0f}", share, f"{row['learn']:,.0f}"
        lines.append([f"{title}, {simulations} simulations", *rates])
    heads = ["", "the network alone, evaluations/s", "games against itself, simulations/s", "of that", "learning, positions/s"]
    times, othello = rows["optimised"].values(), rows["othello"]
    play, learn = LONG * 64 / othello["play"] / 3600, LONG * PASSES / othello["learn"] / 3600
    return {
        "table": table(heads, lines),
        "optimised": f"{min(times):.1f} to {max(times):.1f}",
        "play": f"{play:.0f}",
        "learn": f"{learn:.0f}",
        "both": f"{(play + learn) / 2:.0f}",
        "play.rate": f"{othello['play']:,.0f}",
        "learn.rate": f"{othello['learn']:,.0f}",
    }


# ---- activations of evolved networks, in compiled code and in neat-python

ACTIVATIONS_RUNS, SHAPES = 5, [(27, 9, 0), (27, 9, 10), (25, 1, 0), (25, 1, 10)]
NEAT = {
    "NEAT": {"pop_size": 4},
    "DefaultSpeciesSet": {"compatibility_threshold": 3},
    "DefaultStagnation": {"max_stagnation": 20, "species_elitism": 1},
    "Reproduction": {"elitism": 1, "survival_threshold": 0.2, "min_species_size": 1},
}


def activate(inputs: int, outputs: int, hidden: int) -> list[dict[str, Any]]:
    """The rates of both in turn on the same network, on one thread."""
    import neat

    from ludus.baselines.evolution.populations import NeatPopulation, network_of

    ludus.set_threads(1)
    genome = {"num_inputs": inputs, "num_outputs": outputs, "num_hidden": hidden, "activation_options": "tanh"}
    genome |= dict.fromkeys(("conn_add_prob", "conn_delete_prob", "node_add_prob", "node_delete_prob"), 0)
    population = NeatPopulation({**NEAT, "DefaultGenome": genome | {"initial_connection": "full_direct"}}, 1, 1)
    theirs = neat.nn.FeedForwardNetwork.create(population.genomes[0], population.config)
    ours, game = network_of(population.genomes[0], population.config), ludus.make_game("tictactoe")
    seen = (np.random.default_rng(1).random((100_000, inputs)) < 0.4).astype(np.float64)
    which, few = np.zeros(len(seen), np.int64), seen[:2000].tolist()
    assert np.allclose(ours.activate(game, which[:2000], seen[:2000]), [theirs.activate(row) for row in few], atol=1e-9)
    ways = {
        "ludus": partial(rate, lambda: len(ours.activate(game, which, seen))),
        "neat-python": partial(rate, lambda: len([theirs.activate(row) for row in few])),
    }
    return take_in_turn(ways, ACTIVATIONS_RUNS)


# ---- games by the million and positions with exact values, beside plain loops over the batch calls

MEASURE = """
import json, resource, sys
from pathlib import Path
import numpy as np
import ludus
from ludus.data import games, positions
from ludus.games.kernels.rules import ONGOING

COUNT, out = int(sys.argv[1]), Path(sys.argv[3])


def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def loop(count):
    game, random, rng, lines = ludus.make_game("othello"), ludus.make_policy("random", "othello"), np.random.default_rng(0), []
    for _ in range(0, count, 10_000):
        states = np.repeat(game.start[None], min(count, 10_000), axis=0)
        rows = np.arange(len(states))
        while len(rows):
            actions = random.act(states[rows], rng.integers(2**64, size=len(rows), dtype=np.uint64))
            states[rows] = game.plays(states[rows], actions)
            line = np.full(len(states), -1, np.int8)
            line[rows] = actions
            lines.append(line)
            rows = rows[game.outcomes(states[rows]) == ONGOING]


def ask(states):
    oracle, game = ludus.oracles.make_oracle("othello:size=6"), ludus.make_game("othello:size=6")
    masks = game.masks(states)
    rows, actions = np.nonzero(masks)
    known = oracle.action_values(states[rows], actions)
    planes = game.observations(states, game.players(states))
    arrays = {"states": states, "masks": masks, "planes": planes, "actions": actions, "values": known.values}
    np.savez_compressed(out / "plain.npz", **arrays)


def take(count):
    return positions("othello:size=6", count, empties=(0, 12), seed=1, out=out / f"{count}.npz").states


WHAT = {
    "games": (lambda: games("othello", 1000, out=out / "few"), lambda: games("othello", COUNT, out=out / "many")),
    "loop": (lambda: loop(1000), lambda: loop(COUNT)),
    "positions": (lambda: take(50), lambda: take(COUNT)),
}
if sys.argv[2] == "asked":
    states = take(COUNT)
    first, then = lambda: ask(states[:50]), lambda: ask(states)
else:
    first, then = WHAT[sys.argv[2]]
first()  # which compiles
before = spent()
then()
print(json.dumps({"seconds": spent() - before, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""
WORKS = (("games", 1_000_000), ("loop", 1_000_000), ("games", 20_000_000), ("positions", 20_000), ("asked", 20_000))


def measure_work(work: str, count: int) -> dict[str, float]:
    """The processor time and the peak memory of a work, on one thread of a process of its own."""
    environment = {**os.environ, "LUDUS_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with TemporaryDirectory() as folder:
        return json.loads(run(sys.executable, "-c", MEASURE, str(count), work, folder, cwd=ROOT, env=environment))


def show_data(rows: Rows) -> dict[str, str]:
    """The figures of the page: seconds of one processor, megabytes, and ratios."""
    million, plain, many, taken, asked = (rows[f"{work} {count}"] for work, count in WORKS)
    return {
        "million": f"{million['seconds']:.1f}",
        "megabytes": f"{million['megabytes']:.0f}",
        "share": f"{million['seconds'] / plain['seconds']:.2f}",
        "times": f"{many['seconds'] / million['seconds']:.1f}",
        "many_megabytes": f"{many['megabytes']:.0f}",
        "positions": f"{taken['seconds']:.1f}",
        "ratio": f"{taken['seconds'] / asked['seconds']:.2f}",
    }


STUDIES = (
    Study(
        RESULTS / "scale.json",
        lambda: {**{" ".join(map(str, pairing)): partial(keep_games, *pairing) for pairing in PAIRINGS}, "ray": on_ray},
        show_scale,
        0,
        ("numpy", "llvmlite", "ray"),
    ),
    Study(
        RESULTS / "scoring.json",
        lambda: {**{game: partial(score_answers, game) for game in SCORED}, "positions": write_positions},
        lambda rows: {
            "table": table(
                ["answers a second", *WORDS], [[game, *(f"{rows[game][name]:,.0f}" for name in WORDS)] for game in SCORED]
            ),
            "positions": f"{rows['positions']['seconds']:.0f} s",
        },
        0,
    ),
    Study(
        RESULTS / "asking.json",
        lambda: {"rates": ask_both},
        lambda rows: {"share": f"{rows['rates'][1]['times']:.0%}"},
        libraries=("numpy", "openai"),
    ),
    Study(
        RESULTS / "alphazero_cost.json",
        lambda: {**{game: partial(run_example, game, simulations) for game, _, simulations in LEARNT}, "optimised": optimise},
        show_learning,
        0,
        ("numpy", "llvmlite", "torch"),
    ),
    Study(
        RESULTS / "activations.json",
        lambda: {f"{shape[0]} → {shape[1]}, {shape[2]} hidden": partial(activate, *shape) for shape in SHAPES},
        lambda rows: {
            name: f"{pick(row[1]['by_processor'] for row in rows.values()):.0f}" for name, pick in (("least", min), ("most", max))
        },
        1,
        ("numpy", "llvmlite", "neat-python"),
    ),
    Study(
        RESULTS / "data.json",
        lambda: {f"{work} {count}": partial(measure_work, work, count) for work, count in WORKS},
        show_data,
        0,
    ),
)
