"""Watch a training in the browser: its curves grow, and its latest checkpoint can be played against.

python watch_training.py
python watch_training.py --game othello:size=4 --games 20000 --no-open
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from ludus.baselines import Measure, train

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="othello:size=6")
parser.add_argument("--games", type=int, default=100_000, help="how many games it learns from")
parser.add_argument("--no-open", action="store_true", help="do not open the browser, and end with the training")
chosen = parser.parse_args()

folder = Path(tempfile.mkdtemp()) / "run"
folder.mkdir()
command = [sys.executable, "-m", "ludus.cli", "web", str(folder), "--port", "0", *(["--no-open"] if chosen.no_open else [])]
with subprocess.Popen(command) as page:
    try:
        # a checkpoint each second, so that the page has something new to show
        run = train(
            "td_ntuple", chosen.game, folder, games=chosen.games, measure=Measure(every="0.05", games=20), checkpoint_seconds=1
        )
        print(run)
        if not chosen.no_open:
            print("The page stays open; Ctrl-C ends it.")
            page.wait()
    except KeyboardInterrupt:
        pass
    finally:
        page.terminate()
