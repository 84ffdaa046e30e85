"""Policies for Quarto alone, and the lines of its board that they look at."""
