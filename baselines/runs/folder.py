"""The folder of a run: its files, how it is made, and how it is opened again.

    run.json                the plan, how the run is measured, its sessions with their commands and versions, and its outcome
    checkpoint.safetensors  all that the rest of the training depends on; checkpoint.previous.safetensors is the one before
    policy.safetensors      what was learnt up to that checkpoint: the policy of `run:FOLDER`
    metrics.csv             the metrics of each part
    evaluations.json        the results against other policies and against perfect play, during the training and at its end
    plot.png                a plot of both

Files are written whole. They contain no code: it is safe to look at a run from a stranger and to play against it. Files of
arrays are safetensors with a checksum; the same arrays make the same bytes.
"""

from __future__ import annotations

import json
import platform
import shlex
import sys
import time
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, field
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ... import __version__
from ...agents.registry import POLICIES
from ...core.files.documents import convert_document, read_document
from ...core.files.named_arrays import Arrays
from ...core.files.reading import digest, read_regular
from ...core.files.writing import make_folder, path_of, write_whole
from ...core.plugins import admit, installed_modules, needs_in, refuse_untrusted
from ...core.specs import unquote
from ...core.threads import available, thread_count
from ...games.registry import GAMES
from .measure import Count, Measure
from .plan import PlanDocument, RunPlan
from .registry import TRAINER_CLASSES

FORMAT = 2
ADVICE = "take it from a copy of the run, or train another"
TRAIN_AGAIN = "train it anew, or take the folder from a copy"
IDENTITY = "run.identity"
CHECKSUM = "checksum"
RUN = "run:"
LOCK = "run.lock"
"""The file that is there while a process works on the run, or when one was killed."""
LIBRARIES = {
    # module: the name of its distribution
    "numpy": "numpy",
    "llvmlite": "llvmlite",
    "torch": "torch",
    "stable_baselines3": "stable-baselines3",
    "sb3_contrib": "sb3-contrib",
    "deap": "deap",
    "neat": "neat-python",
}
"""Libraries whose versions are recorded, where they are in use."""


class TrainingSession(Struct, forbid_unknown_fields=True):
    """One session of a training, as in `sessions` of run.json: when, by which command, with which versions, on which machine."""

    when: str
    command: str
    versions: dict[str, str]
    machine: dict[str, str | int]


