"""Names: a function is a verb with an object or the thing that it returns, and a class name stands for one thing."""

import ast
import re
from collections import defaultdict
from functools import cache

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


def test_no_public_function_takes_more_than_nine_arguments():
    functions = [(name, node) for name, node in definitions() if not isinstance(node, ast.ClassDef) and node.name[0] != "_"]
    assert [f"{name}: {node.name}" for name, node in functions if len(arguments_of(node)) > 9] == []


def arguments_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The names of a function's arguments, without a method's own object and the bounds that the loop of a kernel supplies."""
    listed = (*node.args.posonlyargs, *node.args.args, node.args.vararg, *node.args.kwonlyargs, node.args.kwarg)
    supplied = {"self", "cls"} | ({"lo", "hi"} if "in_ranges" in map(ast.unparse, node.decorator_list) else set())
    return [argument.arg for argument in listed if argument and argument.arg not in supplied]
