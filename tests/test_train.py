"""Runs of trainers: what their folders hold, that they go on where they were, and what is said to mistakes and strangers."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.agents.registry import plays
from ludus.agents.wrapped import as_policy
from ludus.arena import evaluate
from ludus.arena.planning import draw_up
from ludus.baselines import Measure, resume, train
from ludus.baselines.archive import read_arrays, write_arrays
from ludus.baselines.plots import plot
from ludus.baselines.registry import TRAINERS
from ludus.baselines.settings import settings_of
from ludus.cli import main

from .counting import Counting, CountingSettings

NEVER = Measure(every="never")
FAST = ["--evaluate-every", "never"]


@pytest.fixture(autouse=True)
def counting(monkeypatch):
    """A trainer that counts, among the others; and no plots, which take most of the time."""
    monkeypatch.setattr("ludus.baselines.run.plot", lambda run: b"drawn")
    monkeypatch.setitem(TRAINERS, "counting", f"{__package__}.counting:Counting")


def stop_after(parts):
    """A watch that presses Ctrl-C after so many parts."""

    def watch(run):
        if run.parts == parts:
            raise KeyboardInterrupt

    return watch


def learnt(folder):
    """All that a run ends with, but for how long it took."""
    rows = [line.split(",") for line in (folder / "metrics.csv").read_text().splitlines()]
    place = rows[0].index("seconds")
    found = {name: (folder / name).read_bytes() for name in ("policy.safetensors",)}
    state = read_arrays(folder / "checkpoint.safetensors")
    state.pop("run.clock")
    return found, [row[:place] + row[place + 1 :] for row in rows], {name: array.tobytes() for name, array in state.items()}


@pytest.fixture
def command(capsys):
    """Runs `ludus train` here: its exit status, and what it printed."""

    def run(*arguments):
        status = main(["train", *map(str, arguments)])
        return status, capsys.readouterr()

    return run


# ---- the folder


def test_a_run_leaves_all_that_tells_of_it(tmp_path, command):
    status, printed = command(
        "counting", "tictactoe", "--run", tmp_path / "a", "--seed", 7, "--evaluate-games", 20, "--against", "random"
    )
    assert status == 0
    assert "60 draws" in printed.out
    assert f"--against run:{tmp_path / 'a'}" in printed.out
    names = {path.name for path in (tmp_path / "a").iterdir()}
    wanted = {
        "run.json",
        "checkpoint.safetensors",
        "policy.safetensors",
        "metrics.csv",
        "evaluations.json",
        "plot.png",
        "events",
        "counts.txt",
    }
    assert names - {"checkpoint.previous.safetensors"} == wanted
    told = json.loads((tmp_path / "a" / "run.json").read_text())
    assert told["settings"] == {"parts": 6, "seconds": 0.0, "marks": [1, 2]}
    assert (told["trainer"], told["game"], told["seed"], told["done"], told["finished"]) == ("counting", "tictactoe", 7, 60, True)
    assert told["sittings"][0]["versions"]["numpy"] == np.__version__
    assert {"command", "when", "machine"} < set(told["sittings"][0])
    evaluations = json.loads((tmp_path / "a" / "evaluations.json").read_text())
    assert [one["done"] for one in evaluations] == [20, 30, 50, 60]  # the first part's end behind each quarter
    assert evaluations[-1]["scores"][0]["games"] == 20
    assert evaluations[-1]["grade"]["exact"] is True
    assert len((tmp_path / "a" / "metrics.csv").read_text().splitlines()) == 7
    (events,) = (tmp_path / "a" / "events").iterdir()
    assert b"largest" in events.read_bytes()


def test_the_same_seed_makes_the_same_bytes_and_another_other_ones(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train("counting", "nim", tmp_path / name, seed=seed, measure=NEVER)
    a, b, c = ((tmp_path / name / "policy.safetensors").read_bytes() for name in "abc")
    assert a == b != c


def test_a_run_is_a_policy_by_its_folder(tmp_path, monkeypatch):
    done = train("counting", "nim", tmp_path / "a", measure=NEVER)
    monkeypatch.chdir(tmp_path)
    game = ludus.make_game("nim")
    states, keys = np.repeat(game.start[None], 3, 0), np.arange(3, dtype=np.uint64)
    for spec in ("run:a", "a", f"run:{tmp_path}/a", "./a"):
        assert ludus.make_policy(spec, "nim").act(states, keys).tolist() == done.policy().act(states, keys).tolist()
    (tmp_path / "random").mkdir()
    assert ludus.make_policy("random", "nim").name == "random"  # a folder hides no policy


def test_a_run_plays_its_own_game_alone(tmp_path):
    train("counting", "nim", tmp_path / "a", measure=NEVER)
    spec = f"run:{tmp_path / 'a'}"
    with pytest.raises(ValueError, match="has learnt nim; it does not play nim:misere=true"):
        ludus.make_policy(spec, "nim:misere=true")
    with pytest.raises(ValueError, match="takes no options, not depth"):
        ludus.make_policy(f"{spec},depth=2", "nim")
    assert plays(spec, ludus.make_game("nim"))
    assert not plays(spec, ludus.make_game("tictactoe"))
    plan, _ = draw_up(["nim", "tictactoe"], [spec, "random", "greedy"], 2)
    assert [pairing.game for pairing in plan.pairings if spec in pairing] == ["nim", "nim"]


def test_the_plot_is_small():
    done = train("counting", "tictactoe", parts=200, measure=Measure("0.2", 4, ("random", "greedy")))
    picture = plot(done)
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 200_000


def test_a_run_needs_no_folder():
    done = train("counting", "tictactoe", parts=3)
    assert (done.over, done.folder, len(done.rows), done.evaluations) == (True, None, 3, [])
    assert done.policy().game.spec == "tictactoe"


# ---- measuring


def test_measuring_changes_nothing_that_is_learnt(tmp_path):
    train("counting", "tictactoe", tmp_path / "often", measure=Measure("0.01", 4, ("random", "greedy")))
    train("counting", "tictactoe", tmp_path / "never", measure=NEVER)
    assert learnt(tmp_path / "often")[1:] == learnt(tmp_path / "never")[1:]


def test_it_is_measured_by_shares_or_by_seconds():
    by_share, by_seconds = Measure("0.25"), Measure("10s")
    assert [done for done in range(1, 101) if by_share.due(done, 100, 0.0, {"done": done - 1, "seconds": 0.0})] == [25, 50, 75, 100]
    assert not by_seconds.due(50, 100, 9.9, None)
    assert by_seconds.due(50, 100, 10.0, None)
    assert by_seconds.due(100, 100, 0.0, None)
    assert not by_share.due(100, 100, 0.0, {"done": 100, "seconds": 0.0})
    assert not NEVER.due(100, 100, 0.0, None)


def test_the_ladder_has_perfect_play_where_the_oracle_knows_the_whole_game(tmp_path):
    done = train("counting", "nim", tmp_path / "a", parts=1, measure=Measure("1", 2))
    assert [score["b"] for score in done.evaluations[0]["scores"]] == ["random", "greedy", "minimax", "perfect"]
    done = train("counting", "othello", parts=1, measure=Measure("1", 2))
    assert [score["b"] for score in done.evaluations[0]["scores"]] == ["random", "greedy", "minimax"]
    assert done.evaluations[0]["grade"]["exact"] is False


def test_it_meets_what_it_was_when_it_was_measured_last(tmp_path):
    was = []

    def watch(run):
        if len(was) < len(run.evaluations):
            was.append(run.policy())

    measure, settings = Measure("0.5", 100, ("random", "self")), {"games": 400, "rate": 0.5}
    done = train("qlearning", "tictactoe", tmp_path / "whole", measure=measure, watch=watch, **settings)
    told = [one["scores"][1] for one in done.evaluations]
    assert [score["b"] for score in told] == ["self", "self"]
    newborn = train("qlearning", "tictactoe", measure=NEVER, **settings | {"games": 1}).trainer
    for score, policy, before in zip(told, was, [type(newborn)(newborn.game, newborn.settings, 0).policy(), was[0]], strict=True):
        again = evaluate(policy, "tictactoe", as_policy(before.act, "tictactoe", name="self"), 100, seed=done.plan.seed)
        assert counts(score) == [again.wins, again.draws, again.losses]
    with pytest.raises(KeyboardInterrupt):
        train("qlearning", "tictactoe", tmp_path / "cut", measure=measure, watch=stop_after(done.parts // 2 + 1), **settings)
    again = resume(tmp_path / "cut").evaluations[-1]["scores"]
    assert [*map(counts, again)] == [*map(counts, done.evaluations[-1]["scores"])]


def counts(score):
    """How games went, as a run tells it."""
    return [score[name] for name in ("wins", "draws", "losses")]


# ---- going on


@pytest.mark.parametrize("parts", [0, 1, 4, 6])
def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path, parts):
    measure = Measure("0.5", 2, ("random",))
    train("counting", "nim", tmp_path / "whole", seed=3, measure=measure)
    with pytest.raises(KeyboardInterrupt) if parts else pytest.raises(RuntimeError):
        train("counting", "nim", tmp_path / "cut", seed=3, measure=measure, watch=stop_after(parts) if parts else raise_at_once)
    resume(tmp_path / "cut")
    assert learnt(tmp_path / "cut") == learnt(tmp_path / "whole")
    told = json.loads((tmp_path / "cut" / "run.json").read_text())
    assert (len(told["sittings"]), told["finished"]) == (2, True)


def raise_at_once(run):
    raise RuntimeError("something broke")


def killed(folder, number, *settings, wait):
    """Starts Q-learning in a process of its own, and ends it by a signal once it has kept something."""
    command = [
        "train",
        "qlearning",
        "tictactoe",
        "--run",
        folder,
        "--seed",
        5,
        "--games",
        1_500_000,
        *FAST,
        "--checkpoint-seconds",
        0,
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "ludus.cli", *map(str, command), *settings],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not wait(folder) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(number)
    _, told = process.communicate(timeout=60)
    return process.returncode, told


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """What the run ends with that the next tests interrupt."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    train("qlearning", "tictactoe", folder, seed=5, games=1_500_000, measure=NEVER)
    return learnt(folder)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs the signals of Unix")
