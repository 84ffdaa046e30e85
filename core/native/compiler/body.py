"""One function on its way to LLVM: its variables, and who translates which construct.

Types are found by translating. A variable has the join of all that is assigned to it. Where that grows after it was used, the
function is passed over again, and only the text of the last pass counts. A construct whose value comes from several branches, such
as `a if b else c`, has a variable of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from enum import EnumMeta
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, NoReturn, Protocol, TypeVar

from .link import Link
from .source import KernelError, source_of, tree_of
from .text import LIMITS, Text, return_type
from .types import INT, LITERAL, NOTHING, UNKNOWN, WORD, RefusedError, Type, Value, advice, join, leaves, variable_type

RESULT = ("the result",)
"""Stands for what the function returns among its variables."""

Translate = Callable[..., Any]
T = TypeVar("T", bound=Translate)
CONSTRUCTS: dict[type[ast.AST], Translate] = {}
"""The constructs of the language, and who translates each."""


def translates(*constructs: type[ast.AST]) -> Callable[[T], T]:
    """Marks the function `translate(body, node)` that translates these constructs. It gives a Value for an expression."""

    def mark(translate: T) -> T:
        CONSTRUCTS.update(dict.fromkeys(constructs, translate))
        return translate

    return mark


class NotYetError(Exception):
    """A variable is read whose type no pass has met yet; the next may have."""

    def __init__(self, name: Hashable) -> None:
        super().__init__(name)
        self.name = name


class Whole(Protocol):
    """What a body asks the program that it is a part of (program.py)."""

    link: Link

    def function(self, function: FunctionType, types: tuple[Type, ...]) -> tuple[str, Type]: ...
    def instruction(self, function: FunctionType) -> Translate | None: ...
    def constant(self, known: Any) -> Value: ...
    def plain_loop(self) -> str: ...


class Body(Text):
    """One function for arguments of given types.

    Args:
        program: what the function is a part of.
        function: the function.
        types: the types of its arguments.
        symbol: its name in LLVM.
    """

    def __init__(self, program: Whole, function: FunctionType, types: tuple[Type, ...], symbol: str) -> None:
        super().__init__()
        self.program, self.function, self.symbol = program, function, symbol
        self.tree, self.types = tree_of(function), types
        self.is_recursive = False
        self._arguments, self._locals = self._argument_values(), _assigned_names(self.tree)
        self._types = dict[Hashable, Type]()

    def clear(self) -> None:
        """Begins a pass; what is known of the variables' types stays."""
        super().clear()
        self.loops = list[tuple[str, str]]()
        """Where `continue` and `break` go, for each loop around what is translated."""
        self.calls = set[str]()
        """The functions that this one calls, by their names in LLVM."""
        self.num_calls = 0
        """How many calls are translated so far."""
        self._pointers = dict[Hashable, tuple[str, ...]]()
        self._waiting = list[tuple[ast.stmt, Hashable]]()
        """Statements that read variables of which no assignment was met before, with the variables' names."""
        self._grown = False
        """Whether a variable's type has become another one after it was used."""

    def jump_back(self, top: str, has_calls: bool) -> None:
        """Begins the next round of a loop.

        The functions that it calls are written out inside it, so that it is too large to gain by vectorizing or unrolling. Without
        them a kernel compiles in seven eighths of the time.
        """
        self.jump(f"{top}, !llvm.loop {self.program.plain_loop()}" if has_calls else top)

    # ---- passes

    def translate(self) -> tuple[Type, str]:
        """The type of the function's result, and its text in LLVM; KernelError where it is outside of the language."""
        while not self._pass():
            pass
        if self._waiting:
            node, name = self._waiting[0]
            self.refuse(node, f"the variable `{name}` is read here, and nothing is assigned to it before")
        result = variable_type(self._types.get(RESULT, NOTHING))
        return result, self._whole(result)

    def _pass(self) -> bool:
        """Translates the whole once; whether another pass would find no more: a type only ever grows, from bool to int to float."""
        self.clear()
        for name, argument in self._arguments.items():
            if name in self._locals:
                self.assign(name, argument)
        self.statements(self.tree.body)
        if self.is_open and not self._waiting:
            self._end()
        return not self._grown and not any(name in self._types for _, name in self._waiting)

    def _end(self) -> None:
        """The function ends without `return`."""
        before = self._types.get(RESULT, NOTHING)
        if before != NOTHING:
            self.refuse(self.tree.body[-1], f"the function ends here and returns None, and {before} elsewhere")
        self.assign(RESULT, Value(NOTHING, ()))
        self.jump("out")

    def _argument_values(self) -> dict[str, Value]:
        """The arguments, by name."""
        taken = self.tree.args
        if taken.vararg or taken.kwarg or taken.kwonlyargs:
            self.refuse(self.tree, "a function of a kernel takes plain arguments, without * and **")
        names = [each.arg for each in (*taken.posonlyargs, *taken.args)]
        return {
            name: Value(type_, tuple(f"%given.{index}.{number}" for number in range(len(leaves(type_)))))
            for index, (name, type_) in enumerate(zip(names, self.types, strict=True))
        }

    def _whole(self, result: Type) -> str:
        """The function in LLVM: its places, its instructions, and how it returns what lies at RESULT."""
        self.begin("out")
        value = self.get(result, self._pointers.get(RESULT, ()))
        # LLVM refuses to inline a function into itself; elsewhere inlining is what lets it see through tuples and constants of the
        # rules, and `nounwind` is true of all: nothing in a kernel raises, so that no call needs code to unwind the stack
        how = "" if self.is_recursive else "noinline" if getattr(self.function, "apart", False) else "alwaysinline"
        parameters = ", ".join(f"{leaf} {part}" for argument in self._arguments.values() for leaf, part in argument.typed_parts())
        self.emit(f"ret {self._pack(value)}")
        head = f"define internal {return_type(result)} @{self.symbol}({parameters}) {how} nounwind {{"
        return "\n".join([head, *self.places, "br label %start", "start:", *self.lines, "}"])

    def _pack(self, value: Value) -> str:
        """A value with its type, as `ret` takes it: several parts in one."""
        kind, whole = return_type(value.type), "undef"
        if len(value.parts) < 2:
            return " ".join((kind, *value.parts))
        for number, (leaf, part) in enumerate(value.typed_parts()):
            whole = self.let(f"insertvalue {kind} {whole}, {leaf} {part}, {number}")
        return f"{kind} {whole}"

    # ---- constructs

    def statements(self, nodes: list[ast.stmt]) -> None:
        """Translates statements, up to the first that nothing can follow."""
        for node in nodes:
            if self.is_open:
                try:
                    self._translate_node(node)
                except NotYetError as error:
                    self._waiting.append((node, error.name))
                    self.is_open = True

    def value(self, node: ast.expr) -> Value:
        """Translates an expression."""
        return self._translate_node(node)

    def either(self, test: Value, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Translates two branches, and continues after them if the end of one can be reached."""
        yes, no, after = self.fresh("yes"), self.fresh("no"), self.fresh("after")
        self.branch(self.truth(test), yes, no)
        for label, translate in ((yes, then), (no, otherwise)):
            self.begin(label)
            translate()
            self.jump(after)
        self.begin(after)

    def _translate_node(self, node: ast.stmt | ast.expr) -> Any:
        translate = CONSTRUCTS.get(type(node))
        try:
            if translate is None:
                raise RefusedError(f"kernels have no {type(node).__name__}; docs/kernels.md says what they have")
            return translate(self, node)
        except RefusedError as error:
            self.refuse(node, str(error))

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        """Raises KernelError for a construct."""
        line = getattr(node, "lineno", self.tree.lineno)
        raise KernelError(self.function, line, f"{why}: `{source_of(node)}`") from None

    # ---- names

    def static_value(self, node: ast.expr) -> Any:
        """What a name stands for before the kernel runs: a constant, a function, a module. UNKNOWN for all else."""
        if isinstance(node, ast.Name) and not self.is_local(node.id):
            return self.program.link.look_up(self.function, node.id)
        if isinstance(node, ast.Attribute) and isinstance(owner := self.static_value(node.value), (ModuleType, EnumMeta)):
            if not hasattr(owner, node.attr):
                raise RefusedError(f"{owner.__name__} has no `{node.attr}`")
            return self.program.link.resolve(getattr(owner, node.attr))
        return UNKNOWN

    def constant(self, known: Any) -> Value:
        """A constant of the source as a value."""
        return self.program.constant(known)

    # ---- variables

    def is_local(self, name: str) -> bool:
        """Whether a name stands for a variable of this function."""
        return name in self._locals or name in self._arguments

    def assign(self, name: Hashable, value: Value) -> None:
        """Assigns to a variable."""
        given = variable_type(value.type) if isinstance(name, str) else self._of_branch(value)
        before = self._types.get(name, given)
        try:
            type_ = join(before, given)
        except RefusedError:
            what = f"the variable `{name}`" if isinstance(name, str) else "what the function returns" if name == RESULT else "this"
            raise RefusedError(
                f"{what} is {before} in one place and {given} here; it keeps one type{advice(before, given)}"
            ) from None
        self._types[name], self._grown = type_, self._grown or type_ != before
        self.put(self.cast(value, variable_type(type_)), self._place_of(name, type_))

    def _of_branch(self, value: Value) -> Type:
        """The type of what one of several branches gives: a constant takes that of the others, and may be too large for an int."""
        return WORD if value.type is LITERAL and value.constant >= LIMITS[INT][1] else value.type

    def read(self, name: Hashable) -> Value:
        """Reads a variable; NotYetError where no pass has met an assignment to it so far."""
        if name not in self._types:
            if name in self._arguments:  # nothing is ever assigned to it
                return self._arguments[str(name)]
            raise NotYetError(name)
        type_ = variable_type(self._types[name])
        return self.get(type_, self._place_of(name, type_))

    def _place_of(self, name: Hashable, type_: Type) -> tuple[str, ...]:
        if len(self._pointers.get(name, ())) != len(leaves(type_)):
            self._pointers[name] = self.place(type_)
        return self._pointers.get(name, ())


@cache
def _assigned_names(tree: ast.FunctionDef) -> frozenset[str]:
    """The names that a function assigns to."""
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
