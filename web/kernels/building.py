"""The kernels that a page needs to play all games by itself: one module, and a document that says how to use it.

The document, kernels.json, holds

    layouts     how each kernel is called, by its name (core/native/wasm.py)
    games       each variant by its spec: its name, its start, the sizes of the arrays that its kernels take, its board as data,
                what its oracle needs (`Oracle.for_page`), and the policies that play it, each with what it needs for that
                (`Policy.page_data`)
    policies    the settings of each policy, with their defaults and bounds (settings.py)
    constants   numbers of the searches that JavaScript needs, too, to lay out their arrays and to ask as they do
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...agents.alphazero import AGAINST_CIRCLES
from ...agents.answers import LONGEST_LINE
from ...agents.mcts import SLICE
from ...agents.minimax import USUAL_DEPTH
from ...agents.policy import Policy
from ...agents.registry import POLICIES, make_policy, policies_for
from ...core.native.wasm import compile_for_web, export_name, layout_of, link_module
from ...core.plugins.loading import check_installed
from ...core.specs import settings_of, value_text
from ...games.board_game import BoardGame
from ...games.game import Game
from ...games.kernels import boards, keys, queries
from ...games.kernels.rules import ONGOING
from ...games.linking import LinkedKernel, link_of, linked
from ...games.registry import BUILT_IN, game_class, make_game
from ...oracles import make_oracle
from ...search import residual
from ...search.alphabeta import proof
from ...search.alphabeta.negamax import GENERATIONS, LARGEST_DEPTH, PROVEN, WIN
from ...search.mcts.forest import MAX_BYTES, NODES_PER_SIMULATION, read_lines
from ...search.mcts.guided import FORMULAS, GuidedSearch
from ...search.mcts.tree import (
    ENTRY_BYTES,
    MAX_ENTRIES,
    NODE_COLUMNS,
    NUM_COUNTERS,
    POSITIONS_PER_ENTRY,
    ROOT,
    UNKNOWN,
    VALUE_COLUMNS,
    Counter,
    Node,
)
from ...search.watch import UNLIMITED
from .networks import network_for_page
from .settings import describe_settings

RULES = linked(
    *(queries.players, queries.outcomes, queries.masks, queries.plays, queries.observations, queries.first_foreign, queries.perft),
    keys.derive_keys,
    read_lines,
)
"""The kernels that any page needs."""
BOARDS = linked(boards.look, boards.foresee, boards.set_up)
"""The kernels of games that declare their board as data."""
SETTINGS = {
    "random": (),
    "greedy": (),
    "expectimax": ("depth",),
    "minimax": (
        "depth",
        "nodes",
        "seconds",
        "evaluation",
        "mobility",
        "probcut",
        "book",
        "prune",
        "table",
        "aspiration",
        "table_bits",
    ),
    "nim_sum": (),
    "easy": (),
    "hard": ("budget",),
    "frontiers": ("depth", "highest"),
    "perfect": ("nodes",),
    "alphazero": (
        *("simulations", "exploration", "formula", "considered", "solver", "ahead", "root_ahead", "temperature", "repeats"),
    ),
    "mcts": ("simulations", "exploration", "rollouts", "rollout_plies", "solver", "seconds"),
}
"""The policies that play in a page, and those of their settings that JavaScript knows."""
CONSTANTS = {
    "ONGOING": ONGOING,
    "UNLIMITED": UNLIMITED,
    "WIN": WIN,
    "PROVEN": PROVEN,
    "GENERATIONS": GENERATIONS,
    "USUAL_DEPTH": USUAL_DEPTH,
    "LARGEST_DEPTH": LARGEST_DEPTH,
    "PROOF_TABLE_BITS": proof.TABLE_BITS,
    "SLICE": SLICE,
    "NODES_PER_SIMULATION": NODES_PER_SIMULATION,
    "MAX_BYTES": MAX_BYTES,
    "NODE_COLUMNS": NODE_COLUMNS,
    "VALUE_COLUMNS": VALUE_COLUMNS,
    "NUM_COUNTERS": NUM_COUNTERS,
    "ROOT": ROOT,
    "PROOF": Node.PROOF,
    "UNKNOWN": UNKNOWN,
    "POSITIONS_PER_ENTRY": POSITIONS_PER_ENTRY,
    "MAX_ENTRIES": MAX_ENTRIES,
    "ENTRY_WORDS": ENTRY_BYTES // 8,
    "LONGEST_LINE": LONGEST_LINE,
    "AGAINST_CIRCLES": AGAINST_CIRCLES,
    **{name.upper(): getattr(GuidedSearch, name) for name in ("noise_share", "value_scale", "value_visits")},
    **{name: getattr(residual, name) for name in ("POLICY_CHANNELS", "HIDDEN", "DIRECTIONS")},
    **{name.upper(): number for name, number in FORMULAS.items()},
    "USED": Counter.USED,
    "NUM_PENDING": Counter.NUM_PENDING,
    "DONE": Counter.DONE,
}


class WebKernels(NamedTuple):
    """What a page loads.

    Args:
        module: kernels.wasm.
        document: kernels.json.
    """

    module: bytes
    document: bytes


def files_for_web(specs: Iterable[str] | None = None) -> dict[str, bytes]:
    """What the oracles, the networks and the policies of some variants need, by default of all, by the names of their files."""
    games = [make_game(spec) for spec in specs or variants_for_web()]
    oracles = [oracle for game in games if (oracle := make_oracle(game).for_page()) is not None]
    networks = {network.file: network.encode() for game in games if (network := network_for_page(game)) is not None}
    players = [policy.page_files for game in games for policy in _players_of(game)]
    return networks | {name: body for files in (*(oracle.files for oracle in oracles), *players) for name, body in files.items()}


def variants_for_web() -> list[str]:
    """The specs of all variants of the games of this package."""
    return [spec for name in BUILT_IN for spec in game_class(name).variants]


def build_kernels(specs: Iterable[str] | None = None) -> WebKernels:
    """Compiles the kernels of some variants, by default of all; the same bytes from the same sources and versions of the libraries.

    Raises:
        ValueError: ziglang, which links them, is not installed; or there is no such variant.
    """
    check_installed("WebAssembly", "page")
    games = [make_game(spec) for spec in specs or variants_for_web()]
    objects, layouts = dict[str, bytes](), dict[str, Any]()
    for game in games:
        for called, needed in _needed_kernels(game):
            kernel, link = needed.kernel, link_of(type(game), needed.pairs)
            if (name := export_name(kernel, link, called)) not in objects:
                objects[name], layouts[called] = compile_for_web(kernel, link, called), layout_of(kernel)
    document = {
        "layouts": layouts,
        "games": {game.spec: _describe_game(game) for game in games},
        "policies": {name: describe_settings(POLICIES.find(name), settings) for name, settings in SETTINGS.items()},
        "constants": CONSTANTS,
    }
    return WebKernels(link_module(objects), json.dumps(document, separators=(",", ":")).encode())


def _needed_kernels(game: Game) -> Iterator[tuple[str, LinkedKernel]]:
    """The kernels of a game, by the names by which JavaScript calls them."""
    needed = [*RULES, *(BOARDS if isinstance(game, BoardGame) else ()), proof.PROVE]
    needed += [kernel for policy in _players_of(game) for kernel in policy.page_kernels]
    if network := network_for_page(game):
        needed += [*network.kernels, *GuidedSearch(game).kernels]
    yield from ((linked_kernel.kernel.__name__, linked_kernel) for linked_kernel in needed)
    if (oracle := make_oracle(game).for_page()) is not None:
        yield from oracle.kernels.items()


def _players_of(game: Game) -> list[Policy]:
    """The policies that play a game in a page, with their usual settings."""
    return [make_policy(name, game) for name in policies_for(game) if name in SETTINGS]


def _describe_game(game: Game) -> dict[str, Any]:
    network = network_for_page(game)
    guided = {"alphazero": {"network": network.file}} if network else {}
    return {
        "name": game.name,
        "settings": {setting.name: value_text(getattr(game, setting.name)) for setting in settings_of(type(game))},
        "title": game.title,
        "players": game.player_names,
        "moves": game.moves,
        "aliases": {name: action for name, action in game.actions_by_name.items() if name != game.moves[action]},
        "layout": game.layout.as_json() if isinstance(game, BoardGame) else None,
        "start": [hex(word) for word in game.start_words],
        "actions": game.num_actions,
        "action_words": game.action_words,
        "shape": game.shape,
        "max_plies": game.max_plies,
        "weights": game.evaluation.numbers.tolist(),
        "policies": {policy.name: policy.page_data for policy in _players_of(game)} | guided,
        "oracle": _describe_oracle(game),
    }


def _describe_oracle(game: Game) -> dict[str, Any] | None:
    oracle = make_oracle(game)
    needed = oracle.for_page()
    return needed and {"kind": needed.kind, "reach": oracle.reach, "files": [*needed.files], **needed.numbers}
