"""Breeding rows of genes: one place for selection, crossover, mutation and survival, for players and for answers to puzzles."""
