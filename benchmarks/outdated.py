"""Lists the results with parts that were never measured, or whose sources have changed since; brings them up to date.

python -m benchmarks.outdated                       # lists them; `make results` does the same
python -m benchmarks.outdated --stamp               # reruns a little of each part, and marks those that agree as up to date
python -m benchmarks.outdated --stamp policies      # of some results

What differs, or cannot be rerun shortly, is named at the end with the command that measures it again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from .provenance import Study, stamp

FOLDER = Path(__file__).parent


def studies() -> Iterator[Study]:
    """The studies of all scripts in the folders next to this file: the modules that have one."""
    for place in sorted(FOLDER.glob("*/*.py"), key=lambda place: place.stem):
        if not place.stem.startswith("__") and place.parent.name != "provenance":
            study = getattr(import_module(f"benchmarks.{place.parent.name}.{place.stem}"), "STUDY", None)
            if isinstance(study, Study):
                yield study


def main(arguments: Sequence[str] | None = None) -> int:
    """Lists or stamps; returns the exit status."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.outdated", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="some results (default: all)")
    parser.add_argument("--stamp", action="store_true", help="rerun a little, and mark parts that agree as up to date")
    chosen = parser.parse_args(arguments)
    every = {study.name: study for study in studies()}
    if unknown := {*chosen.names} - {*every}:
        parser.error(f"there is no result {' or '.join(sorted(unknown))}; there are {', '.join(every)}")
    wanted = [study for name, study in every.items() if name in (chosen.names or every)]
    return stamp(wanted) if chosen.stamp else listed(wanted)


def listed(wanted: Sequence[Study]) -> int:
    """Prints a line for each result that is out of date."""
    lines = list[str]()
    for study in wanted:
        every, missing, changed = study.parts(study.defaults), study.missing(), study.outdated()
        for names, why in (missing, "never measured"), (changed, "measured with other sources"):
            if names:
                which = "all parts" if len(names) == len(every) else f"{len(names)} of {len(every)} parts"
                lines.append(f"{study.name}: {which} {why}: {', '.join(names[:4])}{', …' if len(names) > 4 else ''}")
    if lines:
        lines.append("`python -m benchmarks.outdated --stamp` reruns a little of each and accepts what agrees.")
    print("\n".join(lines) or "All results are up to date.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
