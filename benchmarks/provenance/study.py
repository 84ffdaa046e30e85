"""A study: what a script measures, part by part, the result that it keeps, and when that is out of date."""

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

from ludus.envs.files.writing import make_folder, write_whole

from .fingerprint import fingerprint
from .machine import Load, machine, versions

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
Found = dict[str, Any]


class Part(NamedTuple):
    """A part of a study, measured by itself.

    Args:
        measure: finds it, as a JSON value.
        again: where something of it is determined: given the value that is kept, what of it a short rerun can find, and what the
            rerun finds now, which must be equal, or None where no short rerun finds anything. Times are never compared; a
            part of times alone has no such function.
        sources: what it depends on, where that is not what the whole study depends on.
    """

    measure: Callable[[], Any]
    again: Callable[[Any], tuple[Any, Any] | None] | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study:
    """What a script measures. The result of `benchmarks/FOLDER/NAME.py` is `benchmarks/results/FOLDER/NAME.json`.

    Args:
        script: the script's `__file__`.
        parts: the parts by name, in the order of the tables; given the script's own options.
        shown: the figures and tables of the pages by name, in Markdown; given what was found, by part. Parts may be missing.
        sources: files and folders that the result depends on, relative to the repository. A part depends on
            what its `measure` uses of the script, too.
        seed: where all randomness comes from; None where there is none.
        libraries: whose versions are recorded.
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
        """The script's name without its ending."""
        return Path(self.script).stem

    @property
    def path(self) -> Path:
        """Where the script lies in the repository."""
        return Path(self.script).resolve().relative_to(ROOT)

    @property
    def command(self) -> str:
        """What makes the result."""
        return " ".join(["python -m", ".".join(self.path.with_suffix("").parts), *filter(None, [self.usage])])

    @property
    def place(self) -> Path:
        """Where the result is kept."""
        return RESULTS.joinpath(*self.path.parts[1:]).with_suffix(".json")

    @cached_property
    def defaults(self) -> argparse.Namespace:
        """The script's own options, none of them given."""
        parser = argparse.ArgumentParser()
        self.options(parser)
        return parser.parse_args([])

    def kept(self) -> dict[str, Any]:
        """The result that is kept; an empty one where there is none."""
        if self.place.exists():
            return json.loads(self.place.read_text(encoding="utf-8"))
        return {"sittings": [], "parts": {}}

    def found(self) -> Found:
        """What was found, by part, in the order of the study."""
        parts = self.kept()["parts"]
        return {name: parts[name]["found"] for name in self.parts(self.defaults) if name in parts}

    def figures(self) -> dict[str, str]:
        """What pages show: the study's own figures, and `made`, the command, seed, date and machine behind them."""
        return {**self.shown(self.found()), "made": self.made()}

    def made(self) -> str:
        """How the result was made, in a sentence."""
        sittings = sorted(self.kept()["sittings"], key=lambda sitting: sitting["date"])
        dates = [*dict.fromkeys(sitting["date"] for sitting in sittings)]
        last = sittings[-1]
        seed = [] if self.seed is None else [f"seed {self.seed}"]
        libraries = {name: number for sitting in sittings for name, number in sitting["versions"].items()}
        used = ", ".join(f"{name} {number}" for name, number in libraries.items())
        loads = [sitting["load"] for sitting in sittings if sitting["load"] is not None]
        load = [f"other processes used {max(loads):.1f} cores meanwhile"] if loads else []
        days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        return "; ".join([", ".join([f"`{self.command}`", *seed]), f"{days}, {last['machine']}", used, *load])

    def fingerprint(self, part: Part) -> str:
        """The fingerprint of what a part depends on."""
        return fingerprint(ROOT, part.sources or self.sources, str(self.path), part.measure)

    def missing(self) -> list[str]:
        """The parts that were never measured."""
        return [name for name in self.parts(self.defaults) if name not in self.kept()["parts"]]

    def outdated(self) -> list[str]:
        """The parts whose sources have changed since they were measured."""
        kept, parts = self.kept()["parts"], self.parts(self.defaults)
        return [name for name, part in parts.items() if name in kept and kept[name]["sources"] != self.fingerprint(part)]

    def run(self, arguments: Sequence[str] | None = None) -> int:
        """The script's command; gives its exit status."""
        parser = argparse.ArgumentParser(
            description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.add_argument("names", nargs="*", help="parts whose names contain one of these words; all where none is given")
        doing = parser.add_mutually_exclusive_group()
        doing.add_argument("--anew", action="store_true", help="measure all of them, not just what is missing or out of date")
        doing.add_argument("--missing", action="store_true", help="measure what is missing alone")
        doing.add_argument("--check", action="store_true", help="rerun a little of each, and say whether it comes out equal")
        doing.add_argument("--stamp", action="store_true", help="as --check, and what came out equal is up to date from now on")
        doing.add_argument("--show", action="store_true", help="print what the pages show, and measure nothing")
        self.options(parser)
        chosen = parser.parse_args(arguments)
        parts = {name: part for name, part in self.parts(chosen).items() if _chosen(name, chosen.names)}
        if not parts:
            parser.error(f"no part is called {' or '.join(chosen.names)}; there are {', '.join(self.parts(chosen))}")
        if chosen.check or chosen.stamp:
            return self._check(parts, stamp=chosen.stamp)
        if not chosen.show:
            wanted = set(parts) if chosen.anew else {*self.missing(), *(() if chosen.missing else self.outdated())}
            self._measure({name: part for name, part in parts.items() if name in wanted})
        for name, text in self.figures().items():
            print(f"{name}:\n{text}\n" if "\n" in text else f"{name}: {text}")
        return 0

    def _measure(self, parts: Mapping[str, Part]) -> None:
        """Measures parts, and keeps the result after each, so that an interruption loses one at most."""
        load = Load()
        for number, (name, part) in enumerate(parts.items(), 1):
            sources = self.fingerprint(part)
            print(f"{name} ({number} of {len(parts)})", file=sys.stderr, flush=True)
            found = part.measure()
            result = self.kept()  # another process may have measured other parts meanwhile
            place = self._sitting(result, load.others())
            result["parts"][name] = {"sitting": place, "sources": sources, "found": found}
            self._write(result)

    def _sitting(self, result: dict[str, Any], load: float | None) -> int:
        """Which of a result's sittings is the present one: the same day, machine and versions; added where it is new."""
        now = {"date": time.strftime("%Y-%m-%d"), "machine": machine(), "versions": versions(("ludus", *self.libraries))}
        for place, sitting in enumerate(result["sittings"]):
            if all(sitting[name] == value for name, value in now.items()):
                sitting["load"] = max(load or 0.0, sitting["load"] or 0.0)
                return place
        result["sittings"].append({**now, "load": load})
        return len(result["sittings"]) - 1

    def _check(self, parts: Mapping[str, Part], *, stamp: bool) -> int:
        """Reruns a little of each part, and stamps what comes out equal."""
        result, different = self.kept(), list[str]()
        for name, part in parts.items():
            if name not in result["parts"]:
                print(f"{name}: never measured")
            elif (pair := part.again and part.again(result["parts"][name]["found"])) is None:
                print(f"{name}: no short rerun of it could be compared; measure it anew")
            else:
                # through JSON, as what was kept has been
                was, now = json.loads(json.dumps(pair))
                print(f"{name}: {'equal' if was == now else f'DIFFERENT: {was} was found, now {now}'}", flush=True)
                if was != now:
                    different.append(name)
                elif stamp:
                    result["parts"][name]["sources"] = self.fingerprint(part)
        if stamp:
            self._write(result)
        return 1 if different else 0

    def _write(self, result: dict[str, Any]) -> None:
        """Keeps a result: its parts in the study's order, and the sittings that they come from."""
        names = [name for name in self.parts(self.defaults) if name in result["parts"]]
        used = sorted({result["parts"][name]["sitting"] for name in names})
        document = {
            "command": self.command,
            "seed": self.seed,
            "sources": list(self.sources),
            "sittings": [result["sittings"][place] for place in used],
            "parts": {name: {**result["parts"][name], "sitting": used.index(result["parts"][name]["sitting"])} for name in names},
        }
        make_folder(self.place.parent)
        write_whole(self.place, (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode())


def _chosen(name: str, words: Sequence[str]) -> bool:
    return not words or any(word in name for word in words)
