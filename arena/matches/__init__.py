"""Matches: openings, games, their players, and the outcomes."""
