"""The tests: what holds for every game, and what is known about each."""
