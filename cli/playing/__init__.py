"""A game at the terminal or in a window: playing it, and stepping through one that was played."""
