"""What was said in games is kept with them: nothing lost, nothing doubled, bounded, and no room where nobody speaks."""

import os
import random
import sqlite3
import zlib
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.agents.answers import Attempt, Transcript
from ludus.arena.store.schema import checksum_of
from ludus.arena.store.store import Store
from ludus.arena.store.transcripts import LONGEST_TEXT
from ludus.core.errors import shorten
from ludus.envs import make_game

from ...helpers.arena.played import chosen, plan_of, random_games
from ...helpers.arena.spoken import FAULTS, spoken_games
from ...helpers.sentences import says

PLAN = plan_of("tictactoe", "quarto", policies=("speaker", "random", "greedy"), count=60)
PAIRINGS = PLAN.pairings[:2] + PLAN.pairings[3:5]
GAMES = {pairing: spoken_games(pairing.game, np.arange(60), number) for number, pairing in enumerate(PAIRINGS)}
TICTACTOE = PAIRINGS[0]


@pytest.fixture
def kept(tmp_path):
    with Store.create(tmp_path / "spoken.db", PLAN) as made:
        for pairing, games in GAMES.items():
            for rows in (range(0, 60, 2), range(1, 60, 2)):
                made.add(pairing, chosen(games, rows))
        made.add(PLAN.pairings[2], random_games("tictactoe", range(60)))
    return tmp_path / "spoken.db"


def execute(path, *statement):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(*statement).fetchall()


def test_what_was_said_comes_back_with_its_game_and_whose_move_it_was(kept):
    records = {pairing: games.records(pairing) for pairing, games in GAMES.items()}
    with Store.open(kept) as made:
        for record in made.records():
            expected = records[record.pairing][record.number].transcripts if record.pairing in GAMES else {}
            assert record.transcripts == expected == made.transcripts(record.pairing, record.number)
            assert made.record(record.pairing, record.number).transcripts == expected
        spoken = [*made.spoken()]
    for pairing, one in spoken:
        game = make_game(pairing.game)
        states = game.play_line(records[pairing][one.number].actions)
        assert one.player == game.player(states[one.ply]) == one.number % 2  # the speaker is a
    transcripts = [one for games in GAMES.values() for one in games.transcripts.values()]
    assert len(spoken) == len(transcripts)
    assert {attempt.fault for one in transcripts for attempt in one.attempts} == {*FAULTS, None}


def test_what_every_prompt_repeats_is_kept_once(kept):
    query = "SELECT sum(length(said)), count(*) FROM attempts WHERE pairing = ?"
    for pairing, games in GAMES.items():
        [(size, rows)] = execute(kept, query, (PLAN.pairings.index(pairing),))
        questions = [len(one.attempts[0].question) for one in games.transcripts.values()]
        assert size / rows < np.mean(questions) / 4
    assert execute(kept, "SELECT count(*) FROM speakers") == [(2,)]


texts = st.text(max_size=40) | st.text(st.characters(categories=["Cs", "Cc", "Cf", "Co"]), max_size=9)
counts = st.none() | st.integers(-5, 2**70)
attempts = st.builds(
    Attempt, texts, texts, st.sampled_from(FAULTS), texts, st.floats(allow_nan=False), st.integers(-1, 2**64), counts, counts, texts
)


@settings(max_examples=60)
@given(st.lists(attempts, min_size=1, max_size=3), texts, texts, texts)
def test_any_text_comes_back_as_far_as_a_file_can_hold_it(some, system, model, prompt):
    plan, games = plan_of("tictactoe", count=2), random_games("tictactoe", [0, 1])
    transcript = Transcript(tuple(some), system, model, prompt)
    with Store.create(None, plan) as made:
        made.add(plan.pairings[0], games._replace(transcripts={(0, 2): transcript}))
        found = made.transcripts(plan.pairings[0], 0)[2]
    writable = str.maketrans({chr(half): f"\\u{half:x}" for half in range(0xD800, 0xE000)})
    for said, one in zip(some, found.attempts, strict=True):
        for name in ("question", "reply", "reason", "reasoning"):
            assert getattr(one, name) == getattr(said, name).translate(writable)
        assert one.fault == said.fault
        assert (one.tokens_in is None) == (said.tokens_in is None)
        if 0 <= (said.tokens_in or 0) < 2**53 and 0 <= said.milliseconds < 2**53:
            assert (one.tokens_in, one.milliseconds) == (said.tokens_in, said.milliseconds)
    assert (found.system, found.model, found.prompt) == tuple(text.translate(writable) for text in (system, model, prompt))


