"""What players said is counted as it was, and shown as text wherever their games are."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser as Chromium

from ludus.arena.grading.verdict import judge_of
from ludus.arena.pages.notebook import show
from ludus.arena.ratings.intervals import wilson
from ludus.arena.results import Results
from ludus.arena.store.store import Store
from ludus.cli import main
from ludus.envs import make_game

from ..helpers.arena.played import plan_of, random_games
from ..helpers.arena.spoken import EVIL, spoken_games
from ..helpers.system.browser import CHROMIUM, Browser

GAME = make_game("tictactoe")
PLAN = plan_of("tictactoe", policies=("speaker", "random", "greedy"), count=40)
GAMES = {pairing: spoken_games("tictactoe", np.arange(40), seed) for pairing, seed in zip(PLAN.pairings, (23, 30), strict=False)}
TRANSCRIPTS = [one for games in GAMES.values() for one in games.transcripts.values()]
RECORDS = [record for pairing, games in GAMES.items() for record in games.records(pairing)]
FORFEITED = next(record for record in RECORDS if len(record.actions) in record.transcripts)
CONTROLS = [chr(code) for code in [*range(9), *range(11, 32), 127, 0x9B, 0x202E]]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spoken") / "spoken.db"
    with Store.create(path, PLAN) as made:
        for pairing in PLAN.pairings:
            made.add(pairing, GAMES.get(pairing, random_games("tictactoe", range(40))))
    return path


@pytest.fixture
def results(path: Path):
    with Store.open(path) as store:
        yield Results(store)


# ---- counted


def test_every_rate_is_what_a_plain_count_finds(results: Results):
    rates = results.answers["tictactoe"]["speaker"].document()
    faults = [[attempt.fault for attempt in one.attempts] for one in TRANSCRIPTS]
    known = [one for one in TRANSCRIPTS if any(attempt.tokens_out is not None for attempt in one.attempts)]
    first = sum(some[0] is None for some in faults)
    last = [some[-1] for some in faults if some[-1]]
    judge, lost = judge_of(GAME), list[int]()
    for record in RECORDS:
        moves = [ply for ply in record.transcripts if ply < len(record.actions)]
        lost += [judge.verdicts(record.actions)[ply].value_lost or 0 for ply in moves]
    assert rates == {
        "moves": len(TRANSCRIPTS),
        "first_legal": first,
        "first_legal_interval": wilson(first, len(TRANSCRIPTS)),
        "asked_again": sum(len(some) > 1 for some in faults),
        "attempts": sum(map(len, faults)),
        "requests": sum(attempt.requests for one in TRANSCRIPTS for attempt in one.attempts),
        "prompts": [TRANSCRIPTS[0].prompt],
        "wordings": 1,
        "faults": {fault: sum(some[0] == fault for some in faults) for fault in {some[0] for some in faults} - {None}},
        "forfeits": {fault: last.count(fault) for fault in {*last}},
        "tokens_in_a_move": pytest.approx(sum(a.tokens_in or 0 for one in known for a in one.attempts) / len(known)),
        "tokens_out_a_move": pytest.approx(sum(a.tokens_out or 0 for one in known for a in one.attempts) / len(known)),
        "seconds_a_move": pytest.approx(np.mean([sum(a.milliseconds for a in one.attempts) for one in TRANSCRIPTS]) / 1000),
        "graded": len(lost),
        "graded_rate": 1.0,
        "value_lost": pytest.approx(np.mean(lost)),
        "random_value_lost": results.answers["tictactoe"]["speaker"].grade.random_value_lost,
    }
    assert 0 < rates["random_value_lost"] < 2
    assert len(lost) + len(last) == len(TRANSCRIPTS)  # an illegal move is a forfeit, and never a bad move
    assert last


def test_the_table_the_document_and_the_frame_say_the_same_and_only_of_those_who_speak(results: Results):
    assert list(results.answers["tictactoe"]) == ["speaker"]
    rates = results.answers["tictactoe"]["speaker"]
    assert all(cell in str(results) for cell in rates.cells())
    assert next(rates.remarks("speaker")) in str(results).replace("\n", " ")
    assert results.document()["answers"] == {"tictactoe": {"speaker": rates.document()}}
    frame = results.to_frame().set_index("policy")
    assert frame.first_legal_rate["speaker"] == rates.first_legal_rate
    assert frame.loc[["random", "greedy"], [*rates.columns()]].isna().all(axis=None)


# ---- shown


def test_the_terminal_shows_what_was_said_and_is_not_controlled_by_it(path: Path, capsys: pytest.CaptureFixture[str]):
    pairing, number = str(PLAN.pairings.index(FORFEITED.pairing)), str(FORFEITED.number)
    assert main(["replay", str(path), "--pairing", pairing, "--game", number, "--no-oracle"]) == 0
    out = capsys.readouterr().out
    assert not {*out} & {*CONTROLS}
    assert r"<script>alert('reply')</script><img src=x onerror=alert(1)> \x1b[2J\x1b]0;title\x07 \x00 \u202e" in out
    for one in FORFEITED.transcripts.values():
        for attempt in one.attempts:
            assert attempt.reason in out
    assert "Thought: <script>alert('reply')</script>" in out
    assert out.index(FORFEITED.transcripts[len(FORFEITED.actions)].attempts[-1].reason) < out.index("wins by a fault of speaker")


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_browser_shows_replies_as_text_and_runs_nothing_of_them(chromium: Chromium, results: Results, tmp_path: Path):
    record = results.store.record(FORFEITED.pairing, FORFEITED.number)
    (tmp_path / "page.html").write_text(show(record).page(), encoding="utf-8")
    browser = Browser(chromium.new_page())
    browser.open(tmp_path / "page.html", 390)
    browser.run("document.querySelector('[data-go=last]').click()")
    assert EVIL.split(" \x1b")[0] in browser.run("document.querySelector('.said .reply').textContent")
    assert browser.run("document.querySelector('.said .fault').textContent").endswith(
        FORFEITED.transcripts[len(FORFEITED.actions)].attempts[0].reason
    )
    assert browser.run("document.querySelector('.said [data-part=reasoning0] pre').textContent").startswith("Thought: <script>")
    browser.run("document.querySelector('.said [data-part=question]').open = true")
    browser.run("document.querySelector('[data-go=first]').click()")
    assert browser.run("document.querySelector('.said').hidden")
    assert browser.run("document.querySelectorAll('.said img, .said script').length") == 0
    assert browser.run("document.documentElement.scrollWidth") == 390
    assert browser.complaints == []
