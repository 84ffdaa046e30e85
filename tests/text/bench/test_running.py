"""The run of a bench: every question is asked once, whatever stops it; controls come out where they must."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludus.agents.answers import Unavailable
from ludus.text.bench.answers import LINES, BenchAnswer, read_answers
from ludus.text.bench.running import ask, question_key, question_of
from ludus.text.bench.sets import frozen_set
from ludus.text.bench.settings import BenchSettings, first_of_each
from ludus.text.completions import Completion
from ludus.text.variants import PromptVariant

pytest.importorskip("openai")
LLM = "llm:model=m,url=http://127.0.0.1:9/v1,seeded=true,concurrency=4"
TICTACTOE = frozen_set("tictactoe")
AWAY = Unavailable("the endpoint is away")
VARIANTS = (PromptVariant(name="plain"), PromptVariant(name="legal", legal=True))
SHORT = BenchSettings(models=(LLM,), controls=("random",), sets=(TICTACTOE,), count=12, variants=VARIANTS)
"""Twelve positions, in two variants and the null variant: 36 questions to the model, 12 to a control."""


class Model:
    """Answers in the place of an endpoint: with a move that follows from the seed of the question, and at times with none.

    Args:
        fails_after: the number of requests after which the endpoint is away; None for never.
        tokens: what each answer takes; None if the endpoint does not say it.
        error: what it raises then.
    """

    def __init__(self, fails_after: int | None = None, tokens: int | None = 10, error: BaseException = AWAY) -> None:
        self.fails_after, self.tokens, self.error = fails_after, tokens, error
        self.asked = list[tuple[str, int]]()

    def run(self, work: Any) -> Any:
        return asyncio.run(work)

    def without_key(self, text: str) -> str:
        return text

    async def ask(self, messages: list[dict[str, str]], seed: int) -> Completion:
        if self.fails_after is not None and len(self.asked) >= self.fails_after:
            raise self.error
        question, *others = [message["content"] for message in messages if message["role"] == "user"]
        self.asked.append((question, seed))
        position = re.search("^The same as text: (.*)$", question, re.MULTILINE)
        assert position is not None
        legal = TICTACTOE.rules.legal_actions(TICTACTOE.rules.position(position[1]))
        names = [TICTACTOE.rules.move_name(action) for action in legal]
        text = "I do not know." if seed % 5 == 0 and not others else f"My move is {names[seed % len(names)]}."
        return Completion(text, model="a model", tokens_in=self.tokens, tokens_out=self.tokens)


@pytest.fixture
def speak(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that puts a model in the place of every endpoint, and returns it."""

    def put(*settings: Any, **named: Any) -> Model:
        model = Model(*settings, **named)
        monkeypatch.setattr("ludus.text.models.endpoint_of", lambda _: model)
        return model

    return put


def timeless(answers: list[BenchAnswer]) -> list[dict[str, Any]]:
    return [{name: getattr(answer, name) for name in answer.__struct_fields__ if name != "milliseconds"} for answer in answers]


def measure_of(answers: list[BenchAnswer]) -> float:
    return 1 - sum(answer.value_lost for answer in answers) / sum(answer.random_loses for answer in answers)


# ---- what is asked


def test_every_question_is_asked_once_in_every_variant_and_by_equal_keys(speak: Any, tmp_path: Path) -> None:
    model = speak()
    run = ask(replace(SHORT, repeats=2), tmp_path)
    assert (len(run.answers), run.questions, run.stopped) == (96, 96, "")
    counts = Counter((answer.model, answer.variant, answer.repeat) for answer in run.answers)
    assert counts == {(LLM, variant, repeat): 12 for variant in ("plain", "legal", "null") for repeat in (0, 1)} | {
        ("random", "plain", repeat): 12 for repeat in (0, 1)
    }
    seeds = defaultdict[str, set[int]](set)
    for question, seed in model.asked:
        seeds[question.split("The same as text: ")[1].split("\n")[0]].add(seed % 2**64)
    assert seeds == {
        each.position: {question_key(0, "tictactoe", each.position, repeat) for repeat in (0, 1)}
        for each in (TICTACTOE.positions[number] for number in first_of_each(TICTACTOE, 12))
    }
    by_variant = {
        variant: [answer.move for answer in run.answers if (answer.model, answer.variant) == (LLM, variant)]
        for variant in ("plain", "legal", "null")
    }
    assert by_variant["plain"] == by_variant["legal"] == by_variant["null"]  # the model moves by the seed alone


