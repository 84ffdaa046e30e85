"""Every regular expression of the package takes time in proportion to the text, whatever the text repeats.

The expressions are gathered from the sources, so that a new one is tried as well. Most of them see text from files, models, engines
or browsers. A linear one reads 20,000 characters in about a millisecond of the processor, a quadratic one in a second: the limit
between them is far from both, and no matter how busy the machine is.
"""

import ast
import gc
import re
import signal
from importlib import import_module
from itertools import product

import pytest

import ludus
from ludus.records import moves, positions
from ludus.text import reading

from ..helpers.sources import SOURCES, trees

CALLS = {f"re.{name}" for name in ("compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")}
LENGTH, SECONDS = 20_000, 0.25
USUAL = (" ", "\n", "0", "a", "a ")
"""What texts repeat for every expression, since many of its parts take it."""
MADE = {"records/moves.py", "records/positions.py", "text/reading.py", "text/addresses.py", "envs/check/results.py"}
MADE |= {"games/drawing/layout.py", "games/nim/disguises.py", "web/alone/building.py"}
"""Files that make expressions while the package runs: of moves, boards and names, which are tried below, of a key, of the name of a
class, of baskets, and of our own pages and drawings."""


def made_expressions():
    """The file of each expression, the expression, and whether it is only matched from the start of a text.

    None stands for an expression that is made of what is only there while the package runs.
    """
    texts = {path: file.read_text(encoding="utf-8") for path, file in SOURCES.items()}
    uses = re.findall(r"\b([A-Z_]+)\.([a-z]+)\(", "".join(texts.values()))
    for path, tree in trees().items():
        if "import re\n" not in texts[path]:
            continue
        names = {node.value: ast.unparse(node.targets[0]) for node in tree.body if isinstance(node, ast.Assign)}
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in CALLS):
            used = {method for name, method in uses if name == names[call]} if call in names else {ast.unparse(call.func)[3:]}
            known = vars(import_module(f"ludus.{path.removesuffix('.py').replace('/', '.')}"))
            given = (*call.args[1:], *(word.value for word in call.keywords))
            parts = [call.args[0], *(part for part in given if "re." in ast.unparse(part))]
            try:
                expression = re.compile(*(eval(ast.unparse(part), dict(known)) for part in parts))
            except NameError:
                expression = None
            yield path, expression, used <= {"match", "fullmatch"}


def check_linear(expression, is_anchored=False):
    """Matches texts that repeat something, after what may come before it, each within its limit."""

    def too_late(*_):
        raise AssertionError(f"{expression.pattern!r} takes too long on a text that repeats {body!r} after {start!r}")

    if isinstance(expression.pattern, bytes):
        expression = re.compile(expression.pattern.decode("latin-1"))
    find = expression.match if is_anchored else expression.findall
    signs = [*dict.fromkeys(re.findall(r"\w+|[^\w\s\\]", re.sub(r"\\[a-zA-Z]", "", expression.pattern)))]
    before = signal.signal(signal.SIGVTALRM, too_late)
    gc.disable()  # collecting garbage among all modules of the package can take longer than the limit
    try:
        for body, start in product((*USUAL, *signs[:10]), ("", *signs[:4])):
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            find(start + body * (LENGTH // len(body)) + "\0")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        gc.enable()


def test_expressions_of_the_package_are_linear():
    made = set[str]()
    for path, expression, is_anchored in made_expressions():
        if expression is None:
            made.add(path)
        else:
            check_linear(expression, is_anchored)
    assert made == MADE


@pytest.mark.parametrize("spec", ludus.game_names())
def test_expressions_of_a_game_are_linear(spec):
    game = ludus.make_game(spec)
    for pattern, _ in game.wordings:
        check_linear(re.compile(pattern), True)
    check_linear(moves._name_pattern(game), True)
    check_linear(reading._two_names(game, "3"))
    signs = positions._signs_of(game)
    for pattern in (signs.board, *signs.movers):
        check_linear(pattern, True)
    for pattern, _ in game.layout.notation.patterns:
        check_linear(re.compile(pattern), True)


@pytest.mark.parametrize("slow", [r"\s*x", r"(a+)+b", r"(\w+\s?)*:", r"\d+(?=x)"])
def test_a_slow_expression_is_noticed(slow):
    with pytest.raises(AssertionError):
        check_linear(re.compile(slow))
