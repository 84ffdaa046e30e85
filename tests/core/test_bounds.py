"""Bounds that fields declare: what they let through, and what they say of the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Annotated

import numpy as np
import pytest

from ludus.core.bounds import Bounded, Count, Length, OneOf, Share, allowed_values
from ludus.core.numbers import MANY, Range


@dataclass(frozen=True)
class Sketch(Bounded):
    size: Annotated[int, OneOf(4, 6, 8)] = 8
    word: Annotated[str, OneOf("left", "right")] = "left"
    games: Count = 1
    part: Annotated[int, Range(1, 64)] | None = None
    share: Share = 0.5
    scale: Annotated[float, Range(above=0)] = 1.0
    cold: Annotated[float, Range(above=0, below=1)] = 0.5
    layers: Annotated[tuple[Annotated[int, Range(1, 512)], ...], Length(1, 3)] = (64,)
    quick: bool = False
    free: object = None


WORDS = {
    "size": "4, 6 or 8",
    "word": "left or right",
    "games": "a whole number, 1 or more",
    "part": "a whole number from 1 to 64, or none",
    "share": "from 0 to 1",
    "scale": "more than 0",
    "cold": "more than 0 and less than 1",
    "layers": "1 to 3 whole numbers, each from 1 to 512",
}
GOOD = {
    "size": (4, 6, np.int64(8)),
    "word": ("left", "right"),
    "games": (1, MANY, np.uint8(1)),
    "part": (None, 1, 64),
    "share": (0, 1, 0.3, np.float32(0.5)),
    "scale": (1e-300, MANY),
    "cold": (1e-9, 1 - 1e-9),
    "layers": ((1,), (512, 1, 7)),
    "quick": (True, np.False_),
}
BAD = {
    "size": (5, 8.0, True, "8", None),
    "word": ("up", "", 1, None),
    "games": (0, -1, 1.0, True, math.nan, MANY + 1, None, "1"),
    "part": (0, 65, 1.5, "none"),
    "share": (-0.1, 1.1, math.nan, True, "0.5", 1j),
    "scale": (0, -1.0, math.inf, math.nan),
    "cold": (0, 1, 2),
    "layers": ((), (1, 2, 3, 4), (0,), (513,), (1, 2.0), [1], 1, None),
    "quick": (1, "yes", None),
}
FLAGS = {"quick": "true or false"}
"""What has no bounds to list and is checked all the same."""


def test_fields_with_bounds_list_them_in_words():
    assert allowed_values(Sketch) == WORDS
    assert {*WORDS, *FLAGS} == GOOD.keys() == BAD.keys() == {field.name for field in fields(Sketch)} - {"free"}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in GOOD.items() for value in values])
def test_a_value_within_its_bounds_is_taken_as_it_is(name, value):
    assert getattr(Sketch(**{name: value}), name) is value


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_a_value_out_of_its_bounds_is_refused_with_what_is_allowed(name, value):
    with pytest.raises(ValueError, match=rf"^{name} is .*; it must be ") as error:
        Sketch(**{name: value})
    assert (WORDS | FLAGS)[name] in str(error.value) or f"to {MANY:,}" in str(error.value)


def test_names_that_only_type_checkers_import_do_not_stop_a_dataclass():
    @dataclass(frozen=True)
    class Local(Bounded):
        net: Unheard | None = None  # noqa: F821  # pyright: ignore[reportUndefinedVariable, reportUnknownVariableType]

    assert Local().net is None  # pyright: ignore[reportUnknownMemberType]
