"""The store: what goes in comes out, from one file, no game twice, and one process at a time goes on with it."""

import subprocess
import sys

import numpy as np
import pytest

import ludus
from ludus.arena.matches.games import Pairing
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
        assert (made.count(), made.missing(pairing).tolist()) == (60, [])
        parts = list(made.parts(pairing, 7))
        assert [len(part.numbers) for part in parts] == [7] * 8 + [4]
        assert [record for part in parts for record in part.records(pairing)] == games.records(pairing)


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


def test_actions_of_two_bytes_stand_low_byte_first(path):
    plan = plan_of("nim:heaps=255+255+3", count=2)
    [pairing], games = plan.pairings, random_games("nim:heaps=255+255+3", np.arange(2))
    with Store.create(path, plan) as made:
        made.add(pairing, games)
        [(stored,)] = made._database.rows("SELECT actions FROM games WHERE number = 1")
    assert tuple(np.frombuffer(stored, "<u2").tolist()) == games.records(pairing)[1].actions
    assert max(games.records(pairing)[1].actions) > 255


def test_each_session_is_recorded(kept):
    with Store.open(kept) as made, made.session(workers=3, engine="ray"):
        made.add(PAIRING, chosen(GAMES, range(400, 410)))
    with Store.open(kept) as made:
        first, second = made.sessions()
        assert (first.number, first.workers, first.engine) == (1, 1, "local")
        assert (second.number, second.workers, second.engine) == (2, 3, "ray")
        assert second[2:5] == (ludus.__version__, sys.version.split()[0], np.__version__)
        assert [made.session_of(made.record(PAIRING, number)) for number in (399, 400)] == [first, second]


# ---- one file


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
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    with Store.open(copy) as made:
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
    with Store.open(kept) as made:
        for asking in (made.score, made.missing, lambda pairing: made.add(pairing, GAMES)):
            with pytest.raises(ValueError, match="quixo: greedy – random is not in this tournament"):
                asking(Pairing("quixo", "greedy", "random"))
        with pytest.raises(ValueError, match=r"game 400 .* not in the store"):
            made.record(PAIRING, 400)


def test_a_game_of_quixo_takes_130_bytes_at_most(path):
    with Store.create(path, plan_of("quixo", count=20_000)) as made:
        made.add(PAIRING, made_up_games(np.arange(20_000)))
    assert path.stat().st_size / 20_000 <= 130
