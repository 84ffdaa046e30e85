"""The tool that makes the frozen sets makes those that ship."""

import pytest

from benchmarks.making import frozen_sets
from ludus.text.bench.sets import FROZEN, frozen_set
from ludus.text.bench.sets.frozen import FOLDER


def test_the_card_says_what_the_sets_hold():
    assert tuple(frozen_sets.RECIPES) == FROZEN
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert card == frozen_sets.card({spec: frozen_set(spec) for spec in FROZEN})


@pytest.mark.parametrize("spec", ["nim", "tictactoe"])
def test_sets_are_made_again_byte_by_byte(spec: str):
    assert frozen_sets.make(spec).lines == frozen_set(spec).lines
