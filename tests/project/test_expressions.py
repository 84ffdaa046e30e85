"""Every regular expression of the package is linear: three times as long a text takes three times as many steps, whatever it is.

The expressions are gathered from the sources, so that a new one is tried as well. Most of them see text from files, models, engines
or browsers. Steps are counted (helpers/matching.py), so that nothing here depends on the clock.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from importlib import import_module

import pytest

import ludus
from ludus.text import completions, reading

from ..helpers.matching import Work
from ..helpers.sources import SOURCES

CALLS = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
FROM_THE_START = {"match", "fullmatch"}
TIMES = 20, 60
MOST = 4
"""How much more work a text that is three times as long may take; a quadratic expression takes about nine times as much."""
MADE = {
    "text/reading.py": 4,  # of a game, which are tried below
    "text/completions.py": 1,  # out of a table, which is tried below
    "text/complaints.py": 2,  # the name of a field
    "text/keys.py": 1,  # the ways to write a key
    "cli/bench/machine.py": 1,  # a word and a number
}
"""How many expressions are made while the package runs, by the file that does so."""


def _calls():
    """Every call of `re` in the package: its file, the call, and whether it only looks at the start of a text."""
    texts = {path: file.read_text(encoding="utf-8") for path, file in SOURCES.items()}
    uses = defaultdict(set)
    for text in texts.values():
        for name, method in re.findall(r"\b([A-Z_]{2,40})\.([a-z]{3,20})\b", text):
            uses[name].add(method)
    for path, text in texts.items():
        if "import re\n" in text:
            tree = ast.parse(text)
            names = {node.value: ast.unparse(node.targets[0]) for node in tree.body if isinstance(node, ast.Assign)}
            for node in ast.walk(tree):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr in CALLS
                    and _is_re(node.func)
                ):
                    is_anchored = node.func.attr in FROM_THE_START or uses.get(names.get(node), {"search"}) <= FROM_THE_START
                    yield path, node, is_anchored


def _is_re(function):
    return isinstance(function.value, ast.Name) and function.value.id == "re"


def _expression(path, call):
    """The expression that a call names; None where it is made of what is only there while the package runs."""
    known = vars(import_module(f"ludus.{path.removesuffix('.py').replace('/', '.')}"))
    flags = [argument for argument in (*call.args[1:], *(word.value for word in call.keywords)) if "re." in ast.unparse(argument)]
    try:
        return re.compile(*(eval(ast.unparse(part), dict(known)) for part in (call.args[0], *flags)))
    except NameError:
        return None


def assert_linear(expression, is_anchored=False):
    """Whatever text it gets, it takes about as many steps for each character, and not too many."""
    work = Work(expression, is_anchored)
    for text, longer in zip(*map(work.texts, TIMES), strict=True):
        assert work.count(longer) <= MOST * work.count(text), (expression.pattern, longer[:20], longer[-3:])


def test_expressions_of_the_package_are_linear():
    made = defaultdict(int)
    for path, call, is_anchored in _calls():
        if (expression := _expression(path, call)) is None:
            made[path] += 1
        else:
            assert_linear(expression, is_anchored)
    assert made == MADE


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in completions.ENDS])
def test_expressions_of_reasons_to_finish_are_linear(pattern):
    assert_linear(re.compile(pattern))


@pytest.mark.parametrize("spec", ludus.game_names())
def test_expressions_of_a_game_are_linear(spec):
    game = ludus.make_game(spec)
    for expression in (reading._shape(game), reading._players(game), *(pattern for pattern, _ in reading._wordings(game))):
        if expression is not None:
            assert_linear(expression)


@pytest.mark.parametrize(
    "slow", [r"\s*x", r"(a+)+b", r'\[\s*([^"]*?)\s*"', r"(?:a|a)*b", r"<.*?>", r"(\w+\s?)*:", r"a*a*b", r"\d+(?=x)", r"(?:x+y?)*z"]
)
def test_a_slow_expression_is_noticed(slow):
    with pytest.raises(AssertionError):
        assert_linear(re.compile(slow))


@pytest.mark.parametrize("text", ["", "a1 b2\n", '<<a>> {x} "y" 12: z\'s', "\n\n  é_0-1"])
def test_steps_are_counted_along_the_matches_that_python_finds(text):
    for pattern in (r"\w+", r"(?:a|b)?\d", r"[^<>]+?(?=>)", r"^\s*|\bz", r"(.)\1", r"(?<!a)\d{1,2}$", r"\S*?(?:<|y)"):
        expression = re.compile(pattern, re.MULTILINE)
        work, found = Work(expression), []
        start = 0
        while start <= len(text):
            work.text, work.groups = text, {}
            if (stop := work.match([*work.tree], 0, start, lambda at: at)) is not None:
                found.append(text[start:stop])
            start = start + 1 if stop in (None, start) else stop
        assert [one for one in found if one] == [one[0] for one in expression.finditer(text) if one[0]], pattern
