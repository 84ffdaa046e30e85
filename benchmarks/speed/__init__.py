"""How fast: beside peers, beside earlier versions, line by line."""
