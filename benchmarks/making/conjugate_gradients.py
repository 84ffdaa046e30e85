"""Least squares over more numbers than a matrix has room for.

Source: M. Hestenes and E. Stiefel, Methods of conjugate gradients for solving linear systems (1952).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


def solve(
    multiply: Callable[[NDArray[np.float64]], NDArray[np.float64]], right: NDArray[np.float64], rounds: int
) -> NDArray[np.float64]:
    """The solution of a system of equations, from 0 on, after this many rounds (N,).

    Args:
        multiply: the product of the matrix, symmetric and positive definite, and a vector (N,).
        right: the right-hand side (N,), not all 0.
        rounds: each costs one product; with N of them the solution would be exact.
    """
    solution, residual, direction = np.zeros(len(right)), right.copy(), right.copy()
    size = residual @ residual
    for _ in range(rounds):
        change = multiply(direction)
        step = size / (direction @ change)
        solution += step * direction
        residual -= step * change
        size, before = residual @ residual, size
        direction = residual + size / before * direction
    return solution
