"""The variants of the prompt that come with ludus, by their names, and those of a file."""

from __future__ import annotations

import json
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
BUILT_IN: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("variants.json").read_text(encoding="utf-8"))
"""What each name changes. Names are joined by "+", as in grid+legal."""
RESERVED = {*BUILT_IN, "null"}
"""Names that no variant of a file has. "null" is the baseline again, as a bench asks it."""


def prompt_variants(text: str) -> tuple[PromptVariant, ...]:
    """The variants that a text names; the first one is the baseline.

    Args:
        text: names and files, separated by commas: `plain,grid+legal,mine.json`.

    Raises:
        ValueError: there is no variant of a name, two have the same one, or a file holds something else.
        OSError: a file cannot be read.
    """
    parts = [part.strip() for part in text.split(",")]
    variants = [variant for part in parts for variant in (_read(part) if part.endswith(".json") else [_built_in(part)])]
    names = [variant.name for variant in variants]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"{short_repr(text)} has the variant {twice[0]!r} of the prompt twice; name each once")
    return tuple(variants)


def prompt_variant(text: str) -> PromptVariant:
    """The one variant that a text names, as for `prompt_variants`; ValueError where there are several."""
    variant, *others = prompt_variants(text)
    if others:
        names = ", ".join(other.name for other in (variant, *others))
        raise ValueError(f"{short_repr(text)} has several variants of the prompt, {names}; name one, or a file with one")
    return variant


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


def _read(file: str) -> list[PromptVariant]:
    """The variants of a file, which is a list of objects with fields of `PromptVariant`."""
    advice = "docs/text.md says what a file of variants holds"
    entries = parse_document(read_regular(path_of(file), MOST_BYTES), list[dict[str, Any]], file, advice)
    variants, known = list[PromptVariant](), [field.name for field in fields(PromptVariant)]
    for number, entry in enumerate(entries, 1):
        where = f"variant {number} of {file}"
        if unknown := [name for name in entry if name not in known]:
            raise ValueError(f"{where} has no field {short_repr(unknown[0])}; {nearest(unknown[0], known)}")
        variants.append(convert_document(entry, PromptVariant, where, advice))
        if RESERVED.intersection(variants[-1].name.split("+")):
            raise ValueError(f"{where} is called {variants[-1].name!r}, which is a name of ludus; give it another name")
    if not variants:
        raise ValueError(f"{file} holds no variant of the prompt; {advice}")
    return variants
