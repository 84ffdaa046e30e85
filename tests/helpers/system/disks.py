"""A disk of 64 KiB for tests: a tmpfs where one can be mounted, elsewhere a limit on the size of files. And copies of devices."""

import os
import resource
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

SIZE = 64 << 10


@contextmanager
def small_disk(place: Path):
    """The folder of a new small disk; where none can be mounted, files of this process can be no larger meanwhile."""
    place.mkdir()
    mount = [shutil.which("mount") or "false", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", place]
    if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
        try:
            yield place
        finally:
            subprocess.run(["umount", "--lazy", str(place)], check=True)
        return
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SIZE, before[1]))  # Python ignores SIGXFSZ, so that writing fails
    try:
        yield place
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def is_disk(place: Path) -> bool:
    """Whether a folder is a small disk, and not only files are limited to its size."""
    return os.path.ismount(place)


def fill(place: Path, left: int = 0) -> None:
    """Fills a small disk until so many bytes are left."""
    free = os.statvfs(place).f_bavail * os.statvfs(place).f_frsize
    with (place / "filling").open("ab") as file:
        file.write(bytes(max(0, free - left)))


def device(place: Path, original: str) -> Path:
    """A copy of a device, or where none may be made a symbolic link to it."""
    about = os.stat(original)
    try:
        os.mknod(place, about.st_mode, about.st_rdev)
    except PermissionError:
        place.symlink_to(original)
    return place
