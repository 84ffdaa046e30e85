"""Bad input of all commands: one sentence that names it, exit status 2, and nothing written."""

import shlex
import sys

import pytest

from ludus.arena.store.store import Store
from ludus.cli.parser import COMMANDS

from ..helpers.arena.played import plan_of, random_games

MISTAKES = [  # a command, and what the sentence contains
    ("perft otelo 3", "'otelo'", "did you mean 'othello'"),
    ("perft othello:size=7 3", "4, 6 or 8", "7"),
    ("perft othello:sise=6 3", "'sise'", "did you mean 'size'"),
    ("perft tictactoe -1", "-1", "from 0 to"),
    ("perft tictactoe 1 --position='XX------- X'", "'XX------- X'", "cannot be"),
    ("play otelo", "'otelo'", "did you mean 'othello'"),
    ("play othello --against randm", "'randm'", "did you mean 'random'"),
    ("play othello --against nim_sum", "'nim_sum'", "othello"),
    ("play tictactoe --position='XXXOO---- O'", "XXXOO---- O", "over"),
    ("play --load /no/such/file.json", "/no/such/file.json"),
    ("play", "name a game", "--load"),
    ("play nim --load x.json", "name a game", "--load"),
    ("play nim --trust", "--trust is given", "--load"),
    ("bench --seconds 0", "--seconds", "more than 0"),
    ("list --threads 0", "--threads is 0", "1 or more"),
    ("solve otelo", "did you mean 'othello'"),
    ("solve tictactoe 'XX------- X'", "cannot be: X moves first"),
    ("solve quarto '00-------------- 3'", "piece 0", "twice"),
    ("solve quarto '0--- 3'", "Quarto", "'0--- 3'"),
    ("solve othello nonsense", "Othello", "'nonsense'"),
    ("solve nim '1 3 5 9'", "heap", "7"),
    ("arena nim --games 5", "--games is 5", "even number"),
    ("arena nim --policies random", "no games to play", "random is alone", "--self-play"),
    ("arena nim --policies gready", "did you mean 'greedy'"),
    ("arena nim --policies random,greedy", "'random,greedy'"),
    ("arena nim --policy random", "ludus arena has no option '--policy'", "did you mean '--policies'?"),
    ("arena nim:heaps=3,4,5", "'4'", "nim:heaps=3+4+5"),
    ("grade tictactoe --polcy random", "did you mean '--policy'?"),
    ("grade tictactoe --policy random --exactly", "did you mean '--exact'?"),
    ("solve quixo --size 4", "a setting of a game or a policy goes into its spec, as quixo:size=5"),
    ("play othello --simulations=9", "goes into its spec, as mcts:simulations=400"),
    ("perft --dpeth 3", "ludus perft has no option '--dpeth'", "`ludus perft --help` shows its options"),
    ("train qlerning nim", "did you mean 'qlearning'?"),
    ("train qlearning nim --learning-rate 1", "did you mean '--rate'?"),
    ("train qlearning nim --total-timesteps 9", "did you mean '--games'?"),
    ("play nim --as x", "`ludus play --help` shows its options"),
    ("grade nim --policy python:mine.py:act", "a module is named without .py: 'mine', not 'mine.py'"),
    ("grade nim --policy random --report x.html", "give --exact too, or leave it out"),
    ("list othelo", "ludus list does not take 'othelo'"),
    ("list --jsn", "did you mean '--json'?"),
    ("web x.html", "x.html does not exist"),
    ("web /usr", "is not a run: it has no file run.json"),
    ("play nim --against minimax:2", "'2' in 'minimax:2'", "name:key=value"),
    ("arena nim --policies random gready", "did you mean 'greedy'"),
    ("arena nmi", "did you mean 'nim'"),
    ("arena nim --protocol ludus-9", "did you mean 'ludus-2'"),
    ("arena nim --protocol ludus-2 --games 4", "--games is given", "--protocol"),
    ("arena nim --protocol ludus-2 --seed 0", "--seed is given", "--protocol"),
    ("arena nim --protocol ludus-2 --opening-plies 0", "--opening-plies is given", "--protocol"),
    ("arena nim --protocol ludus-2 --start-time 9", "--start-time is given", "--protocol"),
    ("arena nim --protocol ludus-2 --policies random", "one of the opponents of ludus-2"),
    ("arena nim --store x.html", "the page and the store", "x.html", "two files"),
    ("arena nim --report no/such/x.html", "no/such/x.html cannot be written (No such file or directory)"),
    ("arena nim --store no/such/folder/x.sqlite", "folder", "no/such"),
    ("arena nim --store .", "is a folder"),
    ("arena nim --report .", "is a folder"),
    ("arena nim --store x.sqlite --report /", "is a folder"),
    ("arena --resume .", "is a folder"),
    ("arena nim --opening-plies 1000000000", "--opening-plies", "from 0 to 1,000"),
    ("arena nim --games 1000000000000", "100,000,000"),
    ("arena nim --move-time 0", "more than 0 seconds"),
    ("arena nim --start-time 9", "without a move_time"),
    ("arena nim --trust", "--trust is given", "--resume"),
    ("arena --resume x.sqlite --seed 3", "--seed is given", "store"),
    ("arena nim --resume x.sqlite", "a game is given", "store"),
    ("arena --resume not-there.sqlite", "no store", "not-there.sqlite"),
    ("grade nim --policy random --freeze", "--freeze is given", "--exact"),
    ("grade nim --policy random --exact --games 2", "--games is given", "exact"),
    ("cache --warm nim --clear-tables", "--clear-tables is given", "--warm"),
    ("cache --warm chess", "no game 'chess'"),
    ("replay nothing", "there is no file", "nothing"),
    ("text bench --games otelo", "did you mean 'othello'"),
    ("text bench --games nim:heaps=2+3", "there is no frozen set of nim:heaps=2+3"),
    ("text bench --games nim --model gready", "did you mean 'greedy'"),
    ("text bench --games nim --variants grod", "did you mean 'grid'"),
    ("text bench --games nim --disguises magik", "disguise 'magik'", "story"),
    ("text bench --games nim --controls none", "nobody is asked"),
    ("text bench --positions not-there.jsonl", "there is no file", "not-there.jsonl"),
    ("text bench --positions x.jsonl --games nim", "--games is given", "x.jsonl"),
]
WITH_USAGE = [  # what argparse cannot read is answered with the usage, too
    ("lst", "there is no command 'lst'", "did you mean 'list'", *COMMANDS),
    ("prft nim 3", "'prft'", "did you mean 'perft'"),
    ("zzz", "'zzz'", *COMMANDS),
    ("perft nim", "depth"),
    ("play nim --seat 2", "--seat", "2", "0"),
    ("cache --warm --clear", "not allowed with"),
    ("arena nim --no-report --report x.html", "not allowed with"),
]
NUMBERS = [  # a command and an option, and numbers it refuses besides those that all refuse
    ("arena nim --policies random greedy --games", "0", "1", "3"),
    ("arena nim --policies random greedy --opening-plies", "-1", "1001"),
    ("arena nim --policies random greedy --workers", "0"),
    ("arena nim --policies random greedy --seed", "-1", "18446744073709551616"),
    ("train qlearning nim --seed", "-1", "18446744073709551616"),
    ("train qlearning nim --evaluate-games", "0", "3"),
    ("train qlearning nim --workers", "0"),
    ("grade nim --policy random --games", "0", "3"),
    ("grade nim --policy random --moves", "0"),
    ("grade nim --policy random --seed", "-1", "18446744073709551616"),
    ("solve nim --nodes", "0"),
    ("perft nim depth", "-1", "1001"),
    ("puzzle setcover --seeds", "0"),
    ("check nim --games", "0"),
    ("bench --runs", "0"),
    ("bench --boards", "0"),
    ("demo --games", "0", "3"),
    ("list --threads", "0"),
    ("replay file --pairing", "-1"),
    ("text bench --repeats", "0", "1001"),
]
SECONDS = [
    "bench --seconds",
    "solve nim --seconds",
    "arena nim --policies random greedy --move-time",
    "replay file --seconds",
    "train qlearning nim --checkpoint-seconds",
]


