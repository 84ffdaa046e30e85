"""The files that a page without a server holds. JavaScript gets one by `await kernels.file(name)`, as a Uint8Array.

Another one is a line in `MAKERS`. Each maker gives the same bytes from the same sources and versions of the libraries.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ...envs import make_game
from ...games.registry import BUILT_IN
from ..kernels.building import ALLOWED_THERE, SETTINGS, build_kernels, files_for_web, variants_for_web
from ..kernels.networks import network_for_page
from ..offers import Offers, lesson_document, puzzles_document


def make_files() -> dict[str, bytes]:
    """All files by their names: the kernels, the books of oracles, the networks, and what `MAKERS` makes.

    Raises:
        ValueError: ziglang, which links the kernels, is not installed.
    """
    module, document = build_kernels()
    files = {"kernels.wasm": module, "kernels.json": document}
    return files | files_for_web() | {name: make() for name, make in MAKERS.items()}


def offers_alone() -> dict[str, Any]:
    """The choices of a page without a server: as `ludus web` offers them, but only the policies and settings that play in it."""
    document = Offers(networks=[spec for spec in variants_for_web() if network_for_page(make_game(spec))]).document()
    games = [game for game in document["games"] if game["name"] in BUILT_IN]
    for game in games:
        game["levels"] = {variant: [*filter(_plays_alone, levels)] for variant, levels in game["levels"].items()}
        game["policies"] = [_policy_alone(policy) for policy in game["policies"] if policy["name"] in SETTINGS]
    return {"games": games, "watched": []}


def _plays_alone(level: Mapping[str, Any]) -> bool:
    return level["policy"].partition(":")[0] in SETTINGS


def _policy_alone(policy: Mapping[str, Any]) -> dict[str, Any]:
    names = SETTINGS[policy["name"]].split()
    settings = [setting for setting in policy["settings"] if setting["name"] in names]
    return {**policy, "settings": [{**each, "allowed": ALLOWED_THERE.get(each["name"], each["allowed"])} for each in settings]}


def _of_each_variant(document_of: Callable[[str], Any]) -> bytes:
    """A document that holds one for each variant, by its spec."""
    return _encode({spec: document_of(spec) for spec in variants_for_web()})


def _encode(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


MAKERS: dict[str, Callable[[], bytes]] = {
    "offers.json": lambda: _encode(offers_alone()),
    "lessons.json": lambda: _of_each_variant(lesson_document),
    "puzzles.json": lambda: _of_each_variant(puzzles_document),
}
"""What makes each other file, by its name: documents that the worker answers with, and weights of policies."""
