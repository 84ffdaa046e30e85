"""The settings of a policy, a trainer or whatever else is made from a spec, for lists and forms."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any, NamedTuple

from .bounds import allowed
from .specs import written


class Setting(NamedTuple):
    """One setting.

    Args:
        name: its field's.
        default: its default value, as written in specs.
        meaning: what it does, from the docstring of the settings.
        allowed: its bounds in words; empty where it has none.
    """

    name: str
    default: str
    meaning: str
    allowed: str


def settings_of(cls: type) -> Iterator[Setting]:
    """The settings of a dataclass that a spec can give, in their order."""
    meanings, bounds = argument_docs(cls), allowed(cls)
    for field in fields(cls):
        if not (field.init and field.repr):
            continue
        default: Any = field.default if field.default_factory is MISSING else field.default_factory()
        yield Setting(field.name, written(default), meanings.get(field.name, ""), bounds.get(field.name, ""))


def argument_docs(cls: type) -> dict[str, str]:
    """What the docstrings of a class and of its bases say about each name under `Args:`."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        _, _, below = inspect.cleandoc(base.__dict__.get("__doc__") or "").partition("Args:\n")
        block = re.split(r"\n(?=\S)", below)[0]
        for names, text in re.findall(r"^ {4}(\w+(?:, \w+)*): (.*(?:\n {5,}.*)*)", block, re.MULTILINE):
            found |= dict.fromkeys(names.split(", "), " ".join(text.split()))
    return found
