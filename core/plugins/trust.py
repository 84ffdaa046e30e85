"""Which specs may run code: those that the user types, and those in a file that the user trusts.

A spec that is typed, on the command line or in Python, is a `str`, and whatever it names is imported or loaded. A spec that is
read from a file goes through the `Source` of that file. What comes out is a `str` only if it runs no code, or if the command
was given `--trust` (in Python `trust=True`). Otherwise it is a `Refused`, which is not a `str`: it can be shown and handed on, but
nothing can be split out of it, and using it raises an error that says why not.

What a page in a browser, a client over HTTP or the program that asks an engine sends is read by a `Sender`. It has nothing to be
trusted with: it names what there is, with numbers and names as settings, and no files either.

A document says by the types of its fields which of them go this way: `in_file` makes such types, as `GameSpec` and `PolicySpec`,
and `core/files/documents.py` asks the `Source` for what they take.
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NamedTuple, cast

from .places import MODULE, NO_MODULES, OUTSIDE, PICKLED, WORD, plugged_in_modules
from .registry import Need, Refused, Registry

CODE = re.compile(rf"(?<![\w.])(?:python\s*:\s*)?(?P<module>{MODULE})\s*:\s*{WORD}(?!\w|\s*=)")
"""Code anywhere in a text: `module:name`, whatever it is nested in. A name and a setting, as `minimax:depth=3`, are not code."""
OWN_TRUST = re.compile(r",\s*trust\s*=[^,+]*")
"""The `trust` setting in a spec."""
PATTERNS = {
    "group": re.compile(WORD),
    "name": re.compile(rf"{WORD}(?::{WORD})?"),
    "module": re.compile(MODULE),
    "package": re.compile(r"[\w.-]+|"),
}
"""What the fields of a need look like."""


class InFile(ABC):
    """The type of fields of documents that hold a spec: texts and what is refused are of it. `in_file` makes one of a registry."""

    registry: ClassVar[Registry[Any]]
    at_once: ClassVar[bool]


def in_file(registry: Registry[Any], *, at_once: bool = False) -> Any:
    """A type for fields of documents that hold a spec.

    A type checker is to see in its place what comes out: `str`, or without `at_once` `str | Refused`.

    Args:
        registry: the registry of what is named there.
        at_once: whether something is made of it as soon as the file is open, so that it is never `Refused`.
    """
    field = type("str", (InFile,), {"registry": registry, "at_once": at_once})  # the name is what msgspec says that it expects
    for out in (str, Refused):
        field.register(out)  # pyright: ignore[reportAttributeAccessIssue]  of ABCMeta
    return field


class Source(NamedTuple):
    """A file that specs are read from.

    Args:
        what: the file, as sentences begin with it.
        needs: where it says that its games and policies come from; used in messages only.
        trust: whether the user trusts the file.
        asking: whether an option to trust it exists where the file is opened. None does where a spec opens it, as `run:DIR` does.
    """

    what: str
    needs: tuple[Need, ...] = ()
    trust: bool = False
    asking: bool = True

    def read(self, field: type[InFile], value: Any) -> Any:
        """What a field of a document takes, whose type is one of `in_file`.

        Raises:
            ValueError: something is to be made of it at once, and nothing may.
        """
        return (self.spec if field.at_once else self.admit)(field.registry, value)

    def spec(self, registry: Registry[Any], text: str) -> str:
        """A spec of which something is made at once.

        Raises:
            ValueError: nothing may be made of it.
        """
        admitted = self.admit(registry, text)
        return admitted.refuse() if isinstance(admitted, Refused) else admitted

    def admit(self, registry: Registry[Any], value: Any) -> Any:
        """A text, or lists and dicts of texts and other values, each text of which nothing may be made being a `Refused`.

        Args:
            registry: the registry of what is named there.
            value: what the file says.
        """
        if isinstance(value, str):
            why = self._why_not(registry, value)
            return Refused(value, why) if why else self._with_trust(value)
        if isinstance(value, list):
            return [self.admit(registry, entry) for entry in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {name: self.admit(registry, entry) for name, entry in cast("dict[str, Any]", value).items()}
        return value

    def _with_trust(self, text: str) -> str:
        """The text, its own `trust` setting replaced by the user's."""
        return f"{OWN_TRUST.sub('', text)},trust=true" if PICKLED.search(text) else text

    def _why_not(self, registry: Registry[Any], text: str) -> str:
        """Why nothing may be made of a text; empty if something may."""
        modules = [*modules_in(text)]
        if not self.trust and runs_code(text):
            ways = ["add --trust, in Python trust=True"] * self.asking + [by_import(module) for module in modules[:1]]
            way = f"If you know it and trust it, {' or '.join(ways)}" if ways else "Name it yourself if you trust it"
            return f"{self.what} names code, {text!r}, and code is not run because a file says so. {way}"
        named = [] if modules else registry.names_in(text)
        needs = {(need.group, need.name): need for need in self.needs}
        missing = ((kind, needs[kind.group, name]) for kind, name in named if (kind.group, name) in needs and not kind.has(name))
        return next((self._say_what_is_missing(kind, need) for kind, need in missing), "")

    def _say_what_is_missing(self, kind: Registry[Any], need: Need) -> str:
        install = f"pip install {need.package}, or " if need.package else ""
        return (
            f"{self.what} needs the {kind.kind} {need.name!r}, which is of the module {need.module!r} and not known here;"
            f" if you trust it: {install}{by_import(need.module)}"
        )


