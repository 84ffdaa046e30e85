"""What a file needs that does not come with ludus: it is written into the file, so that a sentence can say what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .places import MODULE, WORD
from .registry import Need, Registry

PATTERNS = {
    "group": re.compile(WORD),
    "name": re.compile(rf"{WORD}(?::{WORD})?"),
    "module": re.compile(MODULE),
    "package": re.compile(r"[\w.-]+|"),
}
"""What the fields of a need look like."""


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
