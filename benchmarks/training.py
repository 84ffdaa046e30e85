"""Trains what the README's table of trainers tells of, each by `ludus train` with its seed, and gathers what came of it.

python benchmarks/training.py                  # the runs that are not there yet, into runs/, gathered in training.json
python benchmarks/training.py neat td_ntuple   # those of some trainers alone
python benchmarks/training.py --table          # the README's table, from training.json

A run that was interrupted is gone on with. Seeds were fixed before any run.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ludus.baselines.folder import Folder
from ludus.baselines.plan import Plan

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).with_name("training.json")


class Line(NamedTuple):
    """A line of the table: what is trained, with one seed after another.

    Args:
        trainer, preset: as `ludus train` takes them.
        games: what it learns, one game after another.
        against: whom it is measured against at its end.
        seeds: three for what takes less than a minute, two for what takes longer.
        told: what the games are called together, where they are several.
        measured: how many games it plays against each policy at its end, from both seats of each opening.
        every: after which share of the training it is measured on its way; the usual one where there is none.
    """

    trainer: str
    games: tuple[str, ...]
    preset: str = ""
    against: tuple[str, ...] = ("random",)
    seeds: tuple[int, ...] = (1, 2, 3)
    told: str = ""
    measured: int = 1000
    every: str = ""

    @property
    def commands(self) -> list[str]:
        """What trains it."""
        return [self.command(game, seed) for game in self.games for seed in self.seeds]

    def command(self, game: str, seed: int) -> str:
        """What trains it to play one of its games with one of its seeds."""
        name = "-".join([self.trainer, *filter(None, [self.preset]), game, str(seed)])
        folder = "runs/" + "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)
        preset = ["--preset", self.preset] if self.preset else []
        every = ["--evaluate-every", self.every] if self.every else []
        measured = [*every, "--evaluate-games", str(self.measured), "--against", *self.against]
        return shlex.join(["ludus", "train", self.trainer, game, *preset, "--seed", str(seed), *measured, "--run", folder])


HEAD = """| trainer | game | trained | seconds | won, of 1000 games (AlphaZero: 400) against | by the grade |
|---|---|---|---:|---|---|"""
NIMS = tuple(
    f"nim:heaps={heaps}{limit}{misere}"
    for heaps in ("1+3+5+7", "1+3+5+7+9")
    for limit in ("", ",limit=2", ",limit=3")
    for misere in ("", ",misere=true")
)
LINES = [
    Line("qlearning", ("tictactoe",)),
    Line("montecarlo", ("tictactoe",)),
    Line("qlearning", ("tictactoe",), "original"),
    Line("montecarlo", ("tictactoe",), "original"),
    Line("qlearning", NIMS, told="Nim, twelve: 1+3+5+7 and 1+3+5+7+9, no limit, 2, 3, normal and misère"),
    Line("qlearning", ("quixo:size=3",)),
    Line("evolved_table", ("nim",)),
    Line("evolved_table", ("nim",), "long"),
    Line("evolved_preference", ("nim",)),
    Line("evolved_mixture", ("nim",)),
    Line("td_ntuple", ("quixo",), "quixo", ("random", "minimax:depth=1"), (1, 2)),
    Line("td_ntuple", ("othello",), "othello", ("random", "minimax:depth=3"), (1, 2)),
    Line("neat", ("tictactoe",), "tictactoe", seeds=(1, 2)),
    Line("neat", ("quixo",), "quixo", seeds=(1, 2)),
    Line("layered_neat", ("tictactoe",), "tictactoe", seeds=(1, 2)),
    Line("layered_neat", ("quixo",), "quixo", seeds=(1, 2)),
    Line("layered_neat", ("quixo",), "original", seeds=(1, 2)),
    Line("neat", ("othello",), "othello", seeds=(1, 2)),
    Line("layered_neat", ("othello",), "othello", seeds=(1, 2)),
    Line("maskable_ppo", ("tictactoe",), seeds=(1, 2)),
    Line("maskable_ppo", ("nim",), seeds=(1, 2)),
    Line("maskable_ppo", ("quixo",), seeds=(1, 2)),
    Line("maskable_ppo", ("quarto",), against=("random", "easy"), seeds=(1, 2)),
    Line("maskable_ppo", ("othello:size=6",), seeds=(1, 2)),
    Line("ppo", ("tictactoe",), seeds=(1, 2)),
    Line("dqn", ("tictactoe",), seeds=(1, 2)),
    Line("dqn", ("tictactoe",), "penalty", seeds=(1, 2)),
    Line("alphazero", ("tictactoe",), seeds=(1, 2), measured=400, every="1"),
    Line("alphazero", ("othello:size=6",), "", ("random", "minimax:depth=4", "self"), (1, 2), measured=400, every="0.5"),
    Line("alphazero", ("quixo",), "", ("random", "minimax:depth=3", "minimax:depth=5"), (1, 2), measured=400, every="1"),
    Line("alphazero", ("quarto",), "", ("random", "hard"), (1, 2), measured=400, every="1"),
]


def made(command: str) -> dict[str, Any]:
    """What came of a run, once it has come to its end."""
    words = shlex.split(command)
    folder = ROOT / words[-1]
    ludus = str(Path(sys.executable).with_name("ludus"))
    if not (folder / "run.json").exists():
        subprocess.run([ludus, *words[1:]], cwd=ROOT, check=True)
    elif Folder.open(folder).plan.settings != Plan.make(words[2], words[3], 0, preset_of(words), {}).settings:
        raise SystemExit(f"{folder} was made with other settings than are usual now; move it away, and it is trained anew")
    elif not Folder.open(folder).finished:
        subprocess.run([ludus, "train", "--resume", words[-1]], cwd=ROOT, check=True)
    told, last = json.loads((folder / "run.json").read_text()), json.loads((folder / "evaluations.json").read_text())[-1]
    rows = (folder / "metrics.csv").read_text().splitlines()
    metrics = dict(zip(rows[0].split(","), map(float, rows[-1].split(",")), strict=True))
    scores = [{name: score[name] for name in ("b", "games", "wins", "draws", "losses")} for score in last["scores"]]
    rates = "win_rate_vs_random", "loss_rate_vs_random", "optimal_rate"
    wanted = "exact", "beatable", *rates, "value_lost", "value_thrown", "graded"
    return {
        "command": command,
        **{name: told[name] for name in ("trainer", "game", "preset", "seed", "done", "unit", "seconds")},
        "versions": told["sittings"][-1]["versions"],
        "metrics": metrics,
        "scores": scores,
        "grade": last["grade"] and {name: last["grade"][name] for name in wanted if name in last["grade"]},
    }


def preset_of(words: Sequence[str]) -> str | None:
    """The preset that a command names."""
    return words[words.index("--preset") + 1] if "--preset" in words else None


def row(line: Line, found: Sequence[dict[str, Any]]) -> list[str]:
    """What the table tells of a line: of each number the worst of its runs."""
    preset = f" `--preset {line.preset}`" if line.preset else ""
    done = f"{found[0]['done']:,} {found[0]['unit']}"
    seconds = f"{max(one['seconds'] for one in found):,.1f}"
    wins = [f"{won([one['scores'][place] for one in found])} `{name}`" for place, name in enumerate(line.against)]
    game = line.told or f"`{line.games[0]}`"
    return [f"`{line.trainer}`{preset}", game, done, seconds, " · ".join(wins), "; ".join(graded(found))]


def won(scores: Sequence[dict[str, Any]]) -> str:
    """The share of games won in the score with the fewest points, and of those drawn where they are a tenth or more."""
    worst = min(scores, key=lambda score: (2 * score["wins"] + score["draws"]) / score["games"])
    wins, draws = (100 * worst[name] / worst["games"] for name in ("wins", "draws"))
    return f"{wins:.1f} %" + (f" (and {draws:.1f} % drawn)" if draws >= 10 else "")


def graded(found: Sequence[dict[str, Any]]) -> list[str]:
    """What grades say of runs: of each number the worst; the exact one, or where the game is too large, the one of a sample."""
    grades, told = [one["grade"] for one in found], list[str]()
    if "winning moves" in found[0]["metrics"]:
        told.append(f"a winning move in {100 * min(one['metrics']['winning moves'] for one in found):.1f} % of won positions")
    if "value error" in found[0]["metrics"]:
        optimal, error = (worst(one["metrics"][name] for one in found) for name, worst in (("optimal", min), ("value error", max)))
        told.append(
            f"its network alone: {100 * optimal:.0f} % of moves keep the value, which it tells with an error of {error:.2f}"
        )
    if not all(grade and grade["exact"] for grade in grades):
        rates = [grade["optimal_rate"] for grade in grades if grade and grade.get("optimal_rate") is not None]
        moves = min(grade["graded"] for grade in grades if grade)
        return [*told, f"{100 * min(rates):.1f} % of {moves} graded moves keep the value"] if rates else told
    thrown = max(grade["value_thrown"] for grade in grades)
    told.append(f"throws away {thrown:.3f} a game" if thrown else "throws nothing away")
    if not any(grade["beatable"] for grade in grades):
        told.append("cannot be beaten")
    if len({one["game"] for one in found}) == 1:
        first, second = (100 * min(grade["win_rate_vs_random"][seat] for grade in grades) for seat in (0, 1))
        told.append(f"wins {first:.2f} % as first, {second:.2f} % as second")
    return told


def table(results: Sequence[dict[str, Any]]) -> str:
    """The results as the pages show them."""
    kept = {one["command"]: one for one in results}
    found = [(line, [kept[command] for command in line.commands if command in kept]) for line in LINES]
    rows = [f"| {' | '.join(row(line, those))} |" for line, those in found if those]
    return "\n".join([HEAD, *rows])


def main() -> None:
    """Trains what is missing, and shows all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trainers", nargs="*", help="whose runs to make; of all where none is named")
    parser.add_argument("--table", action="store_true", help="show what was kept, and train nothing")
    chosen = parser.parse_args()
    kept = {one["command"]: one for one in json.loads(RESULTS.read_text())} if RESULTS.exists() else {}
    for line in [] if chosen.table else LINES:
        for command in line.commands if not chosen.trainers or line.trainer in chosen.trainers else ():
            kept[command] = made(command)
            ordered = [kept[command] for line in LINES for command in line.commands if command in kept]
            RESULTS.write_text(json.dumps(ordered, indent=1) + "\n")
    print(table([*kept.values()]))


if __name__ == "__main__":
    main()
