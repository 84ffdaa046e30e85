"""AlphaZero with a network of one's own: it is learnt, kept by its name, and made of a file only where that is trusted."""

import json
import re

import numpy as np
import pytest
import torch

import ludus
from ludus.baselines import Start, load_network, resume, train
from ludus.baselines.runs.folder import read_arrays
from ludus.cli import main
from ludus.core.plugins import places

from ...helpers.games import keys, positions
from ...helpers.training import own_nets
from ...helpers.training.alphazero import NEVER

MODULE = own_nets.__name__
NETWORK = f"{MODULE}:TwoHeads"
TINY = {"positions": 512, "simulations": 8, "boards": 16, "batch": 32, "openings": 0, "network": NETWORK}


@pytest.fixture(autouse=True)
def _quickly(monkeypatch):
    monkeypatch.setattr("ludus.baselines.runs.run.plot_run", lambda *_, **__: None)
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run with a network of one's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludus.baselines.runs.run.plot_run", lambda *_, **__: None)
        return train("alphazero", "tictactoe", tmp_path_factory.mktemp("own") / "run", seed=1, measure=NEVER, **TINY).folder.path


@pytest.fixture
def plugged_in():
    """The module as if the user had named it."""
    ludus.plug_in(MODULE)
    yield
    places._plugged_in.pop(MODULE)


def test_it_learns_and_the_run_has_its_name_and_weights_alone(folder, plugged_in):
    assert json.loads((folder / "run.json").read_text())["settings"]["network"] == NETWORK
    weights = read_arrays(folder / "policy.safetensors")
    assert {name for name in weights if name != "run.identity"} == {*own_nets.TwoHeads(ludus.make_game("tictactoe")).state_dict()}
    net, game = load_network(folder), ludus.make_game("tictactoe")
    assert type(net) is own_nets.TwoHeads
    assert not net.training
    states = positions(game, 200)
    priors, values = ludus.make_policy(f"run:{folder}", game).evaluate(states)
    with torch.no_grad():
        logits, wanted = net(torch.from_numpy(game.observations(states, game.players(states))).float())
    np.testing.assert_allclose(values, wanted.flatten().numpy(), atol=1e-6)
    legal = np.where(game.masks(states), logits.numpy(), -np.inf)
    assert np.array_equal(priors.argmax(axis=1), legal.argmax(axis=1))
    assert game.masks(states)[np.arange(200), ludus.make_policy(f"run:{folder},simulations=4", game).act(states, keys(200))].all()


def test_a_run_of_somebody_else_runs_no_code_unless_it_is_trusted(folder, tmp_path, capsys):
    says = f"{folder}/run.json names code, '{NETWORK}', and code is not run because a file says so"
    for make in (
        lambda: ludus.make_policy(f"run:{folder}", "tictactoe"),
        lambda: load_network(folder),
        lambda: resume(folder),
        lambda: train("alphazero", "tictactoe", start_from=folder),
    ):
        with pytest.raises(ValueError, match="names code") as error:
            make()
        assert str(error.value).startswith(says)
    assert main(["export", str(folder), "--onnx", str(tmp_path / "net.onnx")]) == 2
    assert says in capsys.readouterr().err
    assert main(["export", str(folder), "--onnx", str(tmp_path / "net.onnx"), "--trust"]) == 0
    assert "The network of alphazero for tictactoe, 1,226 parameters" in capsys.readouterr().out
    assert load_network(folder, trust=True) is not None
    more = train("alphazero", "tictactoe", start_from=Start.of(folder, trust=True), measure=NEVER, positions=64)
    assert more.plan.settings.network == NETWORK


@pytest.mark.parametrize(("given", "sentence"), [
    ({"network": "TwoHeads"}, "network is 'TwoHeads'; it must be none, or name a function of the game"),
    (
        {"network": f"{NETWORK},size=3"},
        "it must be none, or name a function of the game that makes a network, as module:function",
    ),
    ({"network": own_nets.TwoHeads}, "it must be none, or name a function"),
    ({"network": f"{MODULE}:missing"}, "has no 'missing'"),
    ({"network": f"{MODULE}:none"}, "gave None for tictactoe; it must give a torch.nn.Module"),
    ({"network": f"{MODULE}:double"}, "made a network whose body.1.weight is not float32"),
    (
        {"network": f"{MODULE}:OneHead"},
        "gave Tensor for planes (2, 3, 3, 3) of tictactoe; it must give a tuple of logits (2, 9)",
    ),
    ({"network": f"{MODULE}:Flat"}, "fails on planes (2, 3, 3, 3) of tictactoe: IndexError("),
    ({"network": NETWORK, "ending_weight": 1.0}, "ending_weight=1.0 adds a head to the usual network"),
])  # fmt: skip
def test_what_is_no_network_is_refused_before_there_is_a_folder(given, sentence, tmp_path):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        train("alphazero", "tictactoe", tmp_path / "run", measure=NEVER, **given)
    assert not (tmp_path / "run").exists()
