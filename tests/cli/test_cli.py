"""The command line: `list`, `perft`, `bench` and `cache`, as text and as JSON, and what all commands share."""

import json

import pytest

import ludus
from ludus.agents import policies_for
from ludus.agents.registry import policy_names
from ludus.arena import grade_exact
from ludus.arena.store.store import Store
from ludus.cli import machine, measuring
from ludus.cli.parser import COMMANDS
from ludus.core.numbers import several, several_seconds
from ludus.games.registry import id_name

from ..helpers.games import VARIANTS
from ..helpers.system.processes import process

GAMES = ["nim", "tictactoe", "quarto", "quixo", "othello", "connect_four"]


# ---- list, perft


def test_list_shows_every_game_with_its_variants_and_ids(document, run):
    listed = {game["name"]: game for game in document("list")["games"]}
    for name in GAMES:
        described, game = listed[name], ludus.make_game(name)
        facts = described["title"], described["actions"], tuple(described["observation_shape"]), described["planes"]
        assert facts == (game.title, game.num_actions, game.shape, list(game.planes))
        assert described["policies"] == list(policies_for(game))
        ids = {"gymnasium": f"ludus/{id_name(name)}-v0", "pettingzoo": f"ludus/{name}-v0", "module": f"ludus.{name}_v0"}
        assert described["ids"] == ids
        assert [variant["spec"] for variant in described["variants"]] == list(game.variants)
        assert ludus.make_game(name, **described["settings"]) == game
    status, out, err = run("list")
    assert (status, err) == (0, "")
    assert all(words in out for words in (*VARIANTS, "llm:model=NAME"))


def test_list_shows_what_each_setting_of_a_policy_takes(document, run):
    listed = document("list", "--settings")["policies"]
    assert {*policy_names()} <= listed.keys()
    rows = {setting["name"]: setting for setting in listed["mcts"]}
    found = [[rows[name][key] for key in ("type", "default", "allowed")] for name in ("simulations", "reuse")]
    assert found == [["whole number", "400", "a whole number from 1 to 1,000,000,000"], ["true or false", "false", ""]]
    assert all(name in run("list", "--settings")[1] for name in (*listed, *rows))


@pytest.mark.parametrize(
    ("arguments", "leaves", "lines"),
    [
        (["tictactoe", 7], 154944, 148176),
        (["tictactoe", 2, "--position=X-O------ X"], 42, 42),
        (["tictactoe", "--position=XXXOO---- O", 4], 1, 0),
    ],
)
def test_perft_counts_leaves_and_lines(document, arguments, leaves, lines):
    counted = document("perft", *arguments)
    assert (counted["leaves"], counted["lines"]) == (leaves, lines)
    assert {"game", "depth", "position", "seconds"} <= counted.keys()


# ---- bench, cache


def test_bench_measures_every_environment(document, run, monkeypatch):
    measured = document("bench", "--seconds", 0.05, "--runs", 1, "--boards", 64, "--threads", 1)
    assert (measured["threads"], measured["start_seconds"] > 0) == (1, True)
    rows = measured["steps_per_second"]
    assert all(0 < row["slowest"] <= row["median"] <= row["fastest"] for row in rows)
    for name in GAMES:
        kinds = [row["what"].split(", ")[-1] for row in rows if row["game"] == name]
        assert kinds == ["masked loop", "opponent=None", "opponent=random"]
    for name in ("aec_rate", "vector_rate", "start_seconds"):
        monkeypatch.setattr(measuring, name, lambda *_: 1234.5)
    assert "1,234" in run("bench")[1]
    assert document("bench", "environments")["machine"] == machine.machine()


def test_cache_shows_and_clears_what_was_compiled(run, document, tmp_path, monkeypatch):
    folder = tmp_path / "kernels of mine"
    monkeypatch.setenv("LUDUS_CACHE", str(folder))
    assert document("cache") == {"folder": str(folder), "refused": None, "bytes": 0, "kernels": [], "tables": []}
    assert json.loads(process("solve", "quixo:size=3", "--json").stdout)["distance"] == 7
    shown = document("cache")
    assert sum(kernel["bytes"] for kernel in shown["kernels"]) + shown["tables"][0]["bytes"] == shown["bytes"] > 0
    assert [kept["table"] for kept in shown["tables"]] == ["quixo-3.table"]
    assert all(words in run("cache")[1] for words in ("quixo", "LUDUS_CACHE"))
    assert document("cache", "--clear")["removed"] >= len(shown["kernels"])
    assert document("cache", "--clear-tables") == {"folder": str(folder), "removed": 0, "removed_tables": 1}
    assert document("cache")["bytes"] == 0


# ---- all commands


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    status, out, err = run(command, "--help")
    assert (status, err) == (0, "")
    assert all(words in out for words in (f"usage: ludus {command}", "--json", "--seed", "--threads"))


def test_an_interrupt_leaves_without_a_traceback(run, monkeypatch, tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert run("play", "tictactoe")[::2] == (130, "ludus: interrupted\n")
    monkeypatch.setattr(Store, "add", interrupted)
    status, _, err = run("arena", "nim", "--policies", "random", "greedy", "--games", 2, "--store", tmp_path / "kept.sqlite")
    assert (status, err.splitlines()[-1]) == (130, "ludus: interrupted")
    assert f"resume with: ludus arena --resume {tmp_path / 'kept.sqlite'}\n" in err


def test_json_is_all_there_is_on_stdout_of_a_process():
    done = process("play", "tictactoe", "--json", stdin="moves\nb2\nnonsense\nundo\nboard\nhelp\na1\nquit\n")
    assert done.returncode == 0
    assert json.loads(done.stdout)["moves"][0] == "a1"
    assert "no move 'nonsense'" in done.stderr


def test_one_is_not_many(run, tmp_path, monkeypatch):
    assert [several(count, "game") for count in (0, 1, 2, 12345)] == ["0 games", "1 game", "2 games", "12,345 games"]
    assert [several(count, "ply", "plies") for count in (1, 2)] == ["1 ply", "2 plies"]
    assert [several_seconds(count) for count in (0.5, 1.0, 60)] == ["0.5 seconds", "1 second", "60 seconds"]
    assert "1 leaf in" in run("perft", "nim:heaps=1", 1)[1]
    assert "in 1 ply" in str(grade_exact("greedy", "nim:heaps=1"))
    monkeypatch.chdir(tmp_path)
    printed = run("positions", "nim:heaps=1", "--count", 1, "--out", "one.jsonl")[1] + (tmp_path / "one.md").read_text()
    assert all(words in printed for words in ("1 position of nim:heaps=1", "1 position of Nim"))
