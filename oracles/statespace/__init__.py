"""All positions of a game: one form for those alike by symmetry, numbers for them, tables over them, and their graph."""
