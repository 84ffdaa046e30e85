"""Every example runs to its end."""

import runpy
from pathlib import Path

import pytest

from ludus.baselines import Execution, resume, train
from ludus.baselines.runs.folder import read_arrays
from ludus.baselines.runs.registry import TRAINER_CLASSES
from ludus.cli import main
from ludus.core.plugins.places import _plugged_in

from ..helpers.system.processes import ROOT, run_script
from ..helpers.training.alphazero import NEVER
from ..helpers.training.trained import stop_after

EXAMPLES = ROOT / "examples"
ARGUMENTS = {
    "batch_mcts.py": ["--game", "tictactoe", "--simulations", "30"],
    "grade_sb3_model.py": ["2048"],
    "training/compare_selection.py": ["3"],
    "self_play.py": ["--game", "quarto", "--updates", "1"],
    "training/sb3_quarto.py": ["4096"],
    "training/own_loop_with_league.py": ["2"],
    "training/qlearning_from_scratch.py": ["500"],
    "training/gru_over_moves.py": ["--games", "256"],
    "training/othello_gpt.py": ["--size", "4", "--steps", "10", "--games", "50"],
    "training/qlearning_against_montecarlo.py": ["--games", "50", "--episodes", "2000"],
    "training/alphazero_cost.py": ["tictactoe", "--blocks", "1", "--rounds", "1"],
}
LIBRARIES = {"measure_a_language_model.py": ["openai"]}
"""What some examples need that not every set-up has."""

WAITING = {"engine.py", "endpoint.py"}
"""They wait for questions: tests/text/test_engines.py and tests/text/test_models.py ask them."""
FOUND = {path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py") if path.parent.name != "neighbours"}
SCRIPTS = FOUND - WAITING


@pytest.mark.parametrize("script", sorted(SCRIPTS | ARGUMENTS.keys()))
def test_the_example_runs(script: str, tmp_path: Path) -> None:
    for library in LIBRARIES.get(script, ()):
        pytest.importorskip(library)
    path, arguments = EXAMPLES / script.partition(" ")[0], ARGUMENTS.get(script, [])
    printed, warned = run_script(path, arguments, tmp_path, SDL_VIDEODRIVER="dummy")
    assert printed.strip()
    assert not warned


def test_the_advantages_of_self_play_turn_the_sign_where_the_next_value_is_the_other_players() -> None:
    torch = pytest.importorskip("torch")
    example = runpy.run_path(str(EXAMPLES / "self_play.py"))
    players = torch.tensor([[0], [0], [1], [1], [0]])  # player 0 moves twice, as in Quarto, and then player 1; then a new game
    values, rewards = torch.tensor([[0.5], [0.1], [-0.2], [0.3], [0.7]]), torch.tensor([[0.0], [0.0], [0.0], [1.0], [0.0]])
    dones = torch.tensor([[0.0], [0.0], [0.0], [1.0], [0.0]])
    found = example["advantages"](rewards, values, dones, players, torch.tensor([0.4]), torch.tensor([1]))
    discount, share = example["DISCOUNT"], example["DISCOUNT"] * example["GAE_LAMBDA"]
    last = 0 - discount * 0.4 - 0.7  # player 0 moved, and player 1 is next
    won = 1 - 0.3
    before = discount * 0.3 + 0.2 + share * won
    given = 0 + discount * 0.2 - 0.1 - share * before
    placed = discount * 0.1 - 0.5 + share * given
    assert found[:, 0].tolist() == pytest.approx([placed, given, before, won, last])


def test_the_trainer_of_the_example_is_trained_resumed_played_and_exported_by_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(EXAMPLES / "training")
    plug, run = ["--import", "own_trainer"], tmp_path / "run"
    fast = ["--evaluate-games", "100", "--against", "random"]
    assert main([*plug, "train", "reinforce", "tictactoe", "--run", str(run), "--steps", "40000", *fast]) == 0
    rows = (run / "metrics.csv").read_text().splitlines()
    assert rows[0] == "part,steps,seconds,loss,mean result"
    assert len(rows) == 1 + 10
    assert main([*plug, "arena", "tictactoe", "--policies", f"run:{run}", "random", "--games", "20"]) == 0
    assert main([*plug, "export", str(run), "--onnx", str(tmp_path / "net.onnx")]) == 0
    assert "to logits; written to" in capsys.readouterr().out
    assert (tmp_path / "net.onnx").exists()
    with pytest.raises(KeyboardInterrupt):
        train("reinforce", "tictactoe", tmp_path / "b", execution=Execution(watch=stop_after(4)), measure=NEVER, steps=40_000)
    resume(tmp_path / "b")
    whole, resumed = (read_arrays(folder / "policy.safetensors") for folder in (run, tmp_path / "b"))
    assert all(torch.equal(*map(torch.from_numpy, (whole[name], resumed[name]))) for name in whole if name != "run.identity")
    TRAINER_CLASSES.forget("reinforce")
    _plugged_in.pop("own_trainer")
