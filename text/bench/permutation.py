"""The p-value of paired differences, by exchanging their signs: exact, without draws.

Where two conditions are equal, a difference is as likely to be positive as negative. So all choices of signs are equally likely,
and the p-value is the share of them whose sum is as far from 0 as the observed one (R. A. Fisher, The Design of Experiments, 1935).
Answers to the same question often lose the same, so many choices have the very same sum; half of these count. This *mid-p* is
uniform where nothing differs, as closely as steps can be, while counting all of them finds too little: H. O. Lancaster, Journal of
the American Statistical Association 56 (1961), 223–234; M. W. Fagerland, S. Lydersen and P. Laake, The McNemar test for binary
matched-pairs data, BMC Medical Research Methodology 13 (2013), 91.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def p_of_signs(differences: NDArray[np.int64], ties: float = 0.5) -> float:
    """The two-sided p-value of the hypothesis that the sign of each difference is as likely as the other; 1 if all are 0.

    A sum of independent signs has a product of cosines as its Fourier transform, which is transformed back.

    Args:
        differences: whole numbers (N,), independent of each other.
        ties: the share that counts of the choices whose sum is as far from 0 as the observed one: 1 for a test that never finds too
            much, a half for the mid-p.
    """
    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    if not len(sizes):
        return 1.0
    unit = np.gcd.reduce(sizes)
    sizes, observed = sizes // unit, abs(int(differences.sum())) // int(unit)
    largest = int(sizes @ counts)
    angles = 2 * np.pi / (2 * largest + 1) * np.arange(largest + 1)
    transform = np.prod([np.cos(size * angles) ** count for size, count in zip(sizes, counts, strict=True)], axis=0)
    chances = np.fft.irfft(transform, 2 * largest + 1)[: largest + 1]  # of the sums 0, 1, …
    chances[1:] *= 2  # of a sum's distance from 0
    p = chances[observed + 1 :].sum() + ties * chances[observed]
    return float(np.clip(p, 1e-12, 1))  # smaller ones are lost in rounding
