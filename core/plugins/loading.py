"""What loads at first use: code of this package by its place in a table, the public names of a package, and libraries.

Tables such as those of games, policies and trainers name their code as `module:name`, so that reading a table imports nothing.
For code that a user names, see places.py.

Imports run one way (CONTRIBUTING.md). What a lower package needs of a higher one, because a user names it there, is listed in
PLACES and nowhere else, but for the oracle that a game names (games/known.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

EXTRAS = {
    "render": ("resvg_py", "pygame"),
    "report": ("jinja2", "vl_convert"),
    "web": ("starlette", "uvicorn", "websockets", "jinja2"),
    "onnx": ("onnx", "onnxscript"),
    "page": ("ziglang",),
}
"""What is imported of each extra that is checked before the work begins (pyproject.toml)."""
PLACES = {
    # envs ask agents: an opponent, as `make` takes it
    "as_policy": "ludus.agents:as_policy",
    "is_model": "ludus.agents:is_model",
    "is_module": "ludus.agents:is_module",
    # agents ask baselines: `run:FOLDER`, `sb3:FILE.zip`, and the networks that `alphazero` plays with
    "load_run": "ludus.baselines.runs.loading:load_run",
    "game_of_run": "ludus.baselines.runs.loading:game_of_run",
    "is_foreign_run": "ludus.baselines.runs.loading:is_foreign_run",
    "load_model": "ludus.baselines.runs.loading:load_model",
    "shipped_network": "ludus.baselines.alphazero.networks.shipped:load_shipped_network",
    # agents ask text: `engine:COMMAND`, `llm:model=NAME`
    "make_engine": "ludus.text.engines:make_engine",
    "make_llm": "ludus.text.models:make_llm",
    # Gymnasium asks puzzles: the environments of its ids
    "setcover": "ludus.puzzles.setcover:SetCoverEnv",
    "bitstring": "ludus.puzzles.bitstring:BitStringEnv",
    "portfolio": "ludus.puzzles.portfolio:PortfolioEnv",
}


def load_object(place: str) -> Any:
    """The object at `module:name` in this package; ModuleNotFoundError where it needs a library that is not installed."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def above(name: str) -> Any:
    """The object of a higher package that PLACES lists under a name; ModuleNotFoundError where it needs a library that is not
    installed."""
    return load_object(PLACES[name])


def is_installed(name: str) -> bool:
    """Whether the folder of an entry of PLACES is installed; that of the puzzles can be left out."""
    return find_spec(".".join(PLACES[name].split(".")[:2])) is not None


def lazy(
    package: str, homes: Mapping[str, Iterable[str]], modules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package whose public names load at first use.

    Importing such a package costs nothing that is not used.

    Args:
        package: its `__name__`.
        homes: for each module of the package the public names that it defines.
        modules: modules of the package that are public themselves.
    """
    home_of = {name: home for home, names in homes.items() for name in names}
    public = {*home_of, *modules}

    def find(name: str) -> Any:
        if name in home_of:
            return getattr(import_module(f"{package}.{home_of[name]}"), name)
        if name in public:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        here = vars(sys.modules[package])
        return sorted({*public, *here["__all__"], *(name for name in here if name.startswith("__"))})

    return find, names


def install_with(extras: str) -> str:
    """The command that installs this package with extras: there is no release yet, so it is installed from its folder."""
    return f"pip install '.[{extras}]' in a clone of Ludus"


def missing_library(extra: str) -> str | None:
    """The first library of an extra of EXTRAS that is not installed; None if all are."""
    return next((name for name in EXTRAS[extra] if find_spec(name) is None), None)


def check_installed(what: str, extra: str) -> None:
    """Checks that the libraries of one of EXTRAS are installed, before the work that ends in `what`, as "a report page"; else
    ValueError."""
    if name := missing_library(extra):
        raise ValueError(_sentence(what, name, extra))


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
        raise ValueError(_sentence(what, error.name, extras)) from error


def _sentence(what: str, library: str | None, extras: str) -> str:
    return f"{what} needs {library}, which is not installed; {install_with(extras)} brings it"
