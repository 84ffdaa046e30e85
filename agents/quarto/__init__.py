"""Policies that play only Quarto, and the lines of its board that they look at."""
