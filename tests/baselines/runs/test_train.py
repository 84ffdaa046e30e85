"""Runs of trainers: what their folders hold, how they are measured, and that they go on where they were."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import ludus
from ludus.agents.registry import as_policy, plays
from ludus.arena import evaluate, grade_exact
from ludus.arena.planning.planning import make_plan
from ludus.baselines import Execution, Measure, resume, train
from ludus.baselines.runs.plots import plot_run

from ...helpers.training import trained
from ...helpers.training.trained import NEVER, learnt, stop_after

counting, command = trained.counting, trained.command


# ---- the folder


def test_a_run_leaves_all_that_tells_of_it(tmp_path, command):
    status, printed = command(
        "counting", "tictactoe", "--run", tmp_path / "a", "--seed", 7, "--evaluate-games", 20, "--against", "random"
    )
    assert status == 0
    assert "60 draws" in printed.out
    assert f"--against run:{tmp_path / 'a'}" in printed.out
    wanted = {"run.json", "policy.safetensors", "checkpoint.safetensors", "metrics.csv", "evaluations.json", "plot.png"}
    assert {path.name for path in (tmp_path / "a").iterdir()} - {"checkpoint.previous.safetensors"} == wanted | {"counts.txt"}
    shown = json.loads((tmp_path / "a" / "run.json").read_text())
    assert shown["settings"] == {"parts": 6, "seconds": 0.0, "marks": [1, 2]}
    told = {"trainer": "counting", "game": "tictactoe", "seed": 7, "done": 60, "finished": True}
    assert told.items() <= shown.items()
    assert shown["sessions"][0]["versions"]["numpy"] == np.__version__
    assert {"command", "when", "machine"} < set(shown["sessions"][0])
    evaluations = json.loads((tmp_path / "a" / "evaluations.json").read_text())
    assert [one["done"] for one in evaluations] == [20, 30, 50, 60]  # at the end of the first part after each quarter
    assert evaluations[-1]["scores"][0]["games"] == 20
    assert evaluations[-1]["grade"]["exact"] is True
    assert len((tmp_path / "a" / "metrics.csv").read_text().splitlines()) == 7


def test_a_run_is_a_policy_by_its_folder_and_plays_its_own_game_alone(tmp_path, monkeypatch):
    done = train("counting", "nim", tmp_path / "a", measure=NEVER)
    monkeypatch.chdir(tmp_path)
    game = ludus.make_game("nim")
    states, keys = np.repeat(game.start[None], 3, 0), np.arange(3, dtype=np.uint64)
    for spec in ("run:a", "a", f"run:{tmp_path}/a", "./a"):
        assert ludus.make_policy(spec, "nim").act(states, keys).tolist() == done.policy().act(states, keys).tolist()
    (tmp_path / "random").mkdir()
    assert ludus.make_policy("random", "nim").name == "random"  # a folder hides no policy
    with pytest.raises(ValueError, match="has learnt nim; it does not play nim:misere=true"):
        ludus.make_policy("run:a", "nim:misere=true")
    assert plays("run:a", game)
    assert not plays("run:a", ludus.make_game("tictactoe"))
    plan, _ = make_plan(["nim", "tictactoe"], ["run:a", "random", "greedy"], 2)
    assert [pairing.game for pairing in plan.pairings if "run:a" in pairing] == ["nim", "nim"]


# ---- measuring


def test_a_run_that_plays_no_better_than_random_says_so_while_it_trains_and_at_its_end(tmp_path, command):
    words = ("counting", "tictactoe", "--evaluate-every", 0.5, "--against", "random", "--seed", 1, "--evaluate-games", 2)
    _, printed = command(*words, "--run", tmp_path / "a")
    assert "After 30 draws: The policy is no better than random play:" in printed.err
    assert "The policy is no better than random play:" in printed.out
    _, printed = command(*words, "--run", tmp_path / "b", "--json")
    assert json.loads(printed.out)["warnings"][0].startswith("The policy is no better than random play")


@pytest.mark.parametrize(("wins", "is_said"), [(59, True), (61, False)])  # 95 % of intervals around half of 100 games end at 59.6
def test_a_run_and_its_plot_say_whether_it_is_better_than_random_play_at_the_end(monkeypatch, wins, is_said):
    titles = list[str]()
    monkeypatch.setattr("matplotlib.figure.Figure.suptitle", lambda _, title, **how: titles.append(title))
    run = train("counting", "tictactoe", parts=1)
    run.evaluations = [
        {"done": done, "scores": [{"b": "random", "games": 100, "wins": won, "draws": 0}], "grade": None}
        for done, won in ((0, 50), (50, 90), (100, wins))
    ]
    assert bool(run.warnings) is is_said
    assert plot_run("a run", "games", [], run.evaluations, logarithmic=True)
    assert [("collapsed" in title) for title in titles] == [is_said]


def test_it_is_measured_by_shares_or_by_seconds():
    by_share, by_seconds = Measure("0.25"), Measure("10s")
    assert [done for done in range(1, 101) if by_share.due(done, 100, 0.0, {"done": done - 1, "seconds": 0.0})] == [25, 50, 75, 100]
    assert not by_seconds.due(50, 100, 9.9, None)
    assert by_seconds.due(50, 100, 10.0, None)
    assert by_seconds.due(100, 100, 0.0, None)
    assert not by_share.due(100, 100, 0.0, {"done": 100, "seconds": 0.0})
    assert not NEVER.due(100, 100, 0.0, None)


def test_where_most_is_learnt_early_it_is_measured_at_the_start_and_each_time_that_it_has_grown_fourfold():
    measure, settings = Measure("0.5", 2, ("random",)), {"seed": 1, "games": 20_000}
    often = train("qlearning", "tictactoe", measure=measure, **settings)
    assert [row["done"] for row in often.evaluations] == [0, 100, 400, 1600, 6400, 10_000, 20_000]
    lost = [row["grade"]["value_lost_per_game"] for row in often.evaluations]
    assert lost[0] == pytest.approx(grade_exact("random", "tictactoe").value_lost_per_game)
    assert lost[-1] < lost[0] / 10
    never = train("qlearning", "tictactoe", measure=NEVER, **settings)
    assert [row | {"seconds": 0} for row in often.rows] == [row | {"seconds": 0} for row in never.rows]  # it changes nothing
    assert not never.evaluations


def test_the_ladder_has_perfect_play_where_the_oracle_knows_the_whole_game(tmp_path):
    done = train("counting", "nim", tmp_path / "a", parts=1, measure=Measure("1", 2))
    assert [score["b"] for score in done.evaluations[0]["scores"]] == ["random", "greedy", "minimax", "perfect"]
    done = train("counting", "othello", parts=1, measure=Measure("1", 2))
    assert [score["b"] for score in done.evaluations[0]["scores"]] == ["random", "greedy", "minimax"]
    assert done.evaluations[0]["grade"]["exact"] is False


def test_it_meets_what_it_was_when_it_was_measured_last():
    was = []

    def watch(run):
        if run.evaluations[-1]["done"] == run.trainer.done:
            was.append(run.policy())

    measure, settings = Measure("0.5", 100, ("random", "self")), {"games": 400, "rate": 0.5}
    done = train("qlearning", "tictactoe", measure=measure, execution=Execution(watch=watch), **settings)
    shown = [one["scores"][1] for one in done.evaluations]
    assert [score["b"] for score in shown] == ["self"] * 6
    newborn = train("qlearning", "tictactoe", measure=NEVER, **settings | {"games": 1}).trainer
    untrained = type(newborn)(newborn.game, newborn.settings, 0).policy()
    for score, policy, before in zip(shown, [untrained, *was], [untrained, untrained, *was[:-1]], strict=True):
        again = evaluate(policy, "tictactoe", as_policy(before.act, "tictactoe", name="self"), 100, seed=done.plan.seed)
        assert [score["wins"], score["draws"], score["losses"]] == [again.wins, again.draws, again.losses]


# ---- going on


@pytest.mark.parametrize("parts", [0, 1, 4, 6])
def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path, parts):
    measure = Measure("0.5", 2, ("random",))
    train("counting", "nim", tmp_path / "whole", seed=3, measure=measure)
    watch = stop_after(parts) if parts else raise_at_once
    with pytest.raises((KeyboardInterrupt, RuntimeError)):
        train("counting", "nim", tmp_path / "cut", seed=3, measure=measure, execution=Execution(watch=watch))
    resume(tmp_path / "cut")
    assert learnt(tmp_path / "cut") == learnt(tmp_path / "whole")
    one, other = (json.loads((tmp_path / name / "evaluations.json").read_text()) for name in ("cut", "whole"))
    assert [row["done"] for row in one] == [row["done"] for row in other]
    shown = json.loads((tmp_path / "cut" / "run.json").read_text())
    assert (len(shown["sessions"]), shown["finished"]) == (2, True)


def raise_at_once(run):
    raise RuntimeError("something broke")


@pytest.mark.parametrize("table", [b"", b"part,dra", b"part,draws,seconds,largest,mean\n", None])
def test_a_run_that_was_killed_before_its_first_checkpoint_starts_again(tmp_path, table):
    train("counting", "nim", tmp_path / "whole", seed=3, measure=NEVER)
    with pytest.raises(RuntimeError):
        train("counting", "nim", tmp_path / "cut", seed=3, measure=NEVER, execution=Execution(watch=raise_at_once))
    metrics = tmp_path / "cut" / "metrics.csv"
    metrics.unlink() if table is None else metrics.write_bytes(table)
    (tmp_path / "cut" / "run.lock").touch()
    resume(tmp_path / "cut")
    assert learnt(tmp_path / "cut") == learnt(tmp_path / "whole")


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """What the run ends with that the next tests interrupt."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    train("qlearning", "tictactoe", folder, seed=5, games=400_000, measure=NEVER)
    return learnt(folder)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs the signals of Unix")
