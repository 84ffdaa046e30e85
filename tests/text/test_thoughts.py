"""A thought is never played, whatever marks it and whether it is closed or not; nothing after the end of a turn counts."""

from __future__ import annotations

import pytest

import ludus
from ludus.text import read_move

GAME = ludus.make_game("tictactoe")
STATE = GAME.position("X---O---- X")
THOUGHTS = [
    ("<think>", "</think>"),
    ("< think >", "< / think >"),
    ("<thinking>", "</thinking>"),
    ("<thinking>", "</think>"),
    ("<|thought_start|>", "<|thought_end|>"),
    ("<musing>a <list> of <int>", "</musing>"),
    ('<lookahead depth="2">', "</lookahead>"),
    ("<think>a <list> of <int>", "</think>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("＜think＞", "＜/think＞"),
    ("<思考>", "</思考>"),
    ("<th\u200bink>", "</th\u200bink>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|think|>", "<|end|><|begin|>assistant<|content|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<|channel|>analysis<|message|>", "<|start|>assistant<|channel|>final<|message|>"),
    ("<|channel|>commentary to=play <|constrain|>json<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<|start|>assistant<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("analysisWe think.", "assistantfinal"),
    ("Thinking...\n", "\n...done thinking.\n"),
    ('<details type="reasoning" done="false">', "</details>"),
    ("```thinking\n", "\n```\n"),
    ("<!--", "-->"),
    ("<think>a <think> b </think>", "</think>"),
    ("<think><reflection>b1?</reflection>", "</think>"),
]
IN_IT = ["I play a2.", "<move>a2</move>", '{"move": "a2"}', "\\boxed{a2}", "Final answer: a2", "a2"]
ENDS = [
    *("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<end_of_turn>", "</s>"),
    *("<|endoftext|>", "<|end_of_text|>", "<|return|>", "<|end|>"),
    *("<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "[|endofturn|]", "<seed:eos>", "<eos>", "[/INST]", "[INST]", "<turn|>"),
    *("<|eom|>", "<|role_end|>", "<|separator|>", "<|tool_calls_section_begin|>"),
    *("<|user|>", "<|im_end|>\n<|im_start|>user\n", "<start_of_turn>user\n", "<|start_header_id|>user<|end_header_id|>\n\n"),
    *("\n\nUser:", "\n**Human:** ", "\n### Instruction:\n", "\nYou are O. The position:\n", "\nThat gives no move: it names none."),
]


def read(reply: str) -> str | None:
    """The name of the move that is read; None where there is none."""
    found = read_move(GAME, STATE, reply)
    return None if found.action is None else GAME.move_name(found.action)


@pytest.mark.parametrize(("opens", "closes"), THOUGHTS)
def test_what_stands_in_a_thought_is_not_played(opens: str, closes: str) -> None:
    for thought in IN_IT:
        assert read(f"{opens}{thought}{closes}") is None
        assert read(f"{opens}{thought}{closes}<move>c3</move>") == "c3"
        assert read(f"{opens}{thought}{closes}\nI play c3.") == "c3"


@pytest.mark.parametrize("opens", [opens for opens, _ in THOUGHTS])
def test_what_follows_a_thought_that_is_not_closed_is_not_played_and_the_reason_says_why(opens: str) -> None:
    for thought in (*IN_IT, "a2 is weak.\n\nSo <move>c3</move>"):
        found = read_move(GAME, STATE, f"{opens}{thought}")
        assert (found.action, found.fault) == (None, "nothing")
        assert "thought is not closed" in found.reason


@pytest.mark.parametrize("closes", [closes for opens, closes in THOUGHTS if not opens.startswith(("`", "<!", "<|think"))])
def test_a_thought_that_began_in_the_prompt_is_not_played(closes: str) -> None:
    for thought in IN_IT:
        assert read(f"{thought}{closes}") is None
        assert read(f"{thought}{closes}<move>c3</move>") == "c3"


@pytest.mark.parametrize("end", ENDS)
def test_nothing_after_the_end_of_a_turn_counts(end: str) -> None:
    for next_turn in ("<move>a2</move>", "a2", '{"move": "a2"}', "<|im_start|>assistant\n<move>a2</move>"):
        assert read(f"<move>c3</move>{end}{next_turn}") == "c3"
        assert read(f"I play c3.{end}{next_turn}") == "c3"
        assert read(f"I cannot say.{end}{next_turn}") is None


@pytest.mark.parametrize("heading", ["## Thinking\n", "**Reasoning:**\n\n", "Thought process\n", "Thought: ", "Analysis: "])
def test_a_thought_under_a_heading_is_not_played(heading: str) -> None:
    assert read(f"{heading}I play a2.") is None
    assert read(f"{heading}I play a2.\n\n## Answer\nc3") == "c3"
    assert read(f"{heading}I play a2.\nMove: c3") == "c3"
    assert read(f"{heading}I play a2.\n\nI play c3.") == "c3"


@pytest.mark.parametrize(
    "begin",
    [
        "<s>",
        "<|im_start|>assistant\n",
        "<|assistant|>",
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<start_of_turn>model\n",
        "<|start_of_role|>assistant<|end_of_role|>",
        "<|header_start|>assistant<|header_end|>\n\n",
    ],
)
def test_what_begins_a_turn_is_passed_over(begin: str) -> None:
    assert read(f"{begin}c3") == "c3"
    assert read(f"{begin}<think>a2</think><move>c3</move><|im_end|>") == "c3"


@pytest.mark.parametrize("struck", ["<s>a2</s>", "<del>a2</del>", "<strike>a2</strike>", "~~a2~~", "\\sout{a2}"])
def test_what_is_struck_out_is_not_played(struck: str) -> None:
    assert read(f"I play {struck} c3.") == "c3"
    assert read(f"The move: {struck}") is None


@pytest.mark.parametrize(
    "reply",
    [
        "[c3]",
        "<b>c3</b>",
        "```\nc3\n```",
        '```json\n{"move": "c3"}\n```',
        "<answer>c3</answer>",
        "<response>c3</response>",
        "<user_move>c3</user_move>",
        "<|begin_of_box|>c3<|end_of_box|>",
        "<final>c3</final>",
        "<think/>c3",
        "<no_think>\nI play c3.",
    ],
)
def test_other_marks_are_no_thoughts(reply: str) -> None:
    assert read(reply) == "c3"


@pytest.mark.parametrize(
    "part",
    [
        *("</think>", "<|start|>", "<think></think>", "{", '{"a":', "\\boxed{", "<move>", '"', "[", "~~", "I play ", "a1 "),
        *("c3 or ", "not ", "&#", "&lt;", "-", "\x1b[", "{'", "1. ", "wait ", "I play a1 ", "?", "(", "row 1 column "),
    ],
)
def test_a_long_reply_is_read_whatever_it_repeats(part: str) -> None:
    assert read(f"{part * 30_000}\n<move>c3</move>") == "c3"
