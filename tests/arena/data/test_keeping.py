"""Games that a training plays are kept: those that the trainer counted, by which networks, the same after an interruption."""

from types import SimpleNamespace

import numpy as np
import pytest

from ludus.data import check_data, open_games
from ludus.games.kernels.rules import ONGOING

pytest.importorskip("torch")

from ludus.baselines import Execution, resume, train
from ludus.baselines.alphazero import alphazero

from ...helpers.training.alphazero import NEVER

SMALL = {"boards": 16, "groups": 2, "plies": 4, "simulations": 4, "positions": 16 * 4 * 6, "channels": 4, "blocks": 1}


@pytest.fixture(autouse=True)
def _without_an_exam(monkeypatch):
    """The network is not tried on positions that an oracle must solve first."""
    monkeypatch.setattr(alphazero, "known_positions", lambda game: SimpleNamespace(measure=lambda evaluate: {}))


def arrays(many):
    every = range(len(many))
    return many.moves(every), many.lengths(every), many.results(every), many.starts(every), many.networks(every)


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3", "quarto"])
def test_kept_games_are_those_that_were_counted_with_their_moves_and_networks(spec, tmp_path):
    run = train("alphazero", spec, execution=Execution(keep_games=tmp_path / "kept"), measure=NEVER, **SMALL)
    many = open_games(tmp_path / "kept")
    assert [len(shard.lengths) for shard in many.shards] == [row["games"] for row in run.rows]
    assert len(many) > 10 or spec == "quarto"
    moves, lengths, results, starts, networks = arrays(many)
    for line, length, result, start in zip(moves, lengths, results, starts, strict=True):
        states = many.game.play_line(line[:length].tolist(), start)
        outcome = many.game.outcomes(states)
        assert (outcome[:-1] == ONGOING).all()
        assert outcome[-1] in (ONGOING, result)
    parts = np.repeat(np.arange(len(many.shards)), [len(shard.lengths) for shard in many.shards])
    assert np.array_equal(networks[:, 1], parts)
    assert ((networks[:, 1] - networks[:, 0]) * SMALL["plies"] < lengths + SMALL["plies"]).all()
    assert (networks[:, 0] < networks[:, 1]).any()
    assert check_data(tmp_path / "kept") == ()
    card = (tmp_path / "kept" / "README.md").read_text()
    assert f"games of {spec} that a training played" in card
    assert "simulations=4" in card


def test_the_policy_is_the_same_and_an_interrupted_training_keeps_the_same_games(tmp_path):
    plain = train("alphazero", "tictactoe", measure=NEVER, **SMALL)
    whole = train("alphazero", "tictactoe", execution=Execution(keep_games=tmp_path / "whole"), measure=NEVER, **SMALL)
    for name, array in plain.trainer.learnt().items():
        assert np.array_equal(array, whole.trainer.learnt()[name])

    def stop(run):
        if run.parts == 3:
            raise KeyboardInterrupt

    keeping = Execution(watch=stop, keep_games=tmp_path / "kept")
    with pytest.raises(KeyboardInterrupt):
        train("alphazero", "tictactoe", tmp_path / "run", execution=keeping, measure=NEVER, **SMALL)
    resume(tmp_path / "run", execution=Execution(keep_games=tmp_path / "kept"))
    for one, other in zip(arrays(open_games(tmp_path / "kept")), arrays(open_games(tmp_path / "whole")), strict=True):
        assert np.array_equal(one, other)
