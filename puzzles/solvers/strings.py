"""The genetic algorithm for bit strings: parents are selected by fitness, their worth, or, for comparison, by the number of ones.

Selected by ones the puzzle is no longer a black box, and where its perfect string is hidden the search goes astray.
`preset=original` has what is known of the project that compared the two: a population of 100.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import OneOf
from ..problems.bitstring import BitString
from ..problems.puzzle import Answers
from .genetic import GeneticSolver


@dataclass(frozen=True)
class GeneticString(GeneticSolver[BitString]):
    """A genetic algorithm for bit strings.

    Args:
        by: what strings are selected by: fitness, their worth, or ones, which fails where the perfect string is hidden.
    """

    by: Annotated[str, OneOf("fitness", "ones")] = "fitness"

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # the calls were not published: after so many, strings of order 1 are worth what was reported
        "original": {"population": 100, "calls": 15_000},
    }

    def points(self, answers: Answers, worths: NDArray[np.float64]) -> NDArray[np.float64]:
        return worths if self.by == "fitness" else answers.sum(axis=1).astype(np.float64)
