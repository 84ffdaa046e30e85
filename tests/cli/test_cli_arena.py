"""`ludus arena` and `ludus demo`: games, stores, printed results, and pages."""

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ludus.agents import policies_for
from ludus.arena.planning.protocols import protocol
from ludus.arena.store.store import Store
from ludus.cli.commands import demo
from ludus.envs import game_names, make_game


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_arena_prints_pairs_and_ratings_and_writes_the_store_and_the_page(document, tmp_path):
    shown = document("arena", "nim", "tictactoe", "--policies", "random", "nim_sum", "minimax:depth=2", "--games", 20)
    met = [(pair["game"], pair["a"], pair["b"]) for pair in shown["pairs"]]
    assert met == [
        ("nim", "random", "nim_sum"),
        ("nim", "random", "minimax:depth=2"),
        ("nim", "nim_sum", "minimax:depth=2"),
        ("tictactoe", "random", "minimax:depth=2"),
    ]
    assert all(pair["games"] == 20 == pair["wins"] + pair["draws"] + pair["losses"] for pair in shown["pairs"])
    assert set(shown["ratings"]["nim"]) == {"random", "nim_sum", "minimax:depth=2"}
    assert all(low <= elo <= high for elos in shown["ratings"].values() for elo, low, high in elos.values())
    assert Store.open(shown["store"]).count() == 80
    assert "minimax:depth=2" in (tmp_path / shown["report"]).read_text()
    assert re.fullmatch(r"ludus-\d{8}-\d{6}\.sqlite", shown["store"])


def test_arena_shows_the_nodes_of_policies_that_count_them(run, document):
    common = ("--games", 2, "--no-report", "--store")
    _, silent, _ = run("arena", "othello:size=4", "--policies", "random", "greedy", *common, "a")
    _, counted, _ = run("arena", "othello:size=4", "--policies", "minimax:depth=2", "random", *common, "b")
    (pair,) = document("arena", "--resume", "b", "--no-report")["pairs"]
    nodes = sum(record.nodes[record.number % 2] for record in Store.open("b").records()) / 2
    assert "nodes" not in silent
    assert "nodes a game" in counted
    assert pair["nodes_a_game"] == [nodes, None]
    (line,) = (line for line in counted.splitlines() if line.startswith("  minimax"))
    assert line.split()[-2] == f"{nodes:,.0f}"


def test_arena_prints_tables_for_people_and_names_the_page(run, tmp_path):
    status, out, _ = run("arena", "nim", "--policies", "random", "nim_sum", "--games", 4, "--store", "x.sqlite")
    assert status == 0
    assert all(word in out for word in ("nim", "nim_sum", "Elo", "ludus replay x.sqlite", (tmp_path / "x.html").as_uri()))


def test_without_a_report_no_page_is_written_nor_named(run, document, tmp_path):
    arguments = ("--games", 2, "--no-report")
    assert document("arena", "nim", "--policies", "random", "greedy", "--store", "x.sqlite", *arguments)["report"] is None
    status, out, _ = run("arena", "nim", "--policies", "random", "greedy", "--store", "y.sqlite", *arguments)
    assert (status, "The page" in out) == (0, False)
    assert not [*tmp_path.glob("*.html")]


def test_an_interrupted_tournament_keeps_its_games_and_can_be_resumed():
    command = [sys.executable, "-m", "ludus.cli", "arena", "tictactoe", "--policies", "random", "mcts:simulations=30", "greedy"]
    running = subprocess.Popen([*command, "--games", "40000", "--store", "kept.sqlite"], stderr=subprocess.PIPE, text=True)
    while not (path_has_games := Store.open("kept.sqlite").count() if _exists() else 0):
        pass
    running.send_signal(2)
    _, err = running.communicate(timeout=600)
    assert running.returncode == 130, err
    assert "resume with: ludus arena --resume kept.sqlite" in err
    assert path_has_games <= Store.open("kept.sqlite").count() < 120_000


def test_the_command_that_resumes_a_tournament_with_a_model_can_be_run(run):
    pytest.importorskip("openai")
    model = "llm:model=m,url=http://127.0.0.1:9/v1,patience=0"
    _, _, err = run("arena", "nim", "--policies", "random", model, "--games", 2, "--store", "kept.sqlite")
    command = re.search("resume with: ludus (.*)", err)[1]
    _, _, err = run(*command.split())
    assert "cannot be reached" in err


def _exists():
    try:
        Store.open("kept.sqlite").close()
    except (OSError, ValueError):
        return False
    return True


