"""Games with another face and the same tree: other names of cells, other signs, a turned board, another story.

What a language model knows by heart of a game's name and notation does not help it in a disguise. Whatever takes a game takes a
disguise: prompts, readings, scores.
"""

from .faces import disguise, disguise_names, undisguise

__all__ = ["disguise", "disguise_names", "undisguise"]