class RunDocument(PlanDocument, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """The content of run.json."""

    format: int
    measure: Measure
    sessions: list[TrainingSession]
    needs: dict[str, str] = field(default_factory=dict[str, str])
    done: Count = 0
    unit: str = ""
    finished: bool = False
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    seconds_measuring: Annotated[float, Meta(ge=0)] = 0.0


class Folder:
    """A run's folder: its path, the content of run.json (a `RunDocument`), and the plan and measure that it says."""

    def __init__(self, path: Path, document: dict[str, Any], plan: RunPlan, measure: Measure) -> None:
        self.path, self.document, self.plan, self.measure = path, document, plan, measure
        self._newest_is_whole = False  # known once the newest checkpoint was read or written without an error

    @classmethod
    def create(cls, path: Path, plan: RunPlan, measure: Measure) -> Folder:
        """Makes the folder of a new run; ValueError where it exists and holds more than the lock of a run that was killed before it
        wrote anything."""
        if path.exists() and not (path.is_dir() and {file.name for file in path.iterdir()} <= {LOCK}):
            raise ValueError(f"{path} exists already; resume its run with --resume {shlex.quote(str(path))}, or name another")
        make_folder(path)
        document = {"format": FORMAT, **plan.document(), "measure": asdict(measure), "sessions": []}
        policies = map(POLICIES.needs, _policies_in(document))
        needs = dict(ChainMap(TRAINER_CLASSES.needs(plan.trainer), GAMES.needs(plan.game.spec), *policies))
        return cls(path, {**document, "needs": needs}, plan, measure)

    @classmethod
    def open(cls, path: Path, *, trust: bool = False) -> Folder:
        """The folder of an existing run. Without `trust`, settings that name code can be read, but not used. ValueError where it is
        not a run, it is damaged or in another format, or its game or trainer is not known here, or is code."""
        try:
            document = read_document(path / "run.json", dict[str, Any], ADVICE)
        except (FileNotFoundError, NotADirectoryError):
            what = "is not a run: it has no file run.json" if path.exists() else "does not exist"
            raise ValueError(f"{path} {what}; name the folder of a training run") from None
        if isinstance(format_ := document.get("format"), int) and format_ != FORMAT:
            raise ValueError(
                f"the run {path} has format {format_}, and ludus {__version__} reads format {FORMAT}; use the ludus that wrote it"
            )
        where = str(path / "run.json")
        parsed = convert_document(document, RunDocument, where, ADVICE, trust=trust)
        try:
            settings = admit(parsed.settings, where, trust=trust, needs=needs_in(document))
        except RecursionError:
            raise ValueError(f"{where} is damaged: it is nested too deeply; {ADVICE}") from None
        try:
            return cls(path, document, RunPlan.read(parsed, settings), parsed.measure)
        except ValueError as error:
            raise ValueError(f"{where} describes a run that this version of ludus cannot read: {error}") from None

    @property
    def finished(self) -> bool:
        """Whether the training is complete."""
        return bool(self.document.get("finished"))

    def check_trust(self) -> None:
        """Checks that the run may be resumed; ValueError where it needs untrusted code, such as an opponent, or there is a link in
        its folder."""
        for path in self.path.iterdir():
            if path.is_symlink():
                raise ValueError(f"{path} is a link, and a run writes only into its own folder; put the file itself there")
        target = self.plan.target and self.plan.target.policy
        refuse_untrusted(self.plan.settings.by_name(), self.measure.ladder, target)

    def note(self, **facts: Any) -> None:
        """Writes fields into run.json."""
        self.document |= facts
        self.write("run.json", (json.dumps(self.document, indent=2) + "\n").encode())

    def write(self, name: str, content: bytes) -> None:
        """Writes a file of the folder, whole or not at all."""
        write_whole(self.path / name, content)

    def add_session(self, command: str) -> None:
        """Records a new session."""
        versions = {"ludus": __version__, "python": platform.python_version()}
        versions |= {name: version(name) for module, name in LIBRARIES.items() if module in sys.modules}
        machine = {"system": platform.platform(), "processors": available(), "threads": thread_count()}
        when = time.strftime("%Y-%m-%d %H:%M:%S %z")
        session = {"when": when, "command": command, "versions": versions, "machine": machine}
        self.note(sessions=[*self.document["sessions"], session])

    # ---- arrays

    def save(self, state: Arrays, learnt: Arrays) -> None:
        """Saves a checkpoint; the one before it is kept until the next, unless it is damaged."""
        newest, previous = self._checkpoints
        write_arrays(newest, {IDENTITY: self._identity, **state}, previous if self._newest_is_whole else None)
        self._newest_is_whole = True
        write_arrays(self.path / "policy.safetensors", {IDENTITY: self._identity, **learnt})

    def checkpoint(self) -> Arrays | None:
        """The newest checkpoint, or the one before if that is damaged; None if there is none yet. ValueError where both are
        damaged, or of another run."""
        errors = list[ValueError]()
        for path in self._checkpoints:
            try:
                arrays = self._read_own(path)
            except FileNotFoundError:
                continue
            except ValueError as error:
                errors.append(error)
            else:
                self._newest_is_whole = path == self._checkpoints[0]
                return arrays
        if errors:
            raise errors[0]
        return None

    def learnt(self) -> Arrays:
        """What the run has learnt; ValueError where nothing is saved yet, or it is damaged, or belongs to another run."""
        try:
            return self._read_own(self.policy)
        except FileNotFoundError:
            raise ValueError(f"the run {self.path} has saved nothing yet; resume it with: {self.resume_command}") from None

    def _read_own(self, path: Path) -> Arrays:
        """The arrays of a file of this run; OSError or ValueError where it cannot be read, is damaged, or of another run."""
        arrays = read_arrays(path, self.how_to_repair(path))
        if not np.array_equal(arrays.pop(IDENTITY, np.zeros(0)), self._identity):
            raise ValueError(f"{path} is of another run than run.json beside it: of another trainer, game, seed or settings")
        return arrays

    @property
    def _identity(self) -> NDArray[np.uint8]:
        """The checksum of all that the result depends on, as run.json has it."""
        plan = {name: self.document[name] for name in ("trainer", "game", "settings", "seed")}
        if self.plan.origin:
            plan["from"] = self.plan.origin.checksum
        if self.plan.target:
            plan["target"] = self.document["target"]
        return np.frombuffer(digest(json.dumps(plan, sort_keys=True).encode()), np.uint8)

    @property
    def _checkpoints(self) -> tuple[Path, Path]:
        return self.path / "checkpoint.safetensors", self.path / "checkpoint.previous.safetensors"

    @property
    def policy(self) -> Path:
        """The file of what was learnt."""
        return self.path / "policy.safetensors"

    def how_to_repair(self, path: Path) -> str:
        """The advice for a damaged file of arrays."""
        if path == self.policy and self.has_checkpoint:
            return f"the checkpoint beside it holds the same, and resuming the run writes the file again: {self.resume_command}"
        return TRAIN_AGAIN

    @property
    def has_checkpoint(self) -> bool:
        """Whether there is a checkpoint."""
        return any(path.exists() for path in self._checkpoints)

    @property
    def progress_note(self) -> str:
        """A sentence: what is saved of the run, and how to resume it."""
        saved = "everything up to the last checkpoint" if self.has_checkpoint else "nothing yet"
        return f"the run has saved {saved}; resume it with: {self.resume_command}"

    @property
    def resume_command(self) -> str:
        """The command that resumes the run."""
        return self.with_imports(f"ludus train --resume {shlex.quote(str(self.path))}")

    def with_imports(self, command: str) -> str:
        """A command that opens the run, with the modules that it needs and that no installed package brings."""
        modules = {*needs_in(self.document).values()} - installed_modules()
        return " ".join([command, *(f"--import {module}" for module in sorted(modules))])


# ---- files of arrays


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], previous: Path | None = None) -> None:
    """Writes arrays of numbers or truth values to a file, and keeps the file that it replaces as `previous`, if that is given."""
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise ValueError(f"{name} is an array of {array.dtype}; a file of arrays holds numbers and truth values")
    whole = {name: np.array(array, order="C") for name, array in arrays.items()}
    write_whole(path, save({**whole, CHECKSUM: checksum_of(whole)}), previous=previous)