class Sender(Source):
    """Who sends specs to a program that runs: a page in a browser, a client over HTTP, or the program that asks an engine.

    Such a spec names a game or a policy that comes with ludus, is installed, or was plugged in by who started the program, with
    numbers and names as settings (`Registry.check_plain`); anything else is `Refused`.
    """

    def _why_not(self, registry: Registry[Any], text: str) -> str:
        try:
            registry.check_plain(text)
        except ValueError as error:
            return str(error)
        return ""


def modules_in(text: str) -> Iterator[str]:
    """The modules whose code a text names anywhere, but for those that the user has plugged in."""
    modules = (match["module"] for match in CODE.finditer(text))
    return (module for module in modules if module not in NO_MODULES and module not in plugged_in_modules())


def runs_code(text: str) -> bool:
    """Whether a text names code anywhere, or what reaches outside, other than of modules that the user has plugged in."""
    return any(modules_in(text)) or OUTSIDE.search(text) is not None


def find_refused(*values: Any) -> Iterator[Refused]:
    """What is refused among values that a `Source` admitted, and in lists, tuples and dicts of them."""
    for value in values:
        if isinstance(value, Refused):
            yield value
        elif isinstance(value, (list, tuple, dict)):
            inside: Iterable[Any] = value.values() if isinstance(value, dict) else value  # pyright: ignore[reportUnknownVariableType]
            yield from find_refused(*inside)


def by_import(module: str) -> str:
    """What the user does to name a module."""
    return f"run `ludus --import {module} …`, in Python ludus.plug_in({module!r})"


def needs_of(named: Iterable[tuple[Registry[Any], str]]) -> list[dict[str, str | None]]:
    """What a file depends on that does not come with ludus, to be written into it.

    Args:
        named: the specs in it, each with the registry of its kind.
    """
    needs = dict.fromkeys(need for registry, spec in named for need in registry.needs(spec))
    return [need._asdict() for need in needs]


def needs_in(documents: Any) -> tuple[Need, ...]:
    """What a file says that it depends on; what does not read like a need is left out, since it is used in messages only."""
    needs = map(_need_of, documents if isinstance(documents, list) else ())
    return tuple(need for need in needs if need)


def _need_of(document: Any) -> Need | None:
    if not isinstance(document, dict):
        return None
    fields = {name: value if isinstance(value := document.get(name), str) else "" for name in PATTERNS}
    if not all(pattern.fullmatch(fields[name]) for name, pattern in PATTERNS.items()):
        return None
    return Need(fields["group"], fields["name"], fields["module"], fields["package"] or None)
