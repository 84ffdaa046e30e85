"""What rounding costs the networks and the patterns of a page without a server: how often their moves stay the same.

Shown in docs/kernels.md.
"""

from __future__ import annotations

import gzip
from functools import cache, partial
from typing import Any

import numpy as np

import ludus
from ludus.agents.alphazero import AlphaZeroPolicy
from ludus.arena.report.words import percent
from ludus.baselines.ntuples.looks import random_positions
from ludus.games.game import Game, StateArray
from ludus.games.kernels.rules import ONGOING
from ludus.search.alphabeta.negamax import PROVEN, AlphaBeta
from ludus.search.patterns.evaluation import EIGHT_BY_EIGHT, UNITS, shipped_patterns
from ludus.search.patterns.page import encode_book, encode_patterns, patterns_for_page
from ludus.web.kernels.building import variants_for_web
from ludus.web.kernels.networks import network_for_page

from .. import RESULTS
from ..common import table
from ..runner import Rows, Study

POSITIONS, SIMULATIONS, DEPTHS = 300, 100, (1, 3, 5)


def cells() -> dict[str, Any]:
    """A cell for each network, and one for the patterns."""
    games = [game for spec in variants_for_web() if network_for_page(game := ludus.make_game(spec))]
    return {game.spec: partial(compare_networks, game) for game in games} | {"patterns": compare_patterns}


@cache
def unfinished_positions(game: Game) -> StateArray:
    """Unfinished positions of random games, drawn by a seed (POSITIONS, W)."""
    states = random_positions(game)
    states = states[game.outcomes(states) == ONGOING]
    return states[np.random.default_rng(0).choice(len(states), POSITIONS, replace=False)]


def base64_bytes(body: bytes) -> int:
    """The characters that a file takes in a page: gzip, as base64."""
    return 4 * -(-len(gzip.compress(body, 9, mtime=0)) // 3)


def compare_networks(game: Game) -> dict[str, Any]:
    """How often the whole and the rounded network choose the same action, and how far their values differ."""
    from ludus.baselines.alphazero.networks.shipped import load_shipped_network

    rounded, states = network_for_page(game), unfinished_positions(game)
    assert rounded is not None  # `cells` lists those that there are
    keys = np.random.default_rng(1).integers(0, 2**64, POSITIONS, np.uint64)
    (priors, values), (rough_priors, rough_values) = load_shipped_network(game)(states), rounded(states)
    whole, rough = AlphaZeroPolicy(game, simulations=SIMULATIONS), AlphaZeroPolicy(game, simulations=SIMULATIONS, net=rounded)
    return {
        "alone": float((priors.argmax(axis=1) == rough_priors.argmax(axis=1)).mean()),
        "searched": float((whole.act(states, keys) == rough.act(states, keys)).mean()),
        "value_error": float(abs(values - rough_values).mean()),
        "bytes": base64_bytes(rounded.encode()),
    }


def compare_patterns() -> dict[str, Any]:
    """How often searches find the same action by the whole and by the rounded numbers, and how far their values differ."""
    game, rows = EIGHT_BY_EIGHT, dict[str, Any]()
    states = unfinished_positions(game)
    keys = np.random.default_rng(1).integers(0, 2**64, POSITIONS, np.uint64)
    for depth in DEPTHS:
        whole, rough = (
            AlphaBeta(game, patterns, depth).search(states, keys) for patterns in (shipped_patterns(), patterns_for_page())
        )
        open_ = (abs(whole.values) <= PROVEN) & (abs(rough.values) <= PROVEN)
        error = float(abs(whole.values - rough.values)[open_].mean()) / UNITS
        rows[str(depth)] = {"same": float((whole.actions == rough.actions).mean()), "value_error": error}
    return {"depths": rows, "bytes": base64_bytes(encode_patterns()), "book_bytes": base64_bytes(encode_book())}


def show(rows: Rows) -> dict[str, str]:
    """A table of the networks, one of the patterns, and the bytes that all take."""
    networks = {name: row for name, row in rows.items() if name != "patterns"}
    lines = [
        [f"`{name}`", percent(row["alone"]), percent(row["searched"]), f"{row['value_error']:.3f}", f"{row['bytes']:,}"]
        for name, row in networks.items()
    ]
    heads = ["game", "same action alone", f"with {SIMULATIONS} simulations", "mean difference of the value", "bytes in the page"]
    figures = {"networks": table(heads, lines), "positions": str(POSITIONS)}
    figures["networks.bytes"] = f"{sum(row['bytes'] for row in networks.values()):,}"
    if "patterns" in rows:
        row = rows["patterns"]
        lines = [[depth, percent(at["same"]), f"{at['value_error']:.2f}"] for depth, at in row["depths"].items()]
        figures["patterns"] = table(["depth", "same action", "mean difference of the value, in discs"], lines)
        figures |= {"patterns.bytes": f"{row['bytes']:,}", "book.bytes": f"{row['book_bytes']:,}"}
    return figures


STUDIES = (Study(RESULTS / "page.json", cells, show, 0, ("numpy", "llvmlite", "torch")),)
