"""The variants of the prompt that come with ludus, by their names, and those of a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...core.files.documents import convert_document, parse_document
from ...core.files.reading import read_regular
from ...core.files.writing import path_of
from ...core.numbers import short_repr
from ...core.specs import nearest
from .variant import PromptVariant

MOST_BYTES = 1 << 16
"""The maximum size of a file of variants."""
FILE = re.compile(r"(?P<file>.*\.json)(?:/(?P<name>[^/\\]*))?")
"""A file of variants, or one variant of a file."""
BUILT_IN: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("variants.json").read_text(encoding="utf-8"))
"""What each name changes. Names are joined by "+", as in grid+legal."""
RESERVED = {*BUILT_IN, "null"}
"""Names that no variant of a file has. "null" is the baseline again, as a bench asks it."""


def prompt_variants(text: str) -> tuple[PromptVariant, ...]:
    """The variants that a text names; the first one is the baseline.

    Args:
        text: names and files, separated by commas: `plain,grid+legal,mine.json`. `mine.json/terse` is one variant of a file.

    Raises:
        ValueError: there is no variant of a name, two have the same one, or a file holds something else.
        OSError: a file cannot be read.
    """
    variants = tuple(variant for part in text.split(",") for variant in _variants_of(part.strip()))
    names = [variant.name for variant in variants]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"{short_repr(text)} has the variant {twice[0]!r} of the prompt twice; name each once")
    return variants


def prompt_variant(text: str) -> PromptVariant:
    """The one variant that a text names, as for `prompt_variants`.

    Raises:
        ValueError: see `prompt_variants`; or there are several.
        OSError: the file cannot be read.
    """
    variant, *others = prompt_variants(text)
    if others:
        names = ", ".join(other.name for other in (variant, *others))
        raise ValueError(
            f"{short_repr(text)} has several variants of the prompt, {names}; name one, as in FILE.json/{variant.name}"
        )
    return variant


def _variants_of(part: str) -> Iterator[PromptVariant]:
    """The variants that a name or a file stands for."""
    match = FILE.fullmatch(part)
    if match is None:
        yield _built_in(part)
        return
    file, wanted = match["file"], match["name"]
    known = _read(file)
    if wanted is not None and wanted not in known:
        raise ValueError(f"{file} has no variant {short_repr(wanted)} of the prompt; {nearest(wanted, known)}")
    yield from known.values() if wanted is None else [known[wanted]]


def _built_in(name: str) -> PromptVariant:
    """The variant of a name such as grid+legal."""
    settings = dict[str, Any]()
    for word in name.split("+"):
        if word not in BUILT_IN:
            raise ValueError(
                f"there is no variant {short_repr(word)} of the prompt; {nearest(word, BUILT_IN)}; a file of variants ends in .json"
            )
        for field, value in BUILT_IN[word].items():
            if field in settings:
                raise ValueError(f"{short_repr(name)} joins two variants of the prompt that both set its {field}; name one of them")
            settings[field] = value
    return PromptVariant(name=name, **settings)


def _read(file: str) -> dict[str, PromptVariant]:
    """The variants of a file, by their names: a list of names that come with ludus, and objects with fields of `PromptVariant`."""
    advice = "docs/text.md says what a file of variants holds"
    entries = parse_document(read_regular(path_of(file), MOST_BYTES), list[str | dict[str, Any]], file, advice)
    variants = dict[str, PromptVariant]()
    for number, entry in enumerate(entries, 1):
        variant = _built_in(entry) if isinstance(entry, str) else _own(entry, f"variant {number} of {file}", advice)
        if variant.name in variants:
            raise ValueError(f"{file} has two variants {variant.name!r}; give each a name of its own")
        variants[variant.name] = variant
    if not variants:
        raise ValueError(f"{file} holds no variant of the prompt; {advice}")
    return variants


def _own(entry: dict[str, Any], where: str, advice: str) -> PromptVariant:
    """The variant with the fields that stand in a file."""
    known = [field.name for field in fields(PromptVariant)]
    for name in entry:
        if name not in known:
            raise ValueError(f"{where} has no field {short_repr(name)}; {nearest(name, known)}")
    variant = convert_document(entry, PromptVariant, where, advice)
    if RESERVED.intersection(variant.name.split("+")):
        raise ValueError(f"{where} is called {variant.name!r}, which is a name of ludus; give it another name")
    return variant
