"""`python -m tests.mutants`: plants all mutants, or some, and says which ones the tests did not notice.

python -m tests.mutants                     all; what comes of it goes into result.json and tests/README.md: make mutants
python -m tests.mutants --missing           those that result.json has no verdict on
python -m tests.mutants --some 5            five, chosen by the hash of the commit: .ci/run
python -m tests.mutants nim cosine          those whose lines hold one of these words
"""

from __future__ import annotations

import argparse
import platform
import random
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from ludus.core.native import cache

from .mutant import Mutant, all_mutants
from .runner import DEAD, Verdict, copied, judge, keep, read, run

ROOT = Path(__file__).parents[2]
LIMIT = 600.0
"""Seconds after which a mutant counts as killed."""


def main(words: list[str]) -> int:
    """Runs what the command line asks for; its exit status: 0 where every mutant was killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="plants mutants and runs their tests")
    parser.add_argument("words", nargs="*", help="those mutants whose lines hold one of these")
    parser.add_argument("--some", type=int, help="so many, chosen by the hash of the commit")
    parser.add_argument("--missing", action="store_true", help="those without a verdict in result.json")
    parser.add_argument("--workers", type=int, default=1, help="mutants at a time (1)")
    asked = parser.parse_args(words)
    chosen, kept = chosen_of(asked.words, asked.some, asked.missing), not asked.words and asked.some is None
    with TemporaryDirectory() as folder:
        kernels = Path(folder) / "cache"
        if (mine := cache.folder() / "kernels").exists():
            shutil.copytree(mine, kernels / "kernels", ignore=shutil.ignore_patterns("*.lock"))
        if kept and chosen and (failures := faultless(chosen, kernels)):
            print(failures)
            return 2
        verdicts = list[Verdict]()
        with ThreadPoolExecutor(asked.workers) as team:
            for mutant, verdict in zip(chosen, team.map(lambda mutant: judge(ROOT, mutant, kernels, LIMIT), chosen), strict=True):
                print(f"{verdict.outcome} in {verdict.seconds:.1f} s: {mutant.breaks} ({mutant.file})", flush=True)
                if verdict.outcome not in DEAD:
                    print(verdict.by, flush=True)
                verdicts.append(verdict)
                if kept:
                    keep(mutant, verdict, about())
    killed = sum(verdict.outcome in DEAD for verdict in verdicts)
    print(f"{killed} of {len(chosen)} mutants were killed")
    return 0 if killed == len(chosen) else 1


def chosen_of(words: list[str], some: int | None, missing: bool) -> list[Mutant]:
    """The mutants that are asked for."""
    judged = read()["mutants"] if missing else {}
    mutants = [mutant for mutant in all_mutants() if mutant.breaks not in judged]
    if words:
        mutants = [mutant for mutant in mutants if any(word in f"{mutant.breaks} {mutant.file} {mutant.tests}" for word in words)]
    return mutants if some is None else random.Random(commit()).sample(mutants, min(some, len(mutants)))


def faultless(mutants: list[Mutant], kernels: Path) -> str:
    """What pytest printed if a test fails without any mutant: then a failure would say nothing. It fills the cache, too."""
    tests = tuple(dict.fromkeys(test for mutant in mutants for test in mutant.tests))
    with TemporaryDirectory() as folder:
        status, printed = run(copied(ROOT, Path(folder)), tests, kernels)
    return "" if status == 0 else f"without a mutant:\n{printed}"


def commit() -> str:
    """The hash of the commit that is checked out."""
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def about() -> dict[str, object]:
    """The run that verdicts come from."""
    versions = {"python": platform.python_version(), **{name: version(name) for name in ("numpy", "llvmlite", "pytest")}}
    date = time.strftime("%Y-%m-%d")
    return {"command": "python -m tests.mutants", "date": date, "commit": commit(), "limit_seconds": LIMIT, "versions": versions}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
