"""Small random programs of the kernels' language run as Python as they run as machine code, and no construct is missing in them."""

import ast
import builtins
import math
import os

import numpy as np
import pytest

from ludus.core.native.compiler.arithmetic import COMPARISONS
from ludus.core.native.compiler.arithmetic import OPERATORS as TRANSLATED
from ludus.core.native.compiler.body import CONSTRUCTS
from ludus.core.native.compiler.calls import KNOWN

from ...fuzz.programs import TOGETHER, differences, written
from ...helpers.native import kernels

kernels_of_these_tests = kernels.kernels_of_these_tests
MANY = int(os.environ.get("FUZZ_PROGRAMS", "0"))
"""How many programs run, which are then longer; by default 240 short ones."""
BLOCKS = 3 if MANY else 1
PROGRAMS = [range(first, first + TOGETHER) for first in range(0, MANY or 240, TOGETHER)]


@pytest.mark.parametrize("seeds", PROGRAMS, ids=str)
def test_small_programs_run_as_python_as_they_run_as_machine_code(seeds):
    assert not list(differences(seeds, BLOCKS))


def test_small_programs_have_every_construct_and_function_of_the_language():
    nodes = [node for seeds in PROGRAMS for node in ast.walk(ast.parse(written(seeds, BLOCKS)))]
    assert not {*CONSTRUCTS, *TRANSLATED, *COMPARISONS, ast.And, ast.Or, ast.Not} - {*map(type, nodes)}
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    scope = {**vars(builtins), "np": np, "math": math}
    known = {eval(name, scope) for name in called if name.partition(".")[0] in scope}
    assert known == {*KNOWN, range} - {np.int8, np.int16, np.int32}  # these are refused
    assert called >= {"Point", "Place", "placed", "both", "down", "fold", "halved", "pair", "deep", "is_even", "nothing", "row"}
