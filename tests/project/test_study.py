"""The study of measures of strength: its cells, what is lost to perfect play, runs that have learnt nothing, and going on."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.runner import commit
from benchmarks.study import __main__ as command
from benchmarks.study import (
    agreement,
    design,
    learning,
    measuring,
    policies,
    report,
    standing,
    training,
)
from benchmarks.study.perfect import SeatLoss, lost_to_perfect_play
from benchmarks.study.standing import find_ratings
from ludus.agents import make_policy
from ludus.arena import grade_exact
from ludus.core.files.locking import hold_lock
from ludus.core.native import cache

SMALL = design.BudgetLadder("qlearning", "games", (50, 6_400), blank=True)


def loss(policy: str, game: str, most: int = 10**7) -> tuple[SeatLoss, SeatLoss]:
    """What a policy loses to perfect play in both seats."""
    return lost_to_perfect_play(make_policy(policy, game), most, sample=500, seed=3)


@pytest.mark.parametrize(
    ("policy", "game"),
    [("random", "tictactoe"), ("mcts:simulations=10", "tictactoe"), ("greedy", "nim"), ("greedy", "quixo:size=3")],
)
def test_what_is_lost_to_perfect_play_is_what_an_exact_grade_says(policy: str, game: str):
    losses, grade = loss(policy, game), grade_exact(policy, game, seed=3)
    assert sum(seat.lost for seat in losses) / 2 == pytest.approx(grade.value_lost_per_game, abs=1e-8)
    assert [seat.error for seat in losses] == [0, 0]
    assert [sum(seat.by_ply) for seat in losses] == pytest.approx([seat.lost for seat in losses])


def test_a_sample_of_the_rest_is_as_far_off_as_it_says():
    exact, sampled = loss("random", "tictactoe"), loss("random", "tictactoe", most=30)
    for known, drawn in zip(exact, sampled, strict=True):
        assert drawn.asked < known.asked + 500 * 5
        assert 0 < drawn.error < 0.05
        assert drawn.lost != known.lost
        assert abs(drawn.lost - known.lost) < 4 * drawn.error
        assert 0 < drawn.sampled < 1


def test_the_weak_oracle_sees_as_far_as_its_horizon():
    game = make_policy("random", "tictactoe").game
    wins_now, wins_in_three = game.parse("XX-OO---- X"), game.parse("X---O---X O")
    assert measuring.proven_values(game, np.array([wins_now, wins_in_three]), 1).tolist() == [1, 0]
    assert measuring.proven_values(game, np.array([wins_now]), 0).tolist() == [0]


def test_a_policy_plays_as_many_games_against_each_opponent_with_keys_of_their_own():
    policy, random, perfect = (make_policy(name, "tictactoe") for name in ("minimax:depth=2", "random", "perfect"))
    first, second, last = measuring.play_opponents(policy, [random, random, perfect], 40, seed=1)
    assert first.mean() > 0.5 > 0 > last.mean()
    assert first.tolist() != second.tolist()
    assert measuring.play_opponents(policy, [random], 40, seed=1)[0].tolist() == first.tolist()


def test_cells_are_seeds_budgets_and_untrained_policies_and_have_names_of_their_own():
    cells = design.every_cell()
    assert len({(cell.game, cell.file) for cell in cells}) == len(cells)
    assert {*design.GAMES} == {cell.game for cell in cells}
    ppo = [cell for cell in design.cells("nim") if cell.trainer == "ppo"]
    (ladder,) = (ladder for ladder in design.LADDERS if ladder.trainer == "ppo")
    assert {cell.budget for cell in ppo} == {0, *ladder.budgets}
    assert {cell.seed for cell in ppo} == {*design.SEEDS}
    assert [cell.level for cell in design.cells("nim") if cell.trainer == "qlearning"].count(0) == 1
    assert not any(cell.seed == design.PANEL_SEED for cell in cells if not cell.is_classic)
    first_seeds = [cell for cell in cells if cell.seed in (1, 2) or cell.is_classic]
    assert cells[: len(first_seeds)] == first_seeds


def test_a_run_that_has_learnt_nothing_is_an_error():
    cell = design.Cell("nim", "alphazero", "positions", 512, 1)
    for obstacle, steps, metrics, words in (
        ("no game has ended", 0, [{}], "has learnt nothing: no game has ended"),
        ("", 99, [{}], "took 99 gradient steps, too few"),
        ("", 100, [{"games": 0.0}, {"games": 0.0}], "ended no game"),
        ("", 100, [{"games": 1.0, "policy loss": float("nan")}] * 2, "its policy loss was never a number"),
    ):
        with pytest.raises(training.NothingLearnt, match=f"alphazero positions=512 seed=1 in nim .*{words}"):
            training.check_learning(cell, obstacle, steps, metrics)
    training.check_learning(cell, "", 100, [{"games": 0.0, "policy loss": float("nan")}, {"games": 2.0, "policy loss": 1.0}])


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study of one game and one trainer, in a folder of its own."""
    game = design.StudiedGame("tictactoe", "tic-tac-toe", ("random", "perfect"), club="greedy", seeds=(1, 2))
    smaller = {
        "GAMES": {"tictactoe": game},
        "LADDERS": (SMALL,),
        "PANEL": {"qlearning": (1,)},
        "EXPLOITED_SEEDS": (),
        "EXPLOITED": 10,
        "COUNTS": (10, 40),
        "RATED": (40, 40),
        "GAMES_EACH": (40, 40),
        "RESAMPLES": 50,
        "FOLDER": tmp_path,
        "KEPT": tmp_path / "rows",
        "WHOLE": ("tictactoe",),
        "DRAWN": ("tictactoe",),
        "GRADED_GAMES": ("tictactoe",),
        "SIZED_GAMES": (),
        "APART": (),
        "GAME_RESAMPLES": 50,
        "PANEL_GAMES": 10,
        "LEAST_SECONDS": 0.01,
        "time_oracle": measuring.time_here,  # a process of its own would compile all kernels
        "STUDY": replace(report.STUDY, file=tmp_path / "study.json"),
    }
    for module in [module for name, module in sys.modules.items() if name.startswith(("benchmarks.study.", "benchmarks.seeds"))]:
        for name in {*smaller} & {*vars(module)}:
            monkeypatch.setattr(module, name, smaller[name])
    monkeypatch.setattr(report, "FILE", tmp_path / "elo.svg")
    monkeypatch.setattr(learning, "LAWS", {"power law": learning.LAWS["power law"]})
    monkeypatch.setattr(command, "one_thread", lambda: None)
    for kept in (training.opponent_of, standing.read_panel, standing.ratings, policies.policies_of_game, agreement.agreements):
        kept.cache_clear()
    return tmp_path


