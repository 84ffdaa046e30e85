"""Specs: how users name games and policies, `name:key=value,key=value`, their settings, and the errors for mistakes in them.

othello:size=6        nim:heaps=1+3+5,limit=3,misere=true        minimax:depth=4        table:path="a, b.npz"

A value with a comma stands in quotes, and a quote in it is written twice.
"""

from __future__ import annotations

import difflib
import inspect
import json
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from functools import cache
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from .bounds import Bounded, allowed_values
from .numbers import LONGEST_QUOTE, MANY, short_repr, whole

VALUE = r'(\s*"(?:[^"]|"")*"\s*|[^,]*)(?:,|\Z)'
"""A value in quotes or without, up to the comma after it or the end."""
FIRST, PART = re.compile(VALUE), re.compile(rf'([^=,"]*=)?{VALUE}')


class Spec(NamedTuple):
    """A spec, parsed: what it names, as `minimax`, code as `module:name`; and its settings, as text."""

    name: str
    settings: dict[str, str]


class Setting(NamedTuple):
    """One setting.

    Args:
        name: its field's.
        type: what its values are, in words.
        default: its default value, as written in specs.
        meaning: what it does, from the docstring of the settings.
        allowed: its bounds in words; empty where it has none.
    """

    name: str
    type: str
    default: str
    meaning: str
    allowed: str


class BySettings(Bounded):
    """A frozen dataclass that copies and pickles by its settings: what it has computed and cached is left out."""

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # pyright: ignore[reportArgumentType]


def parse(spec: str) -> Spec:
    """A spec that reads `name:key=value,key=value`; errors are those of `parse_settings`."""
    name, _, settings = spec.strip().partition(":")
    return Spec(name, parse_settings(settings, spec))


def parse_settings(text: str, spec: str) -> dict[str, str]:
    """The settings in a text, `key=value,key=value`, as text. ValueError, which names the spec that they are of, where one has no
    `=`, or is given twice, or a quote is not closed."""
    settings: dict[str, str] = {}
    for key, value in parts(text):
        if not key or not value:
            part = value if key is None else f"{key}={value}"
            raise ValueError(
                f"{short_repr(part)} in {short_repr(spec)} is not a setting; a spec reads name:key=value,key=value, such as"
                " nim:heaps=3+4+5,misere=true"
            )
        if key in settings:
            raise ValueError(f"{short_repr(spec)} sets {key} twice; once is enough")
        settings[key] = value
    return settings


def parts(text: str) -> Iterator[tuple[str | None, str]]:
    """The key and the value of each part of a text between commas; the key is None where a part has no `=`.

    Raises:
        ValueError: a quote is not closed.
    """
    start = 0
    while start < len(text) and (part := PART.match(text, start)):
        start = part.end()
        if part[1] or part[2]:
            yield part[1] and part[1].removesuffix("=").strip(), unquote(part[2])


def split_path(text: str) -> tuple[str, str]:
    """A path that a text begins with, in quotes if it has a comma, and what follows after the next comma.

    Raises:
        ValueError: a quote is not closed.
    """
    first = FIRST.match(text)
    assert first is not None  # it matches any text
    return unquote(first[1]), text[first.end() :]


def unquote(value: str) -> str:
    """A value as it is meant: without the quotes around it, and with each doubled quote in it once.

    Raises:
        ValueError: a quote is not closed.
    """
    value = value.strip()
    if not value.startswith('"'):
        return value
    if len(value) == 1 or not value.endswith('"') or value[1:-1].replace('""', "").count('"'):
        raise ValueError(
            f"{short_repr(value)} begins with a quote; a value in quotes ends with one, too, and a quote in it is written twice"
        )
    return value[1:-1].replace('""', '"')


def quote(text: str) -> str:
    """A text as a value in a spec: in quotes if it would be read as something else without."""
    return '"' + text.replace('"', '""') + '"' if "," in text or text.startswith('"') or text != text.strip() else text


def join(name: str, settings: Mapping[str, Any]) -> str:
    """The spec of a name and its settings."""
    listed = ",".join(settings_in(settings))
    return f"{name}:{listed}" if listed else name


def settings_in(settings: Mapping[str, Any]) -> list[str]:
    """Each setting as written in a spec."""
    return [f"{key}={quote(value_text(value))}" for key, value in settings.items()]


def value_text(value: Any) -> str:
    """A setting's value as written in a spec."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return "+".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType]
    return "none" if value is None else str(value)


def read(cls: type, settings: Mapping[str, Any], what: str, also: Iterable[str] = ()) -> dict[str, Any]:
    """Settings for a dataclass, texts read by the types of its fields.

    Args:
        cls: a dataclass, whose fields are the settings there are.
        settings: texts from a spec, or values from keywords.
        what: what is being set, for the error.
        also: what else could have been meant by a setting, for the error.

    Raises:
        ValueError: a setting that does not exist, or a text that is not of the setting's type.
    """
    known, hints = _fields(cls), _hints(cls)
    for key in settings:
        if key not in known:
            raise ValueError(f"{what} has no setting {short_repr(key)}; {nearest(key, known, 'it has no settings at all', also)}")
    return {key: value_of(hints[key], value, f"{what}: {key}") for key, value in settings.items()}


_hints = cache(get_type_hints)
"""The types of a class's fields; Python would evaluate them again on each call."""


