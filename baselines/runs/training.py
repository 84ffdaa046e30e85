"""`train` and `resume`: a run from its start, or from its last checkpoint, to its end."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from ...arena.data.folder import GamesOfTraining
from ...core.files.locking import hold_lock
from ...core.files.named_arrays import Arrays
from ...core.files.writing import add_to_errors, path_of
from ...core.numbers import seconds_of, short_repr
from ...core.plugins import refuse_untrusted
from ...core.progress import ProgressLog
from ...core.workers.pool import check_engine, needs_pool, starmap_on
from ...games.game import Game
from ...games.registry import make_game
from .folder import LOCK, RUN, Folder, checksum_of, folder_of
from .measure import Measure
from .plan import Origin, RunPlan
from .registry import trainer_class
from .run import RUN_PREFIX, Run
from .trainer import Trainer

OUT_OF_MEMORY = "can't allocate memory", "out of memory"
"""The words of torch's errors, on processors and on GPUs."""


@contextmanager
def memory_errors() -> Generator[None]:
    """Raises MemoryError where torch runs out of memory: its allocators raise RuntimeError."""
    try:
        yield
    except RuntimeError as error:
        if not any(words in str(error) for words in OUT_OF_MEMORY):
            raise
        advice = "choose fewer channels or smaller layers, a smaller batch or fewer boards"
        raise MemoryError(f"there is not enough memory for the network; {advice}") from error


@dataclass(frozen=True)
class Execution:
    """How the work of a run is done. What is learnt depends on none of it.

    Args:
        workers: the number of processes, for trainers that can use several; 1 for the threads of this one.
        engine: "local", or "ray" for a Ray cluster, where 1 worker means one on each of its processors.
        checkpoint_seconds: the seconds between two checkpoints, which are the work that a crash may cost.
        watch: called with the run once after each part, which is the last of `run.rows`, and after its measurement where one was
            due, which then is the last of `run.evaluations`.
        keep_games: a folder for the games that the training plays, as `ludus.arena.data.open_games` reads it; None to keep none.

    Raises:
        ValueError: there is no such engine, or no worker; or the seconds are not 0 or more.
    """

    workers: int = 1
    engine: str = "local"
    checkpoint_seconds: float = 30.0
    watch: Callable[[Run], object] = lambda _: None
    keep_games: str | Path | None = None

    def __post_init__(self) -> None:
        check_engine(self.engine, self.workers)
        seconds_of(self.checkpoint_seconds, "checkpoint_seconds", or_none=True)

    def check(self, trainer: Trainer[Any]) -> None:
        """Raises ValueError if a trainer cannot use several processes, or does not hand out its games, as this asks."""
        if self.keep_games is not None and not trainer.keeps_games:
            raise ValueError(f"{trainer.name} does not keep the games that it plays; leave out keep_games")
        if needs_pool(self.engine, self.workers) and not trainer.hands_out:
            raise ValueError(f"{trainer.name} uses one process; leave out the workers and the engine")


DEFAULT_EXECUTION = Execution()


@memory_errors()
def train(
    name: str,
    game: str | Game,
    run: str | Path | None = None,
    *,
    seed: int | None = None,
    preset: str | None = None,
    start_from: str | Path | Start | None = None,
    measure: Measure | None = None,
    execution: Execution = DEFAULT_EXECUTION,
    **settings: Any,
) -> Run:
    """Learns to play a game.

    Args:
        name: the name of the trainer.
        game: the game, or its spec.
        run: the folder to save it in, which must be new or empty; None keeps it in memory.
        seed: the source of all randomness: same seed, same policy; None for 0, or for one more than that of `start_from`.
        preset: the name of settings to start with instead of the defaults.
        start_from: a run, as `run:DIR`, whose policy and settings to start with; what it has learnt is copied. It must have the
            same trainer and game, and the same values of the settings that the trainer names in `shared`. Where its settings name
            code that you trust: `Start.of(run, trust=True)`.
        measure: when and against which policies the policy is measured; None for never where there is no folder.
        execution: how the work is done.
        settings: those of the trainer.

    Returns:
        The finished run; `policy()` gives what it has learnt.

    Raises:
        ValueError: no such trainer, game, preset or setting; the game cannot be learnt with it; the folder is not empty; it cannot
            start from the other run, or that names untrusted code.
        OSError: the folder cannot be written.
        TypeError: a field of `execution` is given as a setting.
        MemoryError: there is not enough memory.
        KeyboardInterrupt: after Ctrl-C; everything is saved.
    """
    if misplaced := sorted(settings.keys() & {field.name for field in fields(Execution)}):
        raise TypeError(
            f"{misplaced[0]} is no setting of a trainer; give execution=Execution({misplaced[0]}=…), from ludus.baselines"
        )
    start = Start.of(start_from) if isinstance(start_from, (str, Path)) else start_from
    if start:
        plan = start.plan(name, game, seed, preset, settings)
    else:
        plan = RunPlan.make(name, game, 0 if seed is None else seed, preset, settings)
    if measure is None:
        measure = Measure(every="never" if run is None else Measure.every)
    return begin(plan, run, measure, execution, start)


