"""Players that speak: positions as prompts, and moves read from what is answered."""

from .describing import describe, prompt, prompt_checksum
from .reading import Reading, read_move

__all__ = ["Reading", "describe", "prompt", "prompt_checksum", "read_move"]
