"""What loads at first use: code of this package by its place in a table, and the libraries that it needs.

Tables such as those of games, policies and trainers name their code as `module:name`, so that reading a table imports nothing.
For code that a user names, see places.py.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


def load_object(place: str) -> Any:
    """The object at `module:name` in this package.

    Raises:
        ModuleNotFoundError: it needs a library that is not installed.
    """
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def install_with(extras: str) -> str:
    """The command that installs this package with extras: there is no release yet, so it is installed from its folder."""
    return f"pip install '.[{extras}]' in a clone of Ludus"


@contextmanager
def libraries(what: str, extras: str) -> Generator[None]:
    """Turns a missing library into an error that says what to install.

    Args:
        what: what needs it, as "the trainer 'neat'".
        extras: the extras that bring it.

    Raises:
        ValueError: a library is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ValueError(f"{what} needs {error.name}, which is not installed; {install_with(extras)} brings it") from error
