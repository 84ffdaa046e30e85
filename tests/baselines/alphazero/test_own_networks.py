"""AlphaZero with a network of one's own: it is learnt, kept by its name, and made of a file only where that is trusted."""

import json
import re

import numpy as np
import pytest
import torch

import ludus
from ludus.baselines import load_network, resume, train
from ludus.baselines.runs.folder import read_arrays
from ludus.cli import main
from ludus.core.plugins import places

from ...helpers.games import keys, positions
from ...helpers.training.alphazero import NEVER

NETWORK = f"{__name__}:TwoHeads"
TINY = {"positions": 512, "simulations": 8, "boards": 16, "batch": 32, "openings": 0, "network": NETWORK}


class TwoHeads(torch.nn.Module):
    """Logits and values in a column, with dropout while it learns."""

    def __init__(self, game):
        super().__init__()
        cells = game.shape[0] * game.shape[1] * game.shape[2]
        self.body = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(cells, 32), torch.nn.ReLU(), torch.nn.Dropout(0.2))
        self.logits, self.value = torch.nn.Linear(32, game.num_actions), torch.nn.Linear(32, 1)

    def forward(self, planes):
        seen = self.body(planes)
        return self.logits(seen), torch.tanh(self.value(seen))


class OneHead(TwoHeads):
    def forward(self, planes):
        return self.logits(self.body(planes))


class Flat(TwoHeads):
    def forward(self, planes):
        return super().forward(planes.flatten())


def double(game):
    return TwoHeads(game).double()


def none(game):
    return None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run with a network of one's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludus.baselines.runs.run.plot_run", lambda *_, **__: None)
        return train("alphazero", "tictactoe", tmp_path_factory.mktemp("own") / "run", seed=1, measure=NEVER, **TINY).folder.path


@pytest.fixture
def plugged_in():
    """The module as if the user had named it."""
    ludus.plug_in(__name__)
    yield
    places._plugged_in.pop(__name__)


def test_it_learns_and_the_run_has_its_name_and_weights_alone(folder, plugged_in):
    assert json.loads((folder / "run.json").read_text())["settings"]["network"] == NETWORK
    weights = read_arrays(folder / "policy.safetensors")
    assert {name for name in weights if name != "run.identity"} == {*TwoHeads(ludus.make_game("tictactoe")).state_dict()}
    net, game = load_network(folder), ludus.make_game("tictactoe")
    assert type(net) is TwoHeads
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


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"network": "TwoHeads"}, "network is 'TwoHeads'; it must be none, or name a function of the game that makes a network"),
        ({"network": TwoHeads}, "it must be none, or name a function"),
        ({"network": f"{__name__}:missing"}, "has no 'missing'"),
        ({"network": f"{__name__}:none"}, "gave None for tictactoe; it must give a torch.nn.Module"),
        ({"network": f"{__name__}:double"}, "made a network whose body.1.weight is not float32"),
        ({"network": f"{__name__}:OneHead"}, "gave Tensor for planes (2, 3, 3, 3) of tictactoe; it must give a tuple of logits"),
        ({"network": f"{__name__}:Flat"}, "fails on planes (2, 3, 3, 3) of tictactoe: IndexError("),
        ({"network": NETWORK, "ending_weight": 1.0}, "ending_weight=1.0 adds a head to the usual network"),
    ],
)
def test_what_is_no_network_is_refused_before_there_is_a_folder(given, sentence, tmp_path):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        train("alphazero", "tictactoe", tmp_path / "run", measure=NEVER, **given)
    assert not (tmp_path / "run").exists()
