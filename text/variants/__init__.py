"""Variants of the prompt: other words, another form of the board, with the legal moves or without."""

from .names import prompt_variant, prompt_variants
from .variant import PromptVariant

__all__ = ["PromptVariant", "prompt_variant", "prompt_variants"]
