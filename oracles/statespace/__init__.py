"""All positions of a game: their canonical form, their numbers, their graph, and tables of what to do in them."""
