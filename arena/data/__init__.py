"""Games and positions by the million, and all positions of small games, as arrays; `ludus.data` hands on what is public."""
