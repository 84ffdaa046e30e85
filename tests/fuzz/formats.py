"""The table of formats: how a sound file of each is made, damaged and read."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

import ludus
from ludus.arena.matches.record import parse, write
from ludus.arena.planning.protocols import parse_protocol
from ludus.arena.store.store import Store
from ludus.baselines import Measure, train
from ludus.baselines.runs.folder import Folder, read_arrays, write_arrays
from ludus.baselines.runs.metrics import read_table
from ludus.baselines.runs.run import Run
from ludus.cli.playing import live_game as in_play
from ludus.core.native import cache
from ludus.core.plugins import admit
from ludus.envs import make_game
from ludus.oracles import files as oracle_files
from ludus.oracles.quarto.book import QuartoBook
from ludus.oracles.quixo import retrograde as quixo
from ludus.oracles.statespace.table import Table
from ludus.records import Openings, read_games, write_games

from ..helpers.arena.played import plan_of, random_games
from ..helpers.arena.spoken import spoken_games
from ..helpers.recorded import ONLY_READ, random_game
from .damages import LIMITS, damaged_bytes, damaged_text, damaged_word
from .trial import Format

GAME = "nim:heaps=1+2"
Damage = Callable[[bytes, random.Random], bytes]


def sound(file: Path) -> Path:
    """A file as it was before the first damage, with which every damage begins."""
    kept = file.with_name(f"{file.name}.sound")
    if not kept.exists():
        kept.write_bytes(file.read_bytes())
    return kept


def in_file(damage: Damage, place: str = "") -> Callable[[Path, random.Random], Path]:
    """Damages a file, or one in a folder."""

    def done(path: Path, draw: random.Random) -> Path:
        file = path / place
        file.write_bytes(damage(sound(file).read_bytes(), draw))
        return path

    return done


# ---- games that were saved and played


def saved_game(folder: Path) -> Path:
    game = make_game("quixo:size=3")
    table = in_play.LiveGame(game, ludus.make_policy("minimax:depth=1", game), "minimax:depth=1", 1, 5, game.start)
    for _ in range(6):
        table.actions.append(game.legal_actions(table.state)[0])
    in_play.save(table, folder / "saved.json")
    return folder / "saved.json"


def read_saved(path: Path) -> Any:
    return in_play.load(path, False, lambda spec, game: spec).document()  # pyright: ignore[reportArgumentType]


def store(folder: Path) -> Path:
    suite = Openings("two", "nim", ("1 3 5 6", None), ((), (0,)))
    plan = replace(plan_of("tictactoe", "nim", count=60), opening_plies={"tictactoe": 2, "nim": 0}, openings={"nim": suite})
    with Store.create(folder / "store.db", plan) as made:
        for pairing, games in zip(plan.pairings, (spoken_games, random_games), strict=True):
            made.add(pairing, games(pairing.game, np.arange(60)))
    return folder / "store.db"


def read_store(path: Path) -> Any:
    with Store.open(path) as kept:
        games = [list(kept.records(pairing)) for pairing in kept.plan.pairings]
        scores = [score.document() for score in kept.scores()]
        return kept.plan, kept.sessions(), games, scores, kept.count(), [*kept.spoken()]


def damage_values(path: Path, draw: random.Random) -> Path:
    """A value in a row, or a whole row, is another one; the file itself is sound."""
    path.write_bytes(sound(path).read_bytes())
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
    return path


def record(folder: Path) -> bytes:
    plan = plan_of("quarto")
    return "\n".join(map(write, random_games("quarto", range(2)).records(plan.pairings[0]))).encode()


def read_record(content: bytes) -> Any:
    return parse(content.decode())


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
    games = [*read_games(path, format=path.suffix[1:])]
    return [(record, record.states().tolist()) for record in games]


# ---- runs


def run(folder: Path) -> Path:
    measure = Measure(every="0.5", games=2, ladder=("random", "self"))
    train("qlearning", GAME, folder / "run", measure=measure, games=30)
    (folder / "run" / "checkpoint.previous.safetensors").unlink()  # or that is read in the place of the damaged one
    return folder / "run"


def read_run(path: Path) -> Any:
    """All that is read of a run when it is played against and when it is resumed."""
    folder = Folder.open(path)
    policy = ludus.make_policy(f"run:{path}", GAME)
    going = Run(folder.plan, folder.plan.begin(), folder.measure, folder)
    rows = read_table(path / "metrics.csv")
    chances = policy.probabilities(policy.game.start[None]).tolist()
    state = {name: array.tolist() for name, array in going.trainer.state().items()}
    return folder.plan, folder.measure, chances, state, going.parts, going.evaluations, rows


def rewrite(file: str) -> Callable[[Path, random.Random], Path]:
    """Changes an array of a file, and gives the file a checksum that fits."""

    def done(path: Path, draw: random.Random) -> Path:
        arrays = read_arrays(sound(path / file))
        name = draw.choice(sorted(arrays))
        write_arrays(path / file, changed(arrays, name, draw))
        return path

    return done


def changed(arrays: dict[str, Any], name: str, draw: random.Random) -> dict[str, Any]:
    """Arrays with one too many, one missing, or one of another length, type or shape."""
    array, kind = arrays[name], draw.randrange(6)
    others = {other: value for other, value in arrays.items() if other != name}
    if kind == 0:
        return {**arrays, f"another{draw.randrange(9)}": np.zeros(draw.randrange(3))}
    if kind == 1:
        return others
    if kind == 2:
        types = [type_ for type_ in ("int8", "float32", "float64", "int64", "bool") if type_ != array.dtype]
        return {**others, name: array.astype(draw.choice(types))}
    if kind == 3 or not array.ndim:
        return {**others, name: array[None]}
    return {**others, name: np.concatenate([array, array[-1:]]) if kind == 4 else array[:-1]}


# ---- tables, and what oracles and kernels keep


def table(folder: Path) -> Path:
    game = make_game("tictactoe")
    states = np.unique(np.stack([game.play(game.start, action) for action in range(9)]), axis=0)
    actions = np.array([game.legal_actions(state)[0] for state in states], np.int16)
    Table(game, states, actions).write(folder / "table.npz")
    return folder / "table.npz"


def read_kept_table(path: Path) -> Any:
    found = Table.read(path, make_game("tictactoe"))
    return found.states.tolist(), found.choices.tolist(), found.symmetric


def oracle_book(folder: Path) -> Path:
    game = make_game("quarto")
    book = QuartoBook(game, 2, np.arange(9, dtype=np.uint32), np.arange(20, 29, dtype=np.uint32))  # pyright: ignore[reportArgumentType]
    oracle_files.write_arrays(folder / "a.book", **book.arrays)
    return folder / "a.book"


def read_oracle_book(path: Path) -> Any:
    """A book that is damaged is done without, and the log tells."""
    arrays = oracle_files.read_arrays(path, "it is done without")
    return {name: array.tolist() for name, array in arrays.items()} if arrays else _done_without(path)


def oracle_table(folder: Path) -> Path:
    quixo.file_of(3).table()
    (folder / "quixo-3.table").write_bytes(oracle_files.path_of("quixo-3.table").read_bytes())
    return folder / "quixo-3.table"


def read_oracle_table(path: Path) -> Any:
    found = quixo.file_of(3).load(path)
    return _done_without(path) if found is None else found.tobytes()


def _done_without(path: Path) -> Any:
    raise ValueError(f"the file {path} is damaged and done without")


def cached(folder: Path) -> Path:
    name = "fuzz-0"
    cache.write("nim", name, b"an object file" * 50)
    return cache.folder() / "kernels" / "nim" / f"{name}{cache.SUFFIX}"


def read_cached(path: Path) -> Any:
    return cache.read("nim", "fuzz-0") or _done_without(path)


# ---- texts


def protocol(folder: Path) -> bytes:
    from ludus.arena.planning import protocols

    return Path(protocols.__file__).with_name("ludus-2.json").read_bytes()


def read_protocol(content: bytes) -> Any:
    return parse_protocol(content, "ludus-2")


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


def damage_spec(specs: list[str]) -> Callable[[Any, random.Random], list[str]]:
    return lambda _, draw: [damaged_word(draw.choice(specs), draw)]


def read_game_specs(specs: list[str]) -> Any:
    games = [make_game(admit(spec, "a file")) for spec in specs]
    for game in games:
        assert make_game(game.spec) == game, game.spec
    return games


def read_policy_specs(specs: list[str]) -> Any:
    return [ludus.make_policy(admit(spec, "a file"), "tictactoe").spec for spec in specs]


def positions(folder: Path) -> list[tuple[Any, str]]:
    found: list[tuple[Any, str]] = []
    for spec in GAME_SPECS:
        game, draw = make_game(spec), random.Random(spec)
        state = game.start
        for _ in range(4):
            if game.outcome(state) is None:
                state = game.play(state, draw.choice(game.legal_actions(state)))
        found.append((game, game.text(state)))
    return found


def damage_position(texts: list[tuple[Any, str]], draw: random.Random) -> list[tuple[Any, str]]:
    game, text = draw.choice(texts)
    return [(game, damaged_word(text, draw))]


def read_positions(texts: list[tuple[Any, str]]) -> Any:
    found = [(game, game.position(text)) for game, text in texts]
    for game, state in found:
        assert (game.position(game.text(state)) == state).all()
    return [(game, state.tolist()) for game, state in found]


FORMATS = [
    Format("saved game", saved_game, in_file(damaged_text), read_saved, False, 200),
    Format("store: bytes", store, in_file(damaged_bytes), read_store, True, 125),
    Format("store: values", store, damage_values, read_store, True, 125),
    Format("record of games", record, damaged_text, read_record, False, 200),
    *(
        Format(
            f"games: {name}", recorded(name), in_file(damaged_bytes if name == "wthor" else damaged_text), read_recorded, False, 75
        )
        for name in ("pgn", "ggf", "obf", "wthor", "transcripts", "positions", "moves")
    ),
    Format("run.json", run, in_file(damaged_text, "run.json"), read_run, False, 100),
    Format("evaluations.json", run, in_file(damaged_text, "evaluations.json"), read_run, False, 100),
    Format("metrics.csv", run, in_file(damaged_text, "metrics.csv"), read_run, False, 100),
    Format("checkpoint: bytes", run, in_file(damaged_bytes, "checkpoint.safetensors"), read_run, True, 100),
    Format("checkpoint: arrays", run, rewrite("checkpoint.safetensors"), read_run, True, 75),
    Format("policy: bytes", run, in_file(damaged_bytes, "policy.safetensors"), read_run, True, 100),
    Format("policy: arrays", run, rewrite("policy.safetensors"), read_run, True, 75),
    Format("table", table, in_file(damaged_bytes), read_kept_table, True, 200),
    Format("Quarto's book", oracle_book, in_file(damaged_bytes), read_oracle_book, True, 200),
    Format("Quixo's table", oracle_table, in_file(damaged_bytes), read_oracle_table, True, 100),
    Format("cached kernel", cached, in_file(damaged_bytes), read_cached, True, 200),
    Format("protocol", protocol, damaged_text, read_protocol, False, 200),
    Format("spec of a game", lambda folder: GAME_SPECS, damage_spec(GAME_SPECS), read_game_specs, False, 300),
    Format("spec of a policy", lambda folder: POLICY_SPECS[:1], damage_spec(POLICY_SPECS), read_policy_specs, False, 200),
    Format("position", positions, damage_position, read_positions, False, 300),
]
