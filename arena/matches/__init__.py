"""Matches: openings, games, their players, and what became of them."""
