"""What a match does where an endpoint fails, filters or redirects; what becomes known of its key, and to which proxies."""

from __future__ import annotations

import json
import pickle
import re
import socket
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.agents.answers import Unavailable
from ludus.arena import tournament
from ludus.arena.matches.record import write
from ludus.core.plugins import UntrustedSpec, admit
from ludus.text.addresses import without_key

from ..helpers.scripted import Scripted, asked, failing, model, saying, serving

pytest.importorskip("openai")
GAME = ludus.make_game("tictactoe")
KEY = "sk-very-secret-0123456789"
EMPTY = 200, {"choices": [{"message": {"content": None}}], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}, {}
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.text.endpoint.FIRST_PAUSE", 0.01)
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def error(error: BaseException) -> list[BaseException]:
    """An error with all that led to it, hidden or not."""
    chain = list[BaseException]()
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__  # pyright: ignore[reportAssignmentType]
    return chain


# ---- what the endpoint did is not the model's loss


@pytest.mark.parametrize(
    ("bad", "times"),
    [
        (failing(429, "slow down"), 5),
        ((502, b"<html><head><title>502 Bad Gateway</title></head></html>", {"Server": "nginx"}), 5),
        (failing(200, "overloaded"), 1),
        (EMPTY, 1),
    ],
    ids=["429", "502", "error with 200", "empty"],
)
def test_a_failure_is_asked_again_and_costs_nothing(bad: Any, times: int) -> None:
    with serving(Scripted(lambda number: bad if number < times else saying("b2"))) as endpoint:
        (attempt,) = asked(endpoint, retries=0).transcripts[0].attempts
    assert (attempt.fault, attempt.reply, attempt.requests) == (None, "b2", times + 1)
    assert attempt.milliseconds > 0


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (failing(400, "flagged", "content_filter"), r"a filter of the endpoint refused the request \(status 400: flagged\)"),
        (saying("<move>b2</move>", "content_filter"), "a filter of the endpoint stopped the answer"),
        (saying(None, refusal="I do not play."), "the model refused to answer"),
    ],
)
def test_a_filter_and_a_call_of_a_tool_are_asked_again_and_then_count_as_refused(bad: Any, reason: str) -> None:
    with serving(Scripted(lambda number: bad if number < 2 else saying("b2"))) as endpoint:
        attempts = asked(endpoint, retries=2).transcripts[0].attempts
    assert [attempt.fault for attempt in attempts] == ["refused", "refused", None]
    assert re.fullmatch(reason, attempts[0].reason)


def test_a_connection_that_is_cut_in_an_answer_is_tried_again() -> None:
    whole = json.dumps(saying("b2")[1]).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(whole)}\r\nConnection: close\r\n\r\n".encode()
    )
    answers, served = [head + whole[:20], b"\x1f\x8b junk", head + whole], list[bytes]()

    def serve(listening: socket.socket) -> None:
        for answer in answers:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                served.append(connection.recv(1 << 16))
                connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        policy = ludus.make_policy(f"llm:model=m,url=http://127.0.0.1:{listening.getsockname()[1]}/v1", GAME)
        assert policy.act(GAME.start[None], np.zeros(1, np.uint64)).tolist() == [4]
        thread.join()
    assert len(served) == 3


# ---- requests


def test_further_fields_of_requests_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "extra.json").write_text('{"reasoning_effort": "low", "chat_template_kwargs": {"thinking": [1, null]}}')
    with serving(Scripted(lambda _: saying("b2"))) as endpoint:
        transcript = asked(endpoint, extra=tmp_path / "extra.json").transcripts[0]
        assert endpoint.sent[-1]["chat_template_kwargs"] == {"thinking": [1, None]}
        assert endpoint.sent[-1]["temperature"] == 0
        assert transcript.prompt != asked(endpoint).transcripts[0].prompt  # results say that two players are mixed
        for text, words in (
            ('{"model": "other"}', "must not contain 'model', which ludus or a setting of llm: sets"),
            ('{"temperature": 1}', "must not contain 'temperature'"),
            ('{"a": NaN}', "is not an object in JSON"),
            ("[" * 100_000, "is not an object in JSON"),
            ("\ud800".encode("utf-8", "surrogatepass"), "is not an object in JSON"),
        ):
            (tmp_path / "extra.json").write_bytes(text if isinstance(text, bytes) else text.encode())
            with pytest.raises(ValueError, match=words):
                model(endpoint, extra=tmp_path / "extra.json")
        (tmp_path / "extra.json").write_text('{"max_completion_tokens": 7}')
        asked(endpoint, extra=tmp_path / "extra.json")
        assert endpoint.sent[-1]["max_completion_tokens"] == 7
        with pytest.raises(ValueError, match="must not contain 'max_completion_tokens'"):
            model(endpoint, extra=tmp_path / "extra.json", max_tokens=5)