def begin(
    plan: RunPlan, run: str | Path | None, measure: Measure, execution: Execution = DEFAULT_EXECUTION, start: Start | None = None
) -> Run:
    """Starts a run by its plan, and does all of it; arguments and errors are those of `train`."""
    measure.check(plan.game)
    trainer = plan.begin()  # it refuses what it cannot learn before there is a folder
    if start:
        start.hand_over(trainer)
    execution.check(trainer)
    folder = None if run is None else Folder.create(path_of(run), plan, measure)
    new = Run(plan, trainer, measure, folder)
    if start:
        new.save()  # it can never be resumed without what it started with
    return work(new, execution)


@memory_errors()
def resume(
    run: str | Path,
    given: Mapping[str, Any] | None = None,
    *,
    trust: bool = False,
    execution: Execution = DEFAULT_EXECUTION,
) -> Run:
    """Resumes a run that was interrupted; it ends with the same policy, bit for bit, as without the interruption.

    Args:
        run: its folder.
        given: settings of the trainer that the run must have.
        trust: whether code that the run names may run, as an opponent python:module:function.
        execution: how the work is done.

    Raises:
        ValueError: it is not a run, it is damaged, has other settings or names untrusted code; or another process is working on it.
        OSError: the folder cannot be written.
        MemoryError: there is not enough memory.
        KeyboardInterrupt: after Ctrl-C; everything is saved.
    """
    folder = Folder.open(path_of(run), trust=trust)
    plan = folder.plan
    if others := plan.describe_changes(given or {}):
        raise ValueError(
            f"the run {run} was started with other settings: {others}. A run is resumed as it was started: leave settings out, or "
            f"start another run with --run, and with --from {RUN}{run} if it is to begin with what this one has learnt"
        )
    folder.check_trust()
    if plan.origin and not folder.has_checkpoint:
        raise ValueError(f"the run {run} has lost the checkpoints with what it took from {plan.origin.run}; start another")
    trainer = plan.begin()
    execution.check(trainer)
    return work(Run(plan, trainer, folder.measure, folder), execution)


def work(run: Run, execution: Execution) -> Run:
    """Does the rest of a run."""
    plan = run.plan
    with (
        _lock_folder(run.folder),
        starmap_on(execution.engine, execution.workers) as run.trainer.starmap,
        _delay_interrupts() as interrupts,
    ):
        recorder: GamesOfTraining | None = None
        if execution.keep_games is not None:
            settings = plan.document()["settings"]
            recorder = GamesOfTraining(path_of(execution.keep_games), plan.game, plan.trainer, plan.seed, settings)
            run.trainer.keep = recorder.add
        run.start_session()
        try:
            with add_to_errors(lambda: run.folder.progress_note if run.folder else "", run.folder and run.folder.path):
                _advance_to_end(run, execution, interrupts)
                run.finish()
        except KeyboardInterrupt:
            if not interrupts.broken:
                run.save()
            raise
        finally:
            run.metrics.close()
            if recorder is not None:
                recorder.finish()
    return run


def _advance_to_end(run: Run, execution: Execution, interrupts: _DelayedInterrupt) -> None:
    saved, log = time.monotonic(), ProgressLog(f"{run.plan.trainer} in {run.plan.game}", run.trainer.unit, run.trainer.done)
    while not run.over or run.evaluation_due:
        if not run.evaluation_due:  # where it is due already, an interruption has left it out
            with interrupts:
                run.advance()
        if run.evaluation_due:
            run.evaluate()
            saved = -execution.checkpoint_seconds
        if time.monotonic() - saved >= execution.checkpoint_seconds:
            with interrupts:
                run.save()
            saved = time.monotonic()
        log.count(run.trainer.done, run.trainer.total, run.latest_metrics)
        if run.parts:  # a measurement may come before the first part
            execution.watch(run)


