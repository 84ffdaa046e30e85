"""Faults: what a policy does wrong costs it the game, with the reason kept, and nothing else."""

import logging
import os
import re
import signal
import sys

import cloudpickle
import numpy as np
import pytest

import ludus
from ludus.agents.policies.policy import FunctionPolicy
from ludus.arena import tournament
from ludus.arena.engines.apart import Apart
from ludus.arena.engines.engines import engine_of
from ludus.arena.engines.guarded import Guard
from ludus.arena.engines.here import Here
from ludus.arena.engines.packing import pack, unpack
from ludus.arena.engines.pool import ATTEMPTS
from ludus.arena.matches.errors import LONGEST_REASON
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job
from ludus.envs import make_game

from ...helpers.outside import faulty
from ...helpers.outside.faulty import GARBAGE, Dozes, Faulty, Remembers, Sleeps, Unloadable, policy
from ...helpers.system.processes import OUTSIDE, run

GAME = make_game("tictactoe")
GAMES, SECONDS = 12, 0.6


@pytest.fixture(autouse=True, scope="module")
def _travelling():
    """The faulty policies go along to other processes, where pytest's name for their module means nothing."""
    cloudpickle.register_pickle_by_value(faulty)
    yield
    cloudpickle.unregister_pickle_by_value(faulty)


def records(one, other=None, games=GAMES, parts=1, workers=1, engine="local", move_time=None, game=GAME):
    """Games that two policies play, by number."""
    policies = one, other or ludus.make_policy("random", game)
    pairing = Pairing(game.spec, "one", "other")
    jobs = iter([Job(pairing, policies, part, 0, 2, move_time) for part in np.array_split(np.arange(games), parts)])
    with engine_of(engine, workers) as running:
        played = [game for _, part in running.run(lambda: next(jobs, None)) for game in part.records(pairing)]
    return sorted(played, key=lambda record: record.number)


def untimed(record):
    return (record.number, record.key, record.opening, record.actions, record.result, record.ending, record.reason, record.moves)


def lost_games(kind, ending, words, games=GAMES, one=None, **how):
    """The games that a policy lost by its fault. The others must be what they are without it, and these too until then."""
    lost = []
    faulted = records(one or policy(GAME, kind), games=games, **how)
    for record, sound in zip(faulted, records(policy(GAME), games=games), strict=True):
        if record.ending == "rules":
            assert untimed(record) == untimed(sound)
            continue
        seat = record.players.index("one")
        assert (record.ending, record.result) == (ending, 2 * seat - 1)
        assert words in record.reason
        assert record.actions == sound.actions[: len(record.actions)]
        assert len(record.actions) % 2 == seat
        lost.append(record)
    assert 0 < len(lost) < games
    return lost


# ---- in the process that plays


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("raises", "raised KeyError: 'no such\\nline \\ud800' (faulty.py, line "),
        ("raises_untold", "raised Untold (faulty.py, line "),
        ("exits", "raised SystemExit: done (faulty.py, line "),
        ("recurses", "raised RecursionError: maximum recursion depth exceeded"),
        ("closes_its_generator", "raised GeneratorExit (faulty.py, line "),
        ("runs_out_of_memory", "raised MemoryError (faulty.py, line "),
    ],
)
def test_what_a_policy_raises_costs_it_that_game(kind, words):
    lost_games(kind, "error", words)


@pytest.mark.parametrize("kind", GARBAGE)
def test_an_answer_that_is_no_action_costs_the_game(kind):
    words = {
        "none": "answered with None; an action is a whole number",
        "half": "answered with array([0.5])",
        "text": "answered with 'c3'",
        "two": "was queried for 1 action and returned an array of shape (2,)",
        "no axis": "was queried for 1 action and returned an array of shape ()",
        "ragged": "answered with [[1], [1, 2]], which is not an array",
        "no such action": "with action 4711, which is not legal there",
        "negative": "with action -1, which is not legal there",
    }
    lost_games(kind, "illegal", words.get(kind, "answered with "))