@pytest.mark.parametrize("ending", ["killed", "interrupted"])
def test_a_run_that_was_killed_or_interrupted_goes_on_to_the_same_policy(tmp_path, uninterrupted, ending):
    folder = tmp_path / "a"
    number, status = (signal.SIGKILL, -signal.SIGKILL) if ending == "killed" else (signal.SIGINT, 130)
    file = folder / f"checkpoint{'.previous' if ending == 'killed' else ''}.safetensors"
    words = ["train", "qlearning", "tictactoe", "--run", str(folder), "--seed", "5", "--games", "400000"]
    command = [sys.executable, "-m", "ludus.cli", *words, "--evaluate-every", "never", "--checkpoint-seconds", "0"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 600
    while not file.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(number)
    printed = process.communicate(timeout=600)[1]
    assert process.returncode == status
    assert ending == "killed" or f"ludus train --resume {folder}" in printed
    assert ludus.make_policy(str(folder), "tictactoe")  # what it has learnt so far
    resume(folder)
    assert learnt(folder) == uninterrupted


def test_the_checkpoint_before_serves_where_the_newest_is_damaged_and_is_not_replaced_by_it(tmp_path, monkeypatch):
    often = {"checkpoint_seconds": 0}
    train("counting", "nim", tmp_path / "whole", seed=3, measure=NEVER)
    with pytest.raises(KeyboardInterrupt):
        train("counting", "nim", tmp_path / "cut", seed=3, measure=NEVER, execution=Execution(**often, watch=stop_after(4)))
    newest, before = (tmp_path / "cut" / f"checkpoint{place}.safetensors" for place in ("", ".previous"))
    sound = before.read_bytes()
    newest.write_bytes(newest.read_bytes()[:-20])
    with monkeypatch.context() as patched:
        patched.setattr("ludus.baselines.runs.folder.write_arrays", lambda *_: 1 / 0)  # it breaks off while it writes the next
        with pytest.raises(ZeroDivisionError):
            resume(tmp_path / "cut", execution=Execution(**often))
    assert before.read_bytes() == sound
    resume(tmp_path / "cut")
    assert learnt(tmp_path / "cut") == learnt(tmp_path / "whole")


def test_two_cannot_go_on_with_one_run(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    with pytest.raises(KeyboardInterrupt):
        train("counting", "nim", tmp_path / "a", measure=NEVER, execution=Execution(watch=stop_after(1)))
    with (tmp_path / "a" / "run.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(ValueError, match="another process is working on the run"):
            resume(tmp_path / "a")


def test_a_watch_is_called_once_a_part_and_after_its_measurement():
    seen = []
    execution = Execution(watch=lambda run: seen.append((run.rows[-1]["draws"], [row["done"] for row in run.evaluations])))
    train("counting", "nim", measure=Measure(every="0.5", games=2, ladder=("random",)), execution=execution, parts=4)
    assert seen == [(10, []), (20, [20]), (30, [20]), (40, [20, 40])]
