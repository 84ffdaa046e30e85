"""What the tests of compiled kernels share: kernels from their source, and a folder to keep them in."""

import numpy as np
import pytest

from ludus.envs import make_game

GAME = make_game("tictactoe")


@pytest.fixture(autouse=True, scope="module")
def kernels_of_these_tests(tmp_path_factory: pytest.TempPathFactory):
    """The kernels of a file of tests are kept in a folder of its own, and not among the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def kernel_from(source, **scope):
    """A kernel from its source, with these globals."""
    scope |= {"np": np}
    exec(source, scope)
    return scope["kernel"]