def test_the_study_goes_on_where_it_stopped_and_is_the_same_again(small: Path, capsys: pytest.CaptureFixture[str]):
    assert command.main(["seed=1"]) == 0
    row = small / "tictactoe" / "qlearning_games=50_seed=1.json"
    first, made = row.read_bytes(), row.stat().st_mtime_ns
    assert command.main(["qlearning"]) == 0
    assert row.stat().st_mtime_ns == made
    row.unlink()
    assert command.main(["seed=1", "games=50"]) == 0
    known, again = map(without_seconds, (first, row.read_bytes()))
    assert again == known
    capsys.readouterr()
    command.main(["--status"])
    assert "all 7 5 0 2" in " ".join(capsys.readouterr().out.split())


def without_seconds(row: bytes) -> dict[str, Any]:
    """A row without what depends on the machine."""
    document = json.loads(row)
    del document["training"]["seconds"], document["policies"][""]["seconds"]
    return document


def test_rows_that_the_repository_keeps_are_taken_unless_all_begins_anew(small: Path):
    command.main(["random"])
    row = small / "tictactoe" / "random.json"
    measured = row.read_bytes()
    row.with_name("perfect.error").write_text("perfect has learnt nothing\n")
    assert command.main(["--keep"]) == 0
    row.unlink()
    row.with_name("perfect.error").unlink()
    command.main(["--from-nothing", "--status"])
    assert not row.exists()
    command.main(["--status"])
    assert row.read_bytes() == measured
    assert row.with_name("perfect.error").read_text() == "perfect has learnt nothing\n"
    assert {*json.loads(measured)} > {"commit", "machine"}
    command.main(["--again", "perfect"])  # which is measured now, and has no sentence from then on
    command.main(["--status"])
    assert [file.name for file in row.parent.glob("perfect.*") if file.suffix != ".lock"] == ["perfect.json"]


