"""The vector environment with tensors of torch: what arrays hold, in the same memory."""

import copy

import numpy as np
import pytest

from ..helpers.views import make_vector

torch = pytest.importorskip("torch")


def equal(arrays, tensors):
    """Whether tensors hold what arrays do, in the same tuples and dictionaries."""
    if isinstance(arrays, tuple):
        return all(equal(*pair) for pair in zip(arrays, tensors, strict=True))
    if isinstance(arrays, dict):
        return arrays.keys() == tensors.keys() and all(equal(arrays[key], tensors[key]) for key in arrays)
    return isinstance(tensors, torch.Tensor) and np.array_equal(arrays, tensors.numpy())


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_tensors_lie_in_the_memory_of_the_arrays_and_are_never_changed_later(mode, monkeypatch):
    ours, theirs = (
        make_vector("tictactoe", 64, opponent=None, autoreset_mode=mode, arrays=arrays) for arrays in ("numpy", "torch")
    )
    steps, take = [], theirs._take
    monkeypatch.setattr(theirs, "_take", lambda actions, **how: steps.append(take(actions, **how)) or steps[-1])
    arrays, tensors = ours.reset(seed=3), theirs.reset(seed=3)
    before = []
    for _ in range(30):
        assert equal(arrays, tensors)
        before.append((copy.deepcopy(arrays), tensors))
        chosen = theirs.sample_actions()
        assert equal(ours.sample_actions(), chosen)
        assert equal(ours.action_masks(), theirs.action_masks())
        arrays, tensors = ours.step(chosen), theirs.step(chosen)
        view = steps[-1].view
        assert {name: tensor.data_ptr() for name, tensor in tensors[0].items()} == {
            name: array.ctypes.data for name, array in view.observation.items()
        }
        assert tensors[1].data_ptr() == steps[-1].rewards.ctypes.data
        assert tensors[-1]["action_mask"].data_ptr() == view.info["action_mask"].ctypes.data
        del steps[:]
    assert all(equal(*pair) for pair in before)


def test_arrays_are_those_of_numpy_or_torch():
    with pytest.raises(ValueError, match="arrays is 'jax'; it must be 'numpy' or 'torch'"):
        make_vector("tictactoe", 2, arrays="jax")
