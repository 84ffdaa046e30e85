"""`ask`: asks models and controls about positions, and keeps each answer as soon as it is there.

The folder of a run has `settings.json`, which says what is asked, and `answers.jsonl`. A run that was stopped in any way goes on
when it is started again with the same settings: no question that has an answer is asked again.

What counts is the move of a model's last attempt, where its `retries` allow several; `legal_first` of an answer says whether the
first attempt had a legal move. With `retries=0` the first attempt is also the last one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from ...agents.answers import Transcript, Unavailable
from ...agents.policy import Speaking
from ...agents.registry import make_policy
from ...core.files.documents import read_document, short_json
from ...core.files.locking import hold_lock
from ...core.files.reading import digest
from ...core.files.writing import Growing, add_to_errors, make_folder, path_of, write_whole
from ...core.progress import Progress, ProgressLog
from ..models import LanguageModel
from .answers import LINES, BenchAnswer, line_of, read_answers
from .controls import InProse, is_model, make_control
from .measures import NO_DISGUISE
from .sets import BenchPosition
from .settings import Batch, BenchSettings

SETTINGS = "settings.json"
"""The name of the file in the folder of a run."""
Question: TypeAlias = tuple[str, str, str, str, int, int]
"""Model, game, disguise, variant, repeat and the position's number."""
KeepAnswer: TypeAlias = Callable[[BenchAnswer], None]
"""Keeps an answer in the file of a run."""


class BenchRun(NamedTuple):
    """The answers of a run.

    Args:
        answers: in the order in which they were asked for.
        questions: how many there are to answer.
        stopped: why some are not answered, in a sentence; empty if all are.
    """

    answers: list[BenchAnswer]
    questions: int
    stopped: str = ""


def ask(settings: BenchSettings, folder: str | Path, watch: Progress = lambda done, total: None) -> BenchRun:
    """Asks all questions that have no answer yet.

    Args:
        settings: whom it asks, and what.
        folder: where the answers are kept; it is made if it is not there.
        watch: called with the number of questions that are answered, and the number of all.

    Returns:
        All answers in the folder. Some are missing if a model cannot be asked any more, or its budget of requests is used up.

    Raises:
        ValueError: the folder has answers to other questions or is used by another process, a file in it is damaged, or a model
            cannot be made.
        OSError: a file cannot be written. The answers so far are kept.
    """
    document, players, folder = settings.document(), Players(settings), path_of(folder)
    document["files"] = players.files
    make_folder(folder)
    try:
        with (
            hold_lock(folder / "lock"),
            add_to_errors(lambda: f"the answers so far are in {folder}; the same command goes on", folder),
        ):
            keep_settings(document, folder / SETTINGS)
            return _ask_all(settings, players, folder / LINES, watch)
    except BlockingIOError:
        raise ValueError(f"another process asks questions in {folder}; wait for its end, or name another folder") from None


def _ask_all(settings: BenchSettings, players: Players, path: Path, watch: Progress) -> BenchRun:
    """Asks the questions that have no answer in a file, and adds each answer to it as soon as it is there."""
    answers, whole = read_answers(path) if path.exists() else ([], 0)
    questions = [(*batch[:-1], number) for batch in settings.batches() for number in batch.numbers]
    order = {question: rank for rank, question in enumerate(questions)}
    report = ProgressLog("answers", "questions", len(answers)).counting(watch)
    file, done, stopped = Growing(path, whole), {*map(question_of, answers)}, ""

    def keep(answer: BenchAnswer) -> None:
        file.add(line_of(answer))
        file.flush()
        answers.append(answer)
        report(len(answers), len(questions))

    try:
        for batch in settings.batches():
            left = tuple(number for number in batch.numbers if (*batch[:-1], number) not in done)
            if left:
                players.answer(batch._replace(numbers=left), keep)
    except Unavailable as error:
        stopped = str(error)
    finally:
        file.close()
    return BenchRun(sorted(answers, key=lambda answer: order.get(question_of(answer), len(order))), len(questions), stopped)


def keep_settings(document: Mapping[str, Any], path: Path) -> None:
    """Writes what a run asks (`BenchSettings.document`) into a file, or compares it with the file that is there; ValueError where
    that has other settings."""
    given: dict[str, Any] = json.loads(json.dumps(document))
    if not path.exists():
        if (path.parent / LINES).exists():
            raise ValueError(f"{path.parent} has answers, but no {SETTINGS} that says to what; name another folder")
        write_whole(path, json.dumps(given, indent=2).encode() + b"\n")
        return
    stored = read_document(path, dict[str, Any], "name another folder")
    for name in {**stored, **given}:
        if stored.get(name) != given.get(name):
            raise ValueError(
                f"{path.parent} has answers to other questions: its {path.name} says {short_json(stored.get(name))} for {name!r},"
                f" and {short_json(given.get(name))} is given; name another folder, or give what this file says"
            )


