"""Code for any game names no game: what is known of one lies in its own files, and in `known.json` beside its rules."""

import ast

from ludus.games.registry import BUILT_IN as GAMES

from ..helpers.sources import trees

REASONS = {
    "a line for each game": ["games/registry.py"],
    "a line for each format of files, those of one game too": ["records/formats.py"],
    "the game where none is given": [
        *("envs/aec.py", "envs/single.py", "envs/vector.py", "baselines/sb3/vec_env.py"),
        *("cli/measuring.py", "text/environments/tasks.py", "text/environments/verifiers.py", "web/alone/building.py"),
    ],
    "patterns of Othello, which minimax has as a setting": ["search/patterns/evaluation.py"],
    "policies and trainers of Nim alone": [
        "agents/nim_sum.py",
        *(f"baselines/evolution/evolved_{kind}.py" for kind in ("mixture", "preference", "table")),
    ],
}
"""Why files name a game, and which these are."""
OWN = ("games", "records", "oracles", "agents")
"""Folders in which games have folders or files of their own."""


def names_game(node: ast.AST) -> bool:
    """Whether a piece of code is the name or spec of a game, or imports from a game's own files."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.partition(":")[0] in GAMES
    return isinstance(node, ast.ImportFrom) and not GAMES.keys().isdisjoint((node.module or "").split("."))


def test_code_for_any_game_names_none_but_where_a_reason_is_given():
    own = tuple(f"{folder}/{game}{end}" for folder in OWN for game in GAMES for end in ("/", ".py"))
    others = {name: tree for name, tree in trees().items() if not name.startswith(own)}
    naming = [name for name, tree in others.items() if any(map(names_game, ast.walk(tree)))]
    assert sorted(naming) == sorted(file for files in REASONS.values() for file in files)
