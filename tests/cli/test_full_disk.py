"""Commands that write, on a full disk and with targets that cannot be written: reported early, and nothing is lost."""

import json
import shutil

import pytest

from ludus.arena.store.store import Store
from ludus.baselines.runs.folder import Folder
from ludus.cli.commands import arena, demo, grade, puzzle, replay, text

from ..helpers.system.disks import fill, is_disk

ARENA = ("arena", "tictactoe", "--policies", "random", "greedy")
TRAIN = ("train", "qlearning", "nim:heaps=1+2", "--evaluate-every", "never", "--checkpoint-seconds", 0)
WRITERS = {
    "the page of a demo": ("demo", "--report"),
    "the page of a tournament": (*ARENA, "--report"),
    "a store": (*ARENA, "--no-report", "--store"),
    "a best response": ("grade", "tictactoe", "--policy", "greedy", "--exact", "--best-response"),
    "the page of a puzzle": ("puzzle", "setcover", "--solvers", "greedy", "--report"),
    "games for other programs": ("replay", "not there.sqlite", "--export"),
}
"""Commands that write to a file, whose name comes last."""


def check_sentence(err, *words):
    """Checks that the last line of stderr is a sentence with these words."""
    last = err.splitlines()[-1]
    assert last.startswith("ludus: ")
    assert all(str(word) in last for word in words), last
    assert not any(word in err for word in ("Traceback", "Errno", "PosixPath"))


@pytest.fixture
def never(monkeypatch):
    """Fails if the work begins."""

    def begun(*_, **__):
        raise AssertionError("the work began")

    for module, work in (
        (arena, "play"),
        (demo, "play"),
        (grade, "grade_as_chosen"),
        (puzzle, "compare"),
        (replay, "open_source"),
        (text, "ask"),
    ):
        monkeypatch.setattr(module, work, begun)


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_a_target_that_cannot_be_written_is_reported_before_the_work_begins(run, never, small_disk, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    for target, words in (
        ("no/such.csv", "No such file or directory"),
        ("folder.csv", "is a folder"),
        *([("small disk/full.csv", "bytes are free")] if is_disk(small_disk) else []),
    ):
        if is_disk(small_disk):
            fill(small_disk)
        status, out, err = run(*command, target)
        assert (status, out) == (2, "")
        check_sentence(err, target, words)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.name != "filling") == ["folder.csv", "small disk"]


# ---- a disk that fills up during the work


def test_a_store_on_a_full_disk_keeps_its_games_and_can_be_resumed(run, small_disk, tmp_path):
    store = small_disk / "store.sqlite"
    status, _, err = run(*ARENA, "--no-report", "--games", 4000, "--store", store)
    assert status == 2
    check_sentence(err, store)
    assert f"resume with: ludus arena --resume '{store}'" in err
    (tmp_path / "copy.sqlite").write_bytes(store.read_bytes())
    with Store.open(tmp_path / "copy.sqlite") as kept:
        [pairing] = kept.plan.pairings
        assert len(list(kept.records(pairing))) == kept.count() < 4000


def test_a_page_that_does_not_fit_loses_no_result(run, small_disk, tmp_path):
    store, page = tmp_path / "store.sqlite", small_disk / "page.html"
    status, out, err = run(*ARENA, "--games", 2, "--store", store, "--report", page, "--json")
    assert status == 2
    assert json.loads(out)["report"] is None
    check_sentence(err, page, "cannot be written", "games are kept", f"ludus arena --resume {store} --report FILE")
    assert list(small_disk.iterdir()) == []


def test_a_full_disk_ends_a_run_with_a_sentence_and_its_checkpoint_stays(run, small_disk, tmp_path):
    folder = small_disk / "run"
    if is_disk(small_disk):
        fill(small_disk, 28 << 10)
    status, _, err = run(*TRAIN, "--run", folder, "--games", 10**8)
    assert status == 2
    check_sentence(
        err,
        folder,
        "cannot be written",
        "saved everything up to the last checkpoint",
        f"resume it with: ludus train --resume '{folder}'",
    )
    shutil.copytree(folder, tmp_path / "elsewhere")
    kept = Folder.open(tmp_path / "elsewhere")
    assert 0 < kept.checkpoint()["run.clock"][0] < 10**8
    assert kept.learnt()
    assert not [path for path in folder.iterdir() if path.suffix == ".partial"]
    rows = (folder / "metrics.csv").read_text()
    assert rows.endswith("\n")
    assert len({line.count(",") for line in rows.splitlines()}) == 1
