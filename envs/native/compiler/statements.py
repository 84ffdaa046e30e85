"""Statements, each beside the blocks of LLVM that it becomes."""

from __future__ import annotations

import ast

from .arithmetic import operation
from .arrays import part_of, read, write
from .body import RESULT, Body, translates
from .types import INT, LITERAL, NOTHING, WORD, RefusedError, TupleOf, Value, join, members, settled


@translates(ast.Pass)
def nothing(body: Body, node: ast.Pass) -> None:
    """`pass`."""


@translates(ast.Expr)
def expression(body: Body, node: ast.Expr) -> None:
    """A call, for what it writes; or a docstring."""
    if not isinstance(node.value, ast.Constant):
        body.value(node.value)


# ---- assignments


@translates(ast.Assign)
def assignment(body: Body, node: ast.Assign) -> None:
    """`a = b = 1`, `a, b = b, a`, `array[i] = 1`."""
    value = body.value(node.value)
    for target in node.targets:
        assign(body, target, value)


@translates(ast.AnnAssign)
def annotated(body: Body, node: ast.AnnAssign) -> None:
    """`a: int = 1`; the annotation is for people and type checkers."""
    if node.value is not None:
        assign(body, node.target, body.value(node.value))


@translates(ast.AugAssign)
def augmented(body: Body, node: ast.AugAssign) -> None:
    """`a += 1`, `array[i] += 1`; the index is computed once."""
    if isinstance(node.target, ast.Subscript):
        part = part_of(body, node.target)
        write(body, part, operation(body, node.op, node.target, read(body, part), node.value))
    else:
        assign(body, node.target, operation(body, node.op, node.target, body.value(node.target), node.value))


def assign(body: Body, target: ast.expr, value: Value) -> None:
    """Assigns to a variable, to several, or to an element of an array."""
    if isinstance(target, ast.Name):
        body.assign(target.id, value)
    elif isinstance(target, ast.Subscript):
        write(body, part_of(body, target), value)
    elif not isinstance(target, ast.Tuple):
        raise RefusedError("a kernel assigns to variables, to several as `a, b = …`, and to elements of arrays")
    elif not isinstance(value.type, TupleOf) or len(value.type.members) != len(target.elts):
        raise RefusedError(f"{len(target.elts)} variables cannot be assigned {value.type}")
    else:
        for each, member in zip(target.elts, members(value), strict=True):
            assign(body, each, member)


# ---- branches and loops


@translates(ast.If)
def condition(body: Body, node: ast.If) -> None:
    """`if`, `elif`, `else`; what a constant rules out is not looked at."""
    test = body.value(node.test)
    if test.is_known:
        body.statements(node.body if test.constant else node.orelse)
    else:
        body.either(test, lambda: body.statements(node.body), lambda: body.statements(node.orelse))


@translates(ast.While)
def while_loop(body: Body, node: ast.While) -> None:
    """`while`, without `else`."""
    _without_else(node)
    top, inside, after = body.fresh("while"), body.fresh("inside"), body.fresh("after")
    body.jump(top)
    body.begin(top)
    test = body.value(node.test)
    body.branch(body.truth(test), inside, after)
    body.begin(inside)
    _repeat(body, node.body, top, after)
    body.jump(top)
    body.begin(after)
    body.is_open = not (test.is_known and test.constant) or any(isinstance(each, ast.Break) for each in ast.walk(node))
    if not body.is_open:
        body.lines.append("unreachable")


@translates(ast.For)
def for_loop(body: Body, node: ast.For) -> None:
    """`for`, over a range or the members of a tuple, without `else`."""
    _without_else(node)
    if isinstance(node.iter, ast.Call) and body.known(node.iter.func) is range:
        _count(body, node, node.iter)
    else:
        _each_member(body, node)


def _without_else(node: ast.For | ast.While) -> None:
    if node.orelse:
        raise RefusedError("a loop has no else here; remember in a variable whether it ended early")


def _repeat(body: Body, statements: list[ast.stmt], following: str, after: str) -> None:
    """The statements of a loop, with where `continue` and `break` go."""
    body.loops.append((following, after))
    body.statements(statements)
    body.loops.pop()


def _count(body: Body, node: ast.For, call: ast.Call) -> None:
    """A loop over a range. The limits are computed once, and the variable may be assigned to inside, as in Python."""
    given = [body.value(argument) for argument in call.args]
    if not 1 <= len(given) <= 3 or call.keywords:
        raise RefusedError("range takes one to three numbers")
    start, stop = (Value(LITERAL, ("0",), 0), given[0]) if len(given) == 1 else given[:2]
    step = given[2].constant if len(given) == 3 else 1
    type_ = settled(join(start.type, stop.type))
    if type_ not in (INT, WORD):
        raise RefusedError(f"range counts whole numbers, not {type_}")
    if not isinstance(step, int) or step == 0 or (step < 0 and type_ is WORD):
        raise RefusedError("the step of a range is a whole constant other than 0, and above 0 where np.uint64 are counted")
    counter, limit = body.place(type_), body.cast(stop, type_).part
    body.put(body.cast(start, type_), counter)
    top, inside, following, after = (body.fresh(label) for label in ("for", "inside", "next", "after"))
    body.jump(top)
    body.begin(top)
    now = body.get(type_, counter)
    order = "ult" if type_ is WORD else "slt" if step > 0 else "sgt"
    body.branch(body.let(f"icmp {order} i64 {now.part}, {limit}"), inside, after)
    body.begin(inside)
    assign(body, node.target, now)
    _repeat(body, node.body, following, after)
    body.jump(following)
    body.begin(following)
    # below the limit, a step of one cannot run over
    sure = {1: "nuw " if type_ is WORD else "nsw ", -1: "nsw "}.get(step, "")
    again = body.let(f"add {sure}i64 {body.get(type_, counter).part}, {step}")
    body.put(Value(type_, (again,)), counter)
    body.jump(top)
    body.begin(after)


def _each_member(body: Body, node: ast.For) -> None:
    """A loop over the members of a tuple, written out for each."""
    value = body.value(node.iter)
    if not isinstance(value.type, TupleOf):
        raise RefusedError(f"a loop goes over a range or a tuple, not {value.type}; count by `range(len(…))`")
    after = body.fresh("after")
    for member in members(value):
        following = body.fresh("next")
        assign(body, node.target, member)
        _repeat(body, node.body, following, after)
        body.jump(following)
        body.begin(following)
    body.jump(after)
    body.begin(after)


@translates(ast.Continue)
def next_round(body: Body, node: ast.Continue) -> None:
    """`continue`."""
    body.jump(body.loops[-1][0])


@translates(ast.Break)
def end_of_loop(body: Body, node: ast.Break) -> None:
    """`break`."""
    body.jump(body.loops[-1][1])


@translates(ast.Return)
def end_of_function(body: Body, node: ast.Return) -> None:
    """`return`, always of one type."""
    body.assign(RESULT, Value(NOTHING, ()) if node.value is None else body.value(node.value))
    body.jump("out")
