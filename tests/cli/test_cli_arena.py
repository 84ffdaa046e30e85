"""`ludus arena` and `ludus demo`: games, stores, openings, printed results, and pages."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ludus.arena.planning.protocols import protocol
from ludus.arena.store.store import Store
from ludus.cli import main
from ludus.cli.commands import demo
from ludus.records import load_openings

NIM = ("arena", "nim", "--policies", "random", "nim_sum", "--games", 2)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_arena_prints_pairs_and_ratings_and_writes_the_store_and_the_page(document, tmp_path):
    words = "nim tictactoe --policies random nim_sum minimax:depth=2 --games 20"
    shown = document("arena", *words.split())
    met = [(pair["game"], pair["a"], pair["b"]) for pair in shown["pairs"]]
    assert met == [
        ("nim", "random", "nim_sum"),
        ("nim", "random", "minimax:depth=2"),
        ("nim", "nim_sum", "minimax:depth=2"),
        ("tictactoe", "random", "minimax:depth=2"),
    ]
    assert all(pair["games"] == 20 == pair["wins"] + pair["draws"] + pair["losses"] for pair in shown["pairs"])
    assert set(shown["ratings"]["nim"]) == {"random", "nim_sum", "minimax:depth=2"}
    assert Store.open(shown["store"]).count() == 80
    assert re.fullmatch(r"ludus-\d{8}-\d{6}\.sqlite", shown["store"])
    assert f"ludus arena {words}" in (tmp_path / shown["report"]).read_text()  # as it was typed


def test_arena_prints_tables_for_people_and_names_the_page_and_the_browser(run, tmp_path):
    status, out, _ = run(*NIM, "--store", "a cup.sqlite")
    assert status == 0
    page, store = (tmp_path / "a cup.html").as_uri(), "'a cup.sqlite'"
    assert all(words in out for words in ("nim_sum", "Elo", f"ludus replay {store}", f"ludus web {store}", page))
    status, _, err = run(*NIM, "--store", "a cup.sqlite")
    assert (status, "--resume" in err) == (2, True)


def test_a_script_can_see_by_the_exit_status_that_a_game_was_lost_by_a_fault(tmp_path, monkeypatch):
    (tmp_path / "of_a_student.py").write_text("def last(legal):\n    return legal[-1]\n\n\ndef wrong(legal):\n    return 9\n")
    monkeypatch.syspath_prepend(tmp_path)
    words = ["arena", "tictactoe", "--against", "random", "--games", "2", "--no-report", "--fail-on-faults"]
    named = {
        name: ["--store", f"{name}.sqlite", "--policies", f"of_a_student:{name},one_position=true"] for name in ("last", "wrong")
    }
    assert {name: main([*words, *more]) for name, more in named.items()} == {"last": 0, "wrong": 3}


def test_arena_shows_the_nodes_of_policies_that_count_them(run, document):
    words = ("arena", "othello:size=4", "--policies", "minimax:depth=2", "random", "--games", 2, "--no-report", "--store", "b")
    assert "nodes a game" in run(*words)[1]
    (pair,) = document("arena", "--resume", "b", "--no-report")["pairs"]
    nodes = sum(record.nodes[record.number % 2] for record in Store.open("b").records()) / 2
    assert pair["nodes_a_game"] == [nodes, None]


def test_policies_meet_opponents_a_protocol_or_themselves(document):
    shown = document("arena", "nim", "--policies", "greedy", "--against", "random", "nim_sum", "--games", 4, "--store", "a")
    assert [(pair["a"], pair["b"]) for pair in shown["pairs"]] == [("greedy", "random"), ("greedy", "nim_sum")]
    shown = document("arena", "nim", "--policies", "nim_sum", "--protocol", "ludus-2", "--store", "p")
    assert [pair["b"] for pair in shown["pairs"]] == protocol("ludus-2").opponents["nim"]
    shown = document(*NIM, "--self-play", "--store", "s")
    pairs = [("random", "nim_sum"), ("random", "random"), ("nim_sum", "nim_sum")]
    assert [(pair["a"], pair["b"]) for pair in shown["pairs"]] == pairs


# ---- openings


def test_a_tournament_from_a_file_names_it_everywhere_and_resumes_without_it(run, document):
    file = Path("mine.openings")
    file.write_text("# proven: drawn\na1 b2\n---XO---- X :\nb2 a1\n")
    suite = load_openings(file, "tictactoe")
    named = {"name": "mine.openings", "count": 3, "label": "proven: drawn", "checksum": suite.checksum}
    sentence = f"the 3 openings of mine.openings (proven: drawn), checksum {suite.checksum}"
    shown = document("arena", "tictactoe", "--policies", "random", "greedy", "--openings", file, "--store", "a.sqlite")
    assert (shown["suites"], shown["pairs"][0]["suite"]) == ({"tictactoe": named}, named)
    assert shown["pairs"][0]["games"] == 6
    assert f"Games began with {sentence}" in Path(shown["report"]).read_text()
    graded = document("grade", "tictactoe", "--policy", "greedy", "--openings", file)
    assert (graded["games"], graded["beatable"], graded["suite"]["name"]) == (6, None, "mine.openings")
    assert run("arena", "--resume", "a.sqlite", "--openings", file)[::2] == (
        2,
        "ludus: --openings is given, but the store fixes it; leave it out\n",
    )
    file.unlink()
    for words in (("arena", "--resume", "a.sqlite", "--no-report"), ("replay", "a.sqlite")):
        assert f"began with {sentence}, each from both seats." in run(*words)[1]
    listed = document("replay", "a.sqlite")
    assert listed["suites"] == {"tictactoe": named}
    assert [game["start"] for game in listed["games"]] == [None, None, "---XO---- X", "---XO---- X", None, None]


# ---- the demo


def test_the_demo_replaces_the_games_of_the_last_one_and_no_other_file(document, run, tmp_path, monkeypatch):
    kept = tmp_path / "ludus-demo.sqlite"
    document(*NIM, "--store", kept)  # of the last demo, by an older version
    with closing(sqlite3.connect(kept)) as connection:
        connection.execute("PRAGMA user_version = 5")
    monkeypatch.setattr(demo, "game_names", lambda: ("nim", "tictactoe"))
    shown = document("demo", "--games", 2)
    assert {pair["game"] for pair in shown["pairs"]} == {"nim", "nim:heaps=1+3+5,limit=3,misere=true", "tictactoe"}
    assert (tmp_path / "ludus-demo.html").read_text().count("<svg") > 5
    with Store.open(kept) as store:
        assert store.count() == 2 * len(shown["pairs"])
    kept.write_text("my notes")
    status, _, err = run("demo", "--games", 2)
    assert (status, "ludus-demo.sqlite" in err, kept.read_text()) == (2, True, "my notes")
