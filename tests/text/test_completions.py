"""What is read of an endpoint's answers, without an endpoint."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludus.text.completions import NotACompletionError, completion_of


def body(message: Any, finish: Any = "stop", **fields: Any) -> bytes:
    return json.dumps({"choices": [{"message": message, "finish_reason": finish}], **fields}).encode()


@pytest.mark.parametrize(
    ("finish", "fault"),
    [
        ("stop", None),
        (None, None),
        ("length", "cut off"),
        ("content_filter", "refused"),
        ("tool_calls", "refused"),
    ],
)
def test_a_reason_to_finish_says_whether_a_text_counts(finish: str | None, fault: str | None) -> None:
    reply = completion_of(body({"content": "b2"}, finish))
    assert (reply.text, reply.fault, bool(reply.reason)) == ("b2", fault, fault is not None)


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": "b2", "reasoning_content": "a1?"}, "b2", "a1?"),
        ({"content": "b2", "reasoning": "a1?", "reasoning_details": [{"type": "reasoning.text", "text": "a1?"}]}, "b2", "a1?"),
        ({"content": None, "reasoning": "a1?"}, "", "a1?"),
        ({"content": "\ud800b2", "role": 3, "annotations": "?"}, "\ud800b2", ""),
        ({}, "", ""),
    ],
)
def test_reasoning_is_kept_apart_from_the_answer(message: Any, text: str, reasoning: str) -> None:
    reply = completion_of(body(message, id=7, created="now", service_tier=[]))
    assert (reply.text, reply.reasoning, reply.fault, reply.model, reply.tokens_in) == (text, reasoning, None, "", None)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", r"something that is not a chat completion \(.*\): nothing"),
        (b"[" * 100_000, "something that is not a chat completion"),
        (b"\xff\xfe\x00", "something that is not a chat completion"),
        (b"<html><head><title>Welcome</title></head></html>", r"not a chat completion \(.*\): <html><head><title>Welcome</title>"),
        (b'{"choices": [null]}', r"not a chat completion \(.*\$.choices"),
        (b'{"error": {"message": "no money"}}', "not a chat completion .*no money"),
        (b'data: {"choices": [{"delta": {"content": "b2"}}]}\n\ndata: [DONE]\n\n', "not a chat completion"),
        (body({"content": "b2"}, usage={"prompt_tokens": -1}), "not a chat completion .*usage.prompt_tokens"),
        (body({"content": "b2"}, usage={"prompt_tokens": 7}).replace(b"7", b"9" * 10_000), "not a chat completion"),
        (body({"content": None}, usage={"prompt_tokens": 0, "completion_tokens": 0}), "a reply without text, .* no tokens: "),
        (body({"content": "b2"}, "error", error={"message": "overloaded"}), "a reply that ended by an error: .*overloaded"),
    ],
)
def test_what_is_no_completion_says_what_it_is(content: bytes, words: str) -> None:
    with pytest.raises(NotACompletionError, match=words):
        completion_of(content)
