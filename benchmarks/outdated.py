"""Lists the results with parts that were never measured, or whose sources have changed since.

python -m benchmarks.outdated

The script of a result brings it up to date: `--stamp` reruns a little of each part and accepts the result if nothing differs;
without options it measures what is missing or out of date.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from .provenance import Study

FOLDER = Path(__file__).parent


def studies() -> Iterator[Study]:
    """The studies of all scripts in the folders next to this file: the modules that have one."""
    for place in sorted(FOLDER.glob("*/*.py"), key=lambda place: place.stem):
        if not place.stem.startswith("__") and place.parent.name != "provenance":
            study = getattr(import_module(f"benchmarks.{place.parent.name}.{place.stem}"), "STUDY", None)
            if isinstance(study, Study):
                yield study


def main() -> None:
    """Prints a line for each result that is out of date."""
    listed = 0
    for study in studies():
        every, missing, changed = study.parts(study.defaults), study.missing(), study.outdated()
        for names, why in (missing, "never measured"), (changed, "measured with other sources"):
            if names:
                listed += 1
                which = "all parts" if len(names) == len(every) else f"{len(names)} of {len(every)} parts"
                print(f"{study.name}: {which} {why}: {', '.join(names[:4])}{', …' if len(names) > 4 else ''}")
    if listed:
        print("`python -m benchmarks.FOLDER.NAME --stamp` reruns a little and compares; without --stamp it measures.")
    else:
        print("All results are up to date.")


if __name__ == "__main__":
    main()
