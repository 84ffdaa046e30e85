"""A study: what a script measures part by part, its result, and whether that is out of date."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ludus.cli.bench.machine import conditions, describe_machine, machine
from ludus.core.files.writing import make_folder, write_whole

from .fingerprint import fingerprint
from .machine import Load, versions

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
Found = dict[str, Any]


class Part(NamedTuple):
    """A part of a study, which is measured separately.

    Args:
        measure: returns the value, which JSON can represent.
        again: reruns a little of the part. Given the stored value, it returns what a short rerun should find and what it finds;
            or None if no short rerun is possible. Times are compared on the same kind of machine alone.
        sources: what the part depends on, if not on the sources of the study.
        within: how far apart, as a share, floating-point numbers of the two may be, such as times; all else must be equal.
        printed: whether the value is what a command prints, which also depends on methods that only show or explain.
    """

    measure: Callable[[], Any]
    again: Callable[[Any], tuple[Any, Any] | None] | None = None
    sources: tuple[str, ...] = ()
    within: float = 0.0
    printed: bool = False


def repeated(measure: Callable[[], Any], sources: tuple[str, ...] = ()) -> Part:
    """A part that is checked by measuring all of it again."""
    return Part(measure, lambda stored: (stored, measure()), sources)


@dataclass(frozen=True)
class Study:
    """The measurements of a script. The result of `benchmarks/FOLDER/NAME.py` is `benchmarks/results/FOLDER/NAME.json`.

    Args:
        script: the script's `__file__`.
        parts: returns the parts by name, in the order of the tables; its argument has the script's own options.
        shown: returns the figures and tables of the pages by name, in Markdown; its argument has the stored values by part.
            Parts may be missing.
        sources: files and folders that the result depends on, relative to the repository. A part also depends on all that
            its `measure` uses of the script.
        seed: the random seed; None if there is no randomness.
        libraries: libraries whose versions are recorded.
        options: adds the script's own options.
        usage: what follows the script's name in its command.
    """

    script: str
    parts: Callable[[argparse.Namespace], dict[str, Part]]
    shown: Callable[[Found], dict[str, str]]
    sources: tuple[str, ...]
    seed: int | None = None
    libraries: tuple[str, ...] = ("numpy", "llvmlite")
    options: Callable[[argparse.ArgumentParser], None] = lambda parser: None
    usage: str = ""

    @property
    def name(self) -> str:
        """The script's name without its suffix."""
        return Path(self.script).stem

    @property
    def path(self) -> Path:
        """The script's path in the repository."""
        return Path(self.script).resolve().relative_to(ROOT)

    @property
    def command(self) -> str:
        """The command that makes the result."""
        return " ".join(["python -m", ".".join(self.path.with_suffix("").parts), *filter(None, [self.usage])])

    @property
    def place(self) -> Path:
        """The file of the result."""
        return RESULTS.joinpath(*self.path.parts[1:]).with_suffix(".json")

    @cached_property
    def defaults(self) -> argparse.Namespace:
        """The defaults of the script's own options."""
        parser = argparse.ArgumentParser()
        self.options(parser)
        return parser.parse_args([])

    def kept(self) -> dict[str, Any]:
        """The stored result; an empty one if there is none."""
        if self.place.exists():
            return json.loads(self.place.read_text(encoding="utf-8"))
        return {"sessions": [], "parts": {}}

    def found(self) -> Found:
        """The stored values by part, in the order of the study."""
        parts = self.kept()["parts"]
        return {name: parts[name]["found"] for name in self.parts(self.defaults) if name in parts}

    def figures(self) -> dict[str, str]:
        """What pages show: the study's own figures, and `made`: their command, seed, date and machine."""
        return {**self.shown(self.found()), "made": self.made()}

    def made(self) -> str:
        """How the result was made, in a sentence."""
        sessions = sorted(self.kept()["sessions"], key=lambda session: session["date"])
        dates = [*dict.fromkeys(session["date"] for session in sessions)]
        last = sessions[-1]
        seed = [] if self.seed is None else [f"seed {self.seed}"]
        libraries = {name: number for session in sessions for name, number in session["versions"].items()}
        used = ", ".join(f"{name} {number}" for name, number in libraries.items())
        loads = [session["load"] for session in sessions if session["load"] is not None]
        load = [f"other processes used {max(loads):.1f} cores meanwhile"] if loads else []
        where = describe_machine(last["machine"], last.get("mhz"))
        days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        return "; ".join([", ".join([f"`{self.command}`", *seed]), f"{days}, {where}", used, *load])

    def fingerprint(self, part: Part) -> str:
        """The fingerprint of what a part depends on."""
        return fingerprint(ROOT, part.sources or self.sources, str(self.path), part.measure, printed=part.printed)

    def missing(self) -> list[str]:
        """The parts that were never measured."""
        return [name for name in self.parts(self.defaults) if name not in self.kept()["parts"]]

    def outdated(self) -> list[str]:
        """The parts whose sources have changed since they were measured."""
        kept, parts = self.kept()["parts"], self.parts(self.defaults)
        return [name for name, part in parts.items() if name in kept and kept[name]["sources"] != self.fingerprint(part)]

    def compared(self, name: str) -> tuple[Any, Any] | None:
        """What a short rerun of a part should find, and what it finds, as JSON gives them back; None if none is possible."""
        part, result = self.parts(self.defaults)[name], self.kept()
        stored = result["parts"][name]
        if part.again is None or (part.within and result["sessions"][stored["session"]]["machine"] != machine()):
            return None
        pair = part.again(stored["found"])
        return pair and tuple(json.loads(json.dumps(pair)))

    def stamp(self, name: str, sources: str) -> None:
        """Marks a part as measured with the sources of a fingerprint."""
        result = self.kept()
        result["parts"][name]["sources"] = sources
        self._write(result)

    def run(self, arguments: Sequence[str] | None = None) -> int:
        """Runs the script's command, and returns its exit status."""
        parser = argparse.ArgumentParser(
            description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.add_argument("names", nargs="*", help="parts whose names contain one of these words (default: all parts)")
        action = parser.add_mutually_exclusive_group()
        action.add_argument("--anew", action="store_true", help="measure all these parts, even if they are up to date")
        action.add_argument("--missing", action="store_true", help="measure only parts that were never measured")
        action.add_argument("--show", action="store_true", help="print the figures of the pages without measuring")
        self.options(parser)
        chosen = parser.parse_args(arguments)
        parts = {name: part for name, part in self.parts(chosen).items() if _chosen(name, chosen.names)}
        if not parts:
            parser.error(f"no part is called {' or '.join(chosen.names)}; there are {', '.join(self.parts(chosen))}")
        if not chosen.show:
            wanted = set(parts) if chosen.anew else {*self.missing(), *(() if chosen.missing else self.outdated())}
            self._measure({name: part for name, part in parts.items() if name in wanted})
        for name, text in self.figures().items():
            print(f"{name}:\n{text}\n" if "\n" in text else f"{name}: {text}")
        return 0

    def _measure(self, parts: Mapping[str, Part]) -> None:
        """Measures parts, and writes the result after each, so that an interruption loses at most one."""
        load = Load()
        for number, (name, part) in enumerate(parts.items(), 1):
            sources = self.fingerprint(part)
            print(f"{name} ({number} of {len(parts)})", file=sys.stderr, flush=True)
            found = part.measure()
            result = self.kept()  # another process may have measured other parts in the meantime
            place = self._session(result, load.others())
            result["parts"][name] = {"session": place, "sources": sources, "found": found}
            self._write(result)

    def _session(self, result: dict[str, Any], load: float | None) -> int:
        """The index of the present session (same day, machine and versions), which is added if it is new."""
        now = {"date": time.strftime("%Y-%m-%d"), "machine": machine(), "versions": versions(self.libraries)}
        for place, session in enumerate(result["sessions"]):
            if all(session[name] == value for name, value in now.items()):
                session["load"] = max(load or 0.0, session["load"] or 0.0)
                return place
        result["sessions"].append({**now, "load": load, **conditions()})
        return len(result["sessions"]) - 1

    def _write(self, result: dict[str, Any]) -> None:
        """Writes a result: its parts in the study's order, and the sessions that they come from."""
        names = [name for name in self.parts(self.defaults) if name in result["parts"]]
        used = sorted({result["parts"][name]["session"] for name in names})
        document = {
            "command": self.command,
            "seed": self.seed,
            "sources": list(self.sources),
            "sessions": [result["sessions"][place] for place in used],
            "parts": {name: {**result["parts"][name], "session": used.index(result["parts"][name]["session"])} for name in names},
        }
        make_folder(self.place.parent)
        write_whole(self.place, (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode())


def _chosen(name: str, words: Sequence[str]) -> bool:
    return not words or any(word in name for word in words)