def test_a_row_has_both_measurements_and_all_opponents(small: Path):
    command.main(["perfect"])
    row = policies.read_row(design.Cell("tictactoe", "perfect"))
    assert row is not None
    figures = row["policies"][""]
    assert [seat[:2] for seat in figures["perfect"]] == [[0, 0], [0, 0]]
    assert figures["exact"]["exploitability"] == 0
    test, retest = figures["tests"]
    assert test != retest
    assert [line[0] for line in test["random"]] == [10, 40]
    assert [line[4:] for line in (*test["random"], *retest["random"])] == [[0, 0]] * 4  # it loses nothing, by either oracle
    assert [sum(line) for line in figures["panel"][0]] == [20, 0, 20]  # random, itself, the trained one

    (policy,) = policies.read_policies("tictactoe")
    assert (policy.trainer, policy.searches, policy.lost) == ("classic", False, 0)
    assert policy.panel.shape == (2, 3, 3)
    counted = policy.tests[0][40]
    assert (counted.wins, counted.value_lost, counted.calls) == (test["random"][1][1] / 40, 0, 2 * test["random"][1][3])
    assert counted.club_points == (test["club"][1][1] + test["club"][1][2] / 2) / 40


def test_a_failed_cell_has_a_sentence_and_no_row_until_it_is_tried_again(small: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(cell: design.Cell) -> dict[str, Any]:
        raise training.NothingLearnt(f"{cell.name} has learnt nothing")

    monkeypatch.setattr(command, "measure_cell", fail)
    monkeypatch.setattr(command, "wait_for", print)
    assert command.main(["random"]) == 1
    cell = design.Cell("tictactoe", "random")
    assert policies.error_file(cell).read_text() == "random has learnt nothing\n"
    assert policies.read_row(cell) is None


def test_when_all_cells_are_there_the_findings_and_the_figure_are_written(small: Path, capsys: pytest.CaptureFixture[str]):
    assert command.main([]) == 0
    study = report.STUDY
    assert study.missing() == []
    figures = study.figures()
    assert study.command == "python -m benchmarks.study"
    assert figures["commits"] == f"`{commit(policies.ROOT)}` (7 rows)"
    assert "| tic-tac-toe | 7 | 0 | 7 |" in figures["cells"]
    assert figures["agreement"].startswith("| measure | mean of 1 | seeds alone |")
    rows = study.rows()
    assert rows["agreement"]["policies"] == {"tictactoe": 4}
    ratings = rows["ratings tictactoe"]
    assert (ratings["trained"], len(ratings["points"])) == (4, 4)
    assert ratings["perfect"][0] > 100
    (kind,) = rows["learning tictactoe"].values()
    assert (kind["budgets"], kind["seeds"], kind["untrained"]) == ([50, 6_400], 2, pytest.approx(0.873, abs=0.001))
    drawing = (small / "elo.svg").read_text()
    assert drawing.startswith("<svg")
    assert ">0.03</text>" in drawing  # labels keep their digits, though pixels need fewer

    made = study.file.stat().st_mtime_ns
    assert command.main([]) == 0
    assert study.file.stat().st_mtime_ns == made
    (small / "elo.svg").unlink()
    command.write_findings(anew=False)
    assert (small / "elo.svg").exists()
    made = study.file.stat().st_mtime_ns
    with hold_lock(small / "findings.lock"):
        command.write_findings(anew=True)
    assert study.file.stat().st_mtime_ns == made  # nothing new, and another process at it
    assert "another process finds the answers" in capsys.readouterr().err
    command.write_findings(anew=True)
    assert study.file.stat().st_mtime_ns > made


def test_no_answer_is_found_in_a_part_of_the_rows(small: Path):
    (small / "tictactoe").mkdir()
    for cell in design.every_cell()[:3]:
        policies.row_file(cell).write_text("{}")
    policies.error_file(design.every_cell()[3]).write_text("it has learnt nothing")
    missing = "3 of 7 cells are not measured, as tictactoe qlearning games=6400 seed=1; `python -m benchmarks.study`"
    with pytest.raises(ValueError, match=re.escape(missing)):
        find_ratings("tictactoe")


def test_an_oracle_is_timed_without_the_tables_of_the_cache(monkeypatch: pytest.MonkeyPatch):
    folders = list[Path]()

    def run(command: list[str], env: dict[str, str], **how: Any) -> SimpleNamespace:
        folders.append(Path(env["LUDUS_CACHE"]))
        assert not (folders[-1] / "tables").exists()
        (folders[-1] / "tables").mkdir()
        assert command[-1] == "nim"
        return SimpleNamespace(stdout=json.dumps({"first": 0.1, "moves": len(folders), "games": 4.5}))

    monkeypatch.setattr(measuring.subprocess, "run", run)
    assert measuring.time_oracle("nim") == {"first": 0.1, "moves": 2, "games": 4.5}  # of the second process
    assert len({*folders}) == 1 < len(folders)
    assert folders[0] != cache.folder()
