"""What the tests of trainers share: one that counts, runs that are cut short, and what a run ends with."""

import numpy as np
import pytest

from ludus.baselines import Measure
from ludus.baselines.runs.folder import read_arrays
from ludus.baselines.runs.registry import TRAINERS
from ludus.cli import main

NEVER = Measure(every="never")


@pytest.fixture(autouse=True)
def counting(monkeypatch):
    """A trainer that counts, among the others; and no plots, which take most of the time."""
    monkeypatch.setattr("ludus.baselines.runs.run.plot_run", lambda *_, **__: b"drawn")
    monkeypatch.setitem(TRAINERS, "counting", f"{__package__}.counting:Counting")


def stop_after(parts):
    """A watch that raises KeyboardInterrupt after a number of parts."""

    def watch(run):
        if run.parts == parts:
            raise KeyboardInterrupt

    return watch


def learnt(folder):
    """All that a run ends with, but for how long it took."""
    rows = [line.split(",") for line in (folder / "metrics.csv").read_text().splitlines()]
    place = rows[0].index("seconds")
    state = read_arrays(folder / "checkpoint.safetensors") | {"run.clock": np.zeros(0)}
    arrays = {name: array.tobytes() for name, array in state.items()}
    return (folder / "policy.safetensors").read_bytes(), [row[:place] + row[place + 1 :] for row in rows], arrays


@pytest.fixture
def command(capsys):
    """Runs `ludus train` here: its exit status, and what it printed."""

    def run(*arguments):
        status = main(["train", *map(str, arguments)])
        return status, capsys.readouterr()

    return run
