"""Names, constants, and expressions whose value comes from one of several branches."""

from __future__ import annotations

import ast

from .body import Body, translates
from .types import INT, UNKNOWN, ArrayOf, RefusedError, TupleOf, Value, members, tuple_of


@translates(ast.Constant)
def constant(body: Body, node: ast.Constant) -> Value:
    """A number, True, False or None."""
    return body.constant(node.value)


@translates(ast.Name)
def name(body: Body, node: ast.Name) -> Value:
    """A variable, or a constant of the module."""
    return body.read(node.id) if body.is_local(node.id) else body.constant(body.static_value(node))


@translates(ast.Attribute)
def attribute(body: Body, node: ast.Attribute) -> Value:
    """What a module or an enumeration has; a member of a NamedTuple; an array's shape."""
    known = body.static_value(node)
    if known is not UNKNOWN:
        return body.constant(known)
    value = body.value(node.value)
    if isinstance(value.type, TupleOf) and node.attr in value.type.names:
        return members(value)[value.type.names.index(node.attr)]
    if isinstance(value.type, ArrayOf) and node.attr == "shape":
        return tuple_of([Value(INT, (length,)) for length in value.parts[1:]])
    has = ", ".join(value.type.names) if isinstance(value.type, TupleOf) else "shape" if isinstance(value.type, ArrayOf) else ""
    raise RefusedError(f"{value.type} has no `{node.attr}`{f'; it has {has}' if has else ''}")


@translates(ast.Tuple)
def tuple_display(body: Body, node: ast.Tuple) -> Value:
    """`a, b`."""
    return tuple_of([body.value(each) for each in node.elts])


@translates(ast.IfExp)
def choice(body: Body, node: ast.IfExp) -> Value:
    """`a if b else c`, of which only one is computed."""
    test = body.value(node.test)
    if test.is_known:
        return body.value(node.body if test.constant else node.orelse)
    body.either(test, lambda: body.assign(node, body.value(node.body)), lambda: body.assign(node, body.value(node.orelse)))
    return body.read(node)


@translates(ast.BoolOp)
def first_of(body: Body, node: ast.BoolOp) -> Value:
    """`a and b`, `a or b`: the first that decides, and no other is computed."""
    after = body.fresh("after")
    for number, expression in enumerate(node.values, start=1):
        value = body.value(expression)
        body.assign(node, value)
        if number < len(node.values):
            following = body.fresh("next")
            both = (following, after) if isinstance(node.op, ast.And) else (after, following)
            body.branch(body.truth(value), *both)
            body.begin(following)
    body.jump(after)
    body.begin(after)
    return body.read(node)