def value_of(hint: Any, value: Any, what: str) -> Any:
    """A value as the type of its setting says: texts are read, numpy integers become plain, lists become tuples."""
    if get_origin(hint) in (Union, types.UnionType):
        if value is None or value == "none":
            return None
        hint = next(h for h in get_args(hint) if h is not type(None))
    try:
        if get_origin(hint) is tuple:
            members = value.split("+") if isinstance(value, str) else [value] if isinstance(value, int) else list(value)
            return tuple(value_of(get_args(hint)[0], member, what) for member in members)
        if hint is bool:
            return _bool(value)
        if hint is int:
            return int(value) if isinstance(value, str) else whole(value, "", -MANY)
        if hint is float:
            return _float(value)
        return value
    except (TypeError, ValueError, OverflowError):
        wanted = (
            f"{-MANY:,} to {MANY:,}" if hint is int and isinstance(value, Integral) and not isinstance(value, bool) else _kind(hint)
        )
        raise ValueError(f"{what} is {short_repr(value)}; it must be {wanted}") from None


def _bool(value: Any) -> bool:
    words = {"true": True, "false": False}
    if isinstance(value, str):
        value = words.get(value.lower(), value)
    if value is True or value is False:
        return value
    raise ValueError(value)


def _float(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or number != number:
        raise ValueError(value)
    return number


def _kind(hint: Any) -> str:
    if get_origin(hint) is tuple:
        return "whole numbers joined by +, as in 1+3+5"
    return {int: "a whole number", bool: "true or false", float: "a number"}.get(hint, str(hint))


def _type_words(hint: Any) -> str:
    """What the values of a setting are, in words."""
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(_type_words(member) for member in get_args(hint))
    if get_origin(hint) is tuple:
        return f"{_type_words(get_args(hint)[0])}s joined by +"
    return {int: "whole number", float: "number", bool: "true or false", types.NoneType: "none"}.get(hint, "text")


def changed_settings(instance: Any, preset: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings of a dataclass instance that differ from their defaults, or from a preset where it names them."""
    usual = {name: _default(field) for name, field in _fields(type(instance)).items()} | dict(preset or {})
    values = {name: getattr(instance, name) for name in _fields(type(instance))}
    return {name: value for name, value in values.items() if value != usual[name]}


def settings_of(cls: type) -> Iterator[Setting]:
    """The settings of a dataclass that a spec can give, in their order."""
    meanings, bounds, hints = argument_docs(cls), allowed_values(cls), _hints(cls)
    for name, field in _fields(cls).items():
        yield Setting(
            name=name,
            type=_type_words(hints[name]),
            default=value_text(_default(field)),
            meaning=meanings.get(name, ""),
            allowed=bounds.get(name, ""),
        )


def takes_text(cls: type, name: str) -> bool:
    """Whether a setting of a dataclass takes any text, such as a path: it is neither a number nor true or false nor has choices."""
    return name in _fields(cls) and name not in allowed_values(cls) and not _is_plain(_hints(cls)[name])


def _is_plain(hint: Any) -> bool:
    """Whether a type has numbers and truth values alone, or tuples of them."""
    if hint in (int, float, bool, type(None), ...):
        return True
    return get_origin(hint) in (Union, types.UnionType, tuple) and all(map(_is_plain, get_args(hint)))


def _fields(cls: type) -> dict[str, Field[Any]]:
    """The fields of a dataclass that are settings, by name."""
    return {field.name: field for field in fields(cls) if field.init and field.repr}


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def argument_docs(cls: type) -> dict[str, str]:
    """What the docstrings of a class and of its bases say about each name under `Args:`."""
    meanings: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        _, _, below = inspect.cleandoc(base.__dict__.get("__doc__") or "").partition("Args:\n")
        block = re.split(r"\n(?=\S)", below)[0]
        for names, text in re.findall(r"^ {4}(\w+(?:, \w+)*): (.*(?:\n {5,}.*)*)", block, re.MULTILINE):
            meanings |= dict.fromkeys(names.split(", "), " ".join(text.split()))
    return meanings


@cache
def _synonyms() -> dict[str, list[str]]:
    """The field's words, and the settings that stand for them here."""
    return json.loads(Path(__file__).with_name("synonyms.json").read_text(encoding="utf-8"))


def nearest(word: str, known: Iterable[str], nothing: str = "there are none", also: Iterable[str] = ()) -> str:
    """The part of an error that names what was probably meant, or all there is.

    Args:
        word: what was given.
        known: what there is.
        nothing: what to say where there is nothing.
        also: what could have been meant, too, and belongs elsewhere.
    """
    names = list(known)
    meant = likely_name(word, [*names, *also])
    listing = f"there are: {', '.join(names)}" if names else nothing
    return f"did you mean {meant!r}? ({listing})" if meant else listing


def likely_name(word: str, names: Sequence[str], cutoff: float = 0.6) -> str | None:
    """The name that was probably meant by a word: the one that stands for the field's own word, or is spelt much like it.

    Args:
        word: what was given.
        names: what there is.
        cutoff: how alike the spelling must be, from 0 to 1.
    """
    word = word[:LONGEST_QUOTE].lower()
    synonyms = [name for name in _synonyms().get(word.replace("-", "_"), ()) if name in names]
    return next(iter(synonyms or difflib.get_close_matches(word, names, n=1, cutoff=cutoff)), None)
