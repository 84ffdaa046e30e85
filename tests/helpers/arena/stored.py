"""What the tests of the store share: a thousand games, stores of some of them, and processes beside this one."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from functools import partial

import numpy as np
import pytest

from ludus.arena.store.schema import checksum_of
from ludus.arena.store.store import Store

from ..system.processes import ROOT
from .played import chosen, made_up_games, plan_of

QUIXO = plan_of("quixo", count=1000)
[PAIRING] = QUIXO.pairings
GAMES = made_up_games(np.arange(1000))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a tournament #1 100%.db"


@pytest.fixture
def kept(path):
    """A store with the games 0 to 399 of 1000, which nobody has open."""
    with Store.create(path, QUIXO) as made:
        made.add(PAIRING, chosen(GAMES, range(400)))
    return path


def change_plan(store, change):
    """Rewrites what a store says that it plays, as somebody who knows ludus could."""
    connection = sqlite3.connect(store)
    document = json.loads(connection.execute("SELECT document FROM plan").fetchone()[0])
    plan = json.dumps(change(document))
    connection.execute("UPDATE plan SET document = ?, checksum = ?", (plan, checksum_of(plan)))
    connection.commit()
    connection.close()


def child(code, *arguments, **settings):
    """A Python process with this code, the tests' helpers at hand."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **settings)


def printed(process):
    out, _ = process.communicate(timeout=600)
    assert process.returncode == 0, out
    return out


def killed_and_again(play, lives, most_seconds):
    """Processes of `play(noted)`, one after the other; it calls `noted` after each part that it adds. Yields when one has ended.

    All but the last are killed, at some moment before or after their first part, at most `most_seconds` later.
    """
    chance = random.Random(1)
    for life in range(lives):
        added, adding = os.pipe()
        if not (process := os.fork()):
            play(partial(os.write, adding, b"."))
            os._exit(0)
        is_last = life == lives - 1
        if not is_last:
            os.read(added, chance.randint(0, 1))
            time.sleep(chance.uniform(0, most_seconds))
            os.kill(process, signal.SIGKILL)
        assert os.waitpid(process, 0)[1] == (0 if is_last else signal.SIGKILL)
        yield
