"""The store: what goes in comes out, from one file, no game twice, and one process at a time goes on with it."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.arena.matches.games import ENDINGS, Pairing
from ludus.arena.ratings.score import Score
from ludus.arena.store.store import Store

from ...helpers.arena import stored
from ...helpers.arena.played import chosen, made_up_games, plan_of, random_games
from ...helpers.arena.stored import GAMES, PAIRING, QUIXO, child, printed
from ...helpers.games import VARIANTS
from ...helpers.sentences import says
from ...helpers.values import same

path, kept = stored.path, stored.kept


# ---- what goes in comes out


@pytest.mark.parametrize("spec", [*VARIANTS, "nim:heaps=255+255+3"])
def test_games_come_back_to_the_last_bit(spec):
    plan = plan_of(spec, count=60)
    [pairing] = plan.pairings
    games = random_games(spec, np.arange(60))
    with Store.create(None, plan) as made:
        made.add(pairing, chosen(games, range(0, 60, 2)))
        made.add(pairing, chosen(games, range(1, 60, 2)))
        assert same(made.played(pairing), games)
        assert list(made.records()) == list(made.records(pairing)) == games.records(pairing)
        assert made.record(pairing, 17) == games.records(pairing)[17]
        assert any(record.reason for record in made.records())
        parts = list(made.parts(pairing, 7))
        assert [len(part.numbers) for part in parts] == [7] * 8 + [4]
        assert [record for part in parts for record in part.records(pairing)] == games.records(pairing)


@st.composite
def some_games(draw):
    numbers = draw(st.lists(st.integers(0, 999), unique=True, max_size=8))
    games = made_up_games(
        numbers, draw(st.integers(0, 99)), plies=draw(st.integers(9, 250)), actions=draw(st.sampled_from([9, 44]))
    )
    faults = draw(st.dictionaries(st.integers(0, 7), st.text(max_size=30), max_size=4))
    reasons = {row: reason for row, reason in faults.items() if row < len(numbers)}
    games.endings[list(reasons)] = draw(st.integers(2, ENDINGS.index("died")))
    games.keys[:1] = draw(st.sampled_from([0, 2**63 - 1, 2**63, 2**64 - 1]))
    return games._replace(reasons=reasons)


@settings(max_examples=60)
@given(some_games())
def test_any_games_come_back_by_number(games):
    with Store.create(None, QUIXO) as made:
        made.add(PAIRING, games)
        assert same(made.played(PAIRING), chosen(games, np.argsort(games.numbers)))
        assert made.count() == made.count(PAIRING) == len(games.numbers)
        assert set(made.missing(PAIRING).tolist()) == set(range(1000)) - set(games.numbers.tolist())


def test_scores_are_those_of_the_openings_whose_both_games_are_there():
    games, plan = random_games("tictactoe", np.arange(200)), plan_of("tictactoe", count=300)
    rows = np.setdiff1d(np.arange(200), [2, 5, 198])
    with Store.create(None, plan) as made:
        for part in np.array_split(np.random.default_rng(0).permutation(rows), 8):
            made.add(plan.pairings[0], chosen(games, part))
        [found], expected = made.scores(), Score.of(plan.pairings[0], chosen(games, np.setdiff1d(rows, [3, 4, 199])))
        assert made.missing(plan.pairings[0])[:4].tolist() == [2, 5, 198, 200]
    assert np.array_equal(found.evidence.openings, expected.evidence.openings)
    for name in ("plies", "faults", "moves"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))
    assert found.seconds == pytest.approx(expected.seconds)
    assert found.faults.sum() > 0


def row_of(path, number):
    query = "SELECT game, a, b, number, plies, actions FROM games JOIN pairings USING (pairing) WHERE number = ?"
    with closing(sqlite3.connect(path)) as connection:
        [row] = connection.execute(query, (number,))
    return row


def test_actions_of_two_bytes_stand_low_byte_first(path):
    plan = plan_of("nim:heaps=255+255+3", count=2)
    [pairing], games = plan.pairings, random_games("nim:heaps=255+255+3", np.arange(2))
    with Store.create(path, plan) as made:
        made.add(pairing, games)
    *_, actions = row_of(path, 1)
    assert (
        tuple(low + 256 * high for low, high in zip(actions[::2], actions[1::2], strict=True)) == games.records(pairing)[1].actions
    )
    assert any(actions[1::2])


def test_each_session_is_recorded(kept):
    with Store.open(kept) as made, made.session(workers=3, engine="ray"):
        made.add(PAIRING, chosen(GAMES, range(400, 410)))
    with Store.open(kept) as made:
        first, second = made.sessions()
        assert (first.number, first.workers, first.engine) == (1, 1, "local")
        assert (second.number, second.workers, second.engine) == (2, 3, "ray")
        assert second[2:5] == (ludus.__version__, sys.version.split()[0], np.__version__)
        assert second.cpus == os.cpu_count()
        assert abs(time.mktime(time.strptime(second.began, "%Y-%m-%d %H:%M:%S")) - time.mktime(time.gmtime())) < 3600
        assert made.session_of(made.record(PAIRING, 399)) == first
        assert made.session_of(made.record(PAIRING, 400)) == second


# ---- one file


def test_it_is_one_file_when_it_is_left(kept):
    assert [file.name for file in kept.parent.iterdir()] == [kept.name]
    copy = kept.with_name("copy.db")
    copy.write_bytes(kept.read_bytes())
    with Store.open(copy) as made:
        assert same(made.played(PAIRING), chosen(GAMES, range(400)))


def test_it_is_one_file_too_when_the_process_ends_without_a_word(path):
    code = """
        import sys
        from tests.arena.store.test_store import *
        kept = Store.create(sys.argv[1], QUIXO)
        kept.add(PAIRING, GAMES)
        if sys.argv[2:]: raise KeyboardInterrupt
    """
    printed(child(code, path))
    assert [*path.parent.iterdir()] == [path]
    path.unlink()
    child(code, path, "interrupted").communicate()
    assert [*path.parent.iterdir()] == [path]
    with Store.open(path) as made:
        assert same(made.played(PAIRING), GAMES)


def test_others_read_while_games_are_added(path):
    with Store.create(path, QUIXO) as made, made.session(), Store.open(path) as reading:
        assert reading.count() == 0
        for first in range(0, 1000, 250):
            made.add(PAIRING, chosen(GAMES, range(first, first + 250)))
            assert reading.count() == first + 250
        code = "import sys; from tests.arena.store.test_store import *; print(Store.open(sys.argv[1]).count(PAIRING))"
        assert printed(child(code, path)) == "1000\n"
    assert [*path.parent.iterdir()] == [path]


# ---- nothing twice, and one at a time


def test_no_game_is_kept_twice(kept):
    with Store.open(kept) as made:
        for part in ([399, 400], [7], [500, 501, 500]):
            with pytest.raises(ValueError, match="already") as error:
                made.add(PAIRING, chosen(GAMES, part))
            says(error, "no game is kept twice")
        assert same(made.played(PAIRING), chosen(GAMES, range(400)))
        made.add(PAIRING, chosen(GAMES, range(400, 1000)))
        assert same(made.played(PAIRING), GAMES)


def test_a_store_is_not_made_over_another_or_over_anything(kept, tmp_path):
    note = tmp_path / "note.txt"
    note.write_text("mine")
    before = kept.read_bytes()
    for there in (kept, note, tmp_path):
        with pytest.raises(FileExistsError) as error:
            Store.create(there, QUIXO)
        says(error, there, "--resume")
    assert (kept.read_bytes(), note.read_text()) == (before, "mine")


def test_two_do_not_go_on_with_one_store(kept):
    code = """
        import sys
        from tests.arena.store.test_store import *
        with Store.open(sys.argv[1]) as mine, mine.session():
            print("mine", flush=True)
            sys.stdin.read()
    """
    other = child(code, kept, stdin=subprocess.PIPE)
    assert other.stdout.readline() == "mine\n"
    with Store.open(kept) as made:
        for adding in (made.session().__enter__, lambda: made.add(PAIRING, chosen(GAMES, [400]))):
            with pytest.raises(BlockingIOError) as error:
                adding()
            says(error, kept, "another process")
        assert made.count() == 400
        other.kill()
        other.communicate()
        made.add(PAIRING, chosen(GAMES, range(400, 1000)))
        assert made.count() == 1000


def test_a_pairing_of_another_tournament_is_refused(kept):
    other = Pairing("quixo", "greedy", "random")
    with Store.open(kept) as made:
        for asking in (made.score, made.played, made.missing, made.count, lambda pairing: made.add(pairing, GAMES)):
            with pytest.raises(ValueError, match="not in this tournament") as error:
                asking(other)
            says(error, "quixo: greedy – random", "quixo: random – greedy")
        with pytest.raises(ValueError, match="not in the store") as error:
            made.record(PAIRING, 400)
        says(error, "game 400", "400 of 1000")


def test_a_game_of_quixo_takes_130_bytes_at_most(path):
    with Store.create(path, plan_of("quixo", count=20_000)) as made:
        made.add(PAIRING, made_up_games(np.arange(20_000)))
    assert path.stat().st_size / 20_000 <= 130
