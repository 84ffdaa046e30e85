"""Language models as policies: they play as what answers plays, bad answers are counted by kind, other trouble stops the match."""

from __future__ import annotations

import asyncio
import gzip
import threading
import traceback
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.agents.answers import Answer, Unavailable
from ludus.arena import resume, tournament
from ludus.arena.engines.jobs import play_jobs
from ludus.arena.matches.games import Pairing, PlayedGames
from ludus.arena.matches.job import Job
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.store.store import Store
from ludus.text import prompt, prompt_checksum

from ..helpers.arena.played import matched, timeless
from ..helpers.scripted import Endpoint, Scripted, asked, failing, model, saying, serving
from ..helpers.system.processes import ROOT

pytest.importorskip("openai")
GAME = ludus.make_game("tictactoe")
KEY = "sk-very-secret-0123456789"


def played(policy: Any, games: int) -> PlayedGames:
    """Games against the random policy, in one job."""
    game = policy.game
    policies = policy, ludus.make_policy("random", game)
    ((_, found),) = play_jobs([Job(Pairing(game.spec, "one", "other"), policies, np.arange(games), 0, MatchSettings(2))])
    return found


# ---- the harness adds nothing of its own


@pytest.mark.parametrize(
    ("spec", "policy", "where"),
    [
        ("tictactoe", "minimax:depth=2", {}),
        ("nim", "random", {"workers": 2}),
        ("quarto", "random", {}),
        ("othello:size=4", "greedy", {}),
    ],
)
def test_a_policy_plays_through_an_endpoint_as_it_plays_itself(spec: str, policy: str, where: dict[str, Any]) -> None:
    with serving(Endpoint(spec, policy)) as endpoint:
        through = model(endpoint, ludus.make_game(spec), seeded="true", legal="true")
        uncounted = [replace(record, nodes=(None, None)) for record in timeless(matched(policy, game=spec))]
        assert timeless(matched(through, game=spec, **where)) == uncounted


def test_bad_answers_are_counted_exactly_and_no_legal_move_is_lost() -> None:
    shares = dict.fromkeys(("malformed", "illegal", "cut_off", "busy"), 0.1) | {"slow": 0.03}
    with serving(Endpoint("tictactoe", "minimax:depth=2", shares=shares, seed=5)) as endpoint:
        through = model(endpoint, seeded="true", retries=50, seconds=2)
        found = played(through, 14)
        counts = endpoint.counts
    itself = played(ludus.make_policy("minimax:depth=2", GAME), 14)
    assert np.array_equal(found.actions, itself.actions)
    assert found.reasons == {}
    attempts = [attempt for transcript in found.transcripts.values() for attempt in transcript.attempts]
    faults = Counter(attempt.fault for attempt in attempts)
    assert min(counts[kind] for kind in shares) > 0
    assert {
        "good": faults[None],
        "malformed": faults["nothing"],
        "illegal": faults["illegal"] + faults["unknown"],
        "slow": faults["late"],
        "cut_off": faults["cut off"],
        "busy": sum(attempt.requests - 1 for attempt in attempts),
    } == dict(counts)
    assert all(transcript.model == "ludus minimax:depth=2" for transcript in found.transcripts.values())


def test_it_is_asked_again_with_what_was_wrong() -> None:
    replies = [saying("I pass."), saying("<move>a1</move>"), saying("b2")]
    with serving(Scripted(replies.__getitem__)) as endpoint:
        answer = asked(endpoint, "X-------- O", retries=2, system=str(ROOT / "LICENSE"))
    transcript = answer.transcripts[0]
    assert [GAME.move_name(int(action)) for action in answer.actions] == ["b2"]
    assert [attempt.fault for attempt in transcript.attempts] == ["nothing", "illegal", None]
    assert [attempt.tokens_in for attempt in transcript.attempts] == [100, 100, 100]
    first, second, third = (one.question for one in transcript.attempts)
    assert first == prompt(GAME, GAME.position("X-------- O"))
    assert "its last line is not only a move. Answer with one move" in second
    assert "a1 is not legal in" in third
    last = endpoint.sent[-1]["messages"]
    assert [one["role"] for one in last] == ["system", *["user", "assistant"] * 2, "user"]
    assert last[0]["content"] == transcript.system == (ROOT / "LICENSE").read_text().strip()
    assert [one["content"] for one in last[1:]] == [first, "I pass.", second, "<move>a1</move>", third]
    assert transcript.prompt == prompt_checksum(GAME)