def test_a_run_that_was_killed_goes_on_to_the_same_policy(tmp_path, uninterrupted):
    status, _ = killed(tmp_path / "a", signal.SIGKILL, wait=lambda folder: (folder / "checkpoint.previous.safetensors").exists())
    assert status == -signal.SIGKILL
    assert ludus.make_policy(str(tmp_path / "a"), "tictactoe")  # what it has learnt so far
    done = resume(tmp_path / "a")
    assert 0 < json.loads((tmp_path / "a" / "run.json").read_text())["done"] == done.trainer.done
    assert learnt(tmp_path / "a") == uninterrupted


@pytest.mark.skipif(os.name == "nt", reason="needs the signals of Unix")
def test_ctrl_c_keeps_the_run_and_tells_how_to_go_on(tmp_path, uninterrupted, command):
    status, told = killed(tmp_path / "a", signal.SIGINT, wait=lambda folder: (folder / "checkpoint.safetensors").exists())
    assert status == 130
    assert f"ludus train --resume {tmp_path / 'a'}" in told
    assert command("--resume", tmp_path / "a", "--json")[0] == 0
    assert learnt(tmp_path / "a") == uninterrupted


def test_the_checkpoint_before_serves_where_the_newest_is_damaged(tmp_path):
    train("counting", "nim", tmp_path / "whole", seed=3, measure=NEVER)
    with pytest.raises(KeyboardInterrupt):
        train("counting", "nim", tmp_path / "cut", seed=3, measure=NEVER, checkpoint_seconds=0, watch=stop_after(4))
    newest = tmp_path / "cut" / "checkpoint.safetensors"
    newest.write_bytes(newest.read_bytes()[:-20])
    resume(tmp_path / "cut")
    assert learnt(tmp_path / "cut") == learnt(tmp_path / "whole")


