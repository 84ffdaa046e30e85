"""Every move of every variant is read back from each way to mark it, and never mistaken for another."""

from __future__ import annotations

import pytest

import ludus
from ludus.text import Reading, read_move

from ..helpers.games import VARIANTS

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
