"""`train` and `resume`: a run from its beginning, or from its last checkpoint, to its end."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

from ...arena.engines.engines import check_engine
from ...envs.files.locking import held
from ...envs.files.writing import also_saying
from ...envs.games.game import Game
from ...envs.settings.numbers import seconds_of
from .crew import crew_of
from .folder import Folder
from .measure import Measure
from .memory import memory_told
from .plan import Plan
from .run import Run
from .start import Start, how_to_learn_on
from .trainer import Trainer

CHECKPOINT_SECONDS = 30.0
"""How much work a crash may cost."""


@memory_told()
def train(
    name: str,
    game: str | Game,
    run: str | Path | None = None,
    *,
    seed: int | None = None,
    preset: str | None = None,
    start_from: str | Path | None = None,
    trust: bool = False,
    measure: Measure | None = None,
    workers: int = 1,
    engine: str = "local",
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    watch: Callable[[Run], object] = lambda _: None,
    **settings: Any,
) -> Run:
    """Learns to play a game.

    Args:
        name: the trainer's.
        game: the game, or its spec.
        run: the folder to keep it in, which must be new or empty; None keeps it in memory alone.
        seed: the source of all randomness: same seed, same policy; None for 0, or for one more than that of `start_from`.
        preset: the name of settings to begin with instead of the defaults.
        start_from: a run, as `run:DIR`, whose policy and settings to begin with; what it has learnt is copied. It must be of the
            same trainer and game, and of the settings that the trainer names in `shared`.
        trust: whether code may run that the settings of `start_from` name, where it learns from python:module:function.
        measure: when and against whom the policy is measured; None for never where there is no folder.
        workers: how many processes do what the trainer can hand out; 1 for the threads of this one.
        engine: "local", or "ray" for a Ray cluster, where 1 worker means one on each of its processors.
        checkpoint_seconds: after how many seconds a checkpoint is kept.
        watch: called after each part.
        settings: the trainer's.

    Returns:
        The run at its end; `policy()` gives what it has learnt.

    Raises:
        ValueError: no such trainer, game, preset or setting; the game cannot be learnt so; the folder is not empty; it cannot learn
            on from the other run, or that names code, without trust.
        OSError: the folder cannot be written.
        MemoryError: there is no room for it.
        KeyboardInterrupt: after Ctrl-C, all being kept.
    """
    start = None if start_from is None else Start.of(start_from, trust=trust)
    plan = (
        start.plan(name, game, seed, preset, settings)
        if start
        else Plan.make(name, game, 0 if seed is None else seed, preset, settings)
    )
    if measure is None:
        measure = Measure(every="never" if run is None else Measure.every)
    measure.check(plan.game)
    trainer = plan.begin()  # refuses what it cannot learn before there is a folder
    if start:
        start.hand_over(trainer)
    check_crew(trainer, engine, workers)
    check_seconds(checkpoint_seconds)
    folder = None if run is None else Folder.create(Path(run), plan, measure)
    done = Run(plan, trainer, measure, folder)
    if start:
        done.save()  # before anything names the run: it never goes on without what it began with
    return work(done, checkpoint_seconds, watch, workers, engine)


@memory_told()
def resume(
    run: str | Path,
    given: Mapping[str, Any] | None = None,
    *,
    trust: bool = False,
    workers: int = 1,
    engine: str = "local",
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    watch: Callable[[Run], object] = lambda _: None,
) -> Run:
    """Goes on with a run that was interrupted; it ends with the same policy, bit for bit, as if it had not been.

    Args:
        run: its folder.
        given: settings of the trainer that are taken for granted; those of the run must be the same.
        trust: whether code may run that the run names, where it learns from, or is measured against, python:module:function.
        workers, engine, checkpoint_seconds, watch: as for `train`; the same as before or others.

    Raises:
        ValueError: it is no run, or damaged, or has other settings; it names code, without trust; somebody else is at it.
        OSError: the folder cannot be written.
        MemoryError: there is no room for it.
        KeyboardInterrupt: after Ctrl-C, all being kept.
    """
    folder = Folder.open(Path(run), trust=trust)
    if others := folder.plan.differences(given or {}):
        raise ValueError(
            f"the run {run} was begun with other settings: {'; '.join(others)}. A run goes on as it was begun: "
            f"{how_to_learn_on(folder, given or {})}"
        )
    folder.check_trust()
    if folder.plan.origin and not folder.kept:
        raise ValueError(
            f"the run {run} began with what {folder.plan.origin.run} had learnt, and the checkpoints that held it are gone; "
            "begin another run"
        )
    trainer = folder.plan.begin()
    check_crew(trainer, engine, workers)
    check_seconds(checkpoint_seconds)
    return work(Run(folder.plan, trainer, folder.measure, folder), checkpoint_seconds, watch, workers, engine)


def check_seconds(checkpoint_seconds: float) -> None:
    """Looks whether checkpoints are kept at all.

    Raises:
        ValueError: they are not.
    """
    seconds_of(checkpoint_seconds, "checkpoint_seconds", or_none=True)


def check_crew(trainer: Trainer[Any], engine: str, workers: int) -> None:
    """Looks whether a trainer has work for such a crew.

    Raises:
        ValueError: it has none; no such engine, or fewer workers than one.
    """
    check_engine(engine, workers)
    if (workers, engine) != (1, "local") and not trainer.hands_out:
        raise ValueError(f"{trainer.name} learns in this process alone; leave out the workers and the engine")


def work(run: Run, checkpoint_seconds: float, watch: Callable[[Run], object], workers: int, engine: str) -> Run:
    """Does what is left of a run."""
    with _alone(run.folder), crew_of(engine, workers) as run.trainer.crew, _patience() as patience:
        run.sit_down()
        try:
            with also_saying(lambda: run.folder.how_far if run.folder else ""):
                _work(run, checkpoint_seconds, watch, patience)
                run.finish()
        except KeyboardInterrupt:
            if not patience.broken:
                run.save()
            raise
        finally:
            run.metrics.close()
    return run


def _work(run: Run, checkpoint_seconds: float, watch: Callable[[Run], object], patience: _Patience) -> None:
    saved = time.monotonic()
    while not run.over or run.evaluation_due:
        if run.evaluation_due:
            run.evaluate()
            saved = -checkpoint_seconds
        else:
            with patience:
                run.advance()
        if time.monotonic() - saved >= checkpoint_seconds:
            with patience:
                run.save()
            saved = time.monotonic()
        watch(run)


@contextmanager
def _alone(folder: Folder | None) -> Generator[None]:
    """Holds a folder, so that nobody else goes on with its run."""
    try:
        with held(folder.path / "run.lock") if folder else nullcontext():
            yield
    except BlockingIOError:
        raise ValueError(f"somebody else is at the run {folder.path if folder else ''}; wait until it ends") from None


class _Patience:
    """A stretch that Ctrl-C does not break: it comes at the end of it. A second one comes at once, and leaves it broken."""

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
        """What Ctrl-C does."""
        self.broken = self._inside and self._asked
        if self.broken or not self._inside:
            raise KeyboardInterrupt
        self._asked = True


@contextmanager
def _patience() -> Generator[_Patience]:
    """Patience with Ctrl-C, where this is the thread that it comes to."""
    patience = _Patience()
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield patience
        return
    signal.signal(signal.SIGINT, patience.interrupt)
    try:
        yield patience
    finally:
        signal.signal(signal.SIGINT, before)
