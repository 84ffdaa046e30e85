"""Faults: what a policy does wrong costs it the game, with the reason kept, and nothing else."""

import sys
from functools import partial

import pytest

import ludus
from ludus.arena import evaluate, tournament
from ludus.arena.engines.remote import guard_policy
from ludus.arena.matches.settings import MatchSettings
from ludus.core.workers.pool import ATTEMPTS
from ludus.core.workers.worker import Worker
from ludus.envs import make_game

from ...helpers.arena.played import matched, timeless
from ...helpers.arena.stored import child, printed
from ...helpers.outside.faulty import GARBAGE, Faulty, Remembers, Sleeps, Unloadable, policy
from ...helpers.system.processes import OUTSIDE

GAME = make_game("tictactoe")
PLACES = {"here": {"games": 12}, "in a worker": {"workers": 2, "parts": 2}, "apart": {"move_time": 1.5}, "guarded": {}}
RAISED = {
    "raises": "raised KeyError: 'no such\\nline \\ud800' (faulty.py, line ",
    "raises_untold": "raised Untold (faulty.py, line ",
    "raises_hostile": "raised Hostile (faulty.py, line ",
    "exits": "raised SystemExit: done (faulty.py, line ",
    "recurses": "raised RecursionError: maximum recursion depth exceeded",
    "interrupts": "raised KeyboardInterrupt: not the user (faulty.py, line ",
    "closes_its_generator": "raised GeneratorExit (faulty.py, line ",
    "runs_out_of_memory": "raised MemoryError (faulty.py, line ",
    "eats": "raised MemoryError (faulty.py, line ",
}
NO_ACTION = dict.fromkeys(GARBAGE, "answered with ") | {
    "none": "answered with None; an action is a whole number",
    "half": "answered with array([0.5])",
    "text": "answered with 'c3'",
    "two": "was queried for 1 action and returned an array of shape (2,)",
    "no axis": "was queried for 1 action and returned an array of shape ()",
    "ragged": "answered with [[1], [1, 2]], which is not an array",
    "no such action": "with action 4711, which is not legal there",
    **dict.fromkeys(("negative", "prints_a_lot", "closes_its_streams", "forks", "meddles"), "with action -1, which is not legal"),
}
ENDED = {
    "spins": "took longer than 1.5 s for a move",
    "leaves": "its process ended with exit status 3",
    "crashes": "its process was ended by signal 11 (Segmentation fault)",
    "closes": "its process was ended by signal 9",
}
KINDS = {
    "here": ["raises", "raises_untold", "exits", "recurses", "closes_its_generator", "runs_out_of_memory", *GARBAGE],
    "in a worker": ["interrupts", "closes_its_generator", "raises_hostile", "leaves"],
    "apart": ["raises", "none", "spins", "leaves", "closes", *(["eats"] if sys.platform == "linux" else [])],
    "guarded": [*(kind for kind in RAISED if kind not in ("runs_out_of_memory", "eats")), "ragged", "prints_a_lot"]
    + ["closes_its_streams", "forks", "meddles", "leaves", "crashes"],
}
"""What a policy does wrong, by where it plays."""


@pytest.fixture(scope="module")
def guard():
    with pytest.MonkeyPatch.context() as patch, Worker() as worker:
        patch.syspath_prepend(OUTSIDE)
        yield partial(guard_policy, worker=worker)


@pytest.mark.parametrize(("place", "kind"), [(place, kind) for place, kinds in KINDS.items() for kind in kinds])
def test_what_a_policy_does_wrong_costs_it_that_game_and_changes_no_other(place, kind, guard, capfd):
    how = {"games": 4, **PLACES[place]}
    faulted = matched(guard(f"python:faulty:play_{kind}", GAME) if place == "guarded" else policy(GAME, kind), **how)
    sound = matched(policy(GAME), games=how["games"])
    ending = "error" if kind in RAISED else "illegal" if kind in NO_ACTION else "time" if kind == "spins" else "died"
    lost = 0
    for record, untouched in zip(timeless(faulted), timeless(sound), strict=True):
        if record.ending == "rules":
            assert record == untouched
            continue
        lost, seat = lost + 1, record.players.index("one")
        assert (record.ending, record.result) == (ending, 2 * seat - 1)
        assert (RAISED | NO_ACTION | ENDED)[kind] in record.reason
        assert record.reason.encode().decode().isprintable()
        assert record.actions == untouched.actions[: len(record.actions)]
        assert len(record.actions) % 2 == seat
    assert 0 < lost < how["games"]
    assert capfd.readouterr().out == ""


# ---- in the process that plays


def test_an_action_that_is_not_legal_costs_the_game():
    occupied = Faulty(GAME, fault=lambda: 0, title="occupied")  # noughts come first where a1 is taken
    object.__setattr__(occupied, "act", lambda states, keys: GAME.masks(states).argmin(1))
    for record in matched(occupied):
        assert (record.ending, record.result) == ("illegal", 2 * record.players.index("one") - 1)
        assert "which is not legal there" in record.reason


