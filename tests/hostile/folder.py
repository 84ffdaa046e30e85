"""Builds the folder: each file tries to run code, to read outside of its folder, to fill the disk or memory, or to show HTML.

What each tries stands in its name. Code that ran leaves the file `executed`; what lies outside holds the word SECRET.
Specs that name code are in words.py, which test_words.py puts into every kind of file.
"""

from __future__ import annotations

import base64
import io
import json
import os
import pickle
import shutil
import sqlite3
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents import as_policy
from ludus.agents.answers import Attempt, Transcript
from ludus.arena import Tournament
from ludus.arena.matches.record import write
from ludus.arena.planning.planning import make_plan
from ludus.arena.store.store import Store
from ludus.baselines import Measure, train

from ..helpers.arena.played import random_games
from ..helpers.arena.stored import change_plan
from .words import EVIL, SECRET

GAME = "tictactoe"
HTML = "<script>document.title='shown'</script><img src=x onerror=alert(1)>"
SHELL = "x; touch executed #"


class Bomb:
    """Leaves a file where it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "executed"

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


def build(folder: Path, outside: Path) -> list[Path]:
    """Makes all files in a folder, which is the current one, and one outside that none may read or change."""
    outside.write_text(f"{SECRET},1,2\n")
    os.mkfifo(folder / "waits.fifo")
    (folder / "endless").symlink_to("/dev/zero")
    _plug_ins(folder)
    write_model(folder, "model.zip")
    _saved_games(folder, outside)
    _stores(folder, outside)
    _runs(folder, outside)
    _records(folder)
    _tables(folder, outside)
    (folder / "page.html").write_text(f"<!doctype html>{HTML}")
    return sorted(path for path in folder.iterdir() if path.name != "evil.py")


def _plug_ins(folder: Path) -> None:
    (folder / "evil.py").write_text(EVIL)
    about = folder / "evil-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    groups = ("games", "policies", "trainers", "evaluations")
    (about / "entry_points.txt").write_text("".join(f"[ludus.{group}]\nevil = evil:f\n" for group in groups))


def write_model(folder: Path, name: str) -> None:
    """Writes a model that leaves a file where it is unpickled."""
    bomb = base64.b64encode(pickle.dumps(Bomb(folder))).decode()
    with zipfile.ZipFile(folder / name, "w") as file:
        file.writestr("data", json.dumps({"policy_class": {":type:": "x", ":serialized:": bomb}}))
        file.writestr("policy.pth", pickle.dumps(Bomb(folder)))


def _saved_games(folder: Path, outside: Path) -> None:
    def save(name: str, **fields: Any) -> None:
        usual = {"game": GAME, "against": "random", "seat": 0, "seed": 0, "start": "--------- X", "moves": []}
        (folder / f"saved_{name}.json").write_text(json.dumps(usual | fields))

    for name, place in {"outside": outside, "endless": "/dev/zero", "waits": folder / "waits.fifo"}.items():
        save(name, against=f"table:path={place}")
    save("run", against="run:run_outside_run")
    save("html", moves=[HTML], needs={GAME: SHELL})
    save("long", moves=["a1"] * 100_000)
    (folder / "saved_deep.json").write_text("[" * 100_000)
    (folder / "saved_link.json").symlink_to(outside)


def _stores(folder: Path, outside: Path) -> None:
    def store(name: str, **change: Any) -> Path:
        path = folder / f"store_{name}.sqlite"
        Store.create(path, make_plan([GAME], ["random", "greedy"], 2)[0]).close()
        change_plan(path, lambda plan: plan | change)
        return path

    store("function", entrants=[["random", "python:evil:f"], ["greedy", "greedy"]])
    store("endless", entrants=[["random", "table:path=/dev/zero"], ["greedy", "greedy"]])
    store("shell", needs={GAME: SHELL}, protocol="../../outside")
    path = folder / "store_html.sqlite"
    plan, cast = make_plan([GAME], ["random", as_policy(_out_of_range, GAME, name=HTML)], 2)
    with Store.create(path, plan) as games:
        Tournament(games, cast).play(faults="count")
    change_plan(path, lambda plan: plan | {"entrants": [["random", "random"], [HTML, "greedy"]]})
    reply = Transcript((Attempt(HTML, f"\x1b[2J{HTML}", "illegal", HTML), Attempt(HTML, HTML)), HTML, HTML, HTML)
    with Store.open(store("said")) as games:
        games.add(games.plan.pairings[0], random_games(GAME, [0, 1])._replace(transcripts={(0, 2): reply, (1, 3): reply}))
    columns = [row[1] for row in _execute(path, "PRAGMA table_info(games)")]
    endless = "AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"
    view = f"CREATE VIEW games {endless} {', '.join(f'x AS {column}' for column in columns)} FROM n"
    _execute(store("view"), "DROP TABLE games", view)
    fill = "CREATE TRIGGER fill AFTER INSERT ON sessions BEGIN INSERT INTO plan SELECT x, x FROM numbers; END"
    _execute(store("trigger"), f"CREATE VIEW numbers {endless} x FROM n", fill)
    (folder / "store_link.sqlite").symlink_to(outside)


def _execute(path: Path, *statements: str) -> list[Any]:
    connection = sqlite3.connect(path)
    rows = [connection.execute(statement).fetchall() for statement in statements][-1]
    connection.commit()
    connection.close()
    return rows


def _out_of_range(observations: Any, masks: Any) -> Any:
    raise ValueError(HTML)


def _runs(folder: Path, outside: Path) -> None:
    whole = folder / "run_shell"
    train("qlearning", GAME, whole, measure=Measure("never"), games=10)
    document = json.loads((whole / "run.json").read_text())

    def run(name: str, **change: Any) -> Path:
        path = folder / f"run_{name}"
        shutil.copytree(whole, path)
        (path / "run.json").write_text(json.dumps(document | change))
        return path

    run("function", trainer="evil:f")
    for name, target in {"outside": outside, "endless": Path("/dev/zero"), "waits": folder / "waits.fifo"}.items():
        for file in ("run.json", "policy.safetensors", "checkpoint.safetensors", "metrics.csv", "evaluations.json"):
            path = run(f"{name}_{file.partition('.')[0]}")
            (path / file).unlink(missing_ok=True)
            (path / file).symlink_to(target)
    for file in ("policy.safetensors", "checkpoint.safetensors"):
        path = run(f"{file.partition('.')[0]}_pickle")
        (path / file).write_bytes(pickle.dumps(Bomb(folder)))
        (run(f"{file.partition('.')[0]}_huge") / file).write_bytes(struct.pack("<Q", 2**62) + b"{}")
    needs = {"qlearning": SHELL}
    (whole / "run.json").write_text(json.dumps(document | {"needs": needs, "finished": False}))


def _records(folder: Path) -> None:
    with Store.open(folder / "store_html.sqlite") as store:
        (folder / "record_html.txt").write_text("\n".join(map(write, store.records())))
    header = f'[Game "{GAME}"]\n[Player 0 "python:evil:f"]\n[Player 1 "sb3:model.zip,trust=true"]\n[Result "1-0"]\n'
    lines = {"number": "9" * 5000, "key": "1" * 400, "seconds": "1e999 nan", "moves": "-1 1e9", "opening": "99999999"}
    for name, line in lines.items():
        (folder / f"record_{name}.txt").write_text(f'{header}[{name.title()} "{line}"]\n\n1. a1 2. a2 3. b1 4. b2 5. c1 1-0\n')
    (folder / "record_long.txt").write_text("[" * 1_000_000)
    (folder / "games_long.ggf").write_text("(;GM[Othello]" * 100_000)
    (folder / "games_open.ggf").write_text("(;GM[Othello]PB[" + "(;GM[" * 200_000)
    (folder / "games_html.ggf").write_text(f"(;GM[Othello]PB[{HTML}]PW[\x1bc]B[F5];)")
    (folder / "positions_long.obf").write_text("-" * 1_000_000 + " X;" + "a1:+1;" * 100_000)
    (folder / "games_many.wtb").write_bytes(struct.pack("<4BIHH4B", 20, 1, 1, 1, 2**32 - 1, 0, 2001, 8, 0, 0, 0))
    (folder / "games_code.moves").write_text("# Game: evil:f\na1\n")
    (folder / "games_long.moves").write_text("a1" * 500_000)


def _tables(folder: Path, outside: Path) -> None:
    arrays: dict[str, Any] = {"format": "ludus table 1", "symmetric": False, "states": np.zeros((1, 2), np.uint64)}
    bomb = np.array([Bomb(folder)], dtype=object)
    np.savez(folder / "table_pickle.npz", **arrays, game=GAME, actions=bomb)
    np.savez(folder / "table_code.npz", **arrays, game="evil:f", actions=np.zeros(1, np.int16))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<u8", "fortran_order": False, "shape": (2**40, 2)})
    with zipfile.ZipFile(folder / "table_huge.npz", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("states.npy", header.getvalue() + bytes(1 << 20))
    (folder / "table_link.npz").symlink_to(outside)
    (folder / "stocks.csv").write_text(f"ticker,risk,return\n{HTML},0.1,0.2\n=cmd|x,nan,1e999\n")
