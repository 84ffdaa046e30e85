"""The pages of the API reference: a page for each public module, an entry for each of its names, and the commands.

Each thing is described once, in the first of the modules that has it; the other modules link there. What has no docstring is an
error.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from ludus.cli.parser import COMMANDS, parser
from ludus.text.environments import plugin

MODULES = ("envs", "search", "oracles", "agents", "arena", "baselines", "opponents", "rules", "records", "data", "text", "rewards")
MODULES = (*(f"ludus.{module}" for module in MODULES), "ludus")
OPTIONS = "   :members:\n   :show-inheritance:\n"


def reference_pages() -> dict[str, str]:
    """All pages, by their places.

    Raises:
        ValueError: a public name has no docstring.
    """
    missing = [name for module in MODULES for name in undocumented(module)]
    if missing:
        raise ValueError(f"public names without a docstring: {', '.join(missing)}")
    homes = dict[int, str]()
    pages = {f"reference/{module}.md": _page(module, homes) for module in MODULES}
    ordered = ("ludus", *MODULES[:-1])
    lines = [f"- [`{module}`]({module}.md): {_first_line(import_module(module))}" for module in ordered]
    lines += [
        "- [The commands](commands.md) and their options",
        "",
        "```{toctree}",
        ":hidden:",
        "",
        *ordered,
        "commands",
        "```",
        "",
    ]
    index = "\n".join(["# API reference", "", *lines])
    return {"reference/index.md": index, "reference/commands.md": _commands(), **pages}


def undocumented(module: str) -> Iterator[str]:
    """The public names of a module that have no docstring."""
    for name in _names(offered := import_module(module)):
        thing = getattr(offered, name)
        if not (_said_of(module, name) if _is_constant(thing) else inspect.getdoc(thing)):
            yield f"{module}.{name}"
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            function = getattr(value, "__func__", value)
            is_field = member in getattr(thing, "__dataclass_fields__", ())  # which the class describes
            if not (member.startswith("_") or is_field) and _is_callable(function) and not inspect.getdoc(function):
                yield f"{module}.{name}.{member}"


def _names(module: Any) -> list[str]:
    """The public names of a module, without those that the library verifiers looks for and that nobody types."""
    return [name for name in module.__all__ if name not in plugin.__all__]


def _page(module: str, homes: dict[int, str]) -> str:
    entries = "\n".join(_entry(module, name, homes) for name in _names(import_module(module)))
    return f"# `{module}`\n\n```{{eval-rst}}\n.. automodule:: {module}\n\n{entries}\n```\n"


def _entry(module: str, name: str, homes: dict[int, str]) -> str:
    """What describes a name, or links to its description."""
    thing = getattr(import_module(module), name)
    full = f"{module}.{name}"
    if inspect.ismodule(thing):
        return f".. py:data:: {full}\n\n   {_first_line(thing)}\n"
    if _is_constant(thing):
        value = f"   :value: {thing!r}\n" if isinstance(thing, (int, str, tuple)) else ""
        return f".. py:data:: {full}\n{value}\n   {_said_of(module, name)}\n"
    home = homes.setdefault(id(thing), full)
    if home != full:
        return f"``{full}`` is :py:obj:`{home}`.\n"
    return f".. autoclass:: {full}\n{OPTIONS}" if inspect.isclass(thing) else f".. autofunction:: {full}\n"


def _is_constant(thing: Any) -> bool:
    return not (inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing))


def _is_callable(thing: Any) -> bool:
    return inspect.isfunction(thing) or isinstance(thing, (property, cached_property))


def _said_of(module: str, name: str) -> str:
    """The text after the assignment of a constant, in the module that defines it."""
    for defining in _defining(module):
        body = ast.parse(Path(defining).read_text(encoding="utf-8")).body
        for statement, after in pairwise(body):
            targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
            names = {node.id for target in targets if target is not None for node in ast.walk(target) if isinstance(node, ast.Name)}
            if name in names and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                return " ".join(str(after.value.value).split())
    return ""


def _defining(module: str) -> Iterator[str]:
    """The file of a module, and those that it takes its names from."""
    own = import_module(module).__file__ or ""
    yield own
    tree = ast.parse(Path(own).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.level:
            folders = (sys.modules[module].__package__ or "").split(".")
            package = folders[: len(folders) - node.level + 1]
            yield sys.modules[".".join([*package, node.module])].__file__ or ""


def _first_line(module: Any) -> str:
    return (module.__doc__ or "").strip().splitlines()[0]


def _commands() -> str:
    """The help of each command."""
    parts = [f"## ludus {name}\n\n```text\n{_help(name)}```\n" for name in COMMANDS]
    return "# The commands\n\n`ludus COMMAND --help` prints these texts.\n\n" + "\n".join(parts)


def _help(name: str) -> str:
    commands = next(action for action in parser([name])._actions if isinstance(action.choices, dict))
    return commands.choices[name].format_help()