def question_of(answer: BenchAnswer) -> Question:
    """The question of an answer."""
    return answer.model, answer.game, answer.disguise, answer.variant, answer.repeat, answer.number


def question_key(seed: int, game: str, position: str, repeat: int) -> int:
    """The key of a question, its only randomness: the same for all models, variants and disguises, so that they are paired."""
    return int.from_bytes(digest(f"{seed}\0{game}\0{position}\0{repeat}".encode())[:8], "little")


class Players:
    """All that the settings name, for each game, disguise and variant of the prompt; ValueError where one of them cannot be
    made."""

    def __init__(self, settings: BenchSettings) -> None:
        self._seed, self._sets = settings.seed, {each.game: each for each in settings.sets}
        self._faces = settings.faces
        self._variants = {variant.name: variant for variant in settings.every_variant}
        whom = dict.fromkeys(batch[:4] for batch in settings.batches())
        self._players = {each: self._make(*each) for each in whom}

    @property
    def files(self) -> dict[str, str]:
        """The checksums of the files that models name, with their instructions and the further fields of requests."""
        models = {spec: speaking for (spec, *_), speaking in self._players.items() if isinstance(speaking, LanguageModel)}
        texts = {spec: f"{model.instructions}\0{model.fields}" for spec, model in models.items() if model.system or model.extra}
        return {spec: digest(text.encode(errors="replace")).hex() for spec, text in texts.items()}

    def answer(self, batch: Batch, keep: KeepAnswer) -> None:
        """Asks the questions of a batch, and hands over each answer as soon as it is there; Unavailable where a model cannot be
        asked, or its own budget is used up."""
        game, its = self._faces[batch.game][NO_DISGUISE], self._sets[batch.game]
        positions = [its.positions[number] for number in batch.numbers]
        keys = [question_key(self._seed, batch.game, each.position, batch.repeat) for each in positions]

        def take(row: int, action: int, transcript: Transcript) -> None:
            move = None if action < 0 else game.move_name(action)
            keep(make_answer(batch, batch.numbers[row], positions[row], move, transcript))

        self._players[batch[:4]].answer_each(its.states[[*batch.numbers]], np.array(keys, np.uint64), take)

    def _make(self, model: str, game: str, disguise: str, variant: str) -> Speaking:
        """A player of a game; its spec, the game and the names of the disguise and the variant are those of a batch."""
        face = self._faces[game][disguise]
        if not is_model(model):
            return InProse(face, policy=make_control(model, self._faces[game][NO_DISGUISE]))
        speaking = make_policy(model, face)
        assert isinstance(speaking, LanguageModel)
        if speaking.legal or speaking.variant != "plain":
            raise ValueError(f"{model} says what its prompt is; leave legal= and variant= out, and name variants for all models")
        return replace(speaking, wording=self._variants[variant])


def make_answer(batch: Batch, number: int, position: BenchPosition, move: str | None, transcript: Transcript) -> BenchAnswer:
    """The answer to a question, with what its move loses.

    Args:
        batch: the question's batch.
        number: the position's place in its set.
        position: the position.
        move: the move of the last attempt, in the game's own words; None if it has none.
        transcript: what was said.
    """
    attempts = transcript.attempts
    value_lost, distance_lost = losses(position, move)
    question: dict[str, Any] = {**batch._asdict(), **msgspec.structs.asdict(position), "number": number}
    return BenchAnswer(
        **{name: field for name, field in question.items() if name not in ("numbers", "moves")},
        move=move,
        legal_first=attempts[0].fault is None,
        attempts=len(attempts),
        faults=tuple(attempt.fault for attempt in attempts if attempt.fault is not None),
        value_lost=value_lost,
        distance_lost=distance_lost,
        tokens_in=_sum_of_known(attempt.tokens_in for attempt in attempts),
        tokens_out=_sum_of_known(attempt.tokens_out for attempt in attempts),
        milliseconds=round(sum(attempt.milliseconds for attempt in attempts)),
        reply=attempts[-1].reply,
        answered_by=transcript.model,
    )


def losses(position: BenchPosition, move: str | None) -> tuple[int, int | None]:
    """The value that a move loses, and the plies by which it delays a win or hastens a loss; None stands for an answer without a
    legal move, which loses the game."""
    after = next((each for each in position.moves if each.move == move), None)
    if after is None:
        return position.value + 1, None
    if after.value != position.value or position.value == 0 or position.distance is None or after.distance is None:
        return position.value - after.value, None
    return 0, (after.distance - position.distance) * position.value  # the winner hurries, the loser delays


def _sum_of_known(numbers: Iterable[int | None]) -> int | None:
    """The sum of the numbers that are known; None if none is."""
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None