def test_a_damaged_checkpoint_does_not_take_the_place_of_the_one_before(tmp_path, monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        train("counting", "nim", tmp_path / "a", seed=3, measure=NEVER, checkpoint_seconds=0, watch=stop_after(4))
    newest, before = (tmp_path / "a" / f"checkpoint{place}.safetensors" for place in ("", ".previous"))
    sound = before.read_bytes()
    newest.write_bytes(newest.read_bytes()[:-20])
    with monkeypatch.context() as patched:
        patched.setattr("ludus.baselines.folder.write_arrays", lambda *_: 1 / 0)  # it breaks off while it writes the next
        with pytest.raises(ZeroDivisionError):
            resume(tmp_path / "a", checkpoint_seconds=0)
    assert before.read_bytes() == sound
    resume(tmp_path / "a")


def test_a_run_that_is_over_stays_as_it_is(tmp_path):
    train("counting", "nim", tmp_path / "a", measure=NEVER)
    before = learnt(tmp_path / "a")
    resume(tmp_path / "a")
    assert learnt(tmp_path / "a") == before


def test_two_cannot_go_on_with_one_run(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    with pytest.raises(KeyboardInterrupt):
        train("counting", "nim", tmp_path / "a", measure=NEVER, watch=stop_after(1))
    with (tmp_path / "a" / "run.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(ValueError, match="somebody else is at the run"):
            resume(tmp_path / "a")


# ---- mistakes

MISTAKES = [
    (["counting", "tictactoe"], "where to keep it"),
    (["counting", "--run", "new"], "say who learns what"),
    (["countng", "tictactoe", "--run", "new"], "no trainer 'countng'; did you mean 'counting'"),
    (["counting", "chess", "--run", "new"], "no game 'chess'"),
    (["counting", "quixo", "--run", "new"], "counting is not for Quixo"),
    (["counting", "nim", "--run", "new", "--parts", "0"], "parts is 0; there is 1 at least"),
    (["counting", "nim", "--run", "new", "--parts", "many"], "parts is 'many'; it must be a whole number"),
    (["counting", "nim", "--run", "new", "--partz", "3"], "has --partz; did you mean '--parts'"),
    (["counting", "nim", "--run", "new", "--preset", "shrt"], "no preset 'shrt'; did you mean 'short'"),
    (["counting", "nim", "--run", "full"], "is there already; go on with its run by --resume full"),
    (["counting", "nim", "--run", "full/file"], "is there already"),
    (["counting", "nim", "--run", "new", "--evaluate-every", "2"], "more than 0 and 1 at most"),
    (["counting", "nim", "--run", "new", "--evaluate-every", "often"], "'often' does not say when"),
    (["counting", "nim", "--run", "new", "--evaluate-games", "3"], "an even number of games"),
    (["counting", "nim", "--run", "new", "--against", "easy"], "plays quarto, not nim"),
    (["counting", "nim", "--run", "new", "--seed", "-1"], "--seed is -1"),
    (["--resume", "none"], "none is no run: there is no file run.json in it"),
    (["--resume", "full"], "full is no run"),
    (["--resume", "done", "--parts", "9"], "begun with other settings: parts is 6, not 9"),
    (["--resume", "done", "--seed", "0"], "leave out the seed"),
    (["counting", "nim", "--run", "new", "--seed", str(2**64)], "a whole number from 0 to 2^64 - 1"),
    (["counting", "nim", "--run", "new", "--evaluate-every", "0s"], "not 0s"),
    (["counting", "nim", "--run", "new", "--evaluate-every", "never", "--against", "random"], "leave out random, or say when"),
    (["counting", "nim", "--run", "new", "--checkpoint-seconds", "nan"], "0 or more, not nan"),
    (["qlearning", "nim", "--run", "new", "--games", "1" + 20 * "0"], "from 1 to 1,000,000,000,000"),
    (["qlearning", "nim:heaps=99+99+99+99", "--run", "new"], "such as neat"),
    (["qlearning", "othello", "--run", "new"], "such as td_ntuple"),
    (["evolved_mixture", "nim", "--run", "new", "--strategies", "random+python:a:b"], "policies that come with ludus"),
    (["counting", "--resume", "done"], "leave out the trainer"),
]


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_a_mistake_is_told_in_a_sentence_and_leaves_nothing(arguments, sentence, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    train("counting", "nim", "done", measure=NEVER)
    try:
        status, printed = command(*arguments)
    except SystemExit as exit:
        pytest.fail(f"argparse ended it: {exit}")
    assert (status, printed.out) == (2, "")
    assert sentence in printed.err
    assert len(printed.err.splitlines()) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"full", "done"}


def test_a_folder_may_be_called_like_a_trainer(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert command("--run", "qlearning", "counting", "nim", "--parts", 2, *FAST)[0] == 0
    assert command("--resume", "qlearning", "--parts", 2)[0] == 0


def test_settings_that_are_the_runs_own_may_be_named_again(tmp_path, command):
    train("counting", "nim", tmp_path / "a", measure=NEVER)
    assert command("--resume", tmp_path / "a", "--parts", 6)[0] == 0


def test_what_can_be_set_is_listed_with_what_it_means(command):
    assert [setting.meaning for setting in settings_of(CountingSettings)][1:] == [
        "how long each takes.",
        "numbers that do nothing, told on two lines.",
    ]
    listed = json.loads(command("--list", "--json")[1].out)
    assert set(listed) == set(TRAINERS)
    for trainer in listed.values():
        assert all(setting["meaning"] and setting["name"] for setting in trainer["settings"])
    assert "numbers that do nothing" in command("counting", "--list")[1].out


def test_a_trainer_whose_library_is_missing_says_so(monkeypatch, command):
    monkeypatch.setitem(TRAINERS, "counting", "ludus_of_tomorrow:Counting")
    status, printed = command("counting", "nim", "--run", "new")
    assert status == 2
    assert "the trainer 'counting' needs ludus_of_tomorrow, which is not installed; pip install" in printed.err


# ---- strangers' runs


@pytest.fixture
def kept(tmp_path):
    """A run's folder."""
    train("counting", "nim", tmp_path / "a", measure=NEVER)
    return tmp_path / "a"


def refused(folder, sentence):
    """Whether the run is neither played nor gone on with, and why."""
    for what in (lambda: ludus.make_policy(str(folder), "nim"), lambda: resume(folder)):
        with pytest.raises(ValueError, match=sentence):
            what()


def test_a_checkpoint_of_another_run_is_refused(tmp_path, kept):
    train("counting", "nim", tmp_path / "b", seed=9, measure=NEVER)
    for name in ("checkpoint.safetensors", "policy.safetensors"):
        shutil.copy(tmp_path / "b" / name, kept / name)
    refused(kept, "is of another run than run.json beside it")


@pytest.mark.parametrize("cut", [0, 10, 200, -1, -30])
def test_a_damaged_checkpoint_is_refused(kept, cut):
    for name in ("checkpoint.safetensors", "policy.safetensors"):
        whole = (kept / name).read_bytes()
        (kept / name).write_bytes(whole[:cut])
    refused(kept, "is damaged, or was not written by a run")


def test_any_bit_that_is_turned_in_a_checkpoint_is_noticed(kept):
    whole = (kept / "policy.safetensors").read_bytes()
    game = ludus.make_game("nim")
    before = ludus.make_policy(str(kept), game)
    states = np.stack([game.position(f"{a} {b} 2 4") for a in (0, 1) for b in range(4)])
    for place in range(0, len(whole), 7):
        turned = bytearray(whole)
        turned[place] ^= 1 << place % 8
        (kept / "policy.safetensors").write_bytes(turned)
        try:
            after = ludus.make_policy(str(kept), game)
        except ValueError:
            continue
        keys = np.zeros(len(states), np.uint64)
        assert after.act(states, keys).tolist() == before.act(states, keys).tolist()  # the bit meant nothing


class Bomb:
    """What runs when it is unpickled."""

    def __reduce__(self):
        return (Path.touch, (Path("exploded"),))


def test_a_run_executes_nothing(tmp_path, kept, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("checkpoint.safetensors", "policy.safetensors"):
        (kept / name).write_bytes(pickle.dumps(Bomb()))
    refused(kept, "is damaged, or was not written by a run")
    assert not Path("exploded").exists()


SPY = "from pathlib import Path\nPath('exploded').touch()\ndef spied(states, keys): return keys.astype(int)\n"


@pytest.mark.parametrize("trainer", ["qlearning", "evolved_preference", "evolved_mixture"])
def test_a_run_that_names_code_does_not_run_it_unless_it_is_trusted(tmp_path, monkeypatch, trainer, command):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "spy", raising=False)
    Path("spy.py").write_text(SPY)
    settings = {"games": 10} if trainer == "qlearning" else {"generations": 1, "population": 10}
    train(trainer, "nim:heaps=1+2", "run", measure=Measure(games=2, ladder=("random",)), **settings)
    told = json.loads(Path("run/run.json").read_text())
    names = {"qlearning": "opponent", "evolved_mixture": "strategies"}
    named = "python:spy:spied" if trainer == "qlearning" else ["random", "python:spy:spied"]
    ladder = told["measure"] | {"ladder": ["python:spy:spied"]}
    for change in ({"settings": told["settings"] | {names.get(trainer, "opponents"): named}}, {"measure": ladder}):
        Path("run/run.json").write_text(json.dumps(told | change))
        status, printed = command("--resume", "run")
        assert (status, Path("exploded").exists()) == (2, False)
        assert "plays against python:spy:spied, code that would run here as yours does" in printed.err
        try:
            ludus.make_policy("run:run", "nim:heaps=1+2")
        except ValueError:
            assert "settings" in change  # another run's
        assert not Path("exploded").exists()
    for kept in ("checkpoint.safetensors", "checkpoint.previous.safetensors", "evaluations.json"):
        Path("run", kept).unlink(missing_ok=True)
    resume("run", trust=True)
    assert Path("exploded").exists()


def test_a_run_of_a_version_with_fewer_settings_goes_on(tmp_path, monkeypatch):
    train("counting", "nim", tmp_path / "a", measure=NEVER, parts=3)
    told = json.loads((tmp_path / "a" / "run.json").read_text())

    @dataclass(frozen=True)
    class More(CountingSettings):
        """With one that came later."""

        later: float = 0.5

    monkeypatch.setattr(Counting, "settings_class", More)
    assert resume(tmp_path / "a").plan.settings == More(**told["settings"] | {"marks": (1, 2)})
    ludus.make_policy(str(tmp_path / "a"), "nim")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"trainer": "os:system"}, "no trainer 'os:system'"),
        ({"trainer": 5}, "no run that this version of ludus can read"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"settings": {"parts": 6, "virus": 1}}, "no setting 'virus'"),
        ({"settings": []}, "no run that this version of ludus can read"),
        ({"measure": None}, "no run that this version of ludus can read"),
        ({"format": 99}, "a run of a newer version of ludus"),
        ({"format": "x"}, "was not written by a run"),
        ({"seed": 1}, "is of another run"),
    ],
)
def test_a_run_that_tells_nonsense_is_refused(kept, change, sentence):
    told = json.loads((kept / "run.json").read_text())
    (kept / "run.json").write_text(json.dumps(told | change))
    refused(kept, sentence)


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "\x00\xff"])
def test_a_run_whose_description_is_none_is_refused(kept, text):
    (kept / "run.json").write_text(text)
    refused(kept, "was not written by a run")


def test_arrays_come_back_as_they_were(tmp_path):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b.c": np.zeros((0, 4), np.uint64), "d": np.array(True), "e": np.array([np.nan])}
    write_arrays(tmp_path / "x.safetensors", arrays)
    for name, array in read_arrays(tmp_path / "x.safetensors").items():
        np.testing.assert_array_equal(array, arrays[name])
        assert array.dtype == arrays[name].dtype
    with pytest.raises(ValueError, match="an array of object"):
        write_arrays(tmp_path / "y.safetensors", {"a": np.array([Bomb()], dtype=object)})
    assert [path.name for path in tmp_path.iterdir()] == ["x.safetensors"]
