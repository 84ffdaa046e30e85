"""Every kernel of the project becomes an object file for every machine that Ludus is meant for, wherever the tests run."""

from functools import cache

import llvmlite.binding as llvm
import pytest

from ludus.cli.warming import needed_kernels, specs_of
from ludus.core.native.compiler.program import translate_kernel
from ludus.core.native.compiler.signature import signature_of
from ludus.core.native.compiler.target import V2, V3, WEB, Target
from ludus.core.native.entry import entry
from ludus.envs import make_game
from ludus.games.linking import link_of
from ludus.games.registry import BUILT_IN

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
