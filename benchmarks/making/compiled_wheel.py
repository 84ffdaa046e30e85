"""`python -m benchmarks.making.compiled_wheel DIST`: beside a wheel, writes one for Linux on x86-64 with compiled kernels.

It holds all that `ludus cache --warm` compiles, for each level of x86-64 in `LEVELS`, as files in `ludus/kernels`
(native/cache.py). One file serves every Python, llvmlite and processor that the level fits: its name depends on the sources, the
size of Python's objects and the level alone.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ludus.cli.warming import GameKernel, compile_each, needed_kernels, specs_of
from ludus.core.native import LEVELS, SERVING, cache
from ludus.games.registry import BUILT_IN

PLATFORM = "manylinux_2_17_x86_64"
"""As llvmlite's wheels. Kernels call nothing of the system but what Python itself has loaded."""


def every_kernel() -> list[GameKernel]:
    """The kernels that the games of this package need, in all their variants."""
    return needed_kernels([spec for name in BUILT_IN for spec in specs_of(name)])


def add_kernels(package: Path, kernels: Sequence[GameKernel]) -> None:
    """Compiles kernels for each level, as far as the cache lacks them, and copies them into the folder of a package."""
    cache.check_writable()
    for target in LEVELS:
        for _ in compile_each(kernels, target):
            pass
        for object_file in (SERVING, *(kernel.object_file for kernel in kernels)):
            file = Path(cache.KERNELS, object_file.owner, object_file.file(target) + cache.SUFFIX)
            (package / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(cache.folder() / file, package / file)


def add_wheel(dist: Path, kernels: Sequence[GameKernel]) -> None:
    """Writes the second wheel beside the first."""
    (pure,) = dist.glob("*-none-any.whl")
    with TemporaryDirectory() as folder:
        _wheel("unpack", pure, "--dest", folder)
        (tree,) = Path(folder).iterdir()
        add_kernels(tree / "ludus", kernels)
        (tags,) = tree.glob("*.dist-info/WHEEL")
        tags.write_text(tags.read_text().replace("-none-any", f"-none-{PLATFORM}"))
        _wheel("pack", tree, "--dest-dir", dist)


def _wheel(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "wheel", *arguments], check=True)


if __name__ == "__main__":
    add_wheel(Path(sys.argv[1]), every_kernel())
