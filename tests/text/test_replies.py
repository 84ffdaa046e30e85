"""No reply is read as a move that its writer does not play, however it is written.

Each line of `replies.jsonl` is a reply in JSON: the `game` and the `position` that it answers, the `reply`, and what is `expected`:
the name of the move that a careful reader sees the writer play, or the fault. Most replies in prose are not read: the
model is asked again. Where a human would not be sure, the fault is `ambiguous`. The replies are written by hand, without a look at
the reader's rules, and many have forms that public threads on arenas of language models report as misread: the first move of
several, a withdrawn answer, a quoted list, thoughts without their opening tag.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

import ludus
from ludus.text import read_move
from ludus.text.reading import Fault

FILE = Path(__file__).with_name("replies.jsonl")
FAULTS = get_args(Fault)


class Reply(NamedTuple):
    """A line of the file."""

    game: str
    position: str
    expected: str
    reply: str


@cache
def replies() -> list[Reply]:
    return [Reply(**json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines()]


@cache
def readings() -> list[tuple[int, str, Reply]]:
    """Each line with its reply and what is read: a move's name or a fault."""
    found: list[tuple[int, str, Reply]] = []
    for line, one in enumerate(replies(), 1):
        game = ludus.make_game(one.game)
        reading = read_move(game, game.position(one.position), one.reply)
        found.append((line, game.move_name(reading.action) if reading.action is not None else str(reading.fault), one))
    return found


def test_no_reply_is_read_as_a_move_that_its_writer_does_not_play() -> None:
    assert [found for found in readings() if found[1] not in (*FAULTS, found[2].expected)] == []


def test_replies_that_mark_a_move_are_read_or_asked_again_with_their_fault() -> None:
    marks = ("<move>", "<MOVE>", "\\boxed{", '{"move":', '"action": "B2"', "<answer>")
    marked = [found for found in readings() if any(mark in found[2].reply for mark in marks)]
    assert len(marked) > 140
    assert [found for found in marked if found[2].expected in ("illegal", "unknown") and found[1] != found[2].expected] == []
    plays = [found for found in marked if found[2].expected not in FAULTS]
    assert sum(found[1] == found[2].expected for found in plays) >= 0.75 * len(plays)
