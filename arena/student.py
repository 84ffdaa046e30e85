"""The agent of a student's file, in a process of its own with limits on time, memory and what it writes.

The limits keep a mistake in one file from the others. They are no guard against a file that means harm, which may read files and
use the network as every program of the user may.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..agents.answers import Answer, Ending, Forfeit
from ..agents.external.nets import required_parameters
from ..agents.external.one_position import MARK, SHOWN, wanted_by
from ..agents.policy import Policy
from ..agents.registry import as_policy
from ..core.errors import describe_error, policy_errors, sentence
from ..core.workers.worker import Died, TooLate, Worker
from ..games.game import Game, StateArray
from .matches.players import fault_of, validate_actions

NAMES = ("agent", "act", "best_move", "policy")
"""What a function is called that needs no `@ludus.agent`."""
MODULE, TITLE = "submission", "the agent"
"""The name under which a file is a module, and that of its policy in sentences."""
START_TIME = 30.0
"""Seconds that a file may take to be loaded."""
MOST_LATE = 10
"""After how many moves that came too late or ended the process a file is not asked any more: each costs a second and more."""
MOST_WRITTEN, MOST_PRINTED = 10**8, 10_000
"""The largest file that a process may write, and the most that it may print; and how much of this is kept; in bytes."""


@dataclass(frozen=True)
class Student(Policy):
    """The agent of a file, asked about one position at a time.

    Args:
        source: what is in the file.
        folder: where its process works, and keeps what it prints.
        worker: its process.
        move_time: seconds for a move.
        memory: bytes that the process may take, beyond those that it takes without the file.
        counts: how many moves it was asked for, as `moves`, and how many of them were faults, by their endings.
        faults: a sentence on each fault.
    """

    name: ClassVar[str] = "file"
    source: bytes = field(kw_only=True, repr=False)
    folder: Path = field(kw_only=True, repr=False)
    worker: Worker = field(kw_only=True, repr=False, compare=False)
    move_time: float = field(kw_only=True, repr=False)
    memory: int = field(kw_only=True, repr=False)
    counts: Counter[str] = field(default_factory=Counter[str], kw_only=True, repr=False, compare=False)
    faults: list[str] = field(default_factory=list[str], kw_only=True, repr=False, compare=False)

    def start(self) -> str:
        """Loads the file in a new process; why that fails, or an empty text."""
        self.worker.kill()
        try:
            return self.worker.call(load, self.game, self.title, self.source, self.folder, self.memory, timeout=START_TIME)
        except TooLate:
            return f"it is not loaded after {START_TIME:g} s"
        except Died as death:
            return f"its process {death}, while it was loaded"
        except Exception as error:  # such as of a process that has no memory left to say why
            return f"it cannot be loaded: {describe_error(error)}"

    @property
    def printed(self) -> str:
        """The beginning of what it printed."""
        with suppress(FileNotFoundError), (self.folder / "printed").open("rb") as file:
            return file.read(MOST_PRINTED).decode(errors="replace")
        return ""

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.answer(states, keys).every_action(self.spec)

    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        answers = [self._ask(state, int(key)) for state, key in zip(states, keys, strict=True)]
        forfeits = {row: answer for row, answer in enumerate(answers) if isinstance(answer, Forfeit)}
        return Answer(np.array([-1 if row in forfeits else answer for row, answer in enumerate(answers)], np.int64), forfeits)

    def _ask(self, state: StateArray, key: int) -> int | Forfeit:
        if (late := self.counts["time"] + self.counts["died"]) >= MOST_LATE:
            return Forfeit(f"{TITLE} is not asked any more, after {late} moves that came too late or ended its process")
        self.counts["moves"] += 1
        position, ending = self.game.text(state), "error"
        try:
            if self.worker.pid is None and (why := self.start()):
                ending, answer = "died", f"cannot go on: {why}"
            else:
                answer = self.worker.call(play, state, key, timeout=self.move_time)
            if isinstance(answer, int) and answer not in self.game.legal_actions(state):
                ending, answer = "illegal", f"answered {self.game.move_name(answer)}, which is not legal"
        except TooLate:
            ending, answer = "time", f"took longer than {self.move_time:g} s for a move"
        except Died as death:
            ending, answer = "died", f"ended its process, which {death},"
        except Exception as error:  # as above
            self.worker.kill()
            ending, answer = "died", f"ended its process by {describe_error(error)}"
        if isinstance(answer, int):
            return answer
        self.counts[ending] += 1
        where = "" if repr(position) in answer else f" in {position!r}"
        self.faults.append(f"{TITLE} {answer.removeprefix(f'{TITLE} ')}{where}")
        forfeited: Ending = "error" if ending == "died" else ending
        return Forfeit(self.faults[-1], forfeited)


# ---- in the process of the file

_agent: Policy


def load(game: Game, name: str, source: bytes, folder: Path, memory: int) -> str:
    """Loads a file in this process, which from then on has its limits; why that fails, or an empty text."""
    global _agent
    for show in (show for parameter, show in SHOWN.items() if parameter != "board"):
        show(game, game.start)  # so that what it needs is compiled
    work, file = folder / "work", Path(name).name
    work.mkdir(exist_ok=True)
    os.chdir(work)
    Path(file).write_bytes(source)  # again, whatever an earlier process did to it
    _set_limits(folder / "printed", memory)
    module = sys.modules[MODULE] = ModuleType(MODULE)
    module.__file__ = file
    try:
        exec(compile(source, file, "exec", dont_inherit=True), vars(module))
    except policy_errors() as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        return sentence(f"it raised {describe_error(error)}" + "".join(f" ({file}, line {line})" for line in lines[-1:]))
    try:
        _agent = make_agent(vars(module), game)
        _agent.prepare()
    except policy_errors() as error:
        return sentence(f"it cannot play: {error if type(error) is ValueError else describe_error(error)}")
    return ""


def play(state: StateArray, key: int) -> int | str:
    """The agent's action in a position, or its fault."""
    try:
        return int(validate_actions(_agent.act(state[None], np.array([key], np.uint64)), 1)[0])
    except policy_errors() as error:
        return fault_of(error).reason


