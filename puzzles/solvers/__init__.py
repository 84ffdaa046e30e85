"""Solvers of the problems: what looks for answers, and what proves them best."""
