"""The kernels that a page needs to play all games by itself: one module, and a document that says how to use it.

The document, kernels.json, holds

    layouts     how each kernel is called, by its name (core/native/wasm.py)
    games       each variant by its spec: its name, its start, the sizes of the arrays that its kernels take, its board as data,
                what its oracle needs (`Oracle.for_page`), and the policies that play it, each with what it needs for that
                (`Policy.page_data`)
    policies    the settings of each policy, with their defaults and bounds (`describe_settings`)
    constants   numbers of the searches that JavaScript needs, too, to lay out their arrays and to ask as they do
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from ...agents import alphazero, answers, mcts, minimax
from ...agents.policy import Policy
from ...agents.registry import POLICIES, make_policy, policies_for
from ...core.bounds import OneOf
from ...core.native.wasm import compile_for_web, export_name, layout_of, link_module
from ...core.numbers import Range
from ...core.plugins.loading import check_installed
from ...core.specs import settings_of, value_text
from ...games.board_game import BoardGame
from ...games.game import Game
from ...games.kernels import boards, keys, queries, rules
from ...games.linking import LinkedKernel, link_of, linked
from ...games.registry import BUILT_IN, game_class, make_game
from ...oracles import make_oracle
from ...search import residual, watch
from ...search.alphabeta import negamax, proof
from ...search.mcts import forest, tree
from ...search.mcts.guided import FORMULAS, GuidedSearch
from .networks import network_for_page

RULES = linked(
    *(queries.players, queries.outcomes, queries.masks, queries.plays, queries.observations, queries.first_foreign, queries.perft),
    keys.derive_keys,
    forest.read_lines,
)
"""The kernels that any page needs."""
BOARDS = linked(boards.look, boards.foresee, boards.set_up)
"""The kernels of games that declare their board as data."""
SETTINGS = {
    "random": "",
    "greedy": "",
    "expectimax": "depth",
    "minimax": "depth nodes seconds evaluation mobility probcut book prune table aspiration table_bits",
    "nim_sum": "",
    "easy": "",
    "hard": "budget",
    "frontiers": "depth highest",
    "perfect": "nodes",
    "alphazero": "simulations exploration formula considered solver ahead root_ahead temperature repeats",
    "mcts": "simulations exploration rollouts rollout_plies solver seconds",
}
"""The policies that play in a page, and those of their settings that JavaScript knows."""
ALLOWED_THERE = {"evaluation": "classic, or patterns where the game has them"}
"""What settings may be in a page, in words, where that is less than elsewhere."""
KINDS = {int: "whole", float: "number", bool: "flag", str: "text", types.NoneType: "none"}
SHARED = {
    rules: "ONGOING",
    watch: "UNLIMITED",
    negamax: "WIN PROVEN GENERATIONS LARGEST_DEPTH",
    minimax: "USUAL_DEPTH",
    mcts: "SLICE",
    forest: "NODES_PER_SIMULATION MAX_BYTES",
    tree: "NODE_COLUMNS VALUE_COLUMNS NUM_COUNTERS ROOT UNKNOWN POSITIONS_PER_ENTRY MAX_ENTRIES",
    tree.Node: "PROOF",
    tree.Counter: "USED NUM_PENDING DONE",
    answers: "LONGEST_LINE",
    alphazero: "AGAINST_CIRCLES",
    residual: "POLICY_CHANNELS HIDDEN DIRECTIONS",
}
"""Constants that JavaScript needs, too, by where they are defined."""
CONSTANTS = {
    **{name: getattr(where, name) for where, names in SHARED.items() for name in names.split()},
    "PROOF_TABLE_BITS": proof.TABLE_BITS,
    "ENTRY_WORDS": tree.ENTRY_BYTES // 8,
    **{name.upper(): getattr(GuidedSearch, name) for name in ("noise_share", "value_scale", "value_visits")},
    **{name.upper(): number for name, number in FORMULAS.items()},
}


def files_for_web() -> dict[str, bytes]:
    """What the oracles, the networks and the policies of all variants need, by the names of their files."""
    files = dict[str, bytes]()
    for game in map(make_game, variants_for_web()):
        if network := network_for_page(game):
            files[network.file] = network.encode()
        if oracle := make_oracle(game).for_page():
            files |= oracle.files
        for policy in _players_of(game):
            files |= policy.page_files
    return files


def variants_for_web() -> list[str]:
    """The specs of all variants of the games of this package."""
    return [spec for name in BUILT_IN for spec in game_class(name).variants]


def build_kernels(specs: Iterable[str] | None = None) -> dict[str, bytes]:
    """Compiles the kernels of some variants, by default of all: the files kernels.wasm and kernels.json.

    The same sources and versions of the libraries give the same bytes.

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
        "policies": {name: describe_settings(POLICIES.find(name), settings.split()) for name, settings in SETTINGS.items()},
        "constants": CONSTANTS,
    }
    return {"kernels.wasm": link_module(objects), "kernels.json": json.dumps(document, separators=(",", ":")).encode()}


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
    network, oracle = network_for_page(game), make_oracle(game)
    guided = {"alphazero": {"network": network.file}} if network else {}
    needed = oracle.for_page()
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
        "oracle": needed and {"kind": needed.kind, "reach": oracle.reach, "files": [*needed.files], **needed.numbers},
    }


# ---- settings of policies


def describe_settings(policy: type, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Some settings of a policy, by their names.

    Each has its `default`; its `kinds`, which are among whole, number, flag, text and none; where they are bounded `least`, `most`
    and `above`, or `choices`; and what is `allowed`, in words.
    """
    hints = get_type_hints(policy, include_extras=True)
    defaults = {field.name: field.default for field in fields(policy) if field.default is not MISSING}  # pyright: ignore[reportArgumentType]
    words = {setting.name: setting.allowed or setting.type for setting in settings_of(policy)} | ALLOWED_THERE
    return {name: {"default": defaults[name], "allowed": words[name]} | _bounds_of(hints[name]) for name in names}


def _bounds_of(hint: Any) -> dict[str, Any]:
    """What a value may be by an annotation."""
    if get_origin(hint) in (Union, types.UnionType):
        parts = [_bounds_of(member) for member in get_args(hint)]
        return {key: value for part in parts for key, value in part.items()} | {
            "kinds": [kind for part in parts for kind in part["kinds"]]
        }
    if get_origin(hint) is not Annotated:
        return {"kinds": [KINDS[hint]]}
    inner, *bounds = get_args(hint)
    given = _bounds_of(inner)
    for bound in bounds:
        if isinstance(bound, Range):
            given |= {"least": bound.least, "most": min(bound.most, 2**53)} | (
                {} if bound.above is None else {"above": bound.above}
            )
        elif isinstance(bound, OneOf):
            given |= {"choices": list(bound.choices)}
    return given
