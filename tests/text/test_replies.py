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

import pytest

import ludus
from ludus.text import Reading, read_move
from ludus.text.reading import Fault

from ..helpers.games import VARIANTS

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


# ---- every move, in each way to mark it

FORMS = (
    "{}",
    " {}.\n",
    "**{}**",
    "`{}`",
    "<move>{}</move>",
    "<MOVE> {} </MOVE>",
    "I hesitate.\n\n<move>{}",
    "\\boxed{{{}}}",
    "$\\boxed{{\\text{{{}}}}}$",
    '{{"thoughts": "none", "move": "{}"}}',
    "Move: {}",
    "I'll play {}.",
    "My answer is {}.",
    "The best move is **{}**.",
    "<think>a1, b2, a1>a5, 1-1, pass or give 3?</think>{}",
)


@pytest.mark.parametrize("spec", VARIANTS)
def test_every_action_is_read_in_every_form(spec: str) -> None:
    game = ludus.make_game(spec)
    legal = game.legal_actions(game.start)
    for action, move in enumerate(game.moves):
        for form in FORMS:
            for name in (move, move.upper()):
                found = read_move(game, game.start, form.format(name))
                assert (found.action, found.fault) == ((action, None) if action in legal else (None, "illegal")), (form, name)


@pytest.mark.parametrize(
    "wording", ["{}-{}", "{}{}", "{} to {}", "{} -> {}", "{}→{}", "$\\text{{{}}} \\to \\text{{{}}}$", "{}x{}", "{} > {}"]
)
def test_two_cells_of_quixo_are_read_with_any_sign_between_them(wording: str) -> None:
    game = ludus.make_game("quixo")
    for action, move in enumerate(game.moves):
        assert read_move(game, game.start, f"<move>{wording.format(*move.split('>'))}</move>") == Reading(action)


@pytest.mark.parametrize(("reply", "move"), [("x " * 60_000 + "<move>b2</move>", "b2"), ("<move>b2</move>" + " x" * 60_000, None)])
def test_a_very_long_answer_is_read_at_its_end(reply: str, move: str | None) -> None:
    game = ludus.make_game("tictactoe")
    assert read_move(game, game.start, reply).action == (None if move is None else game.action(move))
