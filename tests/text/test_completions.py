"""What is read of an endpoint's answers that are good, bad or no answers, without an endpoint."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludus.text.complaints import LONGEST_ASKED, adapt_fields, is_filter, message_of, retry_after, sender_of
from ludus.text.completions import NotACompletionError, completion_of, end_of


def body(message: Any, finish: Any = "stop", **fields: Any) -> bytes:
    return json.dumps({"choices": [{"message": message, "finish_reason": finish}], **fields}).encode()


def stream(*events: Any, done: bool = True, line: str = "\n") -> bytes:
    texts = [event if isinstance(event, str) else f"data: {json.dumps(event)}" for event in events]
    return "".join(f"{text}{line}{line}" for text in (*texts, *(["data: [DONE]"] if done else []))).encode()


def delta(text: str | None = None, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": text, **fields}, "finish_reason": finish}]}


@pytest.mark.parametrize(
    ("end", "reasons"),
    [
        ("whole", ["", "stop", "STOP", "end_turn", "eos", "eos_token", "stop_sequence", "COMPLETE", "finished", "null"]),
        (
            "cut off",
            ["length", "max_tokens", "MAX_TOKENS", "maxTokens", "max_output_tokens", "model_length", "max_length", "token_limit"]
            + ["context_length_exceeded", "model_context_window_exceeded", "ERROR_LIMIT", "truncated", "incomplete", "length_limit"]
            + ["too_long", "budget_exceeded"],
        ),
        (
            "refused",
            ["content_filter", "SAFETY", "refusal", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "content_filtered"]
            + ["guardrail_intervened", "ERROR_TOXIC", "sensitive", "IMAGE_SAFETY"],
        ),
        (
            None,
            ["error", "ERROR", "abort", "USER_CANCEL", "timeout", "insufficient_system_resource", "rate_limit", "exhausted"]
            + ["failed"],
        ),
        ("odd", ["tool_calls", "function_call", "late", "whole", "cut off", "odd", "banana", "OTHER", "pause_turn"]),
    ],
)
def test_a_reason_to_finish_means_the_same_by_any_of_its_names(end: str | None, reasons: list[str]) -> None:
    assert {reason: end_of(reason) for reason in reasons} == dict.fromkeys(reasons, end)


@pytest.mark.parametrize(
    "fields",
    [
        {"usage": "many"},
        {"usage": {"prompt_tokens": [], "completion_tokens": {}}},
        {"usage": {"prompt_tokens": "nan", "completion_tokens": None}},
        {"usage": [1], "id": 7, "created": "now", "object": None, "system_fingerprint": {}},
        {"model": 5, "error": None, "service_tier": []},
        {"model": {"x": 1}, "error": ""},
    ],
)
def test_fields_that_nobody_needs_may_be_anything(fields: dict[str, Any]) -> None:
    reply = completion_of(body({"content": "b2", "role": 3, "annotations": "?"}, None, **fields))
    assert (reply.text, reply.end, reply.model, reply.tokens_in, reply.tokens_out) == ("b2", "whole", "", None, None)


def test_tokens_are_counted_in_any_way_that_numbers_are_written() -> None:
    for given, tokens in (("12", 12), (12.0, 12), (-5, 0), (1e308, 2**53), ("1e999", 2**53)):
        reply = completion_of(body({"content": "b2"}, usage={"prompt_tokens": given, "output_tokens": 3}))
        assert (reply.tokens_in, reply.tokens_out) == (tokens, 3)
    endless = body({"content": "b2"}, usage={"prompt_tokens": 7}).replace(b"7", b"9" * 10_000)
    assert completion_of(endless).tokens_in == 2**53


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": "b2", "reasoning_content": "a1?"}, "b2", "a1?"),
        ({"content": "b2", "reasoning": "a1?", "reasoning_details": [{"type": "reasoning.text", "text": "a1?"}]}, "b2", "a1?"),
        ({"content": "b2", "reasoning_details": [{"type": "reasoning.text", "text": "a1?"}, {"data": "x"}]}, "b2", "a1?"),
        ({"content": "b2", "thinking": {"content": "a1?"}}, "b2", "a1?"),
        ({"content": "b2", "thinking_blocks": [{"type": "thinking", "thinking": "a1?", "signature": "s"}]}, "b2", "a1?"),
        (
            {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "a1?"}]}, {"type": "text", "text": "b2"}]},
            "b2",
            "a1?",
        ),
        ({"content": [{"type": "reasoning", "text": "a1?"}, {"type": "output_text", "text": {"value": "b2"}}]}, "b2", "a1?"),
        ({"content": [{"text": "a1?", "thought": True}, "b", {"text": "2"}, None, 7]}, "b2", "a1?"),
        ({"content": None, "reasoning": "a1?"}, "", "a1?"),
        ({"content": {"text": "b2"}, "reasoning": ["a1", "?"]}, "b2", "a1?"),
        ({"content": "b2", "reasoning": 5}, "b2", ""),
        ("b2", "b2", ""),
    ],
)
def test_reasoning_is_kept_apart_from_the_answer(message: Any, text: str, reasoning: str) -> None:
    reply = completion_of(body(message))
    assert (reply.text, reply.reasoning, reply.end) == (text, reasoning, "whole")


def test_a_refusal_counts_before_all_else() -> None:
    for message in ({"content": "b2", "refusal": "No."}, {"content": [{"type": "refusal", "refusal": "No."}]}):
        reply = completion_of(body(message))
        assert (reply.text, reply.end) == ("No.", "refused")
    assert completion_of(body({"content": "b2", "refusal": {}})).end == "whole"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "something that is not a chat completion"),
        (b"null", "something that is not a chat completion"),
        (b"[" * 100_000, "something that is not a chat completion"),
        (b"\xff\xfe\x00", "something that is not a chat completion"),
        (b"<html><head><title>Welcome to nginx!</title></head></html>", r"not a chat completion \(Welcome to nginx!\)"),
        (b"Service is warming up", r"not a chat completion \(Service is warming up\)"),
        (b"{}", "a chat completion without a choice"),
        (b'{"choices": [], "error": {"message": "", "code": 0}}', "a chat completion without a choice"),
        (b'{"choices": null, "error": "no money"}', r"an error \(no money\)"),
        (b'{"choices": [null, 3], "detail": [{"loc": ["body"], "msg": "field required"}]}', r"an error \(field required\)"),
        (b'{"error": {"error": {"message": "nested"}}}', r"an error \(nested\)"),
        (b'{"error": ["first", {"message": "second"}]}', r"an error \(first; second\)"),
        (b'{"message": "{\\"error\\": {\\"message\\": \\"in a text\\"}}"}', r"an error \(in a text\)"),
        (b'{"error": {"status": 7}}', r'an error \(\{"status": 7'),
        (body({"content": "b2"}, "error", error={"message": "overloaded"}), r"an error \(overloaded\)"),
        (body({"content": "b2"}, "abort"), "a reply that ended by 'abort'"),
        (body({"content": ""}, "banana"), "a reply that ended by 'banana'"),
        (b'{"choices": [{"error": {"message": "boom"}, "message": {"content": ""}}]}', r"an error \(boom\)"),
        (b'{"choices": [{"message": {"content": "b"}}], "error": {"message": "boom"}}', r"an error \(boom\)"),
        (stream(delta("b2"), {"message": "of another form", "code": 500}), r"an error \(of another form\)"),
        (stream(delta("b2"), {"choices": [{"error": {"message": "of a choice"}}]}), r"an error \(of a choice\)"),
        (stream({"error": {"message": "in the middle"}}), r"an error \(in the middle\)"),
        (stream(delta("b2"), {"error": "in the middle"}), r"an error \(in the middle\)"),
        (stream(delta("b2"), done=False), "a stream that broke off"),
        (stream(delta("b2"), "data: {", done=False), "not a chat completion"),
        (stream(": keep-alive"), "a chat completion without a choice"),
    ],
)
def test_what_is_no_completion_says_what_it_is(content: bytes, words: str) -> None:
    with pytest.raises(NotACompletionError, match=words):
        completion_of(content)


@pytest.mark.parametrize("line", ["\n", "\r\n", "\r"])
def test_a_stream_is_read_as_the_reply_that_it_makes(line: str) -> None:
    events = [": waiting", "event: ping", delta(role="assistant"), delta(None, reasoning="a1"), delta(None, reasoning=" no.")]
    events += [delta("I play\u2028"), delta("<move>b2</move>"), delta("", "stop"), {"choices": [], "usage": {"prompt_tokens": 5}}]
    reply = completion_of(b"\xef\xbb\xbf" + stream(*events, {"model": "m", "usage": None}, line=line))
    assert (reply.text, reply.reasoning, reply.end) == ("I play\u2028<move>b2</move>", "a1 no.", "whole")
    assert (reply.model, reply.tokens_in) == ("m", 5)


def test_a_stream_ends_by_its_reason_or_by_its_mark() -> None:
    assert completion_of(stream(delta("b2", "length"), done=False)).end == "cut off"
    assert completion_of(stream(delta("b2", "stop"), done=False)).end == "whole"
    assert completion_of(stream(delta("b2"))).end == "whole"
    whole = {"choices": [{"message": {"content": "b2"}, "finish_reason": "stop"}]}
    assert completion_of(stream(delta("b"), delta("2"), whole)).text == "b2"
    other = {"choices": [{"index": 1, "delta": {"content": "c3"}}]}
    assert completion_of(stream(delta("b2"), other)).text == "b2"
    assert (
        completion_of(f"data: {json.dumps(delta('b2'))[:1]}\ndata: {json.dumps(delta('b2'))[1:]}\n\ndata: [DONE]".encode()).text
        == "b2"
    )


def test_the_message_of_an_error_is_found_in_any_form() -> None:
    page = b"<html>\r\n<head><title>502 Bad Gateway</title></head><body><hr><center>nginx</center></body></html>"
    assert message_of(page) == "502 Bad Gateway"
    assert message_of(b"<!DOCTYPE html><p>We&#39;ll be <b>back</b></p>") == "We'll be back"
    assert message_of(b"  plain\nwords ") == "plain words"
    assert message_of("<" * 1_000_000) == "<" * 50_000
    assert message_of(f"<html><title>Bad &#{'9' * 5000};</title></html>".encode()).startswith("Bad &#999")
    assert message_of({"error": {"a": {"b": 1}}}) == '{"a": {"b": 1}}'
    assert [message_of(nothing) for nothing in (b"", {}, [], None, {"error": {"message": ""}}, 7, True)] == [""] * 7
    assert sender_of({"server": "cloudflare"}, page) == "cloudflare"
    assert sender_of({"via": "1.1 varnish", "server": "x"}, b"no") == "1.1 varnish"
    assert sender_of({"server": "uvicorn"}, b'{"error": 1}') == ""


@pytest.mark.parametrize(
    ("status", "error", "is_one"),
    [
        (400, {"code": "content_filter"}, True),
        (400, {"innererror": {"code": "ResponsibleAIPolicyViolation"}}, True),
        (400, {"message": "triggering Azure OpenAI's content management policy"}, True),
        (403, {"message": "model requires moderation and your input was flagged"}, True),
        (200, {"type": "content_policy_violation"}, True),
        (400, {"code": "model_not_found", "message": "no model safety-1"}, False),
        (401, {"code": "content_filter"}, False),
        (500, {"code": "content_filter"}, False),
    ],
)
def test_an_error_may_be_a_filter(status: int, error: Any, is_one: bool) -> None:
    assert is_filter(status, json.dumps({"error": error}).encode()) == is_one


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("3", 3), ("0.5", 0.5), ("-7", 0), ("", 0), ("soon", 0), ("nan", 0), ("inf", LONGEST_ASKED), ("9" * 301, LONGEST_ASKED)]
    + [("1e400", LONGEST_ASKED), ("9" * 5000, LONGEST_ASKED)]
    + [("Wed, 21 Oct 2015 07:28:00 GMT", 0), ("Wed, 21 Oct 9999 07:28:00 GMT", LONGEST_ASKED)]
    + [("Wed, 21 Oct 99999 07:28:00 GMT", 0), ("Wed, 99 Oct 2015 07:28:00 GMT", 0)],
)
def test_a_pause_that_is_asked_for_has_a_limit(given: str, seconds: float) -> None:
    assert retry_after({"retry-after": given}) == seconds


@pytest.mark.parametrize(
    ("fields", "said", "others"),
    [
        ({"max_tokens": 9}, "'max_tokens' is not supported. Use 'max_completion_tokens' instead.", {"max_completion_tokens": 9}),
        ({"max_completion_tokens": 9}, "Extra inputs are not permitted: max_completion_tokens", {"max_tokens": 9}),
        ({"max_tokens": 9}, "max_tokens is too large: 9. This model supports at most 4 completion tokens", None),
        ({}, "This model only support stream mode", {"stream": True, "stream_options": {"include_usage": True}}),
        ({"stream": True, "stream_options": {}}, "Unknown field: stream_options", {"stream": True}),
        ({"stream": True}, "stream is not supported", None),
        ({}, "upstream must be up", None),
        ({"temperature": 0.0}, "temperature is not supported", None),
    ],
)  # fmt: skip
def test_a_request_is_sent_in_the_words_that_an_endpoint_asks_for(fields: Any, said: str, others: Any) -> None:
    assert adapt_fields(fields, json.dumps({"error": {"message": said}}).encode()) == others
