"""Files that name code, or things from outside: what they need is written into them, and looked at before anything is made."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .places import MODULE, WORD, trusted
from .registry import Need, Registry


def needs_of(named: Iterable[tuple[Registry[Any], str]]) -> list[dict[str, str | None]]:
    """What a file depends on that does not come with ludus, to be written into it.

    Args:
        named: the specs in it, each with the registry of its kind.
    """
    needs = dict.fromkeys(need for registry, spec in named for need in registry.needs(spec))
    return [need._asdict() for need in needs]


def check_file(what: str, named: Iterable[tuple[Registry[Any], str]], needs: Any = ()) -> None:
    """Refuses a file that names code, or things that are not there.

    Args:
        what: the file, as "the run runs/first".
        named: the specs in it, each with the registry of its kind.
        needs: what the file says of where they come from: documents of `Need`, believed for this sentence alone.

    Raises:
        ValueError: it names a module that the user has not plugged in, a file that runs code, or something that no installed
            package brings; the message says how to go on.
    """
    origins = {need[:2]: need for need in map(_need_of, needs if isinstance(needs, list) else ()) if need}
    for registry, spec in named:
        if registry.is_pickled(spec):
            raise ValueError(
                f"{what} names the {registry.kind} {spec!r}, whose file runs the code it holds when it is loaded. If you trust"
                f" whoever made it, add --trust, in Python give the {registry.kind} yourself, as {{{spec!r}: {spec!r}}}"
            )
        for place in registry.codes_in(spec):
            if not trusted(place):
                raise ValueError(
                    f"{what} names code, {spec!r}, and code is not run because a file says so. If you know the module"
                    f" {place.module!r} and trust it, {_by_import(place.module)}"
                )
        for kind, name in registry.names_in(spec):
            need = origins.get((kind.group, name))
            if need and not kind.has(name):
                install = f"pip install {need.package}, or " if need.package else ""
                raise ValueError(
                    f"{what} needs the {kind.kind} {name!r}, which is of the module {need.module!r} and not known here;"
                    f" if you trust it: {install}{_by_import(need.module)}"
                )


def _by_import(module: str) -> str:
    return f"say `ludus --import {module} …`, in Python ludus.plug_in({module!r})"


def _need_of(document: Any) -> Need | None:
    """The need that a file tells of; None if what it says does not read like one."""
    patterns = {"group": WORD, "name": rf"{WORD}(?::{WORD})?", "module": MODULE, "package": r"[\w.-]+|"}
    if not isinstance(document, dict):
        return None
    told = {name: str(document.get(name) or "") for name in patterns}
    if not all(re.fullmatch(pattern, told[name]) for name, pattern in patterns.items()):
        return None
    return Need(told["group"], told["name"], told["module"], told["package"] or None)
