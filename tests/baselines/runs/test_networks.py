"""The network of a run: a plain module with what was learnt, and files that other programs play by."""

import json
import os
import sys
from functools import cache

import numpy as np
import pytest

import ludus
from ludus.baselines import export_network, load_network, train
from ludus.baselines.runs.folder import Folder
from ludus.cli import main

from ...helpers.games import keys, positions
from ...helpers.training.trained import NEVER, counting  # noqa: F401
from ...helpers.training.trainers import TINY

torch = pytest.importorskip("torch")

POSITIONS = 10_000
WITH_NETWORKS = ("alphazero", "maskable_ppo", "ppo", "dqn")
LIMITS = {"alphazero": {"positions": 384}, "maskable_ppo": {"steps": 512}, "ppo": {"steps": 512}, "dqn": {"steps": 512}}
GAMES = {"alphazero": "othello:size=4", "maskable_ppo": "quixo:size=3", "ppo": "tictactoe", "dqn": "connect_four:rows=4,columns=4"}


@pytest.fixture(scope="module", params=WITH_NETWORKS)
def run(request, tmp_path_factory):
    """A short run of each trainer that has a network."""
    pytest.importorskip("stable_baselines3")
    name = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludus.baselines.runs.run.plot_run", lambda *_, **__: None)
        settings = {**TINY[name][1], **LIMITS[name]}
        return train(name, GAMES[name], tmp_path_factory.mktemp(name) / "run", measure=NEVER, **settings)


def chosen(game, states, scores):
    """The legal actions of the highest scores."""
    return np.where(game.masks(states) != 0, scores, -np.inf).argmax(axis=1)


def outputs_of(net, planes):
    """What a module answers, as a list of arrays."""
    with torch.no_grad():
        answer = net(torch.from_numpy(planes))
    return [part.numpy() for part in (answer if isinstance(answer, tuple) else (answer,))]


@cache
def positions_and_planes(game):
    states = positions(game, POSITIONS)
    return states, game.observations(states, game.players(states)).astype(np.float32)


def test_the_network_of_a_run_is_a_plain_module_that_plays_as_its_policy_where_that_does_not_search(run):
    game, net = run.plan.game, run.network()
    states, planes = positions_and_planes(game)
    answers = outputs_of(net, planes)
    shapes = {"logits": (POSITIONS, game.num_actions), "values": (POSITIONS,), "action_values": (POSITIONS, game.num_actions)}
    assert [answer.shape for answer in answers] == [shapes[name] for name in run.trainer.outputs]
    assert not net.training
    loaded = outputs_of(load_network(f"run:{run.folder.path}"), planes)
    assert all(np.array_equal(one, other) for one, other in zip(answers, loaded, strict=True))
    wanted = chosen(game, states, answers[0])
    assert np.array_equal(ludus.as_policy(net, game).act(states, keys(POSITIONS)), wanted)
    if run.plan.trainer != "alphazero":
        assert np.array_equal(run.policy().act(states, keys(POSITIONS)), wanted)
    assert len(np.unique(wanted)) > 3


def test_an_exported_file_chooses_the_same_actions_in_ten_thousand_positions(run, tmp_path, capsys):
    runtime, game = pytest.importorskip("onnxruntime"), run.plan.game
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxscript")
    file = tmp_path / "net.onnx"
    assert main(["export", f"run:{run.folder.path}", "--onnx", str(file), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    net = run.network()
    assert document["parameters"] == sum(weights.numel() for weights in net.parameters())
    assert (document["game"], document["outputs"]) == (game.spec, [*run.trainer.outputs])
    states, planes = positions_and_planes(game)
    answers = outputs_of(net, planes)
    session = runtime.InferenceSession(file)
    given = session.run(None, {"planes": planes})
    assert [output.name for output in session.get_outputs()] == document["outputs"]
    assert np.array_equal(chosen(game, states, given[0]), chosen(game, states, answers[0]))
    for one, other in zip(given, answers, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)
    facts = {"game": game.spec, "trainer": run.plan.trainer, "planes": [*game.shape], "actions": game.num_actions}
    metadata = {entry.key: json.loads(entry.value) for entry in onnx.load(file).metadata_props if entry.key in facts}
    assert facts == metadata
    assert os.listdir(tmp_path) == ["net.onnx"]


def test_what_cannot_be_exported_is_a_sentence_and_leaves_no_file(tmp_path, monkeypatch, capsys):
    train("counting", "nim", tmp_path / "run", measure=NEVER)
    folder = tmp_path / "run"

    def refused(*arguments):
        assert main(["export", *map(str, arguments)]) == 2
        assert not [*tmp_path.glob("*net*")]
        return capsys.readouterr().err

    assert "the trainer 'counting' has no network of torch" in refused(folder, "--onnx", tmp_path / "net.onnx")
    monkeypatch.setattr(Folder, "open", None)  # nothing is read before the file is known to be writable
    assert "No such file or directory" in refused(folder, "--onnx", tmp_path / "no" / "net.onnx")
    monkeypatch.setitem(sys.modules, "onnx", None)
    monkeypatch.setattr("ludus.core.plugins.loading.find_spec", lambda name: None if name == "onnx" else True)
    sentence = "a file of ONNX needs onnx, which is not installed; pip install '.[onnx]' in a clone of Ludus brings it"
    assert sentence in refused(folder, "--onnx", tmp_path / "net.onnx")


def test_a_network_that_torch_cannot_write_leaves_what_was_there(run, tmp_path, monkeypatch):
    class Odd(torch.nn.Module):
        def forward(self, planes):
            return planes.flatten(1) if planes.sum() > 2 else planes  # what it does depends on the numbers

    monkeypatch.setattr("ludus.baselines.runs.loading.load_network", lambda *_, **__: Odd())
    file = tmp_path / "net.onnx"
    file.write_bytes(b"before")
    with pytest.raises(ValueError, match=r"torch cannot write this network to .*net\.onnx: "):
        export_network(run.folder.path, onnx=file)
    assert file.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["net.onnx"]
