"""`Run`: a trainer at work, with its metrics, measurements and checkpoints."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...agents.policy import Policy
from ...arena.quantities import Quantity, numbers_of
from ...core.files.documents import convert_document, read_document
from ...core.files.named_arrays import Arrays, check_arrays, under
from ...games.display import Part, Viewable
from .folder import TRAIN_AGAIN, Folder, this_command
from .measure import EARLIER, EvaluationDocument, Measure, beats_random, describe_results
from .metrics import Metrics, Row
from .plan import RunPlan
from .plots import plot_run
from .target import AskedPolicy, SpentError
from .trainer import Trainer

RUN_PREFIX = "run."
"""The prefix of names in a checkpoint that are not of the state of the trainer."""
CLOCK = RUN_PREFIX + "clock"
"""Parts done, seconds spent training, seconds spent measuring."""
MEASURED_PREFIX = RUN_PREFIX + "measured."
"""The prefix of the arrays learnt at the last measurement."""
ASKED_PREFIX = RUN_PREFIX + "asked."
"""The prefix of what the policy that it learns to beat has answered."""
ASKED = "positions asked"
"""The metric that counts them."""
PROGRESS = (
    Quantity("unit", path="trainer.unit"),
    Quantity("done", path="trainer.done"),
    Quantity("finished", path="over"),
    Quantity("seconds"),
    Quantity("seconds_measuring"),
)
"""The numbers of a run, in its document and in run.json."""


class Run(Viewable):
    """A run, in progress or finished.

    Args:
        plan: what it does.
        trainer: a new trainer.
        measure: how it is measured.
        folder: where it is saved; None keeps it in memory. If the folder has a checkpoint, the run resumes there.

    Raises:
        ValueError: a checkpoint is damaged, or belongs to another run; or the trainer cannot learn against the policy of the plan,
            or would begin with more questions than are allowed.
    """

    def __init__(self, plan: RunPlan, trainer: Trainer[Any], measure: Measure, folder: Folder | None = None) -> None:
        self.plan, self.trainer, self.measure, self.folder = plan, trainer, measure, folder
        self.parts, self.seconds, self.seconds_measuring = 0, 0.0, 0.0
        self.evaluations: list[dict[str, Any]] = []
        self.metrics = Metrics(None, 0)
        self._measured: Arrays = {}
        self._is_spent = False
        self.asked = plan.target and plan.target.ask(plan.game, plan.seed)
        """The policy that it learns to beat, with its answers; None where there is none."""
        checkpoint = folder.checkpoint() if folder else None
        if self.asked is not None:
            self._begin_against(self.asked, under(ASKED_PREFIX, checkpoint or {}))
        self._remember()
        if folder and checkpoint is not None:
            self._restore({name: array for name, array in checkpoint.items() if not name.startswith(ASKED_PREFIX)}, folder)
            self.evaluations = [row for row in _evaluations_in(folder) if row["done"] <= self.trainer.done]

    def _begin_against(self, asked: AskedPolicy, answers: Arrays) -> None:
        """Lets the trainer learn against a policy, of which some answers may be known."""
        if answers:
            asked.restore(answers)
        try:
            self.trainer.play_against(asked)
        except SpentError:
            raise ValueError(
                f"{self.trainer.name} begins with more questions than the {asked.most:,} that {asked} may be asked; allow more"
            ) from None

    def _restore(self, checkpoint: Arrays, folder: Folder) -> None:
        """Goes back to a checkpoint; ValueError if it does not fit this run."""
        try:
            clock = checkpoint.pop(CLOCK, np.zeros(0))
            check_arrays({CLOCK: clock}, {CLOCK: np.zeros(3)})
            if not (np.isfinite(clock) & (clock >= 0)).all():
                raise ValueError(f"the array {CLOCK} is {clock.tolist()} and must hold finite numbers, 0 or more")
            self.parts, self.seconds, self.seconds_measuring = int(clock[0]), *clock[1:].tolist()
            self._measured = {name: checkpoint.pop(MEASURED_PREFIX + name) for name in under(MEASURED_PREFIX, checkpoint)}
            if self._measured:
                self.trainer.policy_of(self.plan.game, self.plan.settings, self._measured)  # which checks them
            check_arrays(checkpoint, self.trainer.state(), self.trainer.grows, self.trainer.grows)
            self.trainer.restore({name: array.copy() for name, array in checkpoint.items()})
            check_arrays(self.trainer.state(), checkpoint)
        except (
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            AssertionError,
            OverflowError,
            RuntimeError,
            StopIteration,
        ) as error:
            raise ValueError(f"the checkpoint of {folder.path} does not fit its run: {error}; {TRAIN_AGAIN}") from None

    @property
    def latest_metrics(self) -> str:
        """The metrics of the last part in a line, such as "loss 0.12, wins 0.8"; empty before the first one."""
        last = self.rows[-1] if self.rows else {}
        return ", ".join(
            f"{name} {value:.3g}" for name, value in last.items() if name not in ("part", "seconds", self.trainer.unit)
        )

    @property
    def rows(self) -> list[Row]:
        """The metrics of each part, one row each."""
        return self.metrics.rows

    @property
    def over(self) -> bool:
        """Whether the training is complete."""
        target = self.plan.target
        late = target is not None and target.seconds is not None and self.seconds >= target.seconds
        return self.trainer.done >= self.trainer.total or self._is_spent or late

    @property
    def warnings(self) -> list[str]:
        """Warnings about what was learnt so far: that it is nothing, or no better than random play."""
        warnings = [f"Nothing was learnt: {obstacle}"] if (obstacle := self.trainer.obstacle) else []
        if self.asked and self._is_spent and not self.parts:
            warnings = [f"Nothing was learnt: {self.asked.most:,} questions are not enough for the first part of the training"]
        for score in self.evaluations[-1]["scores"] if self.evaluations else ():
            if score["b"] == "random" and not beats_random(score):
                points = 100 * (score["wins"] + score["draws"] / 2) / score["games"]
                share = f"{points:.1f} % of the points in {score['games']:,} games against it"
                warnings.append(f"The policy is no better than random play: {share}. Train it longer, or with another seed")
        return warnings

    def policy(self) -> Policy:
        """The policy learnt so far."""
        return self.trainer.policy()

    def network(self) -> Any:
        """The network learnt so far, as `Trainer.network_of` says: from planes to what `trainer.outputs` names, without a mask.

        Raises:
            ValueError: the trainer has no network of torch.
        """
        return self.trainer.network()

    # ---- training

    def advance(self) -> None:
        """Does the next part; or nothing and the run is over, where the policy that it learns to beat may not be asked any more."""
        begin, before = time.perf_counter(), self.trainer.state() if self.asked else {}
        try:
            metrics = self.trainer.advance()
        except SpentError:
            self.trainer.restore(before)
            self._is_spent = True
            return
        self.seconds += time.perf_counter() - begin
        self.parts += 1
        if self.asked:
            metrics = {**metrics, ASKED: float(self.asked.num_asked)}
        clock = {"part": self.parts, self.trainer.unit: self.trainer.done, "seconds": round(self.seconds, 3)}
        self.metrics.add({**clock, **metrics})

    def evaluate(self) -> None:
        """Measures the policy learnt so far."""
        begin = time.perf_counter()
        policy = self.policy()
        earlier = self.trainer.policy_of(self.plan.game, self.plan.settings, self._measured) if self._measured else None
        results = self.measure(policy, earlier, self.plan.seed)
        self._remember()
        self.seconds_measuring += time.perf_counter() - begin
        self.evaluations.append({"done": self.trainer.done, "seconds": round(self.seconds, 3), **results})

    @property
    def evaluation_due(self) -> bool:
        """Whether a measurement is due."""
        last = self.evaluations[-1] if self.evaluations else None
        total = self.trainer.done if self.over else self.trainer.total
        return self.measure.due(self.trainer.done, total, self.seconds, last, self.trainer.learns_early)

    # ---- saving

    def start_session(self) -> None:
        """Starts to write into the folder, and records a new session there."""
        if self.folder is not None:
            self.folder.add_session(this_command())
            self.metrics = Metrics(self.folder.path, self.parts)

    def save(self) -> None:
        """Saves everything, so that the run can be resumed from here."""
        self.metrics.flush()
        if self.folder is None:
            return
        self.folder.write("evaluations.json", (json.dumps(self.evaluations, indent=1) + "\n").encode())
        clock = np.array([self.parts, self.seconds, self.seconds_measuring])
        measured = {MEASURED_PREFIX + name: array for name, array in self._measured.items()}
        asked = {ASKED_PREFIX + name: array for name, array in (self.asked.state() if self.asked else {}).items()}
        self.folder.save({CLOCK: clock, **measured, **asked, **self.trainer.state()}, self.trainer.learnt())

    def finish(self) -> None:
        """Saves the result."""
        self.save()
        if self.folder is None:
            return
        for name, content in self.trainer.artefacts().items():
            self.folder.write(Path(name).name, content)
        title = f"{self.plan.trainer}, {self.plan.game}, seed {self.plan.seed}"
        if picture := plot_run(title, self.trainer.unit, self.rows, self.evaluations, logarithmic=self.trainer.learns_early):
            self.folder.write("plot.png", picture)
        self.folder.note(**numbers_of(self, PROGRESS))

    def document(self) -> dict[str, Any]:
        """The result as JSON."""
        return {
            "run": self.folder and str(self.folder.path),
            **self.plan.document(),
            **numbers_of(self, PROGRESS),
            "metrics": self.rows[-1] if self.rows else {},
            "evaluation": self.evaluations[-1] if self.evaluations else None,
            **({"positions": self.asked.num_asked} if self.asked else {}),
            "warnings": self.warnings,
        }

    def __repr__(self) -> str:
        return (
            f"<Run of {self.plan.trainer} in {self.plan.game}: {self.trainer.done:,} of {self.trainer.total:,} {self.trainer.unit}>"
        )

    def _parts(self) -> Iterator[Part]:
        name, unit = self.plan.trainer, self.trainer.unit
        spent = f"{self.seconds:.1f} s, and {self.seconds_measuring:.1f} s to measure it"
        learnt = f"nothing of {self.plan.game} in this run" if self.trainer.obstacle else self.plan.game
        yield f"{name} has learnt {learnt}: {self.trainer.done:,} {unit} in {spent}"
        yield from self.warnings
        if self.evaluations:
            yield from describe_results(self.evaluations[-1])
        if self.folder is not None:
            yield "Play against it: " + self.folder.with_imports(f"ludus play {self.plan.game} --against run:{self.folder.path}")

    def _rows(self) -> list[dict[str, Any]]:
        """A row for each measurement and policy."""
        counts = ("games", "wins", "draws", "losses", "faults")
        return [
            {"done": row["done"], "seconds": row["seconds"], "against": score["b"], **{name: score[name] for name in counts}}
            | {"optimal_rate": (row["grade"] or {}).get("optimal_rate")}
            for row in self.evaluations
            for score in row["scores"]
        ]

    def _remember(self) -> None:
        """Keeps what was learnt so far as an opponent for the next measurement, if the ladder has one."""
        if EARLIER in (self.measure.ladder or ()):
            self._measured = {name: array.copy() for name, array in self.trainer.learnt().items()}


def _evaluations_in(folder: Folder) -> list[dict[str, Any]]:
    """The measurements in evaluations.json; ValueError if it is damaged."""
    path, advice = folder.path / "evaluations.json", "delete it, and the run continues as if it had not been measured yet"
    if not path.exists():
        return []
    evaluations = read_document(path, list[dict[str, Any]], advice)
    convert_document(evaluations, list[EvaluationDocument], str(path), advice)
    return evaluations