def test_a_reply_of_ten_megabytes_is_cut_with_a_note(tmp_path):
    plan, games = plan_of("tictactoe", count=2), random_games("tictactoe", [0, 1])
    noise = random.Random(0).randbytes(5_000_000).hex() + "<move>b2</move>"
    transcript = Transcript((Attempt(noise, noise, "cut off", noise),), noise, noise, noise)
    with Store.create(tmp_path / "large.db", plan) as made:
        made.add(plan.pairings[0], games._replace(transcripts={(0, 2): transcript}))
        reply = made.transcripts(plan.pairings[0], 0)[2].attempts[0].reply
    assert reply == shorten(noise, LONGEST_TEXT)
    assert (reply[:1000], reply[-20_000:]) == (noise[:1000], noise[-20_000:])
    assert f"[… {len(noise) - LONGEST_TEXT:,} characters left out …]" in reply
    assert os.path.getsize(tmp_path / "large.db") < 1 << 20


def test_games_and_what_was_said_in_them_are_added_together_or_not_at_all(kept):
    with Store.open(kept) as made:
        before = [*made.spoken()]
        with pytest.raises(ValueError, match="no game is kept twice"):
            made.add(TICTACTOE, chosen(GAMES[TICTACTOE], [5]))
        assert [*made.spoken()] == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE attempts SET fault = 'late' WHERE number = 3", ["game 3 does not match its checksum"]),
        ("UPDATE attempts SET milliseconds = 9e999", ["game 0 does not match its checksum"]),
        ("DELETE FROM attempts WHERE number = 3", ["game 3 does not match its checksum"]),
        ("DELETE FROM speakers WHERE speaker = 2", ["game 0 does not match its checksum"]),
        ("UPDATE speakers SET system = replace(system, 'careful', 'reckless')", ["game 0 does not match its checksum"]),
        ("CREATE TRIGGER evil AFTER INSERT ON attempts BEGIN DELETE FROM plan; END", ["triggers"]),
        ("DROP TABLE speakers", ["its tables are not those of a store"]),
    ],
)
def test_damage_is_named(kept, change, words):
    execute(kept, change)
    for read in (lambda made: made.scores(), lambda made: [*made.records()], lambda made: [*made.spoken()]):
        with pytest.raises(ValueError, match="damaged") as error, Store.open(kept) as made:
            read(made)
        says(error, kept, ".recover", *words)


PACKED = (b"[1]", b"[" * 10**8, b'["a"]')


@pytest.mark.parametrize("said", [b"", b"\0" * 9, *(zlib.compress(one)[2:] for one in PACKED)], ids=range(5))
def test_texts_that_nobody_packed_are_refused_without_filling_the_memory(kept, said):
    """Texts that somebody put into the first game, with a checksum that fits."""
    execute(kept, "UPDATE attempts SET said = ? WHERE pairing = 0 AND number = 0", (said,))
    with Store.open(kept) as made:
        checksums = made._transcripts.checksums(0, 0, 0)
    *values, _ = execute(kept, "SELECT * FROM games WHERE pairing = 0 AND number = 0")[0]
    execute(kept, "UPDATE games SET checksum = ? WHERE pairing = 0 AND number = 0", (checksum_of(*values, checksums[0]),))
    with pytest.raises(ValueError, match="cannot be unpacked"), Store.open(kept) as made:
        [*made.spoken()]
