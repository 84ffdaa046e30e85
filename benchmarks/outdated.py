"""Lists the results that are out of date: those with parts never measured, or whose sources have changed since.

python benchmarks/outdated.py

Bring one up to date by its script: `--stamp` reruns a little of each part, and stamps what comes out equal; without options it
measures what is missing or out of date.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

from provenance import Study

FOLDER = Path(__file__).parent


def studies() -> Iterator[Study]:
    """The studies of all scripts beside this one."""
    for script in sorted(FOLDER.glob("*.py")):
        if script != Path(__file__):
            spec = importlib.util.spec_from_file_location(f"benchmark_{script.stem}", script)
            assert spec
            assert spec.loader
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
            yield module.STUDY


def main() -> None:
    """Prints a line for each result that is out of date."""
    listed = 0
    for study in studies():
        every, missing, changed = study.parts(study.defaults), study.missing(), study.outdated()
        for names, why in (missing, "never measured"), (changed, "made from other sources than there are now"):
            if names:
                listed += 1
                which = "all parts" if len(names) == len(every) else f"{len(names)} of {len(every)} parts"
                print(f"{study.name}: {which} {why}: {', '.join(names[:4])}{', …' if len(names) > 4 else ''}")
    if listed:
        print("`python benchmarks/NAME.py --stamp` reruns a little and compares; without --stamp it measures.")
    else:
        print("All results are up to date.")


if __name__ == "__main__":
    main()
