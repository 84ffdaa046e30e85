"""The settings of policies in a page: their defaults, and what they may be, as JSON that JavaScript checks them by."""

from __future__ import annotations

import types
from dataclasses import MISSING, fields
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from ...core.bounds import OneOf
from ...core.numbers import Range
from ...core.specs import settings_of

ALLOWED_THERE = {"evaluation": "classic, or patterns where the game has them"}
"""What settings may be in a page, in words, where that is less than elsewhere."""
KINDS = {int: "whole", float: "number", bool: "flag", str: "text", types.NoneType: "none"}


def describe_settings(policy: type, names: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Some settings of a policy, by their names.

    Each has its `default`; its `kinds`, which are among whole, number, flag, text and none; where they are bounded `least`, `most`
    and `above`, or `choices`; and what is `allowed`, in words.
    """
    hints = get_type_hints(policy, include_extras=True)
    defaults = {field.name: field.default for field in fields(policy) if field.default is not MISSING}  # pyright: ignore[reportArgumentType]
    words = {setting.name: setting.allowed or setting.type for setting in settings_of(policy)} | ALLOWED_THERE
    return {name: {"default": defaults[name], "allowed": words[name]} | _bounds_of(hints[name]) for name in names}


def _bounds_of(hint: Any) -> dict[str, Any]:
    """What a value may be by an annotation."""
    if get_origin(hint) in (Union, types.UnionType):
        parts = [_bounds_of(member) for member in get_args(hint)]
        return {key: value for part in parts for key, value in part.items()} | {
            "kinds": [kind for part in parts for kind in part["kinds"]]
        }
    if get_origin(hint) is not Annotated:
        return {"kinds": [KINDS[hint]]}
    inner, *bounds = get_args(hint)
    given = _bounds_of(inner)
    for bound in bounds:
        if isinstance(bound, Range):
            given |= {"least": bound.least, "most": min(bound.most, 2**53)} | (
                {} if bound.above is None else {"above": bound.above}
            )
        elif isinstance(bound, OneOf):
            given |= {"choices": list(bound.choices)}
    return given
