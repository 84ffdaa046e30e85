"""Bad input of all commands: one sentence that names it, exit status 2, and nothing written."""

import shlex

import pytest

from ludus.arena.store.store import Store
from ludus.cli.parser import COMMANDS

from ..helpers.arena.played import plan_of, random_games

MISTAKES = [  # a command, and what the sentence contains
    ("perft otelo 3", "'otelo'", "did you mean 'othello'"),
    ("perft tictactoe 1 --position='XX------- X'", "'XX------- X'", "cannot be"),
    ("play tictactoe --position='XXXOO---- O'", "XXXOO---- O", "over"),
    ("play --load /no/such/file.json", "/no/such/file.json"),
    ("play", "name a game", "--load"),
    ("play nim --trust", "--trust is given", "--load"),
    ("solve tictactoe 'XX------- X'", "cannot be: X moves first"),
    ("arena nim --policies random", "no games to play", "random is alone", "--self-play"),
    ("arena nim --policy random", "ludus arena has no option '--policy'", "did you mean '--policies'?"),
    ("solve quixo --size 4", "a setting of a game or a policy goes into its spec, as quixo:size=5"),
    ("perft --dpeth 3", "ludus perft has no option '--dpeth'", "`ludus perft --help` shows its options"),
    ("train qlearning nim --learning-rate 1", "did you mean '--rate'?"),
    ("grade nim --policy python:mine.py:act", "a module is named without .py: 'mine', not 'mine.py'"),
    ("grade nim --policy random --report x.html", "give --exact too, or leave it out"),
    ("list othelo", "ludus list does not take 'othelo'"),
    ("web x.html", "x.html does not exist"),
    ("web /usr", "is not a run: it has no file run.json"),
    ("arena nim --protocol ludus-2 --games 4", "--games is given", "--protocol"),
    ("arena nim --protocol ludus-2 --seed 0", "--seed is given", "--protocol"),
    ("arena nim --protocol ludus-2 --policies random", "one of the opponents of ludus-2"),
    ("arena nim --store x.html", "the page and the store", "x.html", "two files"),
    ("arena nim --report no/such/x.html", "no/such/x.html cannot be written (No such file or directory)"),
    ("arena nim --store no/such/folder/x.sqlite", "folder", "no/such"),
    ("arena nim --start-time 9", "without a move_time or a game_time"),
    ("arena nim --policies random greedy perfect --swiss 3", "swiss is 3; 3 policies in nim play 2 rounds at most"),
    ("arena nim --game-time 30min", "--game-time is '30min'", "90, 90s, 30m, 1h"),
    ("arena --resume x.sqlite --game-time 1h", "--game-time is given", "store"),
    ("arena nim --protocol ludus-2 --game-time 1h", "--game-time is given", "--protocol"),
    ("arena nim --trust", "--trust is given", "--resume"),
    ("arena --resume x.sqlite --seed 3", "--seed is given", "store"),
    ("arena nim --resume x.sqlite", "a game is given", "store"),
    ("arena --resume not-there.sqlite", "no store", "not-there.sqlite"),
    ("grade nim --policy random --freeze", "--freeze is given", "--exact"),
    ("grade nim --policy random --exact --games 2", "--games is given", "exact"),
    ("cache --warm nim --clear-tables", "--clear-tables is given", "--warm"),
    ("replay nothing", "there is no file", "nothing"),
    ("rate nothing.csv", "there is no file", "nothing.csv"),
    ("text bench --positions not-there.jsonl", "there is no file", "not-there.jsonl"),
    ("text bench --positions x.jsonl --games nim", "--games is given", "x.jsonl"),
    ("bench policies", "name the game whose policies to measure, as --game SPEC"),
    ("solve tictactoe nowhere.obf", "there is no file 'nowhere.obf'"),
    ("engine --policy random --protocol gtp", "gtp does not name the game; --game GAME says which one is played"),
    ("engine --policy random --game nim", "leave --game out"),
    ("engine --policy random --protocol gtp --game quarto", "no such move as 'give 0' of quarto"),
    ("convert a.moves b.pgn", "does not say which game"),
    ("convert a.moves b.pgn --game nim", "line 1: 'a1 b2' is not a position of nim"),
    ("convert empty.pgn b.pgn", "contains no games"),
    ("arena nim --policies random greedy --openings a.moves --opening-plies 2", "openings are given, and opening_plies is 2"),
    ("arena nim --protocol ludus-2 --policies random --openings a.moves", "--openings is given", "--protocol fixes it"),
    ("arena nim --policies random greedy --openings gone.moves", "there is no file gone.moves"),
    ("grade tictactoe --policy greedy --openings a.moves --exact", "an exact grade plays no games"),
    ("grade tictactoe --games a.moves --opening-plies 1", "--opening-plies is given"),
    ("grade tictactoe --games nowhere.pgn", "'nowhere.pgn'; it must be a whole number of games, or a file that is there"),
    ("grade tictactoe --games a.moves --policy random", "--policy is given, but --games names a file"),
    ("grade tictactoe", "give --policy SPEC, or --games FILE"),
    ("grade tictactoe --policy greedy --best-response x", "--best-response is given, but it applies only to an exact grade"),
    ("assignment tictactoe", "no file is named; name Python files after the game"),
    ("assignment tictactoe a.moves", "a.moves does not end in .py"),
    ("assignment tictactoe a.py a.py", "a.py is named twice"),
    ("assignment tictactoe a.py --memory 3", "--memory is '3'; it must be a number of megabytes or gigabytes, such as 512M or 2G"),
    ("exploit nim --policy random --record x --report x", "the same file"),
    ("games nim --policies random random random --out x", "give one for both seats"),
    ("positions nim --asks --out x.parquet", "must end in .jsonl"),
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
    ("train qlearning nim --seed", "-1", "18446744073709551616"),
    ("grade nim --policy random --games", "0", "3"),
    ("solve nim --nodes", "0"),
    ("perft nim depth", "-1", "1001"),
    ("list --threads", "0"),
    ("replay file --pairing", "-1"),
    ("text bench --repeats", "0", "1001"),
]
SECONDS = ["bench --seconds", "arena nim --policies random greedy --move-time", "train qlearning nim --checkpoint-seconds"]


@pytest.fixture
def refused(run, tmp_path, monkeypatch):
    """Runs a command that must fail in a folder with two files: what it prints on stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.moves").write_text("a1 b2\n")
    (tmp_path / "empty.pgn").touch()

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


def test_replay_refuses_files_and_games_that_it_cannot_show(refused, tmp_path):
    plan = plan_of("tictactoe", "quarto", policies=("random", "greedy", "mcts"), count=40)
    with Store.create(tmp_path / "store", plan) as made:
        made.add(plan.pairings[0], random_games("tictactoe", range(40)))
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    for command, *words in (
        ("binary", "line 1", "zero bytes", "expected a text of game records"),
        ("store --pairing 6", "no pairing 6", "0 to 5"),
        ("store --game 0", "6 pairings", "--pairing"),
        ("store --pairing 0 --game 40", "game 40", "40 of 40"),
        ("store --export games.xls", "games.xls", ".csv, .parquet, .jsonl, .txt"),
        ("store --pairing 3 --game 0 --seconds -1", "more than 0 seconds"),
    ):
        err = refused("replay", *command.split())
        assert err.count("\n") == 1
        assert all(word in err for word in words), err
