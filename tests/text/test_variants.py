"""Variants of the prompt: the plain one is today's, all say what the position is, and files of variants are checked."""

from __future__ import annotations

import pytest

import ludus
from ludus.text import prompt, prompt_checksum, prompt_variants

from ..helpers.games import VARIANTS, positions


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_plain_variant_is_the_prompt_byte_for_byte(spec: str) -> None:
    game = ludus.make_game(spec)
    for name, legal in (("plain", False), ("legal", True)):
        (variant,) = prompt_variants(name)
        assert variant.checksum(game) == prompt_checksum(game, legal=legal)
        assert all(variant.prompt(game, state) == prompt(game, state, legal=legal) for state in positions(game, 6))