def test_an_action_that_is_not_legal_costs_the_game():
    occupied = Faulty(GAME, fault=lambda: 0, title="occupied")  # noughts come first where a1 is taken
    object.__setattr__(occupied, "act", lambda states, keys: GAME.masks(states).argmin(1))
    for record in records(occupied):
        assert (record.ending, record.result) == ("illegal", 2 * record.players.index("one") - 1)
        assert "which is not legal there" in record.reason


def test_lists_and_all_kinds_of_whole_numbers_are_actions():
    answers = [untimed(record) for record in records(policy(GAME))]
    for made in (list, tuple, lambda a: a.astype(np.uint8), lambda a: a.astype(np.uint64), lambda a: a[::-1].copy()[::-1]):
        other = policy(GAME)
        object.__setattr__(other, "act", lambda states, keys, made=made: made(policy(GAME).act(states, keys)))
        assert [untimed(record) for record in records(other)] == answers


def test_a_policy_that_cannot_begin_loses_all_its_games():
    class Shy(Faulty):
        def begin(self, games):
            raise OSError("not today")

    for record in records(Shy(GAME, fault=None, title="shy")):
        assert record.ending == "error"
        assert record.reason.startswith("raised OSError: not today (test_faults.py, line ")


def test_both_may_fail():
    for record in records(policy(GAME, "raises"), policy(GAME, "none"), games=40):
        loser = record.players[(record.result + 1) // 2]
        assert record.ending in ("rules", {"one": "error", "other": "illegal"}[loser])


def test_a_reason_is_one_line_that_any_file_holds():
    game = lost_games("raises", "error", "")[0]
    assert game.reason.encode().decode().isprintable()
    long = Faulty(GAME, fault=lambda: (_ for _ in ()).throw(ValueError("a\n\0 long\ud800 story " * 1000)), title="long")
    reasons = {record.reason for record in records(long)} - {""}
    assert all(len(reason) == LONGEST_REASON and reason.isprintable() for reason in reasons)


def test_ctrl_c_is_no_fault_and_here_it_cannot_be_told_from_what_a_policy_raises():
    with pytest.raises(KeyboardInterrupt):
        records(policy(GAME, "interrupts"))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("interrupts", "raised KeyboardInterrupt: not the user (faulty.py, line "),
        ("closes_its_generator", "raised GeneratorExit (faulty.py, line "),
        ("raises_hostile", "raised Hostile (faulty.py, line "),
    ],
)
def test_in_a_worker_whatever_is_raised_is_the_policys_fault(kind, words):
    lost_games(kind, "error", words, workers=2, parts=2)


def test_a_policy_here_is_asked_once_about_all_positions():
    states, keys, games = np.repeat(GAME.start[None], 50, axis=0), np.arange(50, dtype=np.uint64), np.arange(50)
    here, calls = Here(FunctionPolicy(GAME, function=lambda *given: (calls.append(given), np.zeros(50, int))[1], title="one")), []
    here.begin(50)
    assert here.act(states, keys, games).actions.tolist() == [0] * 50
    assert [len(call[0]) for call in calls] == [50]


# ---- in a process of its own


@pytest.mark.parametrize(
    ("kind", "ending", "words"),
    [
        ("raises", "error", "raised KeyError: 'no such\\nline \\ud800' (faulty.py, line "),
        ("none", "illegal", "answered with None"),
        ("sleeps", "time", "took longer than 0.6 s for a move"),
        ("spins", "time", "took longer than 0.6 s for a move"),
        ("killed", "died", "its process was ended by signal 9 (Killed), as the system does when memory runs out"),
        ("leaves", "died", "its process ended with exit status 3"),
        ("crashes", "died", "its process was ended by signal 11 (Segmentation fault)"),
        ("closes", "died", "its process was ended by signal 9"),
    ],
)
def test_whatever_a_policy_does_in_a_process_of_its_own_costs_it_that_game(kind, ending, words):
    lost_games(kind, ending, words, move_time=SECONDS, games=8 if kind == "sleeps" else 4)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its memory")
