"""Activations per second of evolved networks in compiled code and in neat-python, measured in turn on the same networks.

python -m benchmarks.speed.activations
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import ludus

from ..provenance import Part, Study, of_times, table

ROUNDS = 5
SHAPES = [(27, 9, 0), (27, 9, 10), (25, 1, 0), (25, 1, 10)]


def rate(work: Callable[[], object], activations: int) -> float:
    """Activations per second of processor time, the best of a few rounds."""
    seconds: list[float] = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return activations / min(seconds)


def measured(inputs: int, outputs: int, hidden: int) -> dict[str, float]:
    """Activations per second of both libraries on one thread."""
    import neat

    from ludus.baselines.evolution.populations import NeatPopulation, network_of

    ludus.set_threads(1)
    settings = {"num_inputs": inputs, "num_outputs": outputs, "num_hidden": hidden, "activation_options": "tanh"}
    settings |= dict.fromkeys(("conn_add_prob", "conn_delete_prob", "node_add_prob", "node_delete_prob"), 0)
    settings |= {"initial_connection": "full_direct"}
    sections = {
        "NEAT": {"pop_size": 4},
        "DefaultGenome": settings,
        "DefaultSpeciesSet": {"compatibility_threshold": 3},
        "DefaultStagnation": {"max_stagnation": 20, "species_elitism": 1},
        "Reproduction": {"elitism": 1, "survival_threshold": 0.2, "min_species_size": 1},
    }
    population = NeatPopulation(sections, 1)
    genome = population.genomes[0]
    seen = (np.random.default_rng(1).random((100_000, inputs)) < 0.4).astype(np.float64)
    theirs = neat.nn.FeedForwardNetwork.create(genome, population.config)
    ours, game, which = network_of(genome, population.config), ludus.make_game("tictactoe"), np.zeros(len(seen), np.int64)
    few = seen[:2000].tolist()
    assert np.allclose(ours.activate(game, which[:2000], seen[:2000]), [theirs.activate(row) for row in few], atol=1e-9)
    fast = rate(lambda: ours.activate(game, which, seen), len(seen))
    slow = rate(lambda: [theirs.activate(row) for row in few], len(few))
    return {"ludus": fast, "neat-python": slow}


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each shape of network."""
    found = dict[str, Part]()
    for inputs, outputs, hidden in SHAPES:
        measure = partial(measured, inputs, outputs, hidden)
        found[f"{inputs} → {outputs}, {hidden} hidden"] = of_times(measure, measure, times_as_fast)
    return found


def times_as_fast(rates: dict[str, float]) -> float:
    """How many times as fast ours is."""
    return rates["ludus"] / rates["neat-python"]


def shown(found: dict[str, Any]) -> dict[str, str]:
    """A row for each shape, and the range of the speed-ups."""
    times = {name: times_as_fast(rates) for name, rates in found.items()}
    rows = [[name, f"{times[name]:.0f}", *(f"{rate:,.0f}" for rate in rates.values())] for name, rates in found.items()]
    heads = ["inputs → outputs", "ludus is … times as fast", "ludus", "neat-python"]
    return {"table": table(heads, rows), "least": f"{min(times.values()):.0f}", "most": f"{max(times.values()):.0f}"}


SOURCES = ("native", "baselines/evolution/kernels.py", "baselines/evolution/networks.py")
STUDY = Study(__file__, parts, shown, SOURCES, 1, ("numpy", "llvmlite", "neat-python"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
