"""The table of formats: how a sound file of each is made, damaged and read. Most of the sound ones lie in tests/written."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import ludus
from ludus.arena.matches.record import parse
from ludus.arena.planning import protocols
from ludus.arena.store.store import Store
from ludus.baselines.runs.folder import Folder, read_arrays, write_arrays
from ludus.baselines.runs.metrics import read_table
from ludus.baselines.runs.run import Run
from ludus.cli.playing import live_game
from ludus.core.native import cache
from ludus.core.plugins import admit
from ludus.envs import make_game
from ludus.oracles import files as oracle_files
from ludus.oracles.quarto.book import QuartoBook
from ludus.oracles.statespace.table import Table
from ludus.records import read_games, write_games

from ..helpers.recorded import ONLY_READ, random_game
from ..written.reading import FILES, GRADED
from .damages import LIMITS, damaged_bytes, damaged_text, damaged_word

Damage = Callable[[Path, random.Random], object]
GAME_SPECS = ["tictactoe", "quarto:squares=true", "othello:size=6", "quixo:size=4,max_plies=100", "nim:heaps=1+3,misere=true"]
POLICY_SPECS = [
    "random",
    "greedy",
    "minimax:depth=2",
    "mcts:simulations=100",
    "alphazero:simulations=5",
    "hard",
    "table:path=a.npz",
]


@dataclass(frozen=True)
class Format:
    """A kind of file or text."""

    name: str
    make: Callable[[Path], Path]  # makes a sound one in an empty folder: its path
    damage: Damage
    read: Callable[[Path], Any]  # as ludus does: what it holds, in values that can be compared
    sealed: bool  # whether it has a checksum, so that it never reads as another one
    quick: int  # how many trials the tests make


def written(name: str) -> Callable[[Path], Path]:
    """Copies a file of tests/written."""
    return lambda folder: Path(shutil.copy(FILES / name, folder))


def by(change: Callable[[bytes, random.Random], bytes]) -> Damage:
    """Changes the bytes of a file."""
    return lambda path, draw: path.write_bytes(change(path.read_bytes(), draw))


def one_word(*texts: str) -> Damage:
    """Writes one of some texts into a file, as somebody mistypes it."""
    return lambda path, draw: path.write_bytes(damaged_word(draw.choice(texts), draw).encode(errors="surrogatepass"))


def word_in(path: Path) -> str:
    return path.read_bytes().decode(errors="surrogatepass")


def refuse(path: Path) -> Any:
    """A file that the cache or an oracle does without is refused in the log."""
    raise ValueError(f"the file {path} is damaged and done without")


# ---- games that were saved and played


def read_saved(path: Path) -> Any:
    return live_game.load(path, False, lambda spec, game: spec).document()  # pyright: ignore[reportArgumentType]


def read_store(path: Path) -> Any:
    with Store.open(path) as kept:
        games = [list(kept.records(pairing)) for pairing in kept.plan.pairings]
        scores = [score.document() for score in kept.scores()]
        return kept.plan, kept.sessions(), games, scores, kept.count(), [*kept.spoken()]


def damage_values(path: Path, draw: random.Random) -> None:
    """A value in a row, or a whole row, is another one; the file itself is sound."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        name = draw.choice(["games", "games", "games", "attempts", "attempts", "speakers", "pairings", "sessions", "plan"])
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
        column, last = draw.choice(columns), columns[-1]
        where = f"WHERE {last} = (SELECT {last} FROM {name} LIMIT 1 OFFSET {draw.randrange(2)})"
        old = connection.execute(f"SELECT {column} FROM {name} LIMIT 1").fetchone()[0]
        numbers = [number for number in LIMITS if number not in ("NaN", "9" * 5000)]
        values = [*numbers, "'text'", "x'00ff'", "''", "NULL", "1", "2", "77", "99", "zeroblob(99999)", "'[[[['"]
        if isinstance(old, str):
            changed = damaged_text(old.encode(), draw).decode(errors="replace").encode(errors="replace").decode()
            values += ["'" + changed.replace("'", "''").replace("\0", "") + "'"] * 30
        change = f"UPDATE {name} SET {column} = {draw.choice(values)} {draw.choice(['', where])}"
        # a session in which nothing was added may be lost
        connection.execute(draw.choice([change] * 9 + [f"DELETE FROM {name} {where}"] * (name != "sessions")))
    except sqlite3.Error:
        pass  # the schema does not let it in
    finally:
        connection.close()


def recorded(name: str) -> Callable[[Path], Path]:
    """Makes a file of games in one of the formats of ludus.records."""

    def make(folder: Path) -> Path:
        path = folder / f"games.{name}"
        if name in ONLY_READ:
            path.write_bytes(ONLY_READ[name])
        else:
            write_games(path, [random_game("othello", seed, plies) for seed, plies in ((0, None), (1, 3))], format=name)
        return path

    return make


def read_recorded(path: Path) -> Any:
    """The games of a file; each is one of the rules."""
    return [(record, record.states().tolist()) for record in read_games(path, format=path.suffix[1:])]


# ---- runs


