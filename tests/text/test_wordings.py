"""Every move of every variant is read back from a dozen ways to write it, and never mistaken for another."""

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
    "My answer is {}, because it is strong.",
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
    "wording", ["take {1} from heap {0}", "I remove {1} sticks from pile {0}", "heap {0}, take {1}", "{0} – {1}"]
)
def test_nim_is_read_in_words(wording: str) -> None:
    game = ludus.make_game("nim")
    for action in game.legal_actions(game.start):
        assert read_move(game, game.start, wording.format(*game.move_name(action).split("-"))) == Reading(action)


@pytest.mark.parametrize(
    "wording", ["{} to {}", "{} -> {}", "{}→{}", "take {} and push it in at {}", "from {}, push it back in from {}"]
)
def test_quixo_is_read_in_words(wording: str) -> None:
    game = ludus.make_game("quixo")
    for action, move in enumerate(game.moves):
        assert read_move(game, game.start, wording.format(*move.split(">"))) == Reading(action)


@pytest.mark.parametrize("wording", ["Give piece {}", "I give you piece number {}.", "I hand over {}"])
def test_quarto_is_read_in_words(wording: str) -> None:
    game = ludus.make_game("quarto")
    for piece in range(16):
        assert read_move(game, game.start, wording.format(piece)) == Reading(16 + piece)


def test_of_a_turn_of_two_actions_the_one_that_is_asked_for_now_counts() -> None:
    game = ludus.make_game("quarto")
    state = game.play(game.start, game.action("give 3"))
    assert read_move(game, state, "I place it on c2 and give 7.") == Reading(game.action("c2"))


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "nothing"),
        ("I resign.", "nothing"),
        ("c2 or b3", "ambiguous"),
        ("I could play c2. I could play b3.", "ambiguous"),
        ("<move>z9</move>", "unknown"),
        ("<move>the corner</move>", "unknown"),
        ("a1", "illegal"),
        ("I will play a1, since it wins.", "illegal"),
    ],
)
def test_an_answer_without_one_legal_move_says_why(reply: str, fault: str) -> None:
    game = ludus.make_game("tictactoe")
    found = read_move(game, game.position("X-------- O"), reply)
    assert (found.action, found.fault) == (None, fault)
    assert found.reason
