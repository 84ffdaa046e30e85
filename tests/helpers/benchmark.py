"""The scripts of benchmarks/, as modules."""

import sys

from .system.processes import ROOT

BENCHMARKS = ROOT / "benchmarks"
if str(BENCHMARKS) not in sys.path:
    sys.path.insert(0, str(BENCHMARKS))

from provenance.scripts import script  # noqa: E402  found beside the scripts

__all__ = ["BENCHMARKS", "script"]
