"""What is wrong with a class that somebody registers, each mistake in a clause, so that all are named at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def mistakes_in_class(cls: type, texts: Mapping[str, type]) -> Iterator[str]:
    """The class variables that are missing or of another type, and the methods that are not defined.

    Args:
        cls: the class.
        texts: the class variables that it needs, with their types.
    """
    for name, kind in texts.items():
        value = getattr(cls, name, None)
        if not isinstance(value, kind):
            given = "it has no" if value is None else f"{value!r} is no"
            yield f"{given} {name}, which is a class variable of type {kind.__name__}"
    if missing := sorted(getattr(cls, "__abstractmethods__", ())):
        yield f"it does not define {', '.join(missing)}"


def mistake_in_settings(cls: type, given: tuple[str, ...] = ()) -> str:
    """What is wrong with the fields of a class, which are its settings; empty where nothing is.

    Args:
        cls: the class, a frozen dataclass.
        given: the fields that are not settings.
    """
    if not is_dataclass(cls):
        return f"{cls.__name__} is no dataclass; write @dataclass(frozen=True) above it"
    try:
        hints = get_type_hints(cls)
    except Exception as error:  # an annotation may be any expression
        return f"an annotation of {cls.__name__} cannot be read ({error!r})"
    if undeclared := [
        name for name in vars(cls).get("__annotations__", {}) if _is_setting(hints[name]) and name not in _names(cls)
    ]:
        return (
            f"{', '.join(undeclared)} of {cls.__name__} are no settings before @dataclass(frozen=True) stands right above the class"
        )
    needy = [field.name for field in fields(cls) if field.default is MISSING and field.default_factory is MISSING]
    if without := [name for name in needy if name not in given]:
        return f"{', '.join(without)} of {cls.__name__} must have a default, since specs may leave settings out"
    return ""


def _is_setting(hint: Any) -> bool:
    return not str(hint).startswith("typing.ClassVar")


def _names(cls: type) -> set[str]:
    return {field.name for field in fields(cls)}
