"""`BenchAnswer`: the answer to one question of `ludus text bench`, and the files that hold the answers.

While questions are asked, each answer is a line of JSON at the end of a file. A process that dies may leave a part of a line at the
end, which the next one cuts off.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from ...agents.answers import AttemptFault
from ...core.files.reading import printable_path, read_regular

LINES = "answers.jsonl"
"""The name of the file in the folder of a run."""


class BenchAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer of a model, or of a control, to one question.

    What was asked:

    Args:
        model: the spec of the model, or of the policy that answers in prose.
        game: the spec of the game.
        disguise: the name of the disguise; "none" for the game as it is.
        variant: the name of the prompt's variant; "null" for the first variant again, byte for byte.
        repeat: which time this question was asked, from 0.
        number: the position's place in its set, from 0.
        position: the position as text, in the notation of the game without a disguise.
        asks: what the position asks: "win now", "stop a loss" or "quiet".
        group: equal for positions that share a symmetry, which are not independent.
        value: of the position for the player to move: 1, 0 or -1.
        distance: plies to the end with perfect play; None if it is not known, as in draws.
        random_loses: the value that a random legal move loses here, on average.

    What was answered:

    Args:
        move: the legal move that the last attempt named, in the notation of the game without a disguise; None if it named none.
        legal_first: whether the first attempt named a legal move.
        attempts: how often the model answered, until it named a legal move or had no retry left.
        faults: what was wrong with each attempt without a legal move, in order (`AttemptFault`).
        value_lost: the value of the position less that of the move; without a legal move 1 + `value`, for the game is lost.
        distance_lost: plies by which the move delays a win or hastens a loss; None if it does not keep the value, and if distances
            are not known.
        tokens_in, tokens_out: tokens of all questions and of all replies; None if they are not known.
        milliseconds: the time of all attempts.
        reply: the last reply, in the words of the disguise.
        answered_by: the name that the endpoint gave the model; empty for a policy.
    """

    model: str
    game: str
    disguise: str
    variant: str
    repeat: int
    number: int
    position: str
    asks: str
    group: int
    value: int
    distance: int | None
    random_loses: float
    move: str | None
    legal_first: bool
    attempts: int
    faults: tuple[AttemptFault, ...]
    value_lost: float
    distance_lost: int | None
    tokens_in: int | None
    tokens_out: int | None
    milliseconds: int
    reply: str
    answered_by: str = ""


def line_of(answer: BenchAnswer) -> bytes:
    """The line of an answer in a file."""
    return msgspec.json.encode(answer) + b"\n"


def read_answers(path: Path) -> tuple[list[BenchAnswer], int]:
    """The answers in a file of lines, and the number of bytes that they take. A last line without an end does not count; ValueError
    where a line is not an answer."""
    content = read_regular(path)
    whole = content.rfind(b"\n") + 1
    answers = list[BenchAnswer]()
    for number, line in enumerate(content[:whole].split(b"\n")[:-1], 1):
        try:
            answers.append(msgspec.json.decode(line, type=BenchAnswer))
        except (msgspec.DecodeError, RecursionError) as error:
            where = f"line {number} of {printable_path(path)}"
            raise ValueError(f"{where} is damaged ({error}); remove this line, and its question is asked again") from None
    return answers, whole
