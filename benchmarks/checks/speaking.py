"""Language models in tournaments that are killed: no transcript is lost or doubled, and the moves are the answering policy's own.

An endpoint without a model (examples/endpoint.py) answers by a policy, in prose; of its answers a tenth each are malformed,
illegal, slow, cut off, and busy. Shown in docs/text.md; it takes about a quarter of an hour.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import ludus
from ludus.agents.answers import Transcript
from ludus.arena import tournament
from ludus.arena.matches.games import GameRecord
from ludus.arena.store.database import Database
from ludus.arena.store.store import Store
from ludus.text import read_move

from .. import RESULTS, ROOT
from ..common import endpoint, table
from ..runner import Rows, Study

GAME, POLICY = "tictactoe", "minimax:depth=2"
KINDS = {"malformed": ("nothing",), "illegal": ("illegal", "unknown"), "slow": ("late",), "cut_off": ("cut off",)}
"""The bad answers of the endpoint, and the faults that they are."""
SHARES = [word for kind in (*KINDS, "busy") for word in (f"--{kind.replace('_', '-')}", "0.1")]
MOVES_A_GAME = 2.6


def cells() -> dict[str, Any]:
    """A tournament that is killed, and a shorter one that is not, whose answers are counted on both sides."""
    return {"killed": partial(killed, 10_000, 10), "counted": partial(counted, 1_000)}


def killed(moves: int, kills: int, slow: float = 0.1, concurrency: int = 32) -> dict[str, Any]:
    """Plays a tournament by `ludus arena`, kills its process group at some moments, resumes it, and looks at each transcript.

    Args:
        moves: about how many moves the model has in it.
        kills: how often it is killed.
        slow: the share of slow answers, each of which is waited for until its time is up.
        concurrency: how many positions are asked at the same time.
    """
    games = round(moves / MOVES_A_GAME / 2) * 2
    shares = [*SHARES, "--slow", str(slow)]  # the last one counts
    with endpoint(GAME, "--policy", POLICY, *shares) as url, tempfile.TemporaryDirectory() as folder:
        spec = f"llm:model=local,url={url},seeded=true,retries=50,seconds=2,concurrency={concurrency}"
        store = Path(folder) / "store.sqlite"
        begin = ["arena", GAME, "--policies", spec, "random", "--games", str(games), "--store", str(store), "--no-report"]
        resume = ["arena", "--resume", str(store), "--trust", "--no-report"]
        chance, stops = random.Random(0), [round(games * (number + 1) / (kills + 1)) for number in range(kills)]
        for stop in (*stops, None):
            run(resume if store.exists() else begin, store, stop, chance.uniform(0, 1))
        with Store.open(store) as kept:
            records = [*kept.records()]
        own = tournament(GAME, [ludus.as_policy(ludus.make_policy(POLICY, GAME).act, GAME, name=spec), "random"], games)
        same = [record.actions for record in own.store.records()] == [record.actions for record in records]
        return {"kills": kills, **look_at(records, spec), "equal": same}


def run(command: list[str], store: Path, stop: int | None, pause: float) -> None:
    """Runs a command of ludus to its end, or kills it some time after a number of games is in the store."""
    process = subprocess.Popen([sys.executable, "-m", "ludus.cli", *command], cwd=ROOT, stdout=2, start_new_session=True)
    while process.poll() is None:
        time.sleep(0.05)
        if stop is not None and stored(store) >= stop:
            time.sleep(pause)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return
    assert process.returncode == 0, f"{command} ended with status {process.returncode}"


def stored(store: Path) -> int:
    """How many games are in a store, as far as it is one yet."""
    try:
        database = Database.open(store)
    except (OSError, ValueError):
        return 0
    try:
        return database.rows("SELECT count(*) FROM games")[0][0]
    finally:
        database.close()


def look_at(records: list[GameRecord], spec: str) -> dict[str, int]:
    """What the transcripts of games say, compared with the moves that were played."""
    moves, answers, lost, wrong = 0, 0, 0, 0
    doubled = len(records) - len({record.number for record in records})
    for record in records:
        transcripts = dict(record.transcripts)
        for ply, position, action in asked(record, spec):
            moves += 1
            if transcript := transcripts.pop(ply, None):
                answers += len(transcript.attempts)
                wrong += not fits(transcript, position, action)
            else:
                lost += 1
        doubled += len(transcripts)
    return {"moves": moves, "answers": answers, "lost": lost, "doubled": doubled, "wrong": wrong}


def asked(record: GameRecord, spec: str) -> Iterator[tuple[int, Any, int]]:
    """The plies at which a policy was asked, with the state and the action."""
    game = ludus.make_game(record.pairing.game)
    seat, state = record.players.index(spec), game.start
    for ply, action in enumerate(record.actions):
        if ply >= record.opening and game.player(state) == seat:
            yield ply, state, action
        state = game.play(state, action)


def fits(transcript: Transcript, state: Any, action: int) -> bool:
    """Whether a transcript is about a position, and its last reply, and no other, gives the action."""
    game = ludus.make_game(GAME)
    *before, last = transcript.attempts
    is_read = last.fault is None and read_move(game, state, last.reply).action == action
    return game.text(state) in transcript.attempts[0].question and is_read and all(one.fault for one in before)


def counted(moves: int) -> dict[str, Any]:
    """Plays without an interruption, and compares the faults in the transcripts with what the endpoint says that it did."""
    with endpoint(GAME, "--policy", POLICY, *SHARES) as url:
        spec = f"llm:model=local,url={url},seeded=true,retries=50,seconds=4,concurrency=32"
        contest = tournament(GAME, [spec, "random"], round(moves / MOVES_A_GAME / 2) * 2)
        with urlopen(url.replace("/v1", "/counts")) as answer:
            gave: dict[str, int] = json.load(answer)
        transcripts = [transcript for record in contest.store.records() for transcript in record.transcripts.values()]
    faults = Counter(attempt.fault for one in transcripts for attempt in one.attempts)
    kept = {kind: sum(faults[name] for name in names) for kind, names in KINDS.items()}
    kept |= {"good": faults[None], "busy": sum(attempt.requests - 1 for one in transcripts for attempt in one.attempts)}
    return {"moves": len(transcripts), "gave": dict(sorted(gave.items())), "kept": dict(sorted(kept.items()))}


def show(rows: Rows) -> dict[str, str]:
    """The numbers that the page names, and a table of the counts."""
    gave, kept = (rows["counted"][side] for side in ("gave", "kept"))
    lines = [[kind.replace("_", " "), f"{count:,}", f"{kept.get(kind, 0):,}"] for kind, count in gave.items()]
    figures = {name: f"{rows['killed'][name]:,}" for name in ("moves", "kills", "lost", "doubled")}
    return {**figures, "table": table(["", "answers that the endpoint gave", "of them in the transcripts"], lines)}


STUDIES = (Study(RESULTS / "speaking.json", cells, show, 0, ("numpy", "openai")),)
