"""Answers in the forms that models write them: read where they can mean one thing only, and otherwise asked for again."""

from __future__ import annotations

import pytest

import ludus
from ludus.text import read_move

TICTACTOE, QUIXO = "X---O---- X", "------------------------- X"
NIM, TO_GIVE, TO_PLACE = "1 3 5 7", "---------------- -", "0-------------5- 3"
OTHELLO, TO_PASS = "---------------------------OX------XO--------------------------- X", "----XXXO-XOO-OOO X"
ANSWERS = [
    # objects
    ("nim", NIM, '{"heap":2,"objects":3}', "2-3"),
    ("nim", NIM, '{"objects": 3, "heap": 2}', "2-3"),
    ("nim", NIM, '```json\n{"pile": 2, "count": 3}\n```', "2-3"),
    ("nim", NIM, "{'heap': 2, 'take': 3}", "2-3"),
    ("nim", NIM, '{"name": "play", "arguments": {"move": "2-3"}}', "2-3"),
    ("nim", NIM, '{"name": "play", "arguments": "{\\"heap\\": 2, \\"take\\": 3}"}', "2-3"),
    ("nim", NIM, '{"reasoning": "not 1-1", "response": "2-3"}', "2-3"),
    ("nim", NIM, '{"action": "take", "heap": 2, "amount": 3}', "2-3"),
    ("nim", NIM, '{"move": {"heap": 2, "remove": 3}, "reason": "not 3-2"}', "2-3"),
    ("nim", NIM, '<move>{"row": 2, "sticks": 3}</move>', "2-3"),
    ("nim", NIM, '{"heap": 2}', None),
    ("nim", NIM, '{"move": [2, 3]}', None),
    ("nim", NIM, '{"heap_index": 1, "take": 3}', None),
    ("quixo", QUIXO, '{"from": "a1", "to": "a5"}', "a1>a5"),
    ("quixo", QUIXO, '{"to": "a5", "from": "a1"}', "a1>a5"),
    ("quixo", QUIXO, '{"move": ["a1", "a5"]}', "a1>a5"),
    ("quixo", QUIXO, '{"take": "a1", "insert": "a5"}', "a1>a5"),
    ("quixo", QUIXO, '{"from": "a1"}', None),
    ("quarto", TO_GIVE, '{"give": 5}', "give 5"),
    ("quarto", TO_GIVE, '{"action": "give", "piece": 5}', "give 5"),
    ("quarto", TO_PLACE, '{"give": 7, "place": "b2"}', "b2"),
    ("quarto", TO_PLACE, '{"cell": "b2", "piece": 3}', "b2"),
    ("tictactoe", TICTACTOE, '{"candidates": ["a2", "c3"], "choice": "c3"}', "c3"),
    ("tictactoe", TICTACTOE, '{"choice": "c3", "candidates": [{"move": "a2"}, {"move": "c3"}]}', "c3"),
    ("tictactoe", TICTACTOE, '{"candidates": [{"move": "a2"}, {"move": "c3"}]}', None),
    ("tictactoe", TICTACTOE, '{"choice": 2, "candidates": ["a2", "c3"]}', None),
    ("tictactoe", TICTACTOE, '{"thought": "<move>a2</move>", "move": "c3"}', "c3"),
    ("tictactoe", TICTACTOE, '{"analysis": {"move": "a2"}, "bestMove": "c3"}', "c3"),
    ("tictactoe", TICTACTOE, '{"row": 3, "column": "c"}', "c3"),
    ("tictactoe", TICTACTOE, '{"row": 3, "column": 3}', None),
    ("tictactoe", TICTACTOE, '{"move": "c3", "answer": "a2"}', None),
    ("tictactoe", TICTACTOE, '{"move": "a2"}\n{"move": "c3"}', None),
    ("tictactoe", TICTACTOE, '{"opponent_move": "a2"}', None),
    ("tictactoe", TICTACTOE, '{"move": 9}', None),
    ("tictactoe", TICTACTOE, '{"move": ' * 20_000, None),
    ("tictactoe", TICTACTOE, '{"move": ' * 300 + '"c3"' + "}" * 300, None),
    # LaTeX
    ("tictactoe", TICTACTOE, "\\boxed{\\texttt{c3}}", "c3"),
    ("tictactoe", TICTACTOE, "\\[\\boxed{\\mathbf{C3}}\\]", "c3"),
    ("tictactoe", TICTACTOE, "$$\\boxed{\\textbf{\\texttt{c3}}}$$", "c3"),
    ("tictactoe", TICTACTOE, "The answer is \\( \\mathrm{c3} \\).", "c3"),
    ("tictactoe", TICTACTOE, "<answer>\\boxed{\\text{Move: c3}}</answer>", "c3"),
    ("tictactoe", TICTACTOE, "<|begin_of_box|>c3<|end_of_box|>", "c3"),
    ("tictactoe", TICTACTOE, "\\boxed{a2} or \\boxed{c3}", None),
    ("quixo", QUIXO, "\\boxed{\\text{a1} \\rightarrow \\text{a5}}", "a1>a5"),
    ("quixo", QUIXO, "$\\texttt{a1}\\to\\texttt{a5}$", "a1>a5"),
    ("quarto", TO_GIVE, "\\boxed{\\text{give }5}", "give 5"),
    ("nim", NIM, "\\boxed{2\\text{-}3}", "2-3"),
    ("nim", NIM, "The nim-sum is \\boxed{0}.", None),
    # two cells
    *[("quixo", QUIXO, f"<move>{sign}</move>", "a1>a5") for sign in
      ("a1-a5", "a1→a5", "a1 to a5", "a1xa5", "(a1, a5)", "[a1, a5]", "a1:a5", "a1–a5", "a1 => a5", "a1a5", "A1/A5", "a1...a5")],
    ("quixo", QUIXO, "My move: a1xa5", "a1>a5"),
    ("quixo", QUIXO, "I play a1-a5.", "a1>a5"),
    ("quixo", QUIXO, "The cubes a1 and a5 are blank.", None),
    ("quixo", QUIXO, "<move>a1 or a5</move>", None),
    # passes
    *[("othello:size=4", TO_PASS, f"<move>{sign}</move>", "pass") for sign in
      ("pass", "Pass!", "--", "PS", "pa", "@@@@", "(pass)", "passing", "skip", "no legal moves", "I pass.")],
    ("othello:size=4", TO_PASS, '{"move": "--"}', "pass"),
    ("othello:size=4", TO_PASS, "\\boxed{\\text{pass}}", "pass"),
    ("othello:size=4", TO_PASS, "I must pass.", "pass"),
    ("othello:size=4", TO_PASS, "I have no legal moves.", None),
    ("othello:size=4", TO_PASS, "<move>none</move>", None),
    ("othello:size=4", TO_PASS, "<move>-</move>", None),
    ("othello:size=4", TO_PASS, "Should I pass?", None),
    ("othello:size=4", TO_PASS, "Later, I pass.", None),
    ("quarto", TO_PLACE, "Next turn, I place it on b2.", None),
    ("tictactoe", TICTACTOE, "<move>--</move>", None),
    # prose
    ("tictactoe", TICTACTOE, f"&#{'9' * 5000}; <move>c3</move>", "c3"),  # an entity's number is no number
    ("tictactoe", TICTACTOE, "I'm going to play c3.", "c3"),
    ("tictactoe", TICTACTOE, "After looking at the board, my final answer is **c3**.", "c3"),
    ("tictactoe", TICTACTOE, "Analysis: O holds b2.\n\nMove: c3", "c3"),
    ("tictactoe", TICTACTOE, "Thought: I play a2.\nMove: c3", "c3"),
    ("tictactoe", TICTACTOE, "The threats are a2 and b1.\n\nc3", "c3"),
    ("tictactoe", TICTACTOE, "I take c3 because a2 loses.", "c3"),
    ("tictactoe", TICTACTOE, "c3 (not a2)", None),
    ("tictactoe", TICTACTOE, "I play a2... scratch that, c3 is better. I play c3.", "c3"),
    ("tictactoe", TICTACTOE, "I play a2. c3 is better.", None),
    ("tictactoe", TICTACTOE, "I'll play a2, but c3 is possible, too.", None),
    ("tictactoe", TICTACTOE, "I play a2 or c3.", None),
    ("tictactoe", TICTACTOE, "The best reply to c3 is a2.", None),
    ("tictactoe", TICTACTOE, "My second-best move is c3.", None),
    ("tictactoe", TICTACTOE, "If it is free, I play c3.", None),
    ("tictactoe", TICTACTOE, "I take c3 back.", None),
    ("tictactoe", TICTACTOE, "I mark c3 as lost.", None),
    ("tictactoe", TICTACTOE, "Stay away from c3.", None),
    ("tictactoe", TICTACTOE, "O threatens:\n\nc3", None),
    ("tictactoe", TICTACTOE, "e.g. c3", None),
    ("tictactoe", TICTACTOE, "c3 ❌", None),
    ("tictactoe", TICTACTOE, "Nie gram c3", None),
    ("tictactoe", TICTACTOE, "Options:\n1. a2\n2. c3", None),
    ("othello", OTHELLO, "White will take d3.", None),
    ("othello", OTHELLO, "Black plays d3.", "d3"),
    ("nim", NIM, "I take three from heap 2.", "2-3"),
    ("nim", NIM, "5-2 = 3.", None),
    ("nim", NIM, "I reduce heap 2 to 0.", None),
    ("quarto", TO_PLACE, "I place it on b2 and give you piece 7.", "b2"),
    ("quarto", TO_GIVE, "I won't give 5.", None),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "position", "reply", "move"), ANSWERS)
def test_an_answer_is_read_where_it_can_mean_one_thing_only(spec: str, position: str, reply: str, move: str | None) -> None:
    game = ludus.make_game(spec)
    found = read_move(game, game.position(position), reply)
    assert (None if found.action is None else game.move_name(found.action)) == move
    assert (found.fault is None) == (not found.reason) == (move is not None)
