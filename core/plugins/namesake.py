"""Another project's distribution, `ludus` on the index, that installs into the same package as ours, `ludus-games`."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

OUR_SCRIPT = "ludus = ludus.cli:main"
"""Who has this script in a distribution called `ludus` is an earlier version of ours."""


def warn_of_namesakes() -> None:
    """Warns where another project's `ludus` is installed: of two files with one name, the last that was installed is imported.

    It lists each folder of `sys.path` once, as an import does, and opens what is called `ludus`: `import ludus` waits for it.
    """
    for info in _distributions():
        warnings.warn(
            f"{info} is another project, which installs the package 'ludus', too: files of both may be mixed; uninstall both,"
            " pip uninstall ludus ludus-games, and install this one again: pip install . in a clone of Ludus",
            stacklevel=3,
        )


def _distributions() -> Iterator[Path]:
    """What is installed as `ludus` and is not ours."""
    for folder in dict.fromkeys(sys.path):
        try:
            names = os.listdir(folder or ".")
        except OSError:  # no folder, or one that may not be read
            continue
        for name in names:
            if re.fullmatch(r"ludus-.*\.(dist|egg)-info", name) and not _is_ours(Path(folder, name)):
                yield Path(folder, name)


def _is_ours(info: Path) -> bool:
    try:
        return OUR_SCRIPT in (info / "entry_points.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
