"""Kernels over any game: each calls the rules by their names in the contract (rules.py)."""
