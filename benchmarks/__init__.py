"""What makes the figures of all pages: studies, and their results in `benchmarks/results`."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