# ---- in a process of its own


def test_a_policy_that_uses_up_its_clock_loses_that_game_alone():
    records = matched(policy(GAME, "spins"), games=4, game_time=3.0, move_time=60.0)
    late = [record for record in records if record.ending != "rules"]
    assert 0 < len(late) < 4
    assert {(record.ending, record.reason) for record in late} == {("time", "used up its 3 s for the game")}
    assert all(record.result == 2 * record.players.index("one") - 1 for record in late)


def test_a_clock_may_be_a_whole_number():
    assert evaluate("random", "tictactoe", "greedy", 2, game_time=20).faults_by_side == (0, 0)


def test_a_function_sees_its_clock_run_down_from_the_whole_time_in_each_game(tmp_path):
    record = tmp_path / "record"

    @ludus.agent
    def watches(text, moves, seconds_left):
        with record.open("a") as file:
            file.write(f"{seconds_left!r}\n")
        return moves[0]

    function = ludus.as_policy(watches, GAME)
    games = matched(function, games=4, plies=0, game_time=60.0)
    seen = [float(line) for line in record.read_text().splitlines()]
    assert seen.count(60.0) == 5  # of its start, which is no game, and of four first moves
    assert 60.0 - max(game.seconds[game.players.index("one")] for game in games) < min(seen) < 60.0
    assert timeless(games) == timeless(matched(function, games=4, plies=0))
    assert record.read_text().endswith("None\n")


def test_what_a_policy_remembers_is_its_own_game_and_seat(guard):
    remembers, guarded = Remembers(GAME), guard("python:faulty:remembering", GAME)
    alone = timeless(matched(remembers, remembers))
    assert timeless(matched(remembers, remembers, parts=3)) == alone
    assert timeless(matched(remembers, remembers, games=4, parts=2, move_time=60)) == alone[:4]
    assert timeless(matched(guarded, guarded)) == alone


def test_a_policy_that_does_not_start_is_not_tried_for_ever(tmp_path):
    record = tmp_path / "record"
    games = matched(Unloadable(GAME, record=str(record)), games=8, parts=2, move_time=60)
    assert {(game.ending, game.reason) for game in games} == {
        ("died", "its process ended with exit status 7, before its first move")
    }
    assert len(record.read_text().splitlines()) == 3


def test_a_start_that_takes_long_is_logged_while_it_does_and_ends_at_its_limit(monkeypatch, caplog):
    monkeypatch.setattr("ludus.arena.engines.remote.SILENCE", 0.05)
    monkeypatch.setattr("ludus.arena.engines.remote.ATTEMPTS", 2)
    settings = MatchSettings(move_time=60, start_time=0.2)
    contest = tournament("tictactoe", [Sleeps(GAME, title="one"), Sleeps(GAME, title="two")], 8, settings=settings)
    (score,) = contest.scores.values()
    assert {(one.ending, one.text) for one in score.reasons} == {("time", "had not started after 0.2 s")}
    lines = [line for line in caplog.messages if line.startswith("one in tictactoe has been starting since ")]
    assert [line.partition(", ")[2] for line in lines] == ["0.2 s in all (attempt 1 of 2)", "0.2 s in all (attempt 2 of 2)"]


# ---- in workers


def test_workers_that_die_whatever_they_play_end_the_tournament_with_a_sentence(tmp_path):
    words = f"^{ATTEMPTS} worker processes died .*, games of tictactoe: one – other; the last "
    with pytest.raises(ChildProcessError, match=words):
        matched(Unloadable(GAME, record=str(tmp_path / "record")), workers=2)


# ---- the tournament itself


def test_a_tournament_killed_at_twenty_moments_and_gone_on_with_is_the_same_to_the_last_move(tmp_path):
    code = """
        import sys, time
        from pathlib import Path
        from ludus.arena import resume, tournament
        from tests.helpers.arena.played import timeless
        from tests.helpers.arena.stored import killed_and_again

        POLICIES = "random", "greedy", "minimax:depth=1", "mcts:simulations=8", "mcts:simulations=16"
        path, lives = Path(sys.argv[1]), []

        def begin(**how):
            return tournament(("tictactoe", "nim", "quixo:size=3"), POLICIES, 100, seed=3, **how)

        def play(noted):
            workers, progress = 2 if len(lives) % 5 == 1 else 1, lambda _: (noted(), time.sleep(0.01))
            while True:
                try:
                    return resume(path, workers=workers, watch=progress) if path.exists() else begin(store=path, watch=progress)
                except BlockingIOError:  # a helper that was being started when its parent was killed still has the parent's lock
                    time.sleep(0.01)

        for _ in killed_and_again(play, 21, 0.03):
            lives.append("killed")
        whole, made = begin(), resume(path)
        assert timeless(made.store.records()) == timeless(whole.store.records())
        assert made.document()["ratings"] == whole.document()["ratings"]
        print(len(made.store.sessions()) > 9)
    """
    assert printed(child(code, tmp_path / "killed.sqlite")) == "True\n"
