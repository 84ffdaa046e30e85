"""What the page without a server is made of, made once for all tests of a process."""

from functools import cache

from ludus.web.alone.files import make_files


@cache
def page_files() -> dict[str, bytes]:
    """The files of the page, by name."""
    return make_files()
