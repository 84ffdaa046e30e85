"""What is wrong with a class that somebody registers, each mistake in a clause, so that all are named at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from ..specs import value_of
from .registry import Registry

MUTABLE = (list, dict, set)
"""Types that no setting may have: a frozen record with one would change, and no spec can set it."""


def mistakes_in_class(cls: type, texts: Mapping[str, type], registry: Registry[Any]) -> Iterator[str]:
    """The class variables that are missing or of another type, the methods that are not defined, and what is wrong with its name.

    Args:
        cls: the class.
        texts: the class variables that it needs, with their types; one is its name.
        registry: where it is to be registered.
    """
    for name, kind in texts.items():
        value = getattr(cls, name, None)
        if not isinstance(value, kind):
            given = "it has no" if value is None else f"{value!r} is no"
            yield f"{given} {name}, which is a class variable of type {kind.__name__}"
    if missing := sorted(getattr(cls, "__abstractmethods__", ())):
        yield f"it does not define {', '.join(missing)}"
    name = getattr(cls, "name", None)
    if isinstance(name, str) and (mistake := registry.mistake_in_name(name, (cls.__module__, cls.__qualname__))):
        yield mistake


def mistake_in_settings(cls: type, given: tuple[str, ...] = ()) -> str:
    """What is wrong with the fields of a class, which are its settings but for those that are `given`; empty where nothing is."""
    if not is_dataclass(cls):
        return f"{cls.__name__} is no dataclass; write @dataclass(frozen=True) above it"
    try:
        hints = get_type_hints(cls)
    except Exception as error:  # an annotation may be any expression
        return f"an annotation of {cls.__name__} cannot be read ({error!r})"
    annotated, by_name = vars(cls).get("__annotations__", {}), {field.name: field for field in fields(cls)}
    if undeclared := [name for name in annotated if name not in by_name and not str(hints[name]).startswith("typing.ClassVar")]:
        return (
            f"{', '.join(undeclared)} of {cls.__name__} are no settings before @dataclass(frozen=True) stands right above the class"
        )
    if without := [
        name for name, field in by_name.items() if field.default is field.default_factory is MISSING and name not in given
    ]:
        return f"{', '.join(without)} of {cls.__name__} must have a default, since specs may leave settings out"
    settings = [field for name, field in by_name.items() if name in annotated and name not in given]
    if "name" in (field.name for field in settings):
        return f"name of {cls.__name__} is a setting; write name: ClassVar[str]"
    return next((mistake for field in settings if (mistake := _mistake_in_type(cls, field, hints[field.name]))), "")


def _mistake_in_type(cls: type, field: Field[Any], hint: Any) -> str:
    """What is wrong with the type or the default of a setting; empty where nothing is."""
    what = f"{field.name} of {cls.__name__}"
    if any((get_origin(part) or part) in MUTABLE for part in (hint, *get_args(hint))):
        return f"{what} is of a type that can change, which no setting may be; a tuple can hold several values, as tuple[int, ...]"
    if field.default is MISSING:
        return ""
    try:
        value_of(hint, field.default, what)
    except ValueError as error:
        return f"the default of {error}"
    return ""