def test_reasoning_is_kept_and_no_move_is_read_from_it() -> None:
    with serving(Scripted(lambda _: saying(None, reasoning_content="<move>a1</move>"))) as endpoint:
        (attempt,) = asked(endpoint, retries=0).transcripts[0].attempts
    assert (attempt.reasoning, attempt.reply, attempt.fault) == ("<move>a1</move>", "", "nothing")
    assert attempt.reason == "there is no answer after the reasoning"


# ---- keys


def test_a_key_is_taken_out_of_a_text() -> None:
    assert without_key(f"a {KEY} b http://{KEY.upper()}.example", KEY) == "a [key] b http://[key].example"
    assert without_key("1234567", "1234567") == "1234567"


@pytest.mark.parametrize(
    "where",
    ["location", "host", "userinfo", "query", "error", "plain", "page", "header", "reason", "finish", "type", "odd location"],
)
def test_a_key_that_an_endpoint_repeats_is_shown_nowhere(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    with serving(Scripted(lambda _: saying("b2"))) as other:
        at = other.url.removeprefix("http://")
        replies: dict[str, Any] = {
            "location": (307, b"", {"Location": f"http://{at}/{KEY}"}),
            "host": (302, b"", {"Location": f"http://{KEY}.example"}),
            "userinfo": (301, b"", {"Location": f"http://me:{KEY}@{at}/"}),
            "query": (308, b"", {"Location": f"http://{at}/?key={KEY}"}),
            "error": failing(401, f"wrong {KEY}", KEY),
            "plain": (400, f"wrong {KEY}".encode(), {"Server": KEY}),
            "page": (503, f"<title>{KEY}</title>".encode(), {"Via": KEY}),
            "header": (429, b"{}", {"Retry-After": KEY, "X-Request-Id": KEY}),
            "reason": (200, {"error": {KEY: [KEY]}}, {}),
            "finish": saying(KEY, "error"),
            "type": saying("", model=[KEY]),
            "odd location": (302, b"", {"Location": f"http://x:{KEY}/"}),
        }
        with serving(Scripted(lambda _: replies[where])) as endpoint, pytest.raises(Unavailable) as caught:
            asked(endpoint, key="THE_KEY", patience=0)
        assert endpoint.headers[-1]["authorization"] == f"Bearer {KEY}"
    assert other.sent == []
    chain = error(caught.value)
    shown = "".join([*traceback.format_exception(caught.value), *map(str, chain), *map(repr, chain)]).lower()
    assert [form for form in (KEY, "secret", "0123456789") if form in shown] == []


def test_a_key_goes_to_its_own_endpoint_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "the-org")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}\nX-Mine: {KEY}")
    monkeypatch.setenv("OTHER_KEY", "for-this-one")
    with serving(Scripted(lambda _: saying("b2"))) as endpoint:
        asked(endpoint)
        assert not {"authorization", "openai-organization", "x-mine"} & endpoint.headers[-1].keys()
        asked(endpoint, key="OTHER_KEY")
        assert endpoint.headers[-1]["authorization"] == "Bearer for-this-one"
        assert KEY not in str(endpoint.headers)
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        ludus.make_policy("llm:model=m", GAME).act(GAME.start[None], np.zeros(1, np.uint64))
        assert endpoint.headers[-1]["authorization"] == f"Bearer {KEY}"
        assert "the-org" not in str(endpoint.headers)


