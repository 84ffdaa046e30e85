"""What a file may name: nothing that runs code, unless the user trusts the file.

Whatever a spec names that is typed, on the command line or in Python, is imported or loaded. Text that comes from elsewhere is
checked where it comes in, at four places:

    a document     core/files/documents.py; the types of its fields, `CheckedSpec` and `PolicySpec`, say which of them hold specs
    a store        its plan is such a document
    a page         arena/pages/messages.py and web/offers.py; a page names what there is (`Registry.check_plain`) and no code
    a protocol     text/answering; a program that asks names no code either

A spec that runs code, in a file that is not trusted, is an error where something is made of it at once. Where it may never be used,
as a policy of a store that is only shown, it becomes an `UntrustedSpec`: it can be shown, and nothing can be made of it.
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from ..numbers import LONGEST_QUOTE, short_repr
from .places import MODULE, NO_MODULES, OUTSIDE, PICKLED, WORD, UntrustedSpec, plugged_in_modules
from .registry import is_known

CODE = re.compile(rf"(?<![\w.])(?:python\s*:\s*)?(?P<module>{MODULE})\s*:\s*{WORD}(?!\w|\s*=)")
"""Code anywhere in a text: `module:name`, whatever it is nested in. A name and a setting, as `minimax:depth=3`, are not code."""
OWN_TRUST = re.compile(r",\s*trust\s*=[^,+]*")
"""The `trust` setting in a spec."""


if TYPE_CHECKING:
    CheckedSpec = str
    PolicySpec = str | UntrustedSpec
else:

    class CheckedSpec(ABC):  # noqa: B024  what it stands for is registered below
        """The type of a document's field whose spec is checked when the document is read: it comes out as text."""

    class PolicySpec(ABC):  # noqa: B024  what it stands for is registered below
        """The type of a document's field whose spec may never be used: it comes out as text or as an `UntrustedSpec`."""

    CheckedSpec.register(str)
    PolicySpec.register(str)
    PolicySpec.register(UntrustedSpec)


def admit(value: Any, source: str, *, trust: bool = False, needs: Mapping[str, str] | None = None) -> Any:
    """What a file says where specs may stand, in which each text of which nothing may be made is an `UntrustedSpec`.

    Args:
        value: a text, or lists and dicts of texts and other values.
        source: the file, as sentences begin with it.
        trust: whether the user trusts it.
        needs: where it says that its names come from.
    """
    if isinstance(value, str):
        why = ("" if trust else _refusal_of_code(value, source)) or _missing(value, source, needs or {})
        return UntrustedSpec(value, why) if why else _with_trust(value)
    if isinstance(value, list):
        return [admit(entry, source, trust=trust, needs=needs) for entry in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {name: admit(entry, source, trust=trust, needs=needs) for name, entry in cast("dict[str, Any]", value).items()}
    return value


def runs_code(text: str) -> bool:
    """Whether a text names code anywhere, or what reaches outside, other than of modules that the user has plugged in."""
    return any(_modules_in(text)) or OUTSIDE.search(text) is not None


def refuse_untrusted(*values: Any) -> None:
    """Raises ValueError if there is something that is not trusted among values that were admitted, or in lists, tuples and dicts of
    them."""
    for value in values:
        if isinstance(value, UntrustedSpec):
            value.refuse()
        if isinstance(value, (list, tuple, dict)):
            inside: Iterable[Any] = value.values() if isinstance(value, dict) else value  # pyright: ignore[reportUnknownVariableType]
            refuse_untrusted(*inside)


def needs_in(document: Any) -> dict[str, str]:
    """The names from outside in a file, each with its module, as the file's field `needs` says; they are used in messages only."""
    needs = cast("dict[Any, Any]", document.get("needs")) if isinstance(document, dict) else None  # pyright: ignore[reportUnknownMemberType]
    if not isinstance(needs, dict):
        return {}
    pairs = ((str(name), str(module)) for name, module in needs.items())
    return {name: module for name, module in pairs if re.fullmatch(rf"({MODULE}:)?{WORD}", name) and re.fullmatch(MODULE, module)}


def _modules_in(text: str) -> Iterator[str]:
    """The modules whose code a text names anywhere, but for those that the user has plugged in."""
    modules = (match["module"] for match in CODE.finditer(text))
    return (module for module in modules if module not in NO_MODULES and module not in plugged_in_modules())


def _refusal_of_code(text: str, source: str) -> str:
    """Why nothing may be made of a text in a file that is not trusted; empty if it runs no code."""
    if not runs_code(text):
        return ""
    by_import = "".join(f", or {_by_import(module)}" for module in [*_modules_in(text)][:1])
    return (
        f"{source} names code, {short_repr(text)}, and code is not run because a file says so. If you know it and trust it, add"
        f" --trust, in Python trust=True, where the file is opened{by_import}"
    )


def _missing(text: str, source: str, needs: Mapping[str, str]) -> str:
    """Why a text cannot be understood: a name in it comes from a module that is not here; empty if nothing is missing."""
    for name in re.findall(WORD, text) if needs else ():
        if name in needs and not is_known(name):
            module = needs[name]
            return (
                f"{source} needs {short_repr(name)} of the module {short_repr(module)}, which is not known here. If you trust it,"
                f" install it, or {_by_import(module)}"
            )
    return ""


def _by_import(module: str) -> str:
    """How the user names a module."""
    module = module if len(module) <= LONGEST_QUOTE else "MODULE"
    return f"run `ludus --import {module} …`, in Python ludus.plug_in({module!r})"


def _with_trust(text: str) -> str:
    """The text, its own `trust` setting replaced by the user's, who trusts it."""
    return f"{OWN_TRUST.sub('', text)},trust=true" if PICKLED.search(text) else text