def test_a_policy_that_takes_all_memory_loses_that_game():
    lost_games("eats", "error", "raised MemoryError (faulty.py, line ", move_time=30, games=4)


def test_what_a_policy_prints_is_not_taken_for_an_answer(capfd):
    lost_games("prints", "illegal", "with action -1, which", move_time=SECONDS, games=4)
    printed, told = capfd.readouterr()
    assert printed == ""
    assert "hello from a policy\nand hello again\n" in told


def test_a_policy_that_dies_takes_a_worker_along_and_loses_that_game_all_the_same():
    lost_games("leaves", "died", "its process ended with exit status 3", workers=2, parts=3, games=6)


def test_a_limit_on_time_changes_no_game_of_who_keeps_it():
    game = make_game("othello:size=4")
    free, limited = (records(policy(game), game=game, move_time=seconds) for seconds in (None, 60))
    assert [untimed(record) for record in limited] == [untimed(record) for record in free]


def test_the_time_of_a_move_is_that_of_thinking(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("ludus.arena.engines.here.perf_counter", lambda: clock[0])

    def think(states, keys):
        clock[0] += 3.0
        return ludus.make_policy("random", GAME).act(states, keys)

    for record in records(FunctionPolicy(GAME, function=think, title="one"), games=2):
        seat = record.players.index("one")
        assert record.seconds[seat] / record.moves[seat] == 3.0
        assert record.seconds[1 - seat] == 0.0


def test_a_policy_in_a_process_of_its_own_takes_at_least_as_long_as_it_thinks():
    for record in records(Dozes(GAME), games=2, move_time=60):
        seat = record.players.index("one")
        assert record.seconds[seat] >= 0.05 * record.moves[seat]


def test_what_a_policy_remembers_is_its_own_game_and_seat():
    remembers = Remembers(GAME)
    alone = [untimed(record) for record in records(remembers, remembers)]
    assert [untimed(record) for record in records(remembers, remembers, parts=3)] == alone
    assert [untimed(record) for record in records(remembers, remembers, parts=2, move_time=60)] == alone


def test_a_policy_that_was_killed_begins_anew():
    player = Apart(pack(Remembers(GAME)), 60, 1)
    states, keys, games = GAME.start[None].copy(), np.zeros(1, np.uint64), np.zeros(1, np.int64)
    player.begin(1)
    first = [int(player.act(states, keys, games).actions[0]) for _ in range(5)]
    assert len({*first}) == 5
    player.begin(1)
    assert [int(player.act(states, keys, games).actions[0]) for _ in range(2)] == first[:2]
    os.kill(player._helper._process.pid, signal.SIGKILL)
    assert player.act(states, keys, games).faults[0].reason.startswith("its process was ended by signal 9")
    assert [int(player.act(states, keys, games).actions[0]) for _ in range(3)] == first[:3]
    player.close()


def test_a_policy_that_does_not_start_is_not_tried_for_ever(tmp_path):
    record = tmp_path / "record"
    unloadable = Unloadable(GAME, record=str(record))
    games = records(unloadable, games=8, parts=2, move_time=SECONDS)
    assert {game.reason for game in games} == {"its process ended with exit status 7, before its first move"}
    assert {game.ending for game in games} == {"died"}
    assert len(record.read_text().splitlines()) == 3


def test_a_start_that_takes_long_is_logged_while_it_does_and_ends_at_its_limit(monkeypatch, caplog):
    monkeypatch.setattr("ludus.arena.engines.apart.SILENCE", 0.05)
    monkeypatch.setattr("ludus.arena.engines.apart.ATTEMPTS", 2)
    contest = tournament("tictactoe", [Sleeps(GAME, title="one"), Sleeps(GAME, title="two")], 8, move_time=60, start_time=0.2)
    (score,) = contest.scores.values()
    assert {(one.ending, one.text) for one in score.reasons} == {("time", "had not started after 0.2 s")}
    assert sum(one.games for one in score.reasons) == 8
    lines = [line for line in caplog.messages if line.startswith("one in tictactoe has been starting since ")]
    assert [line.partition(", ")[2] for line in lines] == ["0.2 s in all (attempt 1 of 2)", "0.2 s in all (attempt 2 of 2)"]
    assert re.search(r"since \d\d:\d\d:\d\d and has until \d\d:\d\d:\d\d$", lines[0].partition(", ")[0])


def test_what_is_logged_in_a_worker_is_logged_here(caplog):
    def warns():
        logging.getLogger("ludus").warning("a word from a worker")
        return np.array([-1])

    assert {game.ending for game in records(Faulty(GAME, fault=warns, title="warns"), workers=2, parts=2)} == {"rules", "illegal"}
    assert "a word from a worker" in caplog.messages


def test_workers_that_die_whatever_they_play_end_the_tournament_with_a_sentence(tmp_path):
    unloadable = Unloadable(GAME, record=str(tmp_path / "record"))
    with pytest.raises(
        ChildProcessError, match=f"^{ATTEMPTS} worker processes died .*, games of tictactoe: one – other; the last "
    ):
        records(unloadable, workers=2)


def test_what_cannot_travel_is_refused_with_a_sentence():
    import threading

    lock = threading.Lock()
    held = Faulty(GAME, fault=lambda: lock, title="held")
    with pytest.raises(ValueError, match=r"the policy held cannot go to another process \(TypeError: cannot pickle"):
        records(held, workers=2)


def test_policies_keep_their_processes_from_job_to_job_the_last_of_them_at_least(monkeypatch):
    monkeypatch.setattr("ludus.arena.engines.jobs.KEPT", 3)
    a, b, c, d = (Faulty(GAME, fault=None, title=title) for title in "abcd")
    processes = {}

    def played(engine, *policies):
        jobs = iter([Job(Pairing("tictactoe", "one", "other"), policies, np.arange(2), 0, 2, 60)])
        list(engine.run(lambda: next(jobs, None)))
        kept = engine._separate._kept.items()
        return [
            (unpack(packed).title, processes.setdefault(player._helper._process.pid, len(processes)))
            for (packed, *_), player in kept
        ]

    with engine_of("local", 1) as engine:
        assert played(engine, a, b) == [("a", 0), ("b", 1)]
        assert played(engine, c, a) == [("b", 1), ("c", 2), ("a", 0)]
        assert played(engine, a, d) == [("c", 2), ("a", 0), ("d", 3)]
        assert played(engine, a, a) == [("d", 3), ("a", 0), ("a", 4)]
        assert played(engine, b, a) == [("a", 4), ("b", 5), ("a", 0)]


# ---- in the process of a guard


@pytest.fixture(scope="module")
def guard():
    with pytest.MonkeyPatch.context() as patch, Guard() as made:
        patch.syspath_prepend(OUTSIDE)
        yield made


@pytest.mark.parametrize(
    ("kind", "ending", "words"),
    [
        ("raises", "error", "raised KeyError: 'no such\\nline \\ud800' (faulty.py, line "),
        ("raises_untold", "error", "raised Untold (faulty.py, line "),
        ("raises_hostile", "error", "raised Hostile (faulty.py, line "),
        ("exits", "error", "raised SystemExit: done (faulty.py, line "),
        ("recurses", "error", "raised RecursionError: maximum recursion depth exceeded"),
        ("interrupts", "error", "raised KeyboardInterrupt: not the user (faulty.py, line "),
        ("closes_its_generator", "error", "raised GeneratorExit (faulty.py, line "),
        ("ragged", "illegal", "answered with [[1], [1, 2]], which is not an array"),
        ("prints_a_lot", "illegal", "with action -1, which is not legal there"),
        ("closes_its_streams", "illegal", "with action -1, which is not legal there"),
        ("forks", "illegal", "with action -1, which is not legal there"),
        ("meddles", "illegal", "with action -1, which is not legal there"),
        ("leaves", "died", "its process ended with exit status 3"),
        ("crashes", "died", "its process was ended by signal 11 (Segmentation fault)"),
    ],
)
def test_whatever_a_policy_does_in_the_process_of_a_guard_costs_it_that_game(kind, ending, words, guard, capfd):
    lost_games(kind, ending, words, games=4, one=guard(f"python:faulty:play_{kind}", GAME))
    assert capfd.readouterr().out == ""


def test_a_guarded_policy_remembers_its_games_also_where_it_meets_itself(guard):
    remembers = guard("python:faulty:remembering", GAME)
    plain = Remembers(GAME)
    assert [untimed(one) for one in records(remembers, remembers)] == [untimed(one) for one in records(plain, plain)]


def test_a_guarded_policy_goes_to_workers_as_itself(guard):
    sound = records(policy(GAME), games=6)
    assert [untimed(one) for one in records(guard("python:faulty:play_sound", GAME), games=6, workers=2)] == [*map(untimed, sound)]


def test_what_comes_with_ludus_and_what_is_no_spec_needs_no_guard(guard):
    for given in ("minimax:depth=2", " random", policy(GAME)):
        assert guard(given, GAME) is given


# ---- the tournament itself


CROWN = """
import os, random, select, signal, sys, time
from pathlib import Path
from ludus.arena import resume, tournament
from ludus.arena.store.database import Database

GAMES = ("tictactoe", "nim", "quixo:size=3")
POLICIES = ("random", "greedy", "minimax:depth=1", "mcts:simulations=8", "mcts:simulations=16")
PLAYED = "pairing, number, key, opening_plies, plies, result, ending, reason, moves_0, moves_1, actions"

def begun(name, **how):
    return tournament(GAMES, POLICIES, 320, seed=3, store=Path(name), **how)

def rows(name):
    return Database.open(Path(name)).rows(f"SELECT {PLAYED} FROM games ORDER BY pairing, number")

def table(made):
    timeless = [{key: value for key, value in pair.items() if "seconds" not in key} for pair in made.document()["pairs"]]
    return timeless, made.document()["ratings"]

def life(path, progress):
    \"\"\"Goes on with the tournament, and tells of every part, at a pace that lets it be killed on a fast machine too.\"\"\"
    tell = lambda _: (os.write(progress, b"."), time.sleep(0.01))
    while True:
        try:
            return resume(path, workers=2, watch=tell) if Path(path).exists() else begun(path, workers=2, watch=tell)
        except BlockingIOError:  # a helper that was being started when its parent was killed still has the parent's lock
            time.sleep(0.01)

whole = begun("whole.sqlite")
chance, killed, counts = random.Random(7), 0, []
while True:
    told, tell = os.pipe()
    if not (process := os.fork()):
        os.close(told)
        life("killed.sqlite", tell)
        os._exit(0)
    os.close(tell)
    if killed < 20:
        for _ in range(chance.randint(0, 4)):  # so many parts, or at some moment before the first
            os.read(told, 1)
        time.sleep(chance.uniform(0, 0.03))
        os.kill(process, signal.SIGKILL)
    status = os.waitpid(process, 0)[1]
    os.close(told)
    if status != signal.SIGKILL:
        break
    killed += 1
    counts.append(len(rows("killed.sqlite")) if Path("killed.sqlite").exists() else 0)
print(status, killed, counts == sorted(counts), 0 < counts[9] < counts[19] < len(rows("whole.sqlite")))
print(rows("killed.sqlite") == rows("whole.sqlite"), table(resume("killed.sqlite")) == table(whole))
"""


def test_a_tournament_killed_at_twenty_moments_and_gone_on_with_is_the_same_to_the_last_move(tmp_path):
    (tmp_path / "crown.py").write_text(CROWN)
    assert run("crown.py", cwd=tmp_path) == "0 20 True True\nTrue True\n"
