"""A study: cells that are measured one by one, the file that keeps their rows, and what pages show of them."""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ludus import __version__
from ludus.cli.machine import describe_machine, machine
from ludus.core.files.locking import PATIENCE, hold_lock
from ludus.core.files.writing import make_folder, write_whole

Rows = dict[str, Any]


@dataclass(frozen=True)
class Study:
    """Measurements behind the figures of pages.

    Args:
        file: the file of its result, which is called as it is.
        cells: returns functions by name, in the order of tables; each measures a cell and returns its row, which JSON can
            represent. Arguments of `cells` are options of the command, of their defaults' types.
        show: returns figures and tables by name, in Markdown, from the rows of all cells by name.
        seed: the random seed; None if there is no randomness.
        libraries: libraries whose versions are recorded.
        usage: what follows the study's name in its command.
        script: the command without `usage`, where it is not `python -m benchmarks` and the study's name.
    """

    file: Path
    cells: Callable[..., Mapping[str, Callable[[], Any]]]
    show: Callable[[Rows], dict[str, str]]
    seed: int | None = None
    libraries: tuple[str, ...] = ("numpy", "llvmlite")
    usage: str = ""
    script: str = ""

    @property
    def name(self) -> str:
        """The study's name."""
        return self.file.stem

    @property
    def command(self) -> str:
        """The command that measures what is missing of it."""
        return " ".join(filter(None, [self.script or f"python -m benchmarks {self.name}", self.usage]))

    def sessions(self) -> list[dict[str, Any]]:
        """What was measured at the same day, commit and machine with the same versions; `rows` are pairs of seconds and row."""
        return json.loads(self.file.read_text(encoding="utf-8"))["sessions"] if self.file.exists() else []

    def rows(self) -> Rows:
        """The rows by cell, in the order of the cells."""
        known = {name: row for session in self.sessions() for name, (_, row) in session["rows"].items()}
        return {name: known[name] for name in self.cells() if name in known}

    def missing(self) -> list[str]:
        """The cells that are not measured."""
        known = self.rows()
        return [name for name in self.cells() if name not in known]

    def seconds(self) -> float | None:
        """What it took; None where that is not known of all cells."""
        each = [seconds for session in self.sessions() for seconds, _ in session["rows"].values()]
        return None if None in each else sum(each)

    def figures(self) -> dict[str, str]:
        """What pages show: its own figures, and `made`, how it was made; nothing before all cells are measured."""
        return {} if self.missing() else {**self.show(self.rows()), "made": self.origin()}

    def origin(self) -> str:
        """The command, seed, dates, machine and versions in a sentence."""
        sessions = sorted(self.sessions(), key=lambda session: session["date"])
        days = [*dict.fromkeys(session["date"] for session in sessions)]
        used = {name: number for session in sessions for name, number in session["versions"].items()}
        command = f"`{self.command}`" + ("" if self.seed is None else f", seed {self.seed}")
        when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        return f"{command}; {when}, {sessions[-1]['machine']}; {', '.join(f'{name} {number}' for name, number in used.items())}"

    def run(self, arguments: Sequence[str]) -> int:
        """Runs the study's command, and returns its exit status."""
        parser = argparse.ArgumentParser(f"python -m benchmarks {self.name}", description=inspect.getdoc(self.cells))
        parser.add_argument("names", nargs="*", metavar="CELL", help="cells whose names contain one of these words (default: all)")
        parser.add_argument("--anew", action="store_true", help="forget the rows of these cells, and measure them again")
        parser.add_argument("--show", action="store_true", help="print the figures of the pages without measuring")
        options = inspect.signature(self.cells).parameters
        for name, option in options.items():
            parser.add_argument(f"--{name.replace('_', '-')}", type=type(option.default), default=option.default)
        chosen = parser.parse_args(arguments)
        every = self.cells(**{name: getattr(chosen, name) for name in options})
        cells = {name: cell for name, cell in every.items() if any(word in name for word in chosen.names or [""])}
        if not cells:
            parser.error(f"no cell is called {' or '.join(chosen.names)}; there are {', '.join(every)}")
        if not chosen.show:
            if chosen.anew:
                self._keep({}, forget=cells)
            missing = self.missing()
            self._measure({name: cell for name, cell in cells.items() if name in missing})
        if missing := self.missing():
            print(f"{self.name} shows no figures yet; not measured: {', '.join(missing)}", file=sys.stderr)
        for name, text in self.figures().items():
            print(f"{name}:\n{text}\n" if "\n" in text else f"{name}: {text}")
        return 0

    def _measure(self, cells: Mapping[str, Callable[[], Any]]) -> None:
        """Measures cells, and keeps each row at once, so that an interruption loses at most one.

        Cells that another process measures or has measured meanwhile are left to it.
        """
        for number, (name, cell) in enumerate(cells.items(), 1):
            with ExitStack() as stack:
                try:
                    stack.enter_context(hold_lock(self._lock(name)))
                except BlockingIOError:
                    continue
                if name not in self.missing():
                    continue
                print(f"{name} ({number} of {len(cells)})", file=sys.stderr, flush=True)
                began = time.monotonic()
                row = cell()
                self._keep({name: (round(time.monotonic() - began, 1), row)})

    def _lock(self, name: str) -> Path:
        """The lock of a cell, or, without a name, of the file."""
        digest = hashlib.sha256(f"{self.file.resolve()} {name}".encode()).hexdigest()
        return Path(tempfile.gettempdir()) / f"ludus-{self.name}-{digest[:16]}.lock"

    def _keep(self, measured: Mapping[str, tuple[float, Any]], forget: Mapping[str, Any] | None = None) -> None:
        """Writes rows that were measured now into the file, in which other processes may write at the same time."""
        with hold_lock(self._lock(""), patience=PATIENCE):
            sessions = self._sessions_with(measured, forget or measured)
            make_folder(self.file.parent)
            write_whole(self.file, self._text([session for session in sessions if session["rows"]]).encode())

    def _sessions_with(self, measured: Mapping[str, Any], forget: Mapping[str, Any]) -> list[dict[str, Any]]:
        sessions, known = self.sessions(), self.cells()
        for session in sessions:
            rows = session["rows"].items()
            session["rows"] = {name: row for name, row in rows if name in known and name not in forget}
        if measured:
            now = {
                "date": time.strftime("%Y-%m-%d"),
                "commit": commit(self.file.parent),
                "machine": describe_machine(machine()),
                "versions": versions(self.libraries),
            }
            same = next((session for session in sessions if all(session[name] == value for name, value in now.items())), None)
            if same is None:
                sessions.append(same := {**now, "rows": {}})
            same["rows"] |= measured
        return sessions

    def _text(self, sessions: Sequence[Mapping[str, Any]]) -> str:
        """The file: JSON with a row in each line, so that changes of it can be read."""
        head = {"command": self.command, "seed": self.seed}
        texts = list[str]()
        for session in sessions:
            rows = ",\n".join(f"{compact(name)}:{compact(row)}" for name, row in session["rows"].items())
            texts.append(f"{compact({**session, 'rows': {}})[:-2]}\n{rows}\n}}}}")
        return f'{compact(head)[:-1]},"sessions":[\n{",".join(texts)}\n]}}\n'


def versions(libraries: Iterable[str]) -> dict[str, str]:
    """The versions of Python, of Ludus and of the libraries that are installed."""
    known = {"python": platform.python_version(), "ludus": __version__}
    for name in libraries:
        with suppress(PackageNotFoundError):
            known[name] = version(name)
    return known


def commit(folder: Path) -> str | None:
    """The commit of the checkout that a folder is in; None if it is in none."""
    asked = ["git", "-C", str(folder), "rev-parse", "--short=10", "HEAD"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def compact(value: Any) -> str:
    """A value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def studies() -> dict[str, Study]:
    """All studies by name: those that modules in the folders beside this file list in `STUDIES`."""
    files = [file for file in sorted(Path(__file__).parent.glob("*/[!_]*.py")) if file.parent.name != "making"]
    modules = [import_module(f"benchmarks.{file.parent.name}.{file.stem}") for file in files]
    return {study.name: study for module in modules for study in getattr(module, "STUDIES", ())}
