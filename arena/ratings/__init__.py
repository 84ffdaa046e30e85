"""Ratings from the results of matches, with intervals."""
