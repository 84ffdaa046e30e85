"""`grade_files`: files of students with an agent each, against levels and perfect play, as a table and for systems of courses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ..agents.registry import as_policy
from ..core.files.writing import make_folder, path_of, write_whole
from ..core.numbers import seconds_of, several, whole
from ..core.workers.worker import Worker
from ..games.display import Part, TextTable, Viewable
from ..games.game import Game
from ..games.registry import make_game
from .data.exact.arrays import ManyPositions
from .data.exact.files import positions as exact_positions
from .evaluate import evaluate
from .grading.decisions import Decisions, Judged
from .grading.sampled import Grade, grade_from
from .ratings.score import Score
from .student import Student

PAGE = "index.html"
LEVELS = ("random", "greedy", "minimax:depth=2")
WORST = 3
"""How many of the moves that lose most are named for each file."""


@dataclass(frozen=True, repr=False)
class Assignment(Viewable):
    """Files of students, graded.

    Args:
        game: the game and variant.
        files: for each file, by its name in the folder of all of them, what Gradescope reads as its results.json. `extra_data` has
            the numbers, and what the reporter of GitHub Classroom reads.
        note: why no value lost was measured, if it was to be.
    """

    game: Game
    files: dict[str, dict[str, Any]]
    note: str = ""

    def document(self) -> dict[str, Any]:
        """The files for JSON."""
        return {"game": self.game.spec, "note": self.note, "files": [{"file": name, **file} for name, file in self.files.items()]}

    def write(self, folder: Path) -> Path:
        """Writes the results of each FILE.py into a folder, as FILE.json, and a page of all files, whose name is returned.

        Raises:
            OSError: they cannot be written.
        """
        from .report.page import write_table  # which draws, and so takes a while to load

        for name, file in self.files.items():
            target = folder / Path(name).with_suffix(".json")
            make_folder(target.parent)
            write_whole(target, json.dumps(file, indent=2).encode())
        write_table(folder / PAGE, self, f"{several(len(self.files), 'file')} in {self.game}", "assignment")
        return folder / PAGE

    def __repr__(self) -> str:
        return f"<Assignment in {self.game}: {several(len(self.files), 'file')}>"

    def _parts(self) -> Iterator[Part]:
        rows = list[list[str]]()
        for name, file in self.files.items():
            cells = (test["output"].partition(":")[0] for test in file["tests"])
            rows.append([name, *cells, f"{file['score']:.2f} of {file['max_score']}"])
        heads = [test["name"].removeprefix("beats ") for test in next(iter(self.files.values()))["tests"]]
        what = "whether each level is beaten, by more than half of the points: their per cent with its 95 % interval"
        yield TextTable(f"{self.game}: {what}", ["file", *heads, "score"], rows)
        for name, file in self.files.items():
            words = [file["extra_data"]["first_error"], *file["extra_data"]["worst_moves"][:1]]
            yield from (f"{name}: {sentence}" for sentence in words if sentence)
        yield from ([self.note] if self.note else [])

    def _rows(self) -> list[dict[str, Any]]:
        return [{"file": name, **{test["name"]: test["score"] for test in file["tests"]}} for name, file in self.files.items()]


def grade_files(
    game: str | Game,
    files: Sequence[str | Path],
    *,
    levels: Sequence[Any] = LEVELS,
    games: int = 20,
    positions: int = 100,
    move_time: float = 1.0,
    memory: int = 2**30,
    seed: int = 0,
    progress: Callable[[str], object] = lambda _: None,
) -> Assignment:
    """Grades Python files with an agent each, and runs them: each in a process and a folder of its own, in the same games.

    Args:
        game: the game, or its spec.
        files: the files, or folders of them.
        levels: the opponents: policies, or whatever `as_policy` takes. Their moves have no limit on time.
        games: how many games are played against each, an even number.
        positions: in how many positions of random games the value lost is measured; 0 for none.
        move_time: seconds for a move.
        memory: bytes that a file may take.
        seed: the source of all randomness.
        progress: called with what is done next.

    Raises:
        ValueError: a file is named twice or is not Python, there is no such level, or a number is invalid.
    """
    game, move_time, memory = make_game(game), seconds_of(move_time, "move_time"), whole(memory, "memory", 1)
    policies, sources, solved, note = [as_policy(level, game) for level in levels], _read(files), None, ""
    names = [str(policy) for policy in policies]
    if not names or len({*names}) < len(names):
        raise ValueError(f"the levels are {', '.join(names) or 'none'}; name at least one, and none twice")
    if whole(positions, "positions"):
        try:
            progress("solving positions")
            solved = exact_positions(game, positions, seed=seed)
        except ValueError as error:
            note = f"The value lost is not measured: {error}."
    heads = ["loads", "legal", "in time", *(f"beats {level}" for level in names), *(["value lost"] if solved else [])]
    results = dict[str, dict[str, Any]]()
    for name, source in sources.items():
        progress(name)
        with Worker(threads=1) as worker, TemporaryDirectory(prefix="ludus-", ignore_cleanup_errors=True) as folder:
            place: dict[str, Any] = {"folder": Path(folder), "worker": worker}
            content = b"" if isinstance(source, OSError) else source
            student = Student(game, title=name, source=content, move_time=move_time, memory=memory, **place)
            scores, grade, worst = list[Score](), None, list[str]()
            why = f"it cannot be read ({source.strerror})" if isinstance(source, OSError) else student.start()
            outcomes = [(0.0, f"no: {why}")]
            if not why:
                how: dict[str, Any] = {"seed": seed, "common_keys": True, "faults": "count"}
                scores = [evaluate(student, game, policy, games, **how) for policy in policies]
                grade, worst = (None, []) if solved is None else _grade(student, solved, seed)
                outcomes = [*_judge(student, scores, grade)]
            worker.kill()
            more = {
                "first_error": why or next(iter(student.faults), ""),
                "printed": student.printed,
                "counts": dict(student.counts),
                "matches": [score.document() for score in scores],
                "worst_moves": worst,
                "grade": grade and grade.document(),
            }
        outcomes += [(0.0, "-: not measured")] * (len(heads) - len(outcomes))
        results[name] = _results(dict(zip(heads, outcomes, strict=True)), more)
    return Assignment(game, results, note)


def _read(files: Sequence[str | Path]) -> dict[str, bytes | OSError]:
    """What is in each file, or why it cannot be read, by its name in the folder of all of them. A folder stands for its files."""
    named = [Path(os.path.abspath(path_of(file))) for file in files]
    paths = [path for name in named for path in (sorted(name.glob("*.py")) if name.is_dir() else [name])]
    for path in paths:
        if path.suffix != ".py" or paths.count(path) > 1:
            advice = "is named twice; name it once" if path.suffix == ".py" else "does not end in .py; name files, as students/*.py"
            raise ValueError(f"{path} {advice}")
    if not paths:
        raise ValueError(f"there is no Python file in {', '.join(map(str, named))}")
    top = os.path.commonpath([path.parent for path in paths])
    return {str(path.relative_to(top)): _content_of(path) for path in paths}


def _content_of(path: Path) -> bytes | OSError:
    try:
        return path.read_bytes()
    except OSError as error:
        return error


def _judge(student: Student, scores: Sequence[Score], grade: Grade | None) -> Iterator[tuple[float, str]]:
    """The outcome of each test of a file that is loaded: points from 0 to 1, and words, the most important before a colon."""
    counts, moves = student.counts, several(student.counts["moves"], "move")
    yield 1.0, "yes: the file has an agent"
    for kinds in ({"illegal": "illegal", "error": "errors", "died": "ended the process"}, {"time": "too late"}):
        wrong = ", ".join(f"{counts[kind]:,} {words}" for kind, words in kinds.items() if counts[kind])
        yield float(not wrong), f"no: {moves}, of which {wrong}" if wrong else f"yes: {moves}"
    for score in scores:
        won, (low, high) = score.points > 0.5, score.points_interval()
        points = f"{100 * score.points:.0f} ({100 * low:.0f}–{100 * high:.0f})"
        counted = f"{score.wins} won, {score.draws} drawn, {score.losses} lost"
        yield float(won), f"{'yes' if won else 'no'} {points}: per cent of the points, with a 95 % interval; {counted}"
    if grade and grade.value_lost is not None and grade.random_value_lost:
        (low, high), where = grade.value_lost_interval, several(grade.num_graded, "position")
        words = f"{grade.value_lost:.3f}, random {grade.random_value_lost:.3f}: a move in {where}, {low:.3f} to {high:.3f}"
        yield max(0.0, 1 - grade.value_lost / grade.random_value_lost), words


def _grade(student: Student, solved: ManyPositions, seed: int) -> tuple[Grade, list[str]]:
    """A student's moves in the positions, and sentences on those that lose most. No answer counts as the worst move."""
    keys = np.random.default_rng(seed).integers(2**64, size=len(solved), dtype=np.uint64)
    masks, numbers = solved.masks != 0, np.arange(len(solved))
    answers, worst = student.answer(solved.states, keys).actions, np.where(masks, solved.move_values, 2).argmin(axis=1)
    actions = np.where(answers < 0, worst, answers)
    lost = solved.values[:, None] - solved.move_values
    means = [(part * masks).sum(axis=1) / masks.sum(axis=1) for part in (lost == 0, lost)]
    after = solved.move_values[numbers, actions]
    decisions = Decisions(solved.states, actions, solved.plies.astype(np.int64), numbers)
    costs = lost[numbers, actions] * (answers >= 0)
    moves = [_describe(solved, row, int(actions[row])) for row in np.argsort(-costs, kind="stable")[:WORST].tolist() if costs[row]]
    return grade_from(solved.game, student.title, decisions, Judged(numbers, solved.values, after, *means)), moves


