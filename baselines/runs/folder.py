"""The folder of a run: what lies in it, how it is made, and how it is opened again.

    run.json                the plan, how it is measured, its sittings with their commands and versions, how it ended
    checkpoint.safetensors  all that the rest of the training depends on; checkpoint.previous.safetensors is the one before
    policy.safetensors      what was learnt up to that checkpoint: what `run:FOLDER` plays by
    metrics.csv, events/    what each part told, as a table and for TensorBoard
    evaluations.json        how the policy fared against others and against perfect play, on its way and at the end
    plot.png                both, drawn

Files are written whole. Nothing in them is code: a stranger's run can be looked at and played against.
"""

from __future__ import annotations

import json
import platform
import shlex
import sys
import time
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, field

from ...agents.registry import POLICIES
from ...envs.files.documents import converted, read_document
from ...envs.files.named_arrays import Arrays
from ...envs.files.reading import digest
from ...envs.files.writing import make_folder, write_whole
from ...envs.games.registry import GAMES
from ...envs.native.threads import available, thread_count
from ...envs.plugins import Registry, Source, needs_in, needs_of, refused_in
from .archive import read_arrays, write_arrays
from .measure import Count, Measure
from .plan import Plan, PlanDocument
from .registry import TRAINER_CLASSES

FORMAT = 1
ADVICE = "take it from a copy of the run, or train another"
IDENTITY = "run.identity"
LIBRARIES = {
    # module: what its version is asked by
    "ludus": "ludus",
    "numpy": "numpy",
    "llvmlite": "llvmlite",
    "torch": "torch",
    "stable_baselines3": "stable-baselines3",
    "sb3_contrib": "sb3-contrib",
    "deap": "deap",
    "neat": "neat-python",
}
"""Whose versions are noted, where they are in use."""


class Sitting(Struct, forbid_unknown_fields=True):
    """When somebody went on with a run, by which command, with what."""

    when: str
    command: str
    versions: dict[str, str]
    machine: dict[str, str | int]


