"""The vector environment in threads and processes: however many there are, the same games are played."""

import functools
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

import ludus
from ludus.core.threads import available, thread_count

from ..helpers.system.processes import ROOT, run
from ..helpers.values import same
from ..helpers.views import every_mode, few_games, make_vector, story


def games_of(spec, boards=4096, steps=12, **keywords):
    """All that happens on many boards."""
    return story(make_vector(spec, boards, **keywords), steps, seed=1)


@pytest.fixture
def threads():
    yield ludus.set_threads
    ludus.set_threads(None)


@few_games
@every_mode
def test_the_number_of_threads_changes_nothing(spec, mode, threads):
    if mode == "Disabled":
        keywords = {"opponent": None, "autoreset_mode": "SameStep"}
    else:
        keywords = {"opponent": "random", "autoreset_mode": mode}
    threads(1)
    alone = games_of(spec, **keywords)
    for count in (2, 3):
        threads(count)
        assert same(games_of(spec, **keywords), alone)


def test_environments_in_concurrent_threads_play_as_they_do_alone():
    alone = games_of("othello", 3000, 8)
    with ThreadPoolExecutor(4) as pool:
        assert all(same(together, alone) for together in pool.map(games_of, ["othello"] * 8, [3000] * 8, [8] * 8))


def in_a_fork(work):
    """Whether work, done in a forked process, comes out true within a minute."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
let_it_fork = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@needs_fork
@let_it_fork
@pytest.mark.parametrize("spec", ["othello", "quarto"])
def test_a_fork_after_threads_were_used_plays_on(spec, threads):
    threads(3)
    expected = games_of(spec)
    running = make_vector(spec, 4096)
    running.reset(seed=0)
    assert in_a_fork(lambda: same(games_of(spec), expected))
    assert in_a_fork(lambda: running.step(running.sample_actions())[1].shape == (4096,))
    assert same(games_of(spec), expected)


def test_the_number_of_threads_is_that_of_the_environment(monkeypatch):
    for text, count in (("3", 3), (" 2 ", 2), ("4096", 4096), ("", available())):
        monkeypatch.setenv("LUDUS_THREADS", text)
        assert thread_count() == count
    for text in ("0", "-1", "1.5", "4097", "9" * 5000):
        monkeypatch.setenv("LUDUS_THREADS", text)
        with pytest.raises(ValueError, match=r"LUDUS_THREADS is '.*; it is a whole number of threads, from 1 to 4,096"):
            thread_count()


def test_where_the_system_gives_few_threads_those_do_the_work(threads, monkeypatch):
    start, left = threading.Thread.start, [2]

    def limited(thread):
        if not left[0]:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        start(thread)

    expected = games_of("othello", 3000, 4)
    monkeypatch.setattr(threading.Thread, "start", limited)
    threads(50)
    assert same(games_of("othello", 3000, 4), expected)
    assert not left[0]


@needs_fork
@let_it_fork
@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_gymnasiums_async_environment_plays_as_its_sync_one(context, threads):
    threads(2)
    games_of("othello", steps=2)
    one = functools.partial(gym.make, "ludus:ludus/Othello-v0", size=6)
    alone = SyncVectorEnv([one] * 2)
    beside = AsyncVectorEnv([one] * 2, context=context)
    try:
        assert same(alone.reset(seed=4)[0], beside.reset(seed=4)[0])
        for _ in range(25):
            actions = beside.call("action_masks")
            actions = np.array([mask.argmax() for mask in actions])
            assert same(alone.step(actions)[:-1], beside.step(actions)[:-1])
    finally:
        beside.close()


def test_one_board_starts_no_thread(tmp_path):
    code = (
        "import threading, gymnasium as gym, pettingzoo, ludus\n"
        "env = gym.make('ludus/Othello-v0'); env.reset(seed=0); env.step(0)\n"
        "envs = gym.make_vec('ludus/Othello-v0', num_envs=64); envs.reset(seed=0); envs.step(envs.sample_actions())\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
    )
    run("-c", code, cwd=tmp_path, PYTHONPATH=ROOT / ".types")
