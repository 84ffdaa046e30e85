"""The command line: `list`, `perft`, `bench` and `cache`, as text and as JSON, and what all commands share."""

import json

import pytest

import ludus
from ludus.agents import policies_for
from ludus.agents.registry import policy_names
from ludus.cli import measuring
from ludus.cli.parser import COMMANDS
from ludus.games.registry import id_name

from ..helpers.games import VARIANTS
from ..helpers.system.processes import process

GAMES = ["nim", "tictactoe", "quarto", "quixo", "othello", "connect_four"]


# ---- list


def test_list_shows_every_game_with_its_variants_and_ids(document):
    listed = {game["name"]: game for game in document("list")["games"]}
    assert set(GAMES) <= set(listed)
    for name in GAMES:
        described, game = listed[name], ludus.make_game(name)
        assert described["title"] == game.title
        assert described["actions"] == game.num_actions
        assert described["observation_shape"] == list(game.shape)
        assert described["planes"] == list(game.planes)
        assert described["policies"] == list(policies_for(game))
        ids = {"gymnasium": f"ludus/{id_name(name)}-v0", "pettingzoo": f"ludus/{name}-v0", "module": f"ludus.{name}_v0"}
        assert described["ids"] == ids
        assert [variant["spec"] for variant in described["variants"]] == list(game.variants)
        for variant in described["variants"]:
            made = ludus.make_game(variant["spec"])
            assert (variant["actions"], tuple(variant["observation_shape"])) == (made.num_actions, made.shape)
            assert variant["max_plies"] == (made.max_plies or None)
        assert ludus.make_game(name, **described["settings"]) == game


def test_list_shows_what_each_setting_of_a_policy_takes(document, run):
    listed = document("list", "--settings")["policies"]
    assert {*policy_names()} <= listed.keys()
    rows = {setting["name"]: setting for setting in listed["mcts"]}
    found = [[rows[name][key] for key in ("type", "default", "allowed")] for name in ("simulations", "reuse")]
    assert found == [["whole number", "400", "a whole number from 1 to 1,000,000,000"], ["true or false", "false", ""]]
    assert rows["seconds"]["type"] == "number or none"
    printed = run("list", "--settings")[1]
    assert all(name in printed for name in (*listed, *rows))


def test_list_prints_every_variant_for_people(run):
    status, out, err = run("list")
    assert (status, err) == (0, "")
    assert all(spec in out for spec in VARIANTS)
    assert "llm:model=NAME" in out


# ---- perft


@pytest.mark.parametrize(
    ("arguments", "leaves", "lines"),
    [
        (["tictactoe", 0], 1, 1),
        (["tictactoe", 7], 154944, 148176),
        (["othello:size=4", 8], 9116, 9112),
        (["tictactoe", 2, "--position=X-O------ X"], 42, 42),
        (["tictactoe", "--position=XXXOO---- O", 4], 1, 0),
    ],
)
def test_perft_counts_leaves_and_lines(document, arguments, leaves, lines):
    counted = document("perft", *arguments)
    assert (counted["leaves"], counted["lines"]) == (leaves, lines)
    assert counted["seconds"] >= 0
    assert {"game", "depth", "position"} <= counted.keys()


def test_perft_prints_a_line_for_people(run):
    status, out, err = run("perft", "tictactoe", 3)
    assert (status, err) == (0, "")
    assert out.startswith("tictactoe depth 3: 504 leaves in ")
    assert out.count("\n") == 1
    assert "154,944 leaves, 148,176 lines of exactly 7 plies, in " in run("perft", "tictactoe", 7)[1]


# ---- bench


def test_bench_measures_every_environment(document):
    measured = document("bench", "--seconds", 0.05, "--runs", 1, "--boards", 64, "--threads", 1)
    assert measured["threads"] == 1
    assert measured["start_seconds"] > 0
    rows = measured["steps_per_second"]
    assert {row["game"] for row in rows} >= set(GAMES)
    assert all(0 < row["slowest"] <= row["median"] <= row["fastest"] for row in rows)
    for name in GAMES:
        assert [row["what"].split(", ")[-1] for row in rows if row["game"] == name] == [
            "masked loop",
            "opponent=None",
            "opponent=random",
        ]


def test_bench_measures_search_in_every_game(document, monkeypatch):
    monkeypatch.setattr(measuring, "DEPTH", 2)
    monkeypatch.setattr(measuring, "CALLS", 3)
    measured = document("bench", "search", "--runs", 1, "--threads", 1)
    assert measured.keys() == {"threads", "runs", "measured"}
    rows = measured["measured"]
    assert [row["what"] for row in rows[:3]] == ["nim: mcts", "nim: minimax:depth=2", "nim: minimax:depth=1, a call"]
    assert [row["unit"] for row in rows] == ["simulations/s", "s", "s"] * len(GAMES)
    assert all(0 < row["slowest"] == row["median"] == row["fastest"] for row in rows)


def test_bench_of_policies_needs_a_game(run):
    assert run("bench", "policies") == (2, "", "ludus: name the game whose policies to measure, as --game SPEC\n")


# ---- cache


def test_cache_shows_and_clears_what_was_compiled(run, document, tmp_path, monkeypatch):
    folder = tmp_path / "kernels of mine"
    monkeypatch.setenv("LUDUS_CACHE", str(folder))

    def cached(*arguments):
        return document("cache", *arguments)

    assert cached() == {"folder": str(folder), "refused": None, "bytes": 0, "kernels": [], "tables": []}
    assert cached("--clear") == {"folder": str(folder), "removed": 0, "removed_tables": 0}
    first = process("perft", "tictactoe", 4, "--json")
    assert json.loads(first.stdout)["leaves"] == 3024
    shown = cached()
    assert "perft" in [kernel["kernel"] for kernel in shown["kernels"]]
    assert sum(kernel["bytes"] for kernel in shown["kernels"]) == shown["bytes"] > 0
    table = run("cache")[1]
    assert "tictactoe" in table
    assert "LUDUS_CACHE" in table
    assert process("solve", "quixo:size=3").returncode == 0
    assert [kept["table"] for kept in cached()["tables"]] == ["quixo-3.table"]
    assert cached("--clear")["removed"] >= len(shown["kernels"])
    assert len(cached()["tables"]) == 1
    assert cached("--clear-tables") == {"folder": str(folder), "removed": 0, "removed_tables": 1}
    assert cached()["kernels"] == []


# ---- all commands


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    status, out, err = run(command, "--help")
    assert (status, err) == (0, "")
    assert f"usage: ludus {command}" in out
    assert all(option in out for option in ("--json", "--seed", "--threads"))


def test_ludus_alone_lists_its_commands(run):
    status, out, err = run()
    assert (status, err) == (0, "")
    assert all(f"\n    {command} " in out for command in COMMANDS)


def test_an_interrupt_leaves_without_a_traceback(run, monkeypatch):
    def interrupted(prompt=""):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    status, _, err = run("play", "tictactoe")
    assert (status, err) == (130, "ludus: interrupted\n")


# ---- as processes


def test_json_is_all_there_is_on_stdout_of_a_process():
    run = process("play", "tictactoe", "--json", stdin="moves\nb2\nnonsense\nundo\nboard\nhelp\na1\nquit\n")
    assert run.returncode == 0
    assert json.loads(run.stdout)["moves"][0] == "a1"
    assert "no move 'nonsense'" in run.stderr