class RunDocument(PlanDocument, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What run.json holds."""

    format: int
    measure: Measure
    sittings: list[Sitting]
    needs: list[dict[str, str | None]] = field(default_factory=list[dict[str, "str | None"]])
    done: Count = 0
    unit: str = ""
    finished: bool = False
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    seconds_measuring: Annotated[float, Meta(ge=0)] = 0.0


class Folder:
    """A run's folder.

    Args:
        path: where it is.
        document: what run.json says, a `RunDocument`.
        plan, measure: the same, as it is used.
    """

    def __init__(self, path: Path, document: dict[str, Any], plan: Plan, measure: Measure) -> None:
        self.path, self.document, self.plan, self.measure = path, document, plan, measure
        self._sound = False  # whether the newest checkpoint was read or written well

    @classmethod
    def create(cls, path: Path, plan: Plan, measure: Measure) -> Folder:
        """A new folder with a plan in it.

        Raises:
            ValueError: there is something already.
            OSError: it cannot be made.
        """
        if path.exists() and not (path.is_dir() and not any(path.iterdir())):
            raise ValueError(f"{path} is there already; go on with its run by --resume {shlex.quote(str(path))}, or name another")
        make_folder(path)
        document = {"format": FORMAT, **plan.document(), "measure": measure.document(), "sittings": []}
        needs = needs_of([*_named(document), *((POLICIES, spec) for spec in _policies_in(document))])
        return cls(path, {**document, "needs": needs}, plan, measure)

    @classmethod
    def open(cls, path: Path, *, trust: bool = False, asking: bool = True) -> Folder:
        """The folder of a run that was begun.

        Args:
            path: where it is.
            trust: whether code may run that it names. If not, the settings that name code can be looked at and no more.
            asking: whether the user could have said so.

        Raises:
            ValueError: it is none, it is damaged, or of a newer version; its game or trainer is not known here, or is code.
        """
        try:
            document = read_document(path / "run.json", dict[str, Any], ADVICE)
        except (FileNotFoundError, NotADirectoryError):
            raise ValueError(f"{path} is no run: there is no file run.json in it") from None
        if isinstance(format_ := document.get("format"), int) and format_ > FORMAT:
            raise ValueError(f"{path} is a run of a newer version of ludus; this one reads format {FORMAT}")
        told = converted(document, RunDocument, str(path / "run.json"), ADVICE)
        source = Source(f"the run {path}", needs_in(document.get("needs")), trust, asking)
        for registry, spec in _named(document):
            source.spec(registry, spec)
        try:
            return cls(path, document, Plan.of(told, source), told.measure.admitted(source))
        except ValueError as error:
            raise ValueError(f"{path / 'run.json'} tells of no run that this version of ludus can read: {error}") from None

    @property
    def finished(self) -> bool:
        """Whether the training has come to its end."""
        return bool(self.document.get("finished"))

    def check_trust(self) -> None:
        """Checks that the run may be gone on with: nothing is refused that it needs, and what is written stays in the folder.

        Raises:
            ValueError: something is refused, such as an opponent that is code, without trust; or there is a link in the folder.
        """
        for path in (*self.path.iterdir(), *(self.path / "events").glob("*")):
            if path.is_symlink():
                raise ValueError(
                    f"{path} is a link, and a run that is gone on with writes into its own folder alone; put there what it leads to"
                )
        for refused in refused_in(asdict(self.plan.settings), self.measure.ladder):
            refused.refuse()

    def note(self, **facts: Any) -> None:
        """Writes facts into run.json."""
        self.document |= facts
        write_whole(self.path / "run.json", (json.dumps(self.document, indent=2) + "\n").encode())

    def sit_down(self, command: str) -> None:
        """Notes that somebody goes on here."""
        versions = {name: version(name) for module, name in LIBRARIES.items() if module in sys.modules}
        versions |= {"python": platform.python_version()}
        machine = {"system": platform.platform(), "processors": available(), "threads": thread_count()}
        when = time.strftime("%Y-%m-%d %H:%M:%S %z")
        sitting = {"when": when, "command": command, "versions": versions, "machine": machine}
        self.note(sittings=[*self.document["sittings"], sitting])

    # ---- arrays

    def save(self, state: Arrays, learnt: Arrays) -> None:
        """Keeps a checkpoint; the one before it stays until the next, unless it is damaged."""
        newest, previous = self._checkpoints
        write_arrays(newest, {IDENTITY: self._identity, **state}, previous if self._sound else None)
        self._sound = True
        write_arrays(self.path / "policy.safetensors", {IDENTITY: self._identity, **learnt})

    def checkpoint(self) -> Arrays | None:
        """The newest checkpoint, or the one before where that is damaged; None where there is none yet.

        Raises:
            ValueError: it is damaged, or of another run.
        """
        wrong: ValueError | None = None
        for path in self._checkpoints:
            try:
                found = self._own(path)
            except FileNotFoundError:
                continue
            except ValueError as error:
                wrong = wrong or error
            else:
                self._sound = path == self._checkpoints[0]
                return found
        if wrong is not None:
            raise wrong
        return None

    def learnt(self) -> Arrays:
        """What the run has learnt.

        Raises:
            ValueError: nothing was kept yet; or it is damaged, or of another run.
        """
        try:
            return self._own(self.policy)
        except FileNotFoundError:
            raise ValueError(f"the run {self.path} has kept nothing yet; go on with: {self.how_to_go_on}") from None

    def _own(self, path: Path) -> Arrays:
        arrays = read_arrays(path, self.how_to_mend(path))
        if not np.array_equal(arrays.pop(IDENTITY, np.zeros(0)), self._identity):
            raise ValueError(f"{path} is of another run than run.json beside it: of another trainer, game, seed or settings")
        return arrays

    @property
    def _identity(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The checksum of all that the result follows from, as it is written: other versions may know more settings."""
        told = {name: self.document[name] for name in ("trainer", "game", "settings", "seed")}
        if self.plan.origin:
            told["from"] = self.plan.origin.checksum
        return np.frombuffer(digest(json.dumps(told, sort_keys=True).encode()), np.uint8)

    @property
    def _checkpoints(self) -> tuple[Path, Path]:
        return self.path / "checkpoint.safetensors", self.path / "checkpoint.previous.safetensors"

    @property
    def policy(self) -> Path:
        """The file of what was learnt."""
        return self.path / "policy.safetensors"

    def how_to_mend(self, path: Path) -> str:
        """What to do about a damaged file of arrays."""
        if path == self.policy and self.kept:
            return f"the checkpoint beside it holds the same, and going on writes the file again: {self.how_to_go_on}"
        return "train it anew, or take the folder from a copy"

    @property
    def kept(self) -> bool:
        """Whether there is a checkpoint."""
        return any(path.exists() for path in self._checkpoints)

    @property
    def how_far(self) -> str:
        """How far the run is kept, and what to do with it."""
        if not self.kept:
            return f"nothing is kept yet; begin anew with: {self.how_to_go_on}"
        return f"kept up to the last checkpoint; go on with: {self.how_to_go_on}"

    @property
    def how_to_go_on(self) -> str:
        """The command that goes on with the run."""
        modules = dict.fromkeys(need.module for need in needs_in(self.document.get("needs")) if not need.package)
        return " ".join([f"ludus train --resume {shlex.quote(str(self.path))}", *(f"--import {module}" for module in modules)])


def _named(document: dict[str, Any]) -> list[tuple[Registry[Any], str]]:
    """The trainer and the game of a run."""
    named = ((TRAINER_CLASSES, document.get("trainer")), (GAMES, document.get("game")))
    return [(registry, spec) for registry, spec in named if isinstance(spec, str)]


def _policies_in(document: dict[str, Any]) -> list[str]:
    """What may be specs of policies in a run: among its trainer's settings, and those whom it is measured against."""
    values = [*document["settings"].values(), document["measure"]["ladder"]]
    words = (word for value in values for word in (value if isinstance(value, (list, tuple)) else [value]))
    return [spec for word in words if isinstance(word, str) for spec in word.split("+")]


def this_command() -> str:
    """The command that is running."""
    name = Path(sys.argv[0]).name
    return shlex.join(["ludus" if name == "__main__.py" else name, *sys.argv[1:]])
