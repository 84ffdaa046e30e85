"""What the tests of compiled kernels share: kernels from their source, and a folder to keep them in."""

import linecache
from itertools import count

import numpy as np
import pytest

from ludus.envs import make_game

GAME = make_game("tictactoe")
_numbers = count()


@pytest.fixture(autouse=True, scope="module")
def kernels_of_these_tests(tmp_path_factory: pytest.TempPathFactory):
    """The kernels of a file of tests are kept in a folder of its own, and not among the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def kernel_from(source, **scope):
    """A kernel from its source, with these globals."""
    scope = {"np": np} | scope
    file = f"<kernel {next(_numbers)}>"
    linecache.cache[file] = (0, None, source.splitlines(keepends=True), file)  # where the compiler looks for it
    exec(compile(source, file, "exec"), scope)
    return scope["kernel"]