def _describe(solved: ManyPositions, row: int, action: int) -> str:
    """A sentence on a move that loses value."""
    game, words = solved.game, {1: "won", 0: "drawn", -1: "lost"}
    before, after = solved.values[row], solved.move_values[row]
    best = ", ".join(game.move_name(other) for other in np.flatnonzero(after == before).tolist())
    change = f"from {words[before]} to {words[after[action]]}"
    return f"in {game.text(solved.states[row])!r} it plays {game.move_name(action)}, {change}; best {best}"


def _results(outcomes: dict[str, tuple[float, str]], more: dict[str, Any]) -> dict[str, Any]:
    """What Gradescope reads, and as a part of its `extra_data` what GitHub Classroom's reporter reads."""
    tests: list[dict[str, Any]] = [
        {"name": name, "score": round(score, 4), "max_score": 1, "status": "passed" if score else "failed", "output": words}
        for name, (score, words) in outcomes.items()
    ]
    in_github = [
        {"name": test["name"], "score": test["score"], "status": test["status"][:4], "message": test["output"], "line_no": 0}
        for test in tests
    ]
    status = "pass" if all(score for score, _ in outcomes.values()) else "fail"
    return {
        "score": round(sum(test["score"] for test in tests), 4),
        "max_score": len(tests),
        "output": "\n\n".join(filter(None, (more["first_error"], more["printed"]))),
        "visibility": "visible",
        "tests": tests,
        "extra_data": {
            **more,
            "github_classroom": {"version": 1, "status": status, "max_score": len(tests), "tests": in_github},
        },
    }