@contextmanager
def _lock_folder(folder: Folder | None) -> Generator[None]:
    """Locks a folder, so that no other process resumes its run."""
    try:
        with hold_lock(folder.path / LOCK) if folder else nullcontext():
            yield
    except BlockingIOError:
        raise ValueError(f"another process is working on the run {folder.path if folder else ''}; wait until it ends") from None


class _DelayedInterrupt:
    """A block that Ctrl-C interrupts only at its end. A second Ctrl-C interrupts at once; then `broken` is true."""

    def __init__(self) -> None:
        self._inside = self._asked = self.broken = False

    def __enter__(self) -> None:
        self._inside = True

    def __exit__(self, *_: object) -> None:
        self._inside = False
        if self._asked and not self.broken:
            self._asked = False
            raise KeyboardInterrupt

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """The handler of Ctrl-C."""
        self.broken = self._inside and self._asked
        if self.broken or not self._inside:
            raise KeyboardInterrupt
        self._asked = True


@contextmanager
def _delay_interrupts() -> Generator[_DelayedInterrupt]:
    """Delays Ctrl-C, where this is the thread that receives it."""
    interrupts = _DelayedInterrupt()
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield interrupts
        return
    signal.signal(signal.SIGINT, interrupts.interrupt)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


# ---- a start from what another run has learnt


class Start(NamedTuple):
    """What another run has learnt.

    Args:
        folder: that of the other run.
        state: the state of its trainer at its last checkpoint.
    """

    folder: Folder
    state: Arrays

    @classmethod
    def of(cls, run: str | Path, *, trust: bool = False) -> Start:
        """What the run in a folder has learnt; `run:DIR` is `DIR`. Code that its settings name runs only with `trust`.

        Raises:
            ValueError: it is not a run, it is damaged, or it has saved nothing yet.
        """
        folder = Folder.open(folder_of(run), trust=trust)
        checkpoint = folder.checkpoint()
        if checkpoint is None:
            raise ValueError(f"the run {folder.path} has saved nothing yet that a new run could start from")
        return cls(folder, {name: array for name, array in checkpoint.items() if not name.startswith(RUN_PREFIX)})

    def plan(self, trainer: str, game: str | Game, seed: int | None, preset: str | None, given: Mapping[str, Any]) -> RunPlan:
        """The plan of a run that starts from here, with the settings of the other run except for those given.

        Without a seed, it has one more than the other run, so that its random numbers differ.

        Raises:
            ValueError: another trainer or game, a preset, a setting that does not fit what was learnt, or untrusted code.
        """
        other, path = self.folder.plan, self.folder.path
        if trainer != other.trainer:
            raise ValueError(f"{path} is a run of {other.trainer}; a run of {trainer} cannot start from it")
        if make_game(game) != other.game:
            raise ValueError(f"the run {path} has learnt {other.game}; a run of {make_game(game)} cannot start from it")
        if preset is not None:
            raise ValueError(f"the new run starts with the settings of {path}; leave out the preset {short_repr(preset)}")
        shared = trainer_class(trainer).shared
        if shared is None:
            raise ValueError(f"runs of the trainer {short_repr(trainer)} cannot start from others: it has no Trainer.learn_on")
        if others := other.describe_changes({name: value for name, value in given.items() if name in shared}):
            raise ValueError(f"what the run {path} has learnt does not fit: {others}; {', '.join(shared)} must stay the same")
        settings = other.settings.by_name()
        refuse_untrusted({name: value for name, value in settings.items() if name not in given})
        origin = Origin(str(path), checksum_of(self.state).tobytes().hex())
        seed = (other.seed + 1) % 2**64 if seed is None else seed
        return RunPlan.of(trainer, other.game, seed, {**settings, **given}, origin=origin)

    def hand_over(self, trainer: Trainer[Any]) -> None:
        """Lets a new trainer start with what was learnt; ValueError if it does not fit."""
        try:
            trainer.learn_on(self.state)
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError, StopIteration) as error:
            raise ValueError(f"{trainer.name} cannot start from the run {self.folder.path}: {error}") from None