def test_a_key_is_read_without_line_breaks_and_no_other_text_is_sent_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Scripted(lambda _: saying("b2"))) as endpoint:
        monkeypatch.setenv("THE_KEY", f" {KEY}\r\n")
        asked(endpoint, key="THE_KEY")
        assert endpoint.headers[-1]["authorization"] == f"Bearer {KEY}"
        for text in (f"{KEY}\nX-Mine: 1", f"{KEY} {KEY}", f"{KEY}é", " \n"):
            monkeypatch.setenv("THE_KEY", text)
            with pytest.raises(ValueError, match="the value of THE_KEY is not a key") as caught:
                model(endpoint, key="THE_KEY")
            assert KEY not in str(caught.value)
    assert len(endpoint.sent) == 1


def test_a_key_is_in_nothing_that_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    status, body, _ = saying(f"{KEY} <move>b2</move>", model=KEY)
    repeats = status, body, {"X-Repeats": KEY}
    busy = failing(429, KEY, retry_after="0", x_repeats=f"Bearer {KEY}")
    with serving(Scripted(lambda number: busy if number % 7 == 3 else repeats)) as endpoint:
        policy = model(endpoint, key="THE_KEY", retries=0)
        contest = tournament("tictactoe", [policy, "random"], 8, store=tmp_path / "store.sqlite", faults="count")
        contest.report(tmp_path / "page.html")
        (tmp_path / "record.txt").write_text("".join(map(write, contest.store.records())))
        found = policy.answer(GAME.start[None], np.zeros(1, np.uint64))
    assert found.transcripts[0].attempts[0].reply == "[key] <move>b2</move>"
    assert found.transcripts[0].model == "[key]"
    (tmp_path / "policy.pickle").write_bytes(pickle.dumps(policy))
    (tmp_path / "words.txt").write_text(f"{policy!r} {policy} {json.dumps(contest.document())}")
    files = [*tmp_path.iterdir()]
    assert len(files) == 5
    assert [file.name for file in files if KEY.encode() in file.read_bytes()] == []


def test_a_model_from_a_file_is_refused_without_the_users_trust() -> None:
    spec = "llm:model=m,url=http://elsewhere/v1,key=AWS_SECRET_ACCESS_KEY"
    assert isinstance(admit(spec, "a file"), UntrustedSpec)
    assert admit(spec, "a file", trust=True) == spec


# ---- proxies


def test_no_proxy_gets_the_key_of_an_endpoint_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    with serving(Scripted(lambda _: saying("b2"))) as proxy, serving(Scripted(lambda _: saying("b2"))) as endpoint:
        for name in PROXIES[:3]:
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        asked(endpoint, key="THE_KEY")
        assert (len(endpoint.sent), proxy.sent) == (1, [])
        monkeypatch.setenv("HTTP_PROXY", "foo://[bar")
        asked(endpoint, key="THE_KEY")
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        away = ludus.make_policy("llm:model=m,url=http://model.example/v1", GAME)
        assert away.act(GAME.start[None], np.zeros(1, np.uint64)).tolist() == [4]
    assert len(proxy.sent) == 1


@pytest.mark.parametrize(
    ("proxy", "words"),
    [
        ("foo://me:password@bar", "no client for it can be made .*check the environment: HTTP_PROXY"),
        ("http://me:pass word@x:port", "no client for it can be made .*check the environment: HTTP_PROXY"),
        ("socks9://me:password@x:1080", r"no client for it can be made .*check the environment: HTTP_PROXY"),
    ],
)
def test_a_bad_proxy_stops_the_match_with_a_sentence(proxy: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.text.endpoint.FIRST_CONTACT", 0.0)
    monkeypatch.setenv("HTTP_PROXY", proxy)
    policy = ludus.make_policy(f"llm:model=m,url=http://model.example/{len(proxy)}", GAME)
    with pytest.raises(Unavailable, match=words) as caught:
        tournament("tictactoe", [policy, "random"], 2, faults="count")
    assert "pass" not in "".join(map(str, error(caught.value)))