def read_arrays(path: Path, advice: str = "train it anew") -> Arrays:
    """The arrays of a file; OSError where it cannot be read, ValueError with an advice where it is damaged, or no such file."""
    content = read_regular(path)
    try:
        arrays = {name: array.copy() for name, array in load(content).items()}
        if CHECKSUM not in arrays:
            raise ValueError("it has no checksum")
        if not np.array_equal(arrays.pop(CHECKSUM), checksum_of(arrays)):
            raise ValueError("its checksum does not fit what it holds")
    except (ValueError, KeyError, TypeError, AttributeError, MemoryError, SafetensorError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{path} is damaged, or was not written by a run ({why}); {advice}") from None
    return arrays


def checksum_of(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """The checksum of arrays with their names, shapes and types."""
    parts = ((f"{name} {array.dtype.str} {array.shape}\n".encode(), array.tobytes()) for name, array in sorted(arrays.items()))
    return np.frombuffer(digest(*(part for pair in parts for part in pair)), np.uint8)


# ---- names


def folder_of(run: str | Path) -> Path:
    """The folder that `run:DIR` or `DIR` names."""
    return path_of(unquote(str(run).removeprefix(RUN)))


def _policies_in(document: dict[str, Any]) -> list[str]:
    """Possible specs of policies in a run: settings of its trainer, and the policies that it is measured against."""
    values = [*document["settings"].values(), document["measure"]["ladder"], document.get("target", {}).get("policy")]
    words = (word for value in values for word in (value if isinstance(value, (list, tuple)) else [value]))
    return [spec for word in words if isinstance(word, str) for spec in word.split("+")]


def this_command() -> str:
    """The command that is running."""
    name = Path(sys.argv[0]).name
    return shlex.join(["ludus" if name == "__main__.py" else name, *sys.argv[1:]])
