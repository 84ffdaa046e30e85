"""The command line: what each command prints, for people and as one JSON document, and what it says to mistakes."""

import io
import json
import os
import subprocess
import sys

import pytest

import ludus
from ludus.agents import policies_for
from ludus.cli import COMMANDS
from ludus.envs.registry import id_name

from .conftest import VARIANTS

GAMES = ["nim", "tictactoe", "quarto", "quixo", "othello"]


def process(*arguments, stdin="", **environment):
    """Runs a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "ludus.cli", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )


def test_main_can_be_called_as_often_as_one_likes(run):
    for _ in range(2):
        for command in ("list", "cache"):
            assert run(command, "--json")[0] == 0


# ---- list


def test_list_tells_of_every_game_its_variants_and_ids(document):
    listed = {game["name"]: game for game in document("list")["games"]}
    assert set(GAMES) <= set(listed)
    for name in GAMES:
        described, game = listed[name], ludus.make_game(name)
        assert described["title"] == game.title
        assert described["actions"] == game.actions
        assert described["observation_shape"] == list(game.shape)
        assert described["planes"] == list(game.planes)
        assert described["policies"] == list(policies_for(game))
        assert described["ids"] == {"gymnasium": f"ludus/{id_name(name)}-v0", "pettingzoo": f"ludus/{name}-v0"}
        assert [variant["spec"] for variant in described["variants"]] == list(game.variants)
        for variant in described["variants"]:
            made = ludus.make_game(variant["spec"])
            assert (variant["actions"], tuple(variant["observation_shape"])) == (made.actions, made.shape)
            assert variant["max_plies"] == (made.max_plies or None)
        assert ludus.make_game(name, **described["settings"]) == game


def test_list_prints_every_variant_for_people(run):
    status, out, err = run("list")
    assert (status, err) == (0, "")
    assert all(spec in out for spec in VARIANTS)


# ---- perft


@pytest.mark.parametrize(
    ("arguments", "leaves"),
    [
        (["tictactoe", 9], 255168),
        (["tictactoe", 0], 1),
        (["othello:size=4", 8], 9116),
        (["othello", 5], 1396),
        (["tictactoe", 2, "--position=X-O------ X"], 42),
        (["tictactoe", 3, "--position=--------- X"], 504),
        (["tictactoe", "--position=XXXOO---- O", 4], 1),
    ],
)
def test_perft_counts_leaves(document, arguments, leaves):
    counted = document("perft", *arguments)
    assert counted["leaves"] == leaves
    assert counted["seconds"] >= 0
    assert {"game", "depth", "position"} <= counted.keys()


def test_perft_prints_a_line_for_people(run):
    status, out, err = run("perft", "tictactoe", 3)
    assert (status, err) == (0, "")
    assert out.startswith("tictactoe depth 3: 504 leaves in ")
    assert out.count("\n") == 1


# ---- bench


def test_bench_measures_every_environment(document):
    measured = document("bench", "--seconds", 0.05, "--runs", 1, "--boards", 64, "--threads", 1)
    assert measured["threads"] == 1
    assert measured["start_seconds"] > 0
    rows = measured["steps_per_second"]
    assert {row["game"] for row in rows} >= set(GAMES)
    assert all(0 < row["slowest"] <= row["median"] <= row["fastest"] for row in rows)
    for name in GAMES:
        whats = [row["what"] for row in rows if row["game"] == name]
        assert [("AEC" in what, "opponent=None" in what, "opponent=random" in what) for what in whats] == [
            (True, False, False),
            (False, True, False),
            (False, False, True),
        ]


# ---- cache


def test_cache_shows_and_clears_what_was_compiled(tmp_path):
    folder = tmp_path / "kernels of mine"

    def cached(*arguments):
        run = process("cache", *arguments, "--json", LUDUS_CACHE=str(folder))
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    assert cached() == {"folder": str(folder), "bytes": 0, "kernels": [], "tables": []}
    assert cached("--clear") == {"folder": str(folder), "removed": 0, "removed_tables": 0}
    first = process("perft", "tictactoe", 4, "--json", LUDUS_CACHE=str(folder))
    assert json.loads(first.stdout)["leaves"] == 3024
    shown = cached()
    assert "perft" in [kernel["kernel"] for kernel in shown["kernels"]]
    assert sum(kernel["bytes"] for kernel in shown["kernels"]) == shown["bytes"] > 0
    table = process("cache", LUDUS_CACHE=str(folder)).stdout
    assert "tictactoe" in table
    assert "LUDUS_CACHE" in table
    assert process("solve", "quixo:size=3", LUDUS_CACHE=str(folder)).returncode == 0
    assert [kept["table"] for kept in cached()["tables"]] == ["quixo-3.table"]
    assert cached("--clear")["removed"] >= len(shown["kernels"])
    assert len(cached()["tables"]) == 1
    assert cached("--clear-tables") == {"folder": str(folder), "removed": 0, "removed_tables": 1}
    assert cached()["kernels"] == []


# ---- play


@pytest.fixture
def play(run, monkeypatch):
    """Plays with these lines as what the person types; the prompt answers that there is no more after them."""

    def game(*arguments, lines):
        typed = iter(lines)

        def answer(prompt=""):
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        return run("play", *arguments)

    return game


@pytest.fixture
def play_json(document, monkeypatch):
    """Plays with these lines on stdin: the document printed at the end."""

    def game(*arguments, lines):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return document("play", *arguments)

    return game


CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


def test_play_shows_the_board_and_answers_each_move(play):
    status, out, err = play("tictactoe", lines=["b2"])
    assert (status, err) == (0, "")
    assert "Tic-tac-toe (tictactoe): you are X, against random." in out
    assert "random plays " in out
    assert out.count("X to move") == 2
    assert "[O]" in out


@pytest.mark.parametrize("spec", GAMES)
def test_play_lists_the_legal_moves_on_request(play, spec):
    game = ludus.make_game(spec)
    _, out, _ = play(spec, lines=["moves", "MOVES"])
    for action in game.legal_actions(game.start):
        assert out.count(game.moves[action]) >= 2, f"{game.moves[action]} is not there, or not in one piece"


def test_play_takes_back_a_move_with_its_answer(play_json):
    assert play_json("tictactoe", lines=["b2", "undo"])["moves"] == []
    one = play_json("tictactoe", lines=["b2", "quit"])["moves"]
    assert one[0] == "b2"
    assert len(one) == 2
    free = next(cell for cell in CELLS if cell not in one)
    assert play_json("tictactoe", lines=["b2", free, "undo"])["moves"] == one
    assert play_json("tictactoe", lines=["b2", free, "undo", "undo"])["moves"] == []


def test_play_has_nothing_to_take_back_before_the_first_move(play):
    for seat in (0, 1):
        status, out, _ = play("tictactoe", "--seat", seat, lines=["undo"])
        assert status == 0
        assert "there is no move of yours to take back" in out


def test_play_in_quarto_takes_back_half_a_turn(play_json):
    moves = play_json("quarto", lines=["give 3", "undo"])["moves"]
    assert moves == []
    moves = play_json("quarto", "--seat", 1, lines=["a1", "undo"])["moves"]
    assert len(moves) == 1
    assert moves[0].startswith("give ")


@pytest.mark.parametrize(
    ("spec", "line", "words"),
    [
        ("tictactoe", "z9", ["no move 'z9'", "a1", "c3"]),
        ("tictactoe", "mvoes", ["no move 'mvoes'", "did you mean 'moves'"]),
        ("tictactoe", "udno", ["did you mean 'undo'"]),
        ("quarto", "gve 3", ["no move 'gve 3'", "did you mean 'give 3'"]),
        ("quarto", "a1", ["a1 is not legal now", "give 0"]),
        ("othello", "pas", ["did you mean 'pass'"]),
        ("othello", "pass", ["pass is not legal now", "d3", "e6"]),
        ("othello", "a1", ["a1 is not legal now", "d3", "e6"]),
        ("nim", "1-2", ["1-2 is not legal now", "1-1"]),
        ("quixo", "a1-a5", ["did you mean 'a1>a5'"]),
        ("tictactoe", "save", ["save takes the name of a file"]),
        ("tictactoe", "save /no/such/folder/game.json", ["/no/such/folder"]),
    ],
)
def test_play_answers_what_it_cannot_do_with_what_was_meant(play, spec, line, words):
    status, out, err = play(spec, lines=[line])
    assert (status, err) == (0, "")
    said = out.split("help, quit.")[1]
    assert all(word in said for word in words)
    assert "plays" not in said


def test_play_takes_moves_in_any_case_and_spacing(play_json):
    assert play_json("quarto", lines=["  GIVE   3 ", "quit"])["moves"][0] == "give 3"


def test_play_goes_on_after_an_empty_line(play, play_json):
    _, out, _ = play("tictactoe", lines=["", "   ", "b2"])
    assert "random plays" in out
    assert play_json("tictactoe", lines=["", "   ", "b2"])["moves"][0] == "b2"


@pytest.mark.parametrize("word", ["quit", "exit", "q", "QUIT"])
def test_play_ends_when_the_person_leaves(play, play_json, word):
    status, out, _ = play("tictactoe", lines=[word, "b2"])
    assert status == 0
    assert "plays" not in out
    assert play_json("tictactoe", lines=[word, "b2"])["outcome"] is None


def test_play_says_what_it_understands(play):
    _, out, _ = play("quixo", lines=["help", "?", "board"])
    assert out.count("take back your last move") == 2
    assert out.count("X to move") == 2


@pytest.mark.parametrize("seat", [0, 1])
def test_play_goes_to_the_end_of_the_game(play, play_json, seat):
    status, out, _ = play("tictactoe", "--seat", seat, "--seed", 5, lines=CELLS * 2)
    ended = play_json("tictactoe", "--seat", seat, "--seed", 5, lines=CELLS * 2)
    assert status == 0
    assert out.rstrip().endswith({1: "you win.", 0: "a draw.", -1: "you lose."}[ended["outcome"]])
    game = ludus.make_game("tictactoe")
    state = game.start
    for move in ended["moves"]:
        state = game.play(state, game.action(move))
    assert game.text(state) == ended["position"]
    assert game.outcome(state)[seat] == ended["outcome"]
    assert (ended["game"], ended["against"], ended["seat"], ended["seed"]) == ("tictactoe", "random", seat, 5)


def test_play_is_the_same_from_the_same_seed(play_json):
    one = play_json("othello", "--seed", 1, "--seat", 1, lines=["undo"])
    assert one == play_json("othello", "--seed", 1, "--seat", 1, lines=["undo"])
    others = {tuple(play_json("quarto", "--seed", seed, "--seat", 1, lines=[])["moves"]) for seed in range(12)}
    assert len(others) > 4


def test_play_is_against_any_policy(play):
    _, out, _ = play("nim", "--against", "nim_sum", lines=["4-7", "undo"])
    assert "against nim_sum" in out
    assert "nim_sum plays " in out


def test_play_saves_a_game_and_goes_on_with_it(play, play_json, tmp_path):
    file = tmp_path / "a game.json"
    _, out, _ = play("othello:size=4", "--seed", 2, "--seat", 1, lines=[f"save {file}"])
    assert f"saved; go on with: ludus play --load '{file}'" in out
    saved = json.loads(file.read_text())
    assert saved["game"] == "othello:size=4"
    assert len(saved["moves"]) == 1
    assert list(tmp_path.iterdir()) == [file]
    game = ludus.make_game("othello:size=4")
    move = game.move_name(game.legal_actions(game.position(saved["position"]))[0])
    went_on = play_json("--load", file, lines=[move])
    assert went_on["moves"][:2] == [*saved["moves"], move]
    assert went_on == play_json("othello:size=4", "--seed", 2, "--seat", 1, lines=[move])
    play("--load", file, lines=[move, f"save {file}"])
    assert json.loads(file.read_text()) == went_on


def test_play_starts_from_a_position(play_json):
    ended = play_json("tictactoe", "--position=XX-OO---- X", lines=["c1"])
    assert (ended["moves"], ended["outcome"], ended["start"]) == (["c1"], 1, "XX-OO---- X")


def test_play_counts_a_game_won_at_the_last_ply_allowed_as_won(play_json):
    ended = play_json("quixo:size=3,max_plies=1", "--position=XX-OO---- X", lines=["c1>a1"])
    assert ended["outcome"] == 1


def test_play_calls_a_game_drawn_after_max_plies(play, play_json):
    ended = play_json("quixo:max_plies=1", lines=["a1>a5"])
    assert (ended["moves"], ended["outcome"]) == (["a1>a5"], 0)
    _, out, _ = play("quixo:max_plies=1", lines=["a1>a5"])
    assert out.rstrip().endswith("a draw.")
    assert "to move: a draw" not in out


@pytest.mark.parametrize("content", ["", "[]", "{}", "7", '{"game": "chess"}', '{"game": "nim", "against": "random", "seat": 0}'])
def test_play_refuses_a_file_that_is_no_saved_game(run, tmp_path, content):
    file = tmp_path / "game.json"
    file.write_text(content)
    status, out, err = run("play", "--load", file)
    assert (status, out) == (2, "")
    assert f"{file} is no saved game of ludus" in err


@pytest.mark.parametrize(
    ("key", "value"),
    [("moves", ["a1", "a1"]), ("moves", ["z9"]), ("seat", 2), ("seat", -1), ("seed", "x"), ("start", "X"), ("moves", 3)],
)
def test_play_refuses_a_saved_game_that_cannot_be(run, tmp_path, key, value):
    file = tmp_path / "game.json"
    good = {"game": "tictactoe", "against": "random", "seat": 0, "seed": 0, "start": "--------- X", "moves": []}
    file.write_text(json.dumps({**good, key: value}))
    status, out, err = run("play", "--load", file)
    assert (status, out) == (2, "")
    assert f"{file} is no saved game of ludus" in err


# ---- mistakes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["perft", "otelo", 3], ["'otelo'", "did you mean 'othello'"]),
        (["perft", "othello:size=7", 3], ["4, 6 or 8", "7"]),
        (["perft", "othello:sise=6", 3], ["'sise'", "did you mean 'size'"]),
        (["perft", "tictactoe", -1], ["-1", "0 or more"]),
        (["perft", "tictactoe", 1, "--position=XX------- X"], ["'XX------- X'", "cannot be"]),
        (["play", "otelo"], ["'otelo'", "did you mean 'othello'"]),
        (["play", "othello", "--against", "randm"], ["'randm'", "did you mean 'random'"]),
        (["play", "othello", "--against", "nim_sum"], ["'nim_sum'", "othello"]),
        (["play", "tictactoe", "--position=XXXOO---- O"], ["XXXOO---- O", "over"]),
        (["play", "--load", "/no/such/file.json"], ["/no/such/file.json"]),
        (["play"], ["name a game", "--load"]),
        (["play", "nim", "--load", "x.json"], ["name a game", "--load"]),
        (["demo", "--games", 0], ["even number of games", "2 to", "0"]),
        (["bench", "--runs", 0], ["--runs", "1 or more"]),
        (["bench", "--seconds", 0], ["--seconds", "above 0"]),
        (["list", "--threads", 0], ["1 thread or more", "0"]),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else None,
)
def test_a_mistake_is_answered_in_one_line_and_exit_status_2(run, arguments, words):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("ludus: ")
    assert err.count("\n") == 1
    assert all(str(word) in err for word in words)
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lst"], ["there is no command 'lst'", "did you mean 'list'", *COMMANDS]),
        (["prft", "nim", 3], ["'prft'", "did you mean 'perft'"]),
        (["zzz"], ["'zzz'", *COMMANDS]),
        ([], ["COMMAND"]),
        (["perft", "nim"], ["depth"]),
        (["perft", "nim", "x"], ["depth", "'x'"]),
        (["play", "nim", "--seat", 2], ["--seat", "2", "0"]),
        (["list", "--jsn"], ["--jsn"]),
        (["list", "--seed", "x"], ["--seed", "'x'"]),
    ],
    ids=str,
)
def test_a_command_that_cannot_be_read_is_answered_with_its_usage_and_exit_status_2(run, arguments, words):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("ludus: ")
    assert "usage: ludus" in err
    assert all(word in err for word in words)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    status, out, err = run(command, "--help")
    assert (status, err) == (0, "")
    assert f"usage: ludus {command}" in out
    assert all(option in out for option in ("--json", "--seed", "--threads"))


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


def test_a_mistake_in_a_process_leaves_one_line_and_no_traceback():
    run = process("perft", "otelo", "3", "--json")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.splitlines() == [
        "ludus: there is no game 'otelo'; did you mean 'othello'? (there are: nim, tictactoe, quarto, quixo, othello)"
    ]


@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"]], ids=" ".join)
def test_a_reader_that_leaves_early_is_no_error(arguments):
    command = [sys.executable, "-m", "ludus.cli", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as listing:
        listing.stdout.close()
        assert listing.stderr.read() == b""
    assert listing.returncode == 0