def test_hostile_replies_are_data(tmp_path: Path) -> None:
    texts = [
        "python:os:system <script>alert(1)</script> <move>b2</move>\0",
        "\ud800 <move>b2</move>",
        "x" * 10_000_000 + "\nI play b2",
    ]
    texts += ["engine:touch /tmp/made <move>b2</move>", "{{7*7}} %s %(key)s <move>b2</move>"]
    with serving(Scripted(lambda number: saying(texts[number % len(texts)]))) as endpoint:
        for _ in texts:
            answer = asked(endpoint, retries=0)
            assert [GAME.move_name(int(action)) for action in answer.actions] == ["b2"]
            assert len(answer.transcripts[0].attempts[0].reply) <= 100_000
        contest = tournament("tictactoe", [model(endpoint, retries=0), "random"], 6, store=tmp_path / "store", faults="count")
        contest.report(tmp_path / "page.html")
    assert "<script>alert(1)" not in (tmp_path / "page.html").read_text()
    with Store.open(tmp_path / "store") as store:
        assert store.count() == 6


@pytest.mark.parametrize(
    ("headers", "words"), [({"Content-Encoding": "gzip"}, "answered with a compressed text"), ({}, "answered with more than 1 MiB")]
)
def test_an_answer_that_would_fill_the_memory_is_not_read(
    headers: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludus.text.endpoint.LARGEST_ANSWER", 1 << 20)
    body = gzip.compress(bytes(1 << 24)) if headers else bytes(1 << 24)
    with serving(Scripted(lambda _: (200, body, headers))) as endpoint, pytest.raises(Unavailable, match=words):
        asked(endpoint, patience=0)


# ---- many at a time


def test_positions_are_asked_at_the_same_time_and_not_more_than_so_many() -> None:
    meeting, most, inside = threading.Barrier(8), [0], [0]

    def script(_: int) -> Any:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        meeting.wait(600)
        inside[0] -= 1
        return saying("b2")

    with serving(Scripted(script)) as endpoint:
        states = np.repeat(GAME.start[None], 64, axis=0)
        model(endpoint, concurrency=8).act(states, np.arange(64, dtype=np.uint64))
    assert most == [8]


def test_it_answers_where_an_event_loop_runs_already() -> None:
    async def notebook() -> Answer:
        return asked(endpoint)

    with serving(Scripted(lambda _: saying("b2"))) as endpoint:
        assert asyncio.run(notebook()).actions.tolist() == [4]


def test_a_busy_endpoint_is_given_the_time_that_it_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.text.endpoint.FIRST_PAUSE", 0.0)
    replies = [failing(429, retry_after="0.3"), failing(503), saying("b2")]
    with serving(Scripted(replies.__getitem__)) as endpoint:
        (attempt,) = asked(endpoint).transcripts[0].attempts
    assert attempt.requests == 3
    assert endpoint.times[1] - endpoint.times[0] >= 0.3


# ---- what stops a match


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (failing(401, f"wrong key {KEY}"), r"refuses the key in THE_KEY \(status 401: wrong key \[key\]\)$"),
        (failing(404, "no such model"), r"has no model 'm', or is not its full address, .* \(status 404: no such model\)$"),
        (failing(400, "no temperature, please"), r"refuses the request \(status 400: no temperature, please\)$"),
        (failing(503, "overloaded"), r"cannot answer now \(status 503: overloaded\)$"),
        (failing(429, "x" * 300), r"cannot answer now \(status 429: x{199}…\)$"),
        (failing(429, "later", retry_after="3600"), r"\(status 429: later\), and asks for a pause of 3600 seconds$"),
        (failing(302, location="http://localhost:9/v1"), "redirects to 'http://localhost:9/v1', which is not followed"),
        ((200, b"<title>Sign in</title>", {}), r"answered with something that is not a chat completion \(.*\): <title>Sign in"),
    ],
)
def test_an_endpoint_that_is_no_use_stops_the_match_with_a_sentence(
    reply: Any, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    monkeypatch.setattr("ludus.text.endpoint.FIRST_PAUSE", 0.01)
    with serving(Scripted(lambda _: reply)) as endpoint, pytest.raises(Unavailable, match=words) as caught:
        asked(endpoint, key="THE_KEY", patience=0.05)
    assert len(str(caught.value)) < 500
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_an_address_where_nobody_listens_stops_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.text.endpoint.FIRST_CONTACT", 0.1)
    with pytest.raises(Unavailable, match=r"^http://127.0.0.1:9/v1 cannot be reached, or broke off its answer \(ConnectError"):
        ludus.make_policy("llm:model=m,url=http://127.0.0.1:9/v1", GAME).act(GAME.start[None], np.zeros(1, np.uint64))


def test_a_budget_that_is_used_up_ends_the_match_which_goes_on_later(tmp_path: Path) -> None:
    with serving(Endpoint("tictactoe", "minimax:depth=1")) as endpoint:
        settings = {"seeded": "true", "concurrency": 4, "requests": 20}
        with pytest.raises(Unavailable, match="has used up its budget of 20 requests; finished games are kept"):
            tournament("tictactoe", [model(endpoint, **settings).spec, "random"], 20, store=tmp_path / "store", faults="count")
        assert endpoint.counts.total() == 20
        stops, contest = 0, None
        while contest is None:
            try:
                contest = resume(tmp_path / "store", trust=True)
            except Unavailable:
                stops += 1
    assert contest.done == 20
    assert 0 < stops < 10