def test_against_and_protocol(document):
    shown = document("arena", "nim", "--policies", "greedy", "--against", "random", "nim_sum", "--games", 4)
    assert [(pair["a"], pair["b"]) for pair in shown["pairs"]] == [("greedy", "random"), ("greedy", "nim_sum")]
    shown = document("arena", "nim", "--policies", "nim_sum", "--protocol", "ludus-2", "--store", "p.sqlite")
    assert [pair["b"] for pair in shown["pairs"]] == protocol("ludus-2").opponents["nim"]
    assert {pair["games"] for pair in shown["pairs"]} == {protocol("ludus-2").games}


def test_the_page_shows_the_command_as_it_was_typed(document):
    words = "nim tictactoe --policies random greedy --games 2 --seed 3 --store x.sqlite"
    shown = document("arena", *words.split())
    assert f"ludus arena {words}" in Path(shown["report"]).read_text()


def test_with_self_play_each_policy_meets_itself_too(document, run):
    words = ["arena", "nim", "--policies", "random", "nim_sum", "--games", "20", "--self-play", "--no-report"]
    pairs = {(pair["a"], pair["b"]): pair for pair in document(*words, "--store", "a.sqlite")["pairs"]}
    assert [*pairs] == [("random", "nim_sum"), ("random", "random"), ("nim_sum", "nim_sum")]
    alike = pairs["nim_sum", "nim_sum"]
    assert (alike["wins"], alike["losses"]) == (10, 10)  # the start is lost, and every other game is begun by b
    grid = run(*words, "--store", "b.sqlite")[1].partition("w / d / l % against")[2]
    assert re.search(r"1 nim_sum +50 / 0 / 50 +\d+ / 0 / \d+\n", grid)


def test_a_store_is_not_overwritten(run, document):
    document("arena", "nim", "--policies", "random", "nim_sum", "--games", 2, "--store", "x.sqlite")
    status, _, err = run("arena", "nim", "--policies", "random", "nim_sum", "--games", 2, "--store", "x.sqlite")
    assert status == 2
    assert "--resume x.sqlite" in err


def test_the_demo_plans_every_pair_of_quick_policies_on_the_usual_and_the_smallest_board_of_every_game(run, monkeypatch):
    planned = []
    monkeypatch.setattr(demo, "play", lambda contest, *_: planned.append(contest.store.plan))
    monkeypatch.setattr(demo, "show", lambda *_, **__: None)
    monkeypatch.setattr(demo, "available", lambda: 1)
    assert run("demo", "--games", 2)[0] == 0
    (plan,) = planned
    small = {"nim": "nim:heaps=1+3+5,limit=3,misere=true", "quixo": "quixo:size=3", "othello": "othello:size=4"}
    small["connect_four"] = "connect_four:rows=4,columns=4"
    assert {pairing.game for pairing in plan.pairings} == {*game_names(), *small.values()}
    for name in [*game_names(), *small.values()]:
        pairs = [pairing for pairing in plan.pairings if pairing.game == name]
        count = len({*policies_for(make_game(name))} - {"expectimax", "hard", "perfect"})
        assert len(pairs) == len({*pairs}) == count * (count - 1) // 2


def test_the_demo_plays_what_it_plans_and_keeps_its_games(document, tmp_path, monkeypatch):
    document("arena", "nim", "--policies", "random", "nim_sum", "--games", 2, "--store", "ludus-demo.sqlite")  # of the last demo,
    with closing(sqlite3.connect("ludus-demo.sqlite")) as connection:  # of an older version
        connection.execute("PRAGMA user_version = 5")
    monkeypatch.setattr(demo, "game_names", lambda: ("nim", "tictactoe"))
    shown = document("demo", "--games", 2)
    assert {pair["game"] for pair in shown["pairs"]} == {"nim", "nim:heaps=1+3+5,limit=3,misere=true", "tictactoe"}
    assert (tmp_path / "ludus-demo.html").read_text().count("<svg") > 5
    with Store.open(tmp_path / "ludus-demo.sqlite") as store:
        assert store.count() == 2 * len(shown["pairs"])


def test_the_demo_replaces_no_file_that_is_not_a_store(run, tmp_path):
    (tmp_path / "ludus-demo.sqlite").write_text("my notes")
    status, _, err = run("demo", "--games", 2)
    assert status == 2
    assert "ludus-demo.sqlite" in err
    assert (tmp_path / "ludus-demo.sqlite").read_text() == "my notes"


def test_a_tournament_ends_by_naming_the_command_that_shows_it(run):
    _, out, _ = run("arena", "nim", "--policies", "random", "nim_sum", "--games", 2, "--store", "a cup.sqlite", "--no-report")
    assert out.splitlines()[-1] == "To see all of it in the browser: ludus web 'a cup.sqlite'"
