"""Small random programs of the kernels' language run as Python as they run as machine code and in node, and lack no construct."""

import ast
import builtins
import math
import os
from contextlib import ExitStack
from functools import cache

import llvmlite.binding as llvm
import numpy as np
import pytest

from ludus.cli.warming import needed_kernels, specs_of
from ludus.core.native import Link
from ludus.core.native.compiler.arithmetic import COMPARISONS
from ludus.core.native.compiler.arithmetic import OPERATORS as TRANSLATED
from ludus.core.native.compiler.body import CONSTRUCTS
from ludus.core.native.compiler.calls import KNOWN
from ludus.core.native.compiler.program import translate_kernel
from ludus.core.native.compiler.signature import signature_of
from ludus.core.native.compiler.target import V2, V3, WEB, Target
from ludus.core.native.entry import entry
from ludus.envs import make_game
from ludus.games.linking import link_of
from ludus.games.registry import BUILT_IN

from ...fuzz.programs import TOGETHER, differences, written
from ...helpers.native import kernels
from ...helpers.native.kernels import kernel_from

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


# ---- as WebAssembly, in node

LINK = Link("tests", {}, {})


@pytest.fixture
def in_node():
    """Gives a kernel in node."""
    pytest.importorskip("ziglang")
    pytest.importorskip("playwright")
    from ...helpers.native.node import kernel_in_node

    return kernel_in_node


def test_small_programs_run_as_python_as_they_run_as_webassembly(tmp_path, in_node):
    with ExitStack() as stack:
        assert not list(differences(range(TOGETHER), 1, lambda *linked: stack.enter_context(in_node(*linked, tmp_path))))


def test_a_sum_that_llvm_replaces_by_a_formula_is_exact(tmp_path, in_node):
    count = 2**33 - 5  # the formula multiplies two numbers of 33 bits
    source = "def kernel(n: int) -> int:\n    total = 0\n    for i in range(n):\n        total += i\n    return total"
    with in_node(kernel_from(source), LINK, tmp_path) as add_up:
        assert int(add_up(count)) == (count * (count - 1) // 2 + 2**63) % 2**64 - 2**63


# ---- every kernel of the project becomes an object file for every machine that Ludus is meant for

TARGETS = {
    "x86-64-v2": V2,
    "x86-64-v3": V3,
    "x86-64 Windows": Target("x86_64-pc-windows-msvc", "x86-64-v2"),
    "arm64 Linux": Target("aarch64-unknown-linux-gnu", "generic"),
    "arm64 macOS": Target("arm64-apple-darwin22.0.0", "apple-m1"),
    "WebAssembly": WEB,
}
NAME = "ludus_kernel"


@cache
def modules(target):
    """Each kernel before it is optimised, by game and name; equal ones once."""
    found = {}
    for job in needed_kernels([spec for name in BUILT_IN for spec in specs_of(name)]):
        kernel, link = job.linked.kernel, link_of(type(make_game(job.spec)), job.linked.pairs)
        signature = signature_of(kernel)
        text = translate_kernel(kernel, link, signature, f"{NAME}_code", target) + entry(signature, f"{NAME}_code", NAME)
        found.setdefault(text, f"{job.spec}: {kernel.__name__}")
    return {name: llvm.parse_assembly(text) for text, name in found.items()}


@pytest.mark.parametrize("name", TARGETS)
def test_every_kernel_becomes_an_object_file_for_every_machine(name):
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = TARGETS[name]
    kind = llvm.Target.from_triple(target.triple)
    machine = kind.create_target_machine(cpu=target.cpu, features=target.features, opt=0, codemodel="jitdefault", jit=True)
    said = modules(Target("", features="+bmi2" if target.has("bmi2") else ""))  # all else is the same on every machine
    assert len(said) > 100
    for kernel, text in said.items():
        module = text.clone()
        module.triple, module.data_layout = target.triple, str(machine.target_data)
        body = machine.emit_object(module)
        assert any(part.is_text() and part.size() for part in llvm.ObjectFileRef.from_data(body).sections()), kernel
        assert NAME.encode() in body, kernel