def run(file: str) -> Callable[[Path], Path]:
    """Copies a run: one of its files."""

    def make(folder: Path) -> Path:
        shutil.copytree(FILES / "runs" / "qlearning", folder / "run")
        (folder / "run" / "checkpoint.previous.safetensors").unlink()  # or that is read in the place of the damaged one
        return folder / "run" / file

    return make


def read_run(path: Path) -> Any:
    """All that is read of a run when it is played against and when it is resumed."""
    folder = Folder.open(path.parent)
    policy = ludus.make_policy(f"run:{path.parent}", GRADED)
    going = Run(folder.plan, folder.plan.begin(), folder.measure, folder)
    rows = read_table(path.parent / "metrics.csv")
    chances = policy.probabilities(policy.game.start[None]).tolist()
    state = {name: array.tolist() for name, array in going.trainer.state().items()}
    return folder.plan, folder.measure, chances, state, going.parts, going.evaluations, rows


def damage_arrays(path: Path, draw: random.Random) -> None:
    """One array too many, one missing, or one of another length, type or shape; the checksum fits."""
    arrays = read_arrays(path)
    name = draw.choice(sorted(arrays))
    array = arrays.pop(name)
    changes: list[Callable[[], dict[str, Any]]] = [
        lambda: {name: array, f"another{draw.randrange(9)}": np.zeros(draw.randrange(3))},
        dict,
        lambda: {name: array.astype(draw.choice([t for t in ("int8", "float32", "float64", "int64", "bool") if t != array.dtype]))},
        lambda: {name: array[None]},
        lambda: {name: np.concatenate([array, array[-1:]]) if array.ndim else array[None]},
        lambda: {name: array[:-1] if array.ndim else array[None]},
    ]
    write_arrays(path, arrays | draw.choice(changes)())


# ---- tables, and what oracles and kernels keep


def read_kept_table(path: Path) -> Any:
    table = Table.read(path, make_game(GRADED))
    return table.states.tolist(), table.choices.tolist(), table.symmetric


def make_book(folder: Path) -> Path:
    game = make_game("quarto")
    book = QuartoBook(game, 2, np.arange(9, dtype=np.uint32), np.arange(20, 29, dtype=np.uint32))  # pyright: ignore[reportArgumentType]
    oracle_files.write_arrays(folder / "a.book", **book.arrays)
    return folder / "a.book"


def read_book(path: Path) -> Any:
    arrays = oracle_files.read_arrays(path, "it is done without")
    return {name: array.tolist() for name, array in arrays.items()} if arrays else refuse(path)


def make_kernel(folder: Path) -> Path:
    cache.write("nim", "fuzz-0", b"an object file" * 50)
    return cache.folder() / "kernels" / "nim" / f"fuzz-0{cache.SUFFIX}"


def read_kernel(path: Path) -> Any:
    return cache.read("nim", "fuzz-0") or refuse(path)


# ---- texts


def text_of(text: str) -> Callable[[Path], Path]:
    """Writes a text into a file."""

    def make(folder: Path) -> Path:
        (folder / "text").write_text(text)
        return folder / "text"

    return make


def read_game_spec(path: Path) -> Any:
    game = make_game(admit(word_in(path), "a file"))
    assert make_game(game.spec) == game, game.spec
    return game


def read_policy_spec(path: Path) -> Any:
    return ludus.make_policy(admit(word_in(path), "a file"), "tictactoe").spec


FORMATS = [
    Format("saved game", written("saved.json"), by(damaged_text), read_saved, False, 200),
    Format("store: bytes", written("finished.sqlite"), by(damaged_bytes), read_store, True, 125),
    Format("store: values", written("spoken.sqlite"), damage_values, read_store, True, 125),
    Format("record of games", written("record.txt"), by(damaged_text), lambda path: parse(path.read_bytes().decode()), False, 200),
    *(
        Format(f"games: {name}", recorded(name), by(damaged_bytes if name == "wthor" else damaged_text), read_recorded, False, 75)
        for name in ("pgn", "ggf", "obf", "wthor", "transcripts", "positions", "moves")
    ),
    *(Format(file, run(file), by(damaged_text), read_run, False, 100) for file in ("run.json", "evaluations.json", "metrics.csv")),
    *(
        Format(f"{file}: {what}", run(f"{file}.safetensors"), damage, read_run, True, 100)
        for file in ("checkpoint", "policy")
        for what, damage in (("bytes", by(damaged_bytes)), ("arrays", damage_arrays))
    ),
    Format("table", written("table.npz"), by(damaged_bytes), read_kept_table, True, 200),
    Format("Quarto's book", make_book, by(damaged_bytes), read_book, True, 200),
    Format("cached kernel", make_kernel, by(damaged_bytes), read_kernel, True, 200),
    Format(
        "protocol",
        lambda folder: Path(shutil.copy(Path(protocols.__file__).with_name("ludus-2.json"), folder)),
        by(damaged_text),
        lambda path: protocols.parse_protocol(path.read_bytes(), "ludus-2"),
        False,
        200,
    ),
    Format("spec of a game", text_of(GAME_SPECS[0]), one_word(*GAME_SPECS), read_game_spec, False, 300),
    Format("spec of a policy", text_of(POLICY_SPECS[0]), one_word(*POLICY_SPECS), read_policy_spec, False, 200),
]
