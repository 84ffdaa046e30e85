"""Answers in the four forms that are read, and those that are asked again, however clear they are to a human."""

from __future__ import annotations

import pytest

import ludus
from ludus.text import read_move

TICTACTOE, QUIXO = "X---O---- X", "------------------------- X"
NIM, TO_PLACE = "1 3 5 7", "0-------------5- 3"
READ = [
    # tags
    ("tictactoe", TICTACTOE, "<move>a2</move>\nNo, that loses.\n<move>c3</move>", "c3"),
    ("tictactoe", TICTACTOE, '{"thought": "<move>a2</move>", "unsure": true}\n<move>c3</move>', "c3"),
    ("tictactoe", TICTACTOE, 'I play a2.\n{"move": "a2"}\n\\boxed{a2}\n<move>c3</move>\n\nI play a2.', "c3"),
    ("tictactoe", TICTACTOE, f"&#{'9' * 5000}; <move>c3</move>", "c3"),  # an entity's number is no number
    ("tictactoe", TICTACTOE, "I do not hesitate: <move>c3</move>", "c3"),
    # objects
    ("nim", NIM, '{"reasoning": "not 1-1", "answer": "2-3"}', "2-3"),
    ("nim", NIM, 'My answer:\n```json\n{"move": "2-3", "why": "so {1, 4} is left"}\n```', "2-3"),
    ("tictactoe", TICTACTOE, '{"choice": "c3", "candidates": [{"move": "a2"}, {"move": "c3"}]}', "c3"),
    ("tictactoe", TICTACTOE, '{"thought": "<move>a2</move>", "move": "c3"}', "c3"),
    ("tictactoe", TICTACTOE, '{"analysis": {"move": "a2"}, "best_move": "c3"}', "c3"),
    ("tictactoe", TICTACTOE, '{"thought": "\\\\boxed{a2}?", "move": "c3"} \\boxed', "c3"),
    # boxes
    ("tictactoe", TICTACTOE, "\\boxed{a2}? No.\n\n\\[\\boxed{\\mathbf{C3}}\\]", "c3"),
    ("tictactoe", TICTACTOE, "$$\\boxed{\\textbf{c3}}$$\n\nI play a2.", "c3"),
    ("quixo", QUIXO, "\\boxed{\\text{a1} \\rightarrow \\text{a5}}", "a1>a5"),
    ("nim", NIM, "\\boxed{2\\text{-}3}", "2-3"),
    # the last line, and the whole answer
    ("tictactoe", TICTACTOE, "O took b2.\n\n**c3**", "c3"),
    ("tictactoe", TICTACTOE, "O threatens a2.\n\nMy final answer is **c3**.", "c3"),
    ("tictactoe", TICTACTOE, "O threatens a2.\n\n**Move:** `c3`\n\n", "c3"),
    ("tictactoe", TICTACTOE, "I play c3.\n\nI'll choose c3!", "c3"),
    ("tictactoe", TICTACTOE, "Analysis: O holds b2.\n\nMove: c3", "c3"),
    ("tictactoe", TICTACTOE, "Thought: I play a2.\nMove: c3", "c3"),
    ("tictactoe", TICTACTOE, "### Answer\n\nc3", "c3"),
    ("tictactoe", TICTACTOE, "<answer>[c3]</answer>", "c3"),
]  # fmt: skip
ASKED_AGAIN = [
    # a mark that does not hold a move alone, or of which the words before it say something else
    ("nim", NIM, "<move>take 3 from heap 2</move>", "unknown"),
    ("quarto", TO_PLACE, "<move>b2, give 7</move>", "unknown"),
    ("tictactoe", TICTACTOE, "<move>a2 or c3</move>", "unknown"),
    ("tictactoe", TICTACTOE, "<move></move>", "nothing"),
    ("tictactoe", TICTACTOE, "Only the last <move> counts.", "unknown"),
    ("tictactoe", TICTACTOE, "<move>c3</move>, not <move>a2</move>", "ambiguous"),
    ("tictactoe", TICTACTOE, "I won't play <move>c3</move>", "ambiguous"),
    ("tictactoe", TICTACTOE, "For example, <move>c3</move>", "ambiguous"),
    ("tictactoe", TICTACTOE, "The answer to example 1: <move>c3</move>", "ambiguous"),
    ("tictactoe", TICTACTOE, "\\boxed{a2} or \\boxed{c3}", "ambiguous"),
    ("tictactoe", TICTACTOE, 'I would not answer {"move": "c3"}', "ambiguous"),
    ("nim", NIM, "The nim-sum is \\boxed{0}.", "unknown"),
    # objects without one such field
    ("nim", NIM, '{"heap": 2, "objects": 3}', "nothing"),
    ("nim", NIM, '{"move": {"heap": 2, "objects": 3}}', "nothing"),
    ("tictactoe", TICTACTOE, '{"candidates": [{"move": "a2"}, {"move": "c3"}]}', "nothing"),
    ("tictactoe", TICTACTOE, '{"opponent_move": "a2"}', "nothing"),
    ("tictactoe", TICTACTOE, '{"move": "c3", "answer": "a2"}', "ambiguous"),
    ("tictactoe", TICTACTOE, '{"move": "a2"}\n{"move": "c3"}', "nothing"),
    ("tictactoe", TICTACTOE, '{"move": 9, "candidates": ["c3"]}', "unknown"),
    ("tictactoe", TICTACTOE, "{'thought': '<move>a2</move>', 'move': 'c3'}", "nothing"),
    ("tictactoe", TICTACTOE, '{"move": ' * 20_000, "nothing"),
    ("tictactoe", TICTACTOE, '{"move": ' * 300 + '"c3"' + "}" * 300, "nothing"),
    # sentences, and last lines that are more than a move
    ("tictactoe", TICTACTOE, "I have seen enough. I play c3.", "nothing"),
    ("tictactoe", TICTACTOE, "After some thought, the best move is c3.", "nothing"),
    ("tictactoe", TICTACTOE, "I take c3 because a2 loses.", "nothing"),
    ("tictactoe", TICTACTOE, "I play c3.\n\nIt wins.", "nothing"),
    ("tictactoe", TICTACTOE, "I play not c3.", "nothing"),
    ("tictactoe", TICTACTOE, "The worst move is\n\nc3", "nothing"),
    ("tictactoe", TICTACTOE, "I reject the move\n\nc3.", "nothing"),
    ("tictactoe", TICTACTOE, "I would avoid this.\n\nc3", "nothing"),
    ("tictactoe", TICTACTOE, "Is it c3? No.\n\nc3", "nothing"),
    ("tictactoe", TICTACTOE, "I would not play c3.", "nothing"),
    ("tictactoe", TICTACTOE, "I play a2 or c3.", "nothing"),
    ("tictactoe", TICTACTOE, "I play c3?", "nothing"),
    ("tictactoe", TICTACTOE, "I take c3 back.", "nothing"),
    ("tictactoe", TICTACTOE, "If b3 is taken:\n\nI play c3.", "nothing"),
    ("tictactoe", TICTACTOE, "O threatens:\n\nc3", "nothing"),
    ("tictactoe", TICTACTOE, "Weak moves:\n* a2\n* c3", "nothing"),
    ("tictactoe", TICTACTOE, "> **Thinking:**\n\n## Analysis\n\nO holds b2.\nI play c3.", "nothing"),
    ("tictactoe", TICTACTOE, "O's best move is c3.", "nothing"),
    ("tictactoe", TICTACTOE, "Not c3.", "nothing"),
    ("tictactoe", TICTACTOE, "c3 ❌", "nothing"),
    ("tictactoe", TICTACTOE, "I play a2.\nO plays b3.\nI play c3.", "ambiguous"),
    ("nim", NIM, "5-2 = 3", "nothing"),
    ("quixo", QUIXO, "The cubes a1 and a5", "nothing"),
    ("quixo", QUIXO, "a1 a5", "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "position", "reply", "move"), READ)
def test_an_answer_in_one_of_the_four_forms_is_read(spec: str, position: str, reply: str, move: str) -> None:
    game = ludus.make_game(spec)
    reading = read_move(game, game.position(position), reply)
    assert (reading.action, reading.fault, reading.reason) == (game.action(move), None, "")


@pytest.mark.parametrize(("spec", "position", "reply", "fault"), ASKED_AGAIN)
def test_any_other_answer_is_asked_again_with_the_reason(spec: str, position: str, reply: str, fault: str) -> None:
    game = ludus.make_game(spec)
    reading = read_move(game, game.position(position), reply)
    assert (reading.action, reading.fault) == (None, fault)
    assert reading.reason