@pytest.fixture
def refused(run, tmp_path, monkeypatch):
    """Runs a command that must fail in an empty folder: what it prints on stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ludus.cli.terminal.compiling.LONG", 1e9)

    def command(*words):
        before = [*tmp_path.iterdir()]
        status, out, err = run(*words)
        assert (status, out) == (2, "")
        assert err.startswith("ludus: ")
        assert "Traceback" not in err
        assert [*tmp_path.iterdir()] == before
        return err

    return command


@pytest.mark.parametrize(("command", "words"), [(command, words) for command, *words in MISTAKES])
def test_a_mistake_is_answered_in_one_sentence(refused, tmp_path, monkeypatch, command, words):
    if command.startswith("cache"):
        monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "cache"))
    err = refused(*shlex.split(command))
    assert err.count("\n") == 1
    assert all(word in err for word in words), err


@pytest.mark.parametrize(("command", "words"), [(command, words) for command, *words in WITH_USAGE])
def test_a_command_that_cannot_be_read_is_answered_with_its_usage(refused, command, words):
    err = refused(*shlex.split(command))
    assert "usage: ludus" in err
    assert all(word in err for word in words)


def test_a_wrong_number_of_threads_in_the_environment_is_answered_before_there_is_a_batch(refused, monkeypatch):
    monkeypatch.setenv("LUDUS_THREADS", "two")
    assert "LUDUS_THREADS is 'two'; it is a whole number of threads" in refused("list")


@pytest.mark.parametrize(("command", "others"), [(command, others) for command, *others in NUMBERS])
def test_no_command_takes_what_is_no_whole_number(refused, command, others):
    *words, option = command.split()
    for text in ("5.0", "nan", "inf", "five", "", "9" * 5000, *others):
        err = refused(*words, f"{option}={text}" if option.startswith("-") else text)
        assert option in err
        assert "whole number" in err or "even number" in err
        assert len(err.splitlines()[0]) < 250


@pytest.mark.parametrize("command", SECONDS)
def test_no_command_takes_what_are_no_seconds(refused, command):
    for text in ("nan", "inf", "-1", "1e400", "soon", ""):
        err = refused(*f"{command}={text}".split())
        assert command.split()[-1] in err
        assert "a number, " in err


def test_replay_refuses_files_and_games_that_it_cannot_show(refused, tmp_path, monkeypatch):
    plan = plan_of("tictactoe", "quarto", policies=("random", "greedy", "mcts"), count=40)
    with Store.create(tmp_path / "store", plan) as made:
        made.add(plan.pairings[0], random_games("tictactoe", range(40)))
    (tmp_path / "text").write_text(
        '[Game "tictactoe"]\n[Player 0 "a"]\n[Player 1 "b"]\n[Result "1-0"]\n1. a1 2. b1 3. b2 4. c1 5. c3 1-0\n'
    )
    (tmp_path / "wrong").write_text('[Game "nim"]\n[Start "1 3"]\n')
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "empty").touch()
    for command, *words in (
        ("wrong", "wrong", "line 2", "'1 3'", "it takes 4 heaps"),
        ("binary", "line 1", "zero bytes", "expected a text of game records"),
        ("empty", "contains no games"),
        ("store --pairing 6", "no pairing 6", "0 to 5"),
        ("store --pairing -1", "--pairing is -1", "0 or more"),
        ("store --game 0", "6 pairings", "--pairing"),
        ("store --pairing 0 --game 40", "game 40", "40 of 40"),
        ("text --pairing 0 --game 8", "no game 8"),
        ("store --export games.xls", "games.xls", ".csv, .parquet, .jsonl, .txt"),
        ("store --pairing 3 --game 0 --seconds -1", "more than 0 seconds"),
    ):
        err = refused("replay", *command.split())
        assert err.count("\n") == 1
        assert all(word in err for word in words), err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install '.[frames]'" in refused("replay", "store", "--export", "a.parquet")
