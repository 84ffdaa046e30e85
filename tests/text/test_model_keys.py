"""What becomes known of an endpoint's key, and which specs of language models can be used."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.agents.answers import Unavailable
from ludus.arena import tournament
from ludus.arena.matches.record import write
from ludus.core.plugins import UntrustedSpec, admit

from ..helpers.scripted import Scripted, asked, failing, model, saying, serving

pytest.importorskip("openai")
GAME = ludus.make_game("tictactoe")
KEY = "sk-very-secret-0123456789"


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


def test_a_corrected_key_is_used_while_an_older_policy_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Scripted(lambda _: saying("b2"))) as endpoint:
        monkeypatch.setenv("THE_KEY", "wrong")
        policy = model(endpoint, key="THE_KEY")
        policy.act(GAME.start[None], np.zeros(1, np.uint64))
        monkeypatch.setenv("THE_KEY", "right")
        asked(endpoint, key="THE_KEY")
        policy.act(GAME.start[None], np.zeros(1, np.uint64))
        monkeypatch.delenv("THE_KEY")
        with pytest.raises(Unavailable, match="no variable has this name"):
            policy.act(GAME.start[None], np.zeros(1, np.uint64))
    assert [sent["authorization"] for sent in endpoint.headers] == ["Bearer wrong", "Bearer right", "Bearer right"]


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


def test_the_client_library_loads_at_the_first_question() -> None:
    code = "import sys, ludus.text.models, ludus; ludus.make_policy('llm:model=m,url=http://localhost:1/v1', 'nim')"
    subprocess.run([sys.executable, "-c", f"{code}; assert 'openai' not in sys.modules"], check=True)
