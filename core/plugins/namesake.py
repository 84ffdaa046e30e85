"""Another project's distribution, `ludus` on the index, that installs into the same package as ours, `ludus-games`."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path


def warn_of_namesakes() -> None:
    """Warns where another project's `ludus` is installed: of two files with one name, the last that was installed is imported.

    It lists each folder of `sys.path` once, as an import does, since `import ludus` waits for it.
    """
    for info in _distributions():
        warnings.warn(
            f"{info} is another project, which installs the package 'ludus', too: files of both may be mixed; uninstall both,"
            " pip uninstall ludus ludus-games, and install this one again: pip install . in a clone of Ludus",
            stacklevel=3,
        )


def _distributions() -> Iterator[Path]:
    """What is installed as `ludus`."""
    for folder in dict.fromkeys(sys.path):
        try:
            names = os.listdir(folder or ".")
        except OSError:  # no folder, or one that may not be read
            continue
        for name in names:
            if re.fullmatch(r"ludus-.*\.(dist|egg)-info", name):
                yield Path(folder, name)
