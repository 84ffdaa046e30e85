"""The store when something breaks: whole parts or nothing, and a sentence for whatever goes wrong."""

import sqlite3
from contextlib import closing

import pytest

from ludus.arena.store import store as stores
from ludus.arena.store.store import Store

from ...helpers.arena import stored
from ...helpers.arena.played import chosen
from ...helpers.arena.stored import GAMES, PAIRING, QUIXO, child, printed
from ...helpers.sentences import says
from ...helpers.values import same

path, kept = stored.path, stored.kept


def execute(file, statement, *values):
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(statement, values)


# ---- kill -9


def test_whatever_moment_a_process_is_killed_at_whole_parts_are_there_and_the_rest_can_be_played(path):
    code = """
        import sys
        from pathlib import Path
        from tests.arena.store.test_store_damage import *
        from tests.helpers.arena.stored import killed_and_again
        path = Path(sys.argv[1])

        def play(noted):
            kept = Store.open(path) if path.exists() else Store.create(path, QUIXO)
            with kept, kept.session():
                left = kept.missing(PAIRING)
                for first in range(0, len(left), 10):
                    kept.add(PAIRING, chosen(GAMES, left[first : first + 10]))
                    noted()

        counts = []
        for _ in killed_and_again(play, 13, 0.002):
            if path.exists():
                with Store.open(path) as kept:
                    counts.append(kept.count())
                    assert same(kept.played(PAIRING), chosen(GAMES, range(counts[-1]))), "what is there is not what was added"
        assert all(count % 10 == 0 for count in counts) and counts == sorted(counts), counts
        print(len(set(counts)), counts[-1])
    """
    states, count = map(int, printed(child(code, path)).split())
    assert (states > 3, count) == (True, 1000)


# ---- no store, another one, a damaged one


def test_what_is_no_store_is_reported(tmp_path):
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("1. a1 2. b2 " * 100)
    execute(other, "CREATE TABLE games (number)")
    for file, kind, words in (
        (tmp_path / "missing.db", FileNotFoundError, "there is no store"),
        (text, ValueError, "is not a store of ludus"),
        (other, ValueError, "is not a store of ludus"),
        (tmp_path, OSError, "is a folder, not a file"),
    ):
        with pytest.raises(kind, match=words) as error:
            Store.open(file)
        says(error, file)
    assert not (tmp_path / "missing.db").exists()
    for place in (tmp_path / "no folder", text):
        with pytest.raises(OSError, match="cannot be written"):
            Store.create(place / "a.db", QUIXO)


@pytest.mark.parametrize("other", [7, 9])
def test_another_format_is_not_read(kept, other):
    execute(kept, f"PRAGMA user_version = {other}")
    with pytest.raises(ValueError, match=f"has format {other}, and this ludus reads format 8; use the one that wrote it"):
        Store.open(kept)


def test_another_version_of_ludus_reads_and_does_not_go_on(kept, monkeypatch):
    monkeypatch.setattr(stores, "__version__", "9.8.7")
    with Store.open(kept) as made:
        assert same(made.played(PAIRING), chosen(GAMES, range(400)))
        with pytest.raises(ValueError, match="results could differ") as error:
            made.add(PAIRING, chosen(GAMES, [400]))
        says(error, kept, "9.8.7", made.sessions()[0].ludus, "install")
        assert len(made.sessions()) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("games SET actions = 'text' WHERE number = 7", ["game 7 does not match its checksum"]),
        ("games SET seconds_0 = 9e999 WHERE number = 399", ["game 399 does not match its checksum"]),
        ("games SET result = -result WHERE number = 11 OR result = 1", ["does not match its checksum"]),
        ("games SET pairing = 3 WHERE number = 5", ["400 games were added, and 399 are there"]),
        ("pairings SET action_bytes = 3", ["its table pairings says", "its plan says"]),
        ("sessions SET ludus = '9'", ["the session 1 does not match its checksum"]),
        ("plan SET document = replace(document, '\"seed\": 0', '\"seed\": 1')", ["its plan does not match its checksum"]),
        ("plan SET document = replace(document, '\"games\": 1000', '\"games\": -2')", ["the plan in", "games is -2"]),
        ("plan SET document = json_set(document, '$.pairings', json('[]'))", ["the plan in", "there are no pairings"]),
        ("plan SET document = json_set(document, '$.pairings[0][1]', 7)", ["Expected `str`, got `int` - at `$.pairings[0][1]`"]),
        ("plan SET document = json_set(document, '$.move_time', 9e999)", ["the plan in", "damaged"]),
    ],
)
def test_values_that_no_tournament_writes_are_reported_with_their_place(kept, change, words):
    execute(kept, f"UPDATE {change}")
    with pytest.raises(ValueError, match="damaged") as error, Store.open(kept) as made:
        made.sessions(), made.score(PAIRING)
    says(error, kept, "keep a copy", ".recover", *words)
    assert len(str(error.value)) < 600


DAMAGES = {
    "truncated": lambda content: content[: len(content) // 2],
    "holes": lambda content: content[:16384] + bytes([0xA5]) * 2000 + content[18384:],
    "header": lambda content: content[:16] + bytes(84) + content[100:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_store_is_reported_and_left_as_it_is(kept, damage):
    content = damage(kept.read_bytes())
    kept.write_bytes(content)
    for use in (lambda made: made.add(PAIRING, chosen(GAMES, [400])), lambda made: made.played(PAIRING)):
        with pytest.raises(ValueError, match=r"damaged|not a store") as error, Store.open(kept) as made:
            use(made)
        says(error, kept)
        assert kept.read_bytes() == content


# ---- no file


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_store_that_is_gone_ends_its_tournament_at_once(kept, how):
    with Store.open(kept) as made:
        made.add(PAIRING, chosen(GAMES, [400, 401]))
        other = kept.with_name("other")
        other.write_bytes(kept.read_bytes())
        if how == "replaced":
            other.replace(kept)
        else:
            kept.unlink()
        with pytest.raises(OSError, match="while games were added; those played since are lost") as error:
            made.add(PAIRING, chosen(GAMES, [402, 403]))
        says(error, kept, "has been replaced" if how == "replaced" else "has been deleted or moved")
