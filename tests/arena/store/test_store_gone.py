"""A store that is gone, or that cannot be opened or locked: each error names its cause."""

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from ludus.arena.planning.schedule import Schedule
from ludus.arena.store.errors import sqlite_errors
from ludus.arena.store.store import Store
from ludus.cli import main

from ...helpers.arena import stored
from ...helpers.arena.played import chosen
from ...helpers.arena.stored import GAMES, PAIRING
from ...helpers.sentences import says

path, kept = stored.path, stored.kept


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_a_store_that_is_gone_ends_its_tournament_at_once(kept, how):
    with Store.open(kept) as made:
        made.add(PAIRING, chosen(GAMES, [400, 401]))
        other = kept.with_name("other")
        other.write_bytes(kept.read_bytes())
        kept.unlink() if how == "deleted" else kept.rename(kept.with_name("away")) if how == "moved" else os.replace(other, kept)
        with pytest.raises(OSError, match="while games were added; those played since are lost") as error:
            made.add(PAIRING, chosen(GAMES, [402, 403]))
        says(error, kept, "has been replaced" if how == "replaced" else "has been deleted or moved")


def test_a_command_whose_store_is_deleted_ends_and_names_no_command_to_resume(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    learn = Schedule.learn

    def delete_and_learn(schedule, pairing, played):
        Path("s").unlink(missing_ok=True)
        learn(schedule, pairing, played)

    monkeypatch.setattr(Schedule, "learn", delete_and_learn)
    words = ["arena", "nim:heaps=1+2", "--policies", "random", "greedy", "--games", "50", "--no-report", "--store", "s"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "the store s has been deleted or moved while games were added; those played since are lost" in said
    assert "resume with" not in said


def test_what_sqlite_cannot_open_is_named_by_its_cause(kept, monkeypatch):
    def cause(path):
        with pytest.raises(OSError, match=r"^the store .* cannot be opened: ") as error, sqlite_errors(path):
            raise sqlite3.OperationalError("unable to open database file")
        return str(error.value).partition("cannot be opened: ")[2]

    assert cause(kept) == "SQLite does not say why"
    assert cause(kept.with_name("none")) == f"there is no file {kept.with_name('none')}"
    assert cause(kept.parent) == f"{kept.parent} is a folder, not a file; name a regular file"
    assert cause(kept / "inside") == f"there is no file {kept / 'inside'}"
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert cause(kept) == f"files beside it cannot be made; you may not write into {kept.parent}"
    monkeypatch.setattr(os, "open", raising(OSError(errno.EMFILE, os.strerror(errno.EMFILE))))
    assert cause(kept) == f"{kept} cannot be read (Too many open files)"


def raising(error):
    """A function that raises an error."""

    def raise_it(*_, **__):
        raise error

    return raise_it
