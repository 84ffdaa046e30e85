"""Documents: JSON that is read as a declared type, so that damage is found where it is read.

A type says what a document may hold: a `msgspec.Struct`, a dataclass, a `list[...]` of them, with the ranges of numbers given by
`msgspec.Meta`. What does not fit it is an error that names the file, what msgspec found and where (`$.games[3].name` is a path into
the document), and what to do. A field that may hold a spec is a `CheckedSpec` or a `PolicySpec` (core/plugins/trust.py), so that a
file alone never runs code.

msgspec loads at first use, so that games do not wait for it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from ..plugins import CheckedSpec, RefusedSpecError, UntrustedSpec, admit, needs_in
from .reading import decode_text, read_regular

MOST_BYTES = 64 << 20
"""Documents are smaller than this: 64 MiB."""
LONGEST_VALUE, LONGEST_REASON = 60, 160
"""The most characters of a value, and of what msgspec says, that an error quotes: both may repeat a long text of the file."""

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
    """The document in a JSON text; numbers that JSON does not know (NaN, Infinity, 1e999) are damage.

    Args:
        text: the text; bytes are UTF-8, or what their byte-order mark says.
        kind: the type that it is read as.
        where: where the text is from, for errors.
        advice: what to do if it is damaged.
        trust: whether the user trusts it, so that its specs may name code.

    Raises:
        ValueError: it is damaged; or it names code, without trust.
    """
    from msgspec.json import decode

    try:
        document = decode(text if isinstance(text, str) else decode_text(text))
    except (RecursionError, ValueError) as error:  # msgspec's errors are ValueErrors
        raise _damage(where, error, advice) from None
    return convert_document(document, kind, where, advice, trust=trust)


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
    except (RecursionError, ValidationError) as error:
        if isinstance(error.__cause__, RefusedSpecError):
            raise error.__cause__ from None
        raise _damage(where, error, advice) from None


def short_json(value: Any) -> str:
    """A value as JSON writes it, in one short line."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return _shorten(text, LONGEST_VALUE)


def _damage(where: str, error: Exception, advice: str) -> ValueError:
    reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error).replace("CheckedSpec", "str")
    return ValueError(f"{where} is damaged: {_shorten(reason, LONGEST_REASON)}; {advice}")


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
