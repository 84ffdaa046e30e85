"""Statements, each beside the blocks of LLVM that it becomes."""

from __future__ import annotations

import ast

from .arithmetic import operation
from .arrays import part_of, read, write
from .body import RESULT, Body, translates
from .types import INT, NOTHING, WORD, RefusedError, TupleOf, Value, join, members, variable_type


@translates(ast.Pass)
def do_nothing(body: Body, node: ast.Pass) -> None:
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
def annotated_assignment(body: Body, node: ast.AnnAssign) -> None:
    """`a: int = 1`; the annotation is for people and type checkers."""
    if node.value is not None:
        assign(body, node.target, body.value(node.value))


@translates(ast.AugAssign)
def augmented_assignment(body: Body, node: ast.AugAssign) -> None:
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
    calls = body.num_calls
    body.jump(top)
    body.begin(top)
    test = body.value(node.test)
    if test.is_known and test.constant:
        body.jump(inside)
    else:
        body.branch(body.truth(test), inside, after)
    body.begin(inside)
    _repeat(body, node.body, top, after)
    body.jump_back(top, has_calls=body.num_calls > calls)
    body.begin(after)


@translates(ast.For)
def for_loop(body: Body, node: ast.For) -> None:
    """`for`, over a range or the members of a tuple, without `else`."""
    _without_else(node)
    if isinstance(node.iter, ast.Call) and body.static_value(node.iter.func) is range:
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
    start, stop, step = _limits(body, call)
    type_, limit = start.type, stop.part
    counter = body.place(type_)
    body.put(start, counter)
    calls = body.num_calls
    top, inside, following, again, after = (body.fresh(label) for label in ("for", "inside", "next", "again", "after"))
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
    now = body.get(type_, counter)
    if abs(step) > 1:  # another step might pass the end of 64 bits and never meet the limit
        left = body.let(f"sub i64 {limit}, {now.part}" if step > 0 else f"sub i64 {now.part}, {limit}")
        body.branch(body.let(f"icmp ugt i64 {left}, {abs(step)}"), again, after)
        body.begin(again)
    body.put(Value(type_, (body.let(f"add {'nuw' if type_ is WORD else 'nsw'} i64 {now.part}, {step}"),)), counter)
    body.jump_back(top, has_calls=body.num_calls > calls)
    body.begin(after)


def _limits(body: Body, call: ast.Call) -> tuple[Value, Value, int]:
    """Where a range starts and stops, as numbers of one type, and its step."""
    given = [body.value(argument) for argument in call.args]
    if not 1 <= len(given) <= 3 or call.keywords:
        raise RefusedError("range takes one to three numbers")
    start, stop = given[:2] if len(given) > 1 else (body.constant(0), given[0])
    step = given[2] if len(given) > 2 else body.constant(1)
    type_ = variable_type(join(join(start.type, stop.type), step.type))
    if type_ not in (INT, WORD):
        raise RefusedError(f"range counts whole numbers, not {type_}")
    if not step.is_known or step.constant == 0 or (step.constant < 0 and type_ is WORD):
        raise RefusedError("the step of a range is a whole constant other than 0, and above 0 where np.uint64 are counted")
    return body.cast(start, type_), body.cast(stop, type_), body.cast(step, type_).constant


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


@translates(ast.Continue, ast.Break)
def next_round_or_end(body: Body, node: ast.Continue | ast.Break) -> None:
    """`continue` and `break`."""
    following, after = body.loops[-1]
    body.jump(following if isinstance(node, ast.Continue) else after)


@translates(ast.Return)
def end_of_function(body: Body, node: ast.Return) -> None:
    """`return`, always of one type."""
    body.assign(RESULT, Value(NOTHING, ()) if node.value is None else body.value(node.value))
    body.jump("out")
