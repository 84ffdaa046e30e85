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


@pytest.mark.parametrize(
    ("spec", "position", "text", "move"),
    [
        ("quarto", "---------------- -", "7", "give 7"),
        ("connect_four", "-" * 42 + " X", "4", "d"),
        ("connect_four", "-" * 42 + " X", "D6", "d"),
        *[("othello:size=4", "----XXXO-XOO-OOO X", words, "pass") for words in ("--", "Pass!", "PS", "pa", "@@@@", "skip")],
    ],
)
def test_other_ways_to_write_a_move_are_read_in_a_tag_and_alone(spec: str, position: str, text: str, move: str) -> None:
    game = ludus.make_game(spec)
    for reply in (f"<move>{text}</move>", text, f"My move: {text}"):
        assert read_move(game, game.position(position), reply) == Reading(game.action(move))


@pytest.mark.parametrize(
    ("spec", "reply", "move"),
    [
        ("connect_four", "I play column 3 (0-indexed). <move>3</move>", None),
        ("connect_four", "Columns are zero-based.\n\n3", None),
        ("connect_four", "Counting from 0, it is the middle one.\n\\boxed{3}", None),
        ("connect_four", '{"move": 3, "indexing": "0-based"}', None),
        ("connect_four", '{"move": 3, "indexing": 0}', None),
        ("connect_four", "Columns are numbered 0 to 6.\n<move>3</move>", None),
        ("connect_four", "<move>3</move> where columns go 0-6", None),
        ("connect_four", "The leftmost column is 0.\n<move>3</move>", None),
        ("connect_four", "Column 0 is weak.\n<move>3</move>", None),
        ("connect_four", "My threat count: 0.\n<move>3</move>", "c"),
        ("connect_four", "Column 2 has 0 discs.\n<move>3</move>", "c"),
        ("connect_four", '{"column": "d", "move": 3}', None),
        ("connect_four", "I play 3, which is d. <move>3</move>", None),
        ("connect_four", "Column d (index 3) wins.\n<move>3</move>", None),
        ("connect_four", "I play 3, which is c. <move>3</move>", "c"),
        ("connect_four", "I play 3, which is a good move. <move>3</move>", "c"),
        ("connect_four", "I play d (column 3, 0-indexed). <move>d</move>", "d"),
        ("nim", "<move>3-1</move>, the heaps being 0-indexed", None),
        ("nim", "The number of the heap is counted from 1.\n<move>3-1</move>", "3-1"),
        ("othello", "Row 2, column 3, 0-indexed: <move>d3</move>", "d3"),
    ],
)
def test_a_number_is_read_unless_the_answer_says_how_it_counts_or_another_name(spec: str, reply: str, move: str | None) -> None:
    game = ludus.make_game(spec)
    found = read_move(game, game.start, reply)
    assert (found.action, found.fault) == ((None, "ambiguous") if move is None else (game.action(move), None))


@pytest.mark.parametrize(("reply", "move"), [("x " * 60_000 + "<move>b2</move>", "b2"), ("<move>b2</move>" + " x" * 60_000, None)])
def test_a_very_long_answer_is_read_at_its_end(reply: str, move: str | None) -> None:
    game = ludus.make_game("tictactoe")
    assert read_move(game, game.start, reply).action == (None if move is None else game.action(move))


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "nothing"),
        ("I resign.", "nothing"),
        ("c2 or b3", "nothing"),
        ("I play c2.\nI play b3.", "ambiguous"),
        ('{"move": "c2", "answer": "b3"}', "ambiguous"),
        ("<move>c2</move> or <move>b3</move>", "ambiguous"),
        ("<move>z9</move>", "unknown"),
        ("<move>the corner</move>", "unknown"),
        ("a1", "illegal"),
        ("I will play a1.", "illegal"),
        ("I play c2. <move>a1</move>", "illegal"),
        ('<move>a1</move> {"move": "c2"} \\boxed{c2}\n\nI play c2.', "illegal"),
        ('{"move": "a1"}\n\nI play c2.', "illegal"),
    ],
)
def test_an_answer_without_one_legal_move_says_why(reply: str, fault: str) -> None:
    game = ludus.make_game("tictactoe")
    found = read_move(game, game.position("X-------- O"), reply)
    assert (found.action, found.fault) == (None, fault)
    assert found.reason
