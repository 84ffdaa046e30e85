"""Players that speak: positions as prompts, and moves read from what is answered."""

from .describing import describe, prompt, prompt_checksum
from .reading import Reading, read_move
from .variants import PromptVariant, prompt_variants

__all__ = ["PromptVariant", "Reading", "describe", "prompt", "prompt_checksum", "prompt_variants", "read_move"]
