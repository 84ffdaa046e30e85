"""The files that a page without a server holds. JavaScript gets one by `await kernels.file(name)`, as a Uint8Array."""

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
    """All files by their names: the kernels, the books of oracles, the networks, and the documents that the worker answers with.

    The same sources and versions of the libraries give the same bytes.

    Raises:
        ValueError: ziglang, which links the kernels, is not installed.
    """
    documents = {
        "offers.json": offers_alone(),
        "lessons.json": of_each_variant(lesson_document),
        "puzzles.json": of_each_variant(puzzles_document),
    }
    encoded = {
        name: json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode() for name, document in documents.items()
    }
    return build_kernels() | files_for_web() | encoded


def of_each_variant(document_of: Callable[[str], Any]) -> dict[str, Any]:
    """A document for each variant, by its spec."""
    return {spec: document_of(spec) for spec in variants_for_web()}


def offers_alone() -> dict[str, Any]:
    """The choices of a page without a server: as `ludus web` offers them, but only the policies and settings that play in it."""
    document = Offers(networks=[spec for spec in variants_for_web() if network_for_page(make_game(spec))]).document()
    games = [game for game in document["games"] if game["name"] in BUILT_IN]
    for game in games:
        for variant, levels in game["levels"].items():
            game["levels"][variant] = [level for level in levels if level["policy"].partition(":")[0] in SETTINGS]
        game["policies"] = [_policy_alone(policy) for policy in game["policies"] if policy["name"] in SETTINGS]
    return {"games": games, "watched": []}


def _policy_alone(policy: Mapping[str, Any]) -> dict[str, Any]:
    names = SETTINGS[policy["name"]].split()
    settings = [setting for setting in policy["settings"] if setting["name"] in names]
    return {**policy, "settings": [{**each, "allowed": ALLOWED_THERE.get(each["name"], each["allowed"])} for each in settings]}