def make_agent(names: Mapping[str, Any], game: Game) -> Policy:
    """The agent of a file as a policy.

    It is the function with `@ludus.agent`, or the subclass of `Policy`; else the function that NAMES names; else the last one
    whose parameters are all known.

    Raises:
        ValueError: there is no such thing, or more than one; or it does not play this game.
    """
    own = {name: thing for name, thing in names.items() if callable(thing) and getattr(thing, "__module__", "") == MODULE}
    classes = [thing for thing in own.values() if isinstance(thing, type) and issubclass(thing, Policy)]
    functions = {name: thing for name, thing in own.items() if not isinstance(thing, type)}
    declared = [*classes, *(thing for thing in own.values() if getattr(thing, MARK, False))]
    named = [functions[name] for name in NAMES if name in functions]
    last = [thing for thing in functions.values() if _may_play(thing)][-1:] or [*functions.values()][-1:]
    chosen = declared or named or last
    different = {id(thing): getattr(thing, "__name__", "") for thing in chosen}
    if len(different) != 1:
        which = f"{' and '.join(different.values())} may each be the agent" if different else "there is no function in the file"
        raise ValueError(f"{which}; put @ludus.agent before the one that plays")
    thing = chosen[0]
    if isinstance(thing, type):
        return thing(game).with_title(TITLE)
    return as_policy(thing, game, name=TITLE, one_position=not _is_batched(thing))


def _is_batched(function: Any) -> bool:
    return (required_parameters(function) or [""])[0] in ("observations", "states")


def _may_play(function: Any) -> bool:
    with suppress(ValueError):
        return bool(_is_batched(function) or wanted_by(function))
    return False


def _set_limits(printed: Path, memory: int) -> None:
    """Sets the limits of this process, and leads what it prints to a file."""
    import resource  # not on Windows, where no process of ours starts

    output, taken = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 0
    for stream in (1, 2):
        os.dup2(output, stream)
    sys.stdout.reconfigure(line_buffering=True)  # pyright: ignore  so that it is kept where the process is killed
    with suppress(OSError):  # only Linux says it
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN, MOST_WRITTEN))
    with suppress(OSError, ValueError):  # macOS does not limit memory
        resource.setrlimit(resource.RLIMIT_AS, (taken + memory, taken + memory))
