"""N-tuples: values of positions as sums over patterns of cells, each pattern's worth in a table, for any game on a board."""
