"""Mistakes about runs of trainers are answered by a sentence, and runs of strangers execute nothing."""

import json
import shutil
from dataclasses import dataclass

import numpy as np
import pytest

import ludus
from ludus.baselines import resume, train
from ludus.baselines.runs.folder import read_arrays, write_arrays
from ludus.baselines.runs.registry import TRAINERS
from ludus.core.specs import settings_of

from ...helpers.sentences import says
from ...helpers.training import trained
from ...helpers.training.counting import Counting, CountingSettings
from ...helpers.training.trained import NEVER

counting, command = trained.counting, trained.command


# ---- mistakes

MISTAKES = [
    (["counting", "--run", "new"], "name a trainer, a game and a folder"),
    (["countng", "tictactoe", "--run", "new"], "no trainer 'countng'; did you mean 'counting'"),
    (["counting", "quixo", "--run", "new"], "counting is not for Quixo"),
    (["counting", "nim", "--run", "new", "--parts", "many"], "parts is 'many'; it must be a whole number"),
    (["counting", "nim", "--run", "new", "--preset", "shrt"], "no preset 'shrt'; did you mean 'short'"),
    (["counting", "nim", "--run", "full"], "exists already; resume its run with --resume full"),
    (["counting", "nim", "--run", "new", "--evaluate-every", "2"], "every is '2'; it must be a share of the training"),
    (["counting", "nim", "--run", "new", "--against", "easy"], "plays quarto, not nim"),
    (["--resume", "none"], "none does not exist; name the folder of a training run"),
    (["--resume", "full"], "full is not a run"),
    (["--resume", "done", "--parts", "9"], "started with other settings: parts is 6, not 9"),
    (["--resume", "done", "--seed", "0"], "--seed is given"),
    (["counting", "nim", "--run", "new", "--evaluate-every", "never", "--against", "random"], "leave out random, or say when"),
    (["qlearning", "nim:heaps=99+99+99+99", "--run", "new"], "such as td_ntuple or neat"),
    (["evolved_mixture", "nim", "--run", "new", "--strategies", "random+python:a:b"], "policies that come with ludus"),
    (["counting", "--resume", "done"], "a trainer is given"),
]


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_a_mistake_is_reported_in_a_sentence_and_leaves_nothing(arguments, sentence, tmp_path, monkeypatch, command):
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


def test_what_can_be_set_is_listed_with_what_it_means(command):
    assert [setting.meaning for setting in settings_of(CountingSettings)][1:] == [
        "how long each takes.",
        "numbers that do nothing, described on two lines.",
    ]
    listed = json.loads(command("--list", "--json")[1].out)
    assert set(listed) == set(TRAINERS)
    for trainer in listed.values():
        assert all(setting["meaning"] and setting["name"] for setting in trainer["settings"])
    assert "numbers that do nothing" in command("counting", "--list")[1].out


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


def test_a_run_of_a_version_with_fewer_settings_goes_on(tmp_path, monkeypatch):
    train("counting", "nim", tmp_path / "a", measure=NEVER, parts=3)
    reported = json.loads((tmp_path / "a" / "run.json").read_text())

    @dataclass(frozen=True)
    class More(CountingSettings):
        """With one that came later."""

        later: float = 0.5

    monkeypatch.setattr(Counting, "settings_class", More)
    assert resume(tmp_path / "a").plan.settings == More(**reported["settings"] | {"marks": (1, 2)})
    ludus.make_policy(str(tmp_path / "a"), "nim")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"trainer": "os:system"}, "names code, 'os:system', and code is not run because a file says so"),
        ({"trainer": 5}, r"Expected `str`, got `int` - at `\$\.trainer`; take it from a copy of the run, or train another"),
        ({"settings": {"parts": 6, "virus": 1}}, "no setting 'virus'"),
        ({"measure": {"every": "0.25", "games": 3, "ladder": None}}, "a run is measured in an even number of games"),
        ({"surprise": 1}, "unknown field `surprise`"),
        ({"format": 99}, "has format 99, and ludus .* reads format 2; use the ludus that wrote it"),
        ({"seed": 1}, "is of another run"),
    ],
)
def test_a_run_that_tells_nonsense_is_refused(kept, change, sentence):
    reported = json.loads((kept / "run.json").read_text())
    (kept / "run.json").write_text(json.dumps(reported | change))
    refused(kept, sentence)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"run.clock": np.array([np.nan, 1, 1])}, r"run.clock is \[nan, 1.0, 1.0\] and must hold finite numbers, 0 or more"),
        ({"counts": np.zeros(3, np.int64)}, "the array counts is .* and must be"),
        ({"counts": None}, "the array counts is missing"),
        ({"more": np.zeros(1)}, "the array more is one too many"),
    ],
)
def test_a_checkpoint_that_does_not_fit_its_run_is_refused(tmp_path, kept, changes, sentence):
    arrays = read_arrays(kept / "checkpoint.safetensors") | changes
    write_arrays(kept / "checkpoint.safetensors", {name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(ValueError, match=sentence) as error:
        resume(kept)
    says(error, f"the checkpoint of {kept} does not fit its run", "train it anew")


def test_a_damaged_policy_is_written_again_from_its_checkpoint(kept):
    sound = (kept / "policy.safetensors").read_bytes()
    (kept / "policy.safetensors").write_bytes(sound[:-3])
    with pytest.raises(ValueError, match="the checkpoint beside it holds the same") as error:
        ludus.make_policy(str(kept), "nim")
    says(error, kept / "policy.safetensors", f"ludus train --resume {kept}")
    resume(kept)
    assert (kept / "policy.safetensors").read_bytes() == sound


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it has 0 rows, and 6 parts are done"),
        ("part,draws\n1,2\n2,x\n", "line 3, draws is 'x' and must be a number"),
    ],
)
def test_a_damaged_table_of_metrics_is_reported_by_its_line(kept, text, sentence):
    (kept / "metrics.csv").write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=sentence) as error:
        resume(kept)
    says(error, kept / "metrics.csv", "delete it")
    (kept / "metrics.csv").unlink()
    resume(kept)
