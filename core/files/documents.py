"""Documents: JSON that is read as a declared type, so that damage is found where it is read.

A type says what a document may hold: a `msgspec.Struct`, a dataclass, a `list[...]` of them, with the ranges of numbers given by
`msgspec.Meta`. Whatever does not fit it is an error that names the file, the field, what was found, what is allowed and what to
do. A field that may hold a spec is a `CheckedSpec` or a `PolicySpec` (core/plugins/trust.py), so that a file alone never runs code.

msgspec loads at first use, so that games do not wait for it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from ..plugins import CheckedSpec, RefusedSpecError, UntrustedSpec, admit, needs_in
from .reading import decode_text, read_regular

MOST_BYTES = 64 << 20
"""Documents are smaller than this: 64 MiB."""
SHOWN = 60
"""The most characters of a value that an error quotes."""
WORDS = {
    # msgspec's name of a type: ours
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "CheckedSpec": "text",
    "PolicySpec": "text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}

T = TypeVar("T")


def read_document(path: Path, kind: type[T], advice: str, *, trust: bool = False) -> T:
    """The document in a JSON file.

    Args:
        path: the file.
        kind: the type that it is read as.
        advice: what to do if it is damaged, as the end of a sentence: "train it again".
        trust: whether the user trusts it, so that its specs may name code.

    Raises:
        FileNotFoundError: there is no such file.
        OSError: it cannot be read, or is not a regular file.
        ValueError: it is damaged, or larger than such a file can be; or it names code at once, without trust.
    """
    return parse_document(read_regular(path, MOST_BYTES), kind, str(path), advice, trust=trust)


def parse_document(text: str | bytes, kind: type[T], where: str, advice: str, *, trust: bool = False) -> T:
    """The document in a JSON text.

    Numbers that JSON does not know (NaN, Infinity, 1e999) are damage, and so is a field that is given twice.

    Args:
        text: the text; bytes are UTF-8, or what their byte-order mark says.
        kind: the type that it is read as.
        where: where the text is from, for errors.
        advice: what to do if it is damaged.
        trust: whether the user trusts it, so that its specs may name code.

    Raises:
        ValueError: it is damaged; or it names code, without trust.
    """
    try:
        plain = text if isinstance(text, str) else decode_text(text)
        document = json.loads(plain, parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_once)
    except (RecursionError, ValueError) as error:
        raise ValueError(f"{where} is damaged: {_damage(error)}; {advice}") from None
    return convert_document(document, kind, where, advice, trust=trust)


def _damage(error: RecursionError | ValueError) -> str:
    """What stops a text from being read as JSON, in words."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return (
        f"byte {error.start} is not {error.encoding.upper()}" if isinstance(error, UnicodeDecodeError) else _lower_first(str(error))
    )


def convert_document(document: Any, kind: type[T], where: str, advice: str, *, trust: bool = False) -> T:
    """A value of a type, from what JSON can hold: dicts, lists, texts, numbers, truth values and None.

    Args:
        document: what JSON holds. Its field `needs` says where its games and policies come from.
        kind: the type.
        where: where it is from, for errors.
        advice: what to do if it is damaged.
        trust: whether the user trusts it, so that its specs may name code.

    Raises:
        ValueError: it does not fit the type; or it names code at once, without trust, or what is not known here.
    """
    from msgspec import ValidationError, convert

    needs = needs_in(document)

    def read_spec(kind: Any, text: Any) -> Any:
        spec = admit(text, where, trust=trust, needs=needs)
        return spec.refuse() if kind is CheckedSpec and isinstance(spec, UntrustedSpec) else spec

    try:
        return convert(document, kind, dec_hook=read_spec)
    except ValidationError as error:
        if isinstance(error.__cause__, RefusedSpecError):
            raise error.__cause__ from None
        raise ValueError(f"{where} is damaged: {_in_words(str(error), document)}; {advice}") from None
    except RecursionError as error:
        raise ValueError(f"{where} is damaged: {_damage(error)}; {advice}") from None


def short_json(value: Any) -> str:
    """A value as JSON writes it, in one short line."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"JSON has no number {word}")


def _finite(text: str) -> float:
    if (number := float(text)) in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:SHOWN]} is too large")
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the field {short_json(name)} is there twice")
    return fields


def _in_words(error: str, document: Any) -> str:
    """What msgspec found wrong in a document, in our words: the field, what is there and what is allowed."""
    message, _, path = error.partition(" - at `")
    path = path.rstrip("`") or "$"
    if about := re.fullmatch(r"Object (missing required|contains unknown) field `(.*)`", message):
        return f"{_field(f'{path}.{about[2]}')} is {'missing' if about[1].startswith('missing') else 'unknown'}"
    field, value = _field(path), _value_in_words(path, document)
    if expected := re.fullmatch(r"Expected `([^`]*)`(?:, got `[^`]*`)?(.*)", message):
        allowed = " or ".join(WORDS.get(word, word) for word in expected[1].split(" | ")) + expected[2]
        return f"{field}{value} and must be {allowed}"
    if message.startswith(("Invalid enum value", "Invalid value")):
        return f"{field}{value}, which is not one of the values that it may have"
    return f"{field}: {_lower_first(message)}"


def _field(path: str) -> str:
    return f"the field {path.removeprefix('$').removeprefix('.')}" if path != "$" else "the document"


def _value_in_words(path: str, document: Any) -> str:
    """What stands at a path; nothing where the path goes through entries that it does not name."""
    value = document
    for name, number in re.findall(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]", path):
        try:
            value = value[name] if name else value[int(number)]
        except (LookupError, TypeError, ValueError):
            return " holds something else"
    return f" is {short_json(value)}"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
