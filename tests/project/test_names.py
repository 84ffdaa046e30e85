"""Names: what functions and classes are called, where games are named, and that public names do not change by accident."""

import ast
import re
from collections import defaultdict
from functools import cache

from ludus.games.registry import BUILT_IN as GAMES

from ..helpers.public_names import FILE, public_names
from ..helpers.sources import trees

IRREGULAR = (
    "begun|borne|broken|brought|built|chosen|done|drawn|fed|forgotten|found|given|gone|grown|held|hidden|kept|known|laid|left|lost|made|met|"
    "paid|said|seen|sent|shown|spoken|sworn|taken|thought|thrown|told|torn|won|worn|written"
)
VERBS = {"breed", "embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"}
"""Words that end as participles do."""
PUBLIC = {"linked", "permuted", "played", "reached", "spoken"}
"""Names that users call, and that stay."""


@cache
def definitions() -> list[tuple[str, ast.AST]]:
    """The functions and classes of the packages, each with the name of its file."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [(name, node) for name, tree in trees().items() for node in ast.walk(tree) if isinstance(node, kinds)]


def is_participle(name: str) -> bool:
    """Whether a function is named by a bare participle, as `shown` or `_merged`."""
    word = name.strip("_")
    return word not in VERBS | PUBLIC and re.fullmatch(rf"[a-z]+ed|{IRREGULAR}", word) is not None


def is_property(node: ast.AST) -> bool:
    """Whether a function is read as an attribute: there an adjective such as `finished` says what the object is."""
    return any("property" in ast.unparse(decorator) for decorator in getattr(node, "decorator_list", []))


def test_no_function_is_named_by_a_bare_participle():
    functions = [(name, node) for name, node in definitions() if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert len(functions) > 1000
    assert [f"{name}: {node.name}" for name, node in functions if is_participle(node.name) and not is_property(node)] == []


def test_a_class_name_stands_for_one_thing():
    files = defaultdict(list)
    for name, node in definitions():
        if isinstance(node, ast.ClassDef):
            files[node.name].append(name)
    assert {name: places for name, places in files.items() if len(places) > 1} == {}


# ---- code for any game names no game: what is known of one lies in its own files, and in `known.json` beside its rules

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


# ---- public names


def test_public_names_are_those_of_the_list():
    names, listed = public_names(), FILE.read_text(encoding="utf-8").splitlines()
    gone, new = sorted({*listed} - {*names}), sorted({*names} - {*listed})
    assert (gone, new) == ([], []), "if this is meant: python -m tests.helpers.public_names, and a line in the changelog"
    assert names == listed
