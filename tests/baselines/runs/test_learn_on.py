"""Runs that learn on from others: they begin with the other's policy, go on by themselves, and say where it came from."""

import json
import re
import shutil

import numpy as np
import pytest

import ludus
from ludus.baselines import Execution, Start, resume, train

from ...helpers.games import keys, positions
from ...helpers.training import trained
from ...helpers.training.trained import NEVER, learnt, stop_after
from ...helpers.training.trainers import MOODY, TINY, assert_same, each_trainer

counting, command = trained.counting, trained.command


def stopped(name, folder, parts, game="tictactoe", **settings):
    """A run that was stopped after some parts."""
    with pytest.raises(KeyboardInterrupt):
        train(name, game, folder, measure=NEVER, execution=Execution(watch=stop_after(parts)), **settings)
    return folder


@pytest.fixture
def old(tmp_path):
    """A finished run of n-tuples."""
    train("td_ntuple", "tictactoe", tmp_path / "old", seed=4, measure=NEVER, games=1000, shapes=("1x3",), preset=None)
    return tmp_path / "old"


@each_trainer
def test_a_run_learns_on_from_another_needs_it_no_more_and_plays_by_its_folder(name, tmp_path):
    game, settings, parts = TINY[name]
    given = {option: "random" if value == MOODY else value for option, value in settings.items()}
    trainer_name, _, _ = name.partition(" ")
    old = stopped(trainer_name, tmp_path / "old", parts, game, **given)
    start = Start.of(old)
    plan = start.plan(trainer_name, game, None, None, {})
    trainer = plan.begin()
    assert any(not np.array_equal(array, start.folder.learnt().get(field)) for field, array in trainer.learnt().items())
    start.hand_over(trainer)
    assert_same(trainer.learnt(), start.folder.learnt())
    assert (trainer.done, plan.settings, plan.seed) == (0, start.folder.plan.settings, 1)
    whole, cut = (
        stopped(trainer_name, tmp_path / to, count, game, start_from=f"run:{old}") for to, count in (("whole", 3), ("cut", 1))
    )
    shutil.rmtree(old)
    with pytest.raises(KeyboardInterrupt):
        resume(cut, execution=Execution(watch=stop_after(3)))
    assert learnt(cut) == learnt(whole)
    policy, own = ludus.make_policy(f"run:{whole}", game), Start.of(whole).folder.plan.begin()
    own.restore(Start.of(whole).state)
    states, some_keys = positions(own.game, 20), keys(20)
    assert policy.act(states, some_keys).tolist() == own.policy().act(states, some_keys).tolist()


def test_a_run_notes_where_what_it_began_with_is_from(old, tmp_path):
    train("td_ntuple", "tictactoe", tmp_path / "new", start_from=old, games=1000, measure=NEVER, rate=0.05)
    reported = json.loads((tmp_path / "new" / "run.json").read_text())
    assert reported["from"]["run"] == str(old)
    assert re.fullmatch("[0-9a-f]{32}", reported["from"]["checksum"])
    assert (reported["seed"], reported["settings"]["shapes"], reported["settings"]["rate"]) == (5, ["1x3"], 0.05)
    assert "from" not in json.loads((old / "run.json").read_text())


# ---- what does not fit


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["qlearning"], "is a run of td_ntuple; a run of qlearning cannot start from it"),
        (["td_ntuple", "quixo"], "has learnt tictactoe; a run of quixo cannot start from it"),
        (["--preset", "quixo"], "leave out the preset 'quixo'"),
        (["--shapes", "2x2"], "does not fit: shapes is 1x3, not 2x2"),
        (["--from", "run:nowhere"], "nowhere does not exist"),
    ],
)
def test_what_does_not_fit_is_a_sentence_and_leaves_no_folder(old, tmp_path, command, arguments, says):
    status, printed = command("--from", f"run:{old}", "--run", tmp_path / "new", *arguments)
    assert status != 0
    assert says in printed.err
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_what_goes_on_takes_no_other_settings_and_no_other_beginning(old, command):
    assert f"start another run with --run, and with --from run:{old} if" in command("--resume", old, "--games", 3500)[1].err
    assert "--from is given" in command("--resume", old, "--from", f"run:{old}")[1].err


def test_a_run_without_what_is_needed_to_begin_says_so(old, tmp_path):
    train("counting", "nim", tmp_path / "counted", measure=NEVER)
    with pytest.raises(ValueError, match="runs of the trainer 'counting' cannot start from others"):
        train("counting", "nim", start_from=tmp_path / "counted")
    new = stopped("td_ntuple", tmp_path / "new", 1, start_from=old, games=5000)
    for path in (*new.glob("checkpoint*"), *old.glob("checkpoint*")):
        path.unlink()
    with pytest.raises(ValueError, match=r"has lost the checkpoints with what it took from .*old"):
        resume(new)
    with pytest.raises(ValueError, match="has saved nothing yet"):
        train("td_ntuple", "tictactoe", start_from=old)
