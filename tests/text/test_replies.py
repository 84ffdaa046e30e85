"""No reply is read as a move that its writer does not play, however it is written.

Each line of `replies.jsonl` is a reply in JSON: the `game` and the `position` that it answers, the `reply`, and what is `expected`:
the name of the move that a careful reader sees the writer play, or the fault. Most replies in prose are not read: the
model is asked again. Where a human would not be sure, the fault is `ambiguous`. The replies are written by hand, without a look at
the reader's rules, and many have forms that public threads on arenas of language models report as misread: the first move of
several, a withdrawn answer, a quoted list, thoughts without their opening tag. Those of `answers.jsonl`, in the same fields, are
written for the rules, and are read or refused exactly so.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

import ludus
from ludus.text import read_move
from ludus.text.reading import Fault

FAULTS = get_args(Fault)


class ReadReply(NamedTuple):
    """A reply, what a careful reader makes of it, and what is read: a move's name or a fault."""

    reply: str
    expected: str
    reading: str


@cache
def read(name: str) -> list[ReadReply]:
    """The replies of a file, as they are read."""
    replies = list[ReadReply]()
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        game = ludus.make_game(row["game"])
        reading = read_move(game, game.position(row["position"]), row["reply"])
        assert (reading.action is None) == bool(reading.reason)
        name_read = str(reading.fault) if reading.action is None else game.move_name(reading.action)
        replies.append(ReadReply(row["reply"], row["expected"], name_read))
    return replies


def test_no_reply_is_read_as_a_move_that_its_writer_does_not_play() -> None:
    assert [row for row in read("replies.jsonl") if row.reading not in (*FAULTS, row.expected)] == []


def test_replies_that_mark_a_move_are_read_or_asked_again_with_their_fault() -> None:
    marks = ("<move>", "<MOVE>", "\\boxed{", '{"move":', '"action": "B2"', "<answer>")
    marked = [row for row in read("replies.jsonl") if any(mark in row.reply for mark in marks)]
    assert len(marked) > 140
    assert [row for row in marked if row.expected in ("illegal", "unknown") and row.reading != row.expected] == []
    plays = [row for row in marked if row.expected not in FAULTS]
    assert sum(row.reading == row.expected for row in plays) >= 0.75 * len(plays)


def test_answers_in_the_four_forms_are_read_and_all_others_are_asked_again_with_the_reason() -> None:
    assert [row for row in read("answers.jsonl") if row.reading != row.expected] == []