def test_the_first_positions_are_those_of_each_stratum_in_turn() -> None:
    numbers = first_of_each(TICTACTOE, 30)
    asks = [TICTACTOE.positions[number].asks for number in numbers]
    assert Counter(asks) == dict.fromkeys(("win now", "stop a loss", "quiet"), 10)
    for ask_ in set(asks):
        own = [number for number in numbers if TICTACTOE.positions[number].asks == ask_]
        assert own == [number for number, each in enumerate(TICTACTOE.positions) if each.asks == ask_][:10]
    assert sorted(first_of_each(TICTACTOE, None)) == [*range(len(TICTACTOE.positions))]


def test_an_answer_without_a_legal_move_loses_the_game(speak: Any, tmp_path: Path) -> None:
    speak()
    answers = ask(replace(SHORT, models=(f"{LLM},retries=0",)), tmp_path).answers
    without = [answer for answer in answers if answer.move is None]
    assert without
    assert all(answer.value_lost == 1 + answer.value and answer.distance_lost is None for answer in without)


# ---- stopped runs


@pytest.mark.parametrize(("error", "torn"), [(Unavailable("away"), 0), (Unavailable("away"), 10), (KeyboardInterrupt(), 0)])
def test_a_stopped_run_goes_on_and_its_answers_are_those_of_an_uninterrupted_one(
    speak: Any, tmp_path: Path, error: BaseException, torn: int
) -> None:
    speak()
    whole = ask(SHORT, tmp_path / "whole").answers
    first = speak(fails_after=23, error=error)
    with suppress(KeyboardInterrupt):
        assert ask(SHORT, tmp_path / "stopped").stopped == "away"
    path = tmp_path / "stopped" / LINES
    if torn:  # as a process that is killed while it writes may leave it
        path.write_bytes(path.read_bytes()[:-torn])
    kept, _ = read_answers(path)
    assert 0 < len(kept) < len(whole)
    second = speak()
    assert timeless(ask(SHORT, tmp_path / "stopped").answers) == timeless(whole)
    in_file = {question_of(answer): answer for answer in read_answers(path)[0]}  # in the order in which the endpoint answered
    assert len(in_file) == len(read_answers(path)[0])
    assert timeless([in_file[question_of(answer)] for answer in whole]) == timeless(whole)
    attempts = sum(answer.attempts for answer in whole if answer.model == LLM)
    assert len(second.asked) == attempts - sum(answer.attempts for answer in kept if answer.model == LLM)
    assert len(first.asked) == 23
    paid_for = sum(answer.attempts for answer in kept if answer.model == LLM)
    assert paid_for >= 23 - 4 - bool(torn)  # all but what was under way, four questions at most, and the line that was torn


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 1}, "says 0 for 'seed', and 1 is given"),
        ({"repeats": 2}, "repeats"),
        ({"count": 13}, "positions"),
        ({"variants": VARIANTS[:1]}, "variants"),
        ({"controls": ()}, "controls"),
    ],
)
def test_other_settings_in_the_same_folder_are_an_error(speak: Any, tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    speak()
    ask(SHORT, tmp_path)
    model = speak()
    with pytest.raises(ValueError, match=words):
        ask(replace(SHORT, **changes), tmp_path)
    assert model.asked == []


def test_answers_that_cannot_be_read_are_an_error_that_names_the_line(speak: Any, tmp_path: Path) -> None:
    speak()
    ask(SHORT, tmp_path)
    lines = (tmp_path / LINES).read_bytes().splitlines(keepends=True)
    (tmp_path / LINES).write_bytes(b"".join([*lines[:2], b'{"model": 1}\n', *lines[2:]]))
    with pytest.raises(ValueError, match=f"line 3 of {tmp_path / LINES} is damaged"):
        ask(SHORT, tmp_path)


# ---- controls


def test_perfect_play_comes_out_at_1_and_random_play_near_0(tmp_path: Path) -> None:
    run = ask(BenchSettings(sets=(TICTACTOE,), repeats=3, variants=VARIANTS), tmp_path)
    by_model = defaultdict[str, list[BenchAnswer]](list)
    for answer in run.answers:
        by_model[answer.model].append(answer)
    assert {len(answers) for answers in by_model.values()} == {3 * len(TICTACTOE.positions)}
    assert all(answer.legal_first for answer in run.answers)
    assert measure_of(by_model["perfect"]) == 1
    assert all(not answer.distance_lost for answer in by_model["perfect"])
    assert abs(measure_of(by_model["random"])) < 0.1
    assert 0.05 < measure_of(by_model["greedy"]) < 1
    assert {answer.move for answer in by_model["first-legal"] if answer.position[0] == "-"} == {"a1"}
