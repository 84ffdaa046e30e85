"""The puzzles can be left out: everything else works without their folder."""

import shutil
import subprocess
import sys

from ..helpers.system.processes import checkout, run

ALONE = "import sys; sys.meta_path[:] = [one for one in sys.meta_path if 'Editable' not in repr(one)]; "
"""An editable installation would find the folder elsewhere."""
WITHOUT = """
import gymnasium as gym, ludus
from ludus.arena import evaluate
from ludus.baselines import train
from ludus.cli import main
env = gym.make("ludus/TicTacToe-v0")
env.reset(seed=1)
assert evaluate("random", "tictactoe", "random", 10).games == 10
assert train("qlearning", "tictactoe", games=100).over
assert main(["list"]) == 0
assert not [id_ for id_ in gym.registry if id_ in ("ludus/SetCover-v0", "ludus/BitString-v0", "ludus/Portfolio-v0")]
assert "ludus/TicTacToe-v0" in gym.registry
"""


def test_without_the_folder_all_but_the_puzzles_work(tmp_path):
    place = checkout(tmp_path / "source")
    shutil.rmtree(place / "puzzles")
    path = str(place / ".types")
    assert "Set covering" not in run("-c", ALONE + WITHOUT, cwd=tmp_path, PYTHONPATH=path)
    command = [sys.executable, "-c", ALONE + "from ludus.cli import main; sys.exit(main(['puzzle', 'setcover']))"]
    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "ludus: `ludus puzzle` needs ludus.puzzles, which this installation leaves out\n")
