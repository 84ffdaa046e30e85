"""From a kernel to an object file: our compiler makes LLVM text of it, the entry is put around it, and LLVM does the rest.

Only a process that compiles imports this module.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

import llvmlite.binding as llvm

from .compiler.link import Link
from .compiler.program import translate_kernel
from .compiler.signature import Signature
from .compiler.target import Target, machine_of
from .entry import entry

MakesEntry = Callable[[Signature, str, str], str]
"""What makes LLVM text of the function that others call: of the kernel's signature, its function over words, and the name."""


def build(
    kernel: FunctionType, link: Link, signature: Signature, name: str, target: Target, make_entry: MakesEntry = entry
) -> bytes:
    """Compiles a linked kernel to an object file whose only visible function is `name`, by default one for CPython. KernelError,
    which says where, if its code is outside of the language."""
    code = f"{name}_code"
    module = llvm.parse_assembly(translate_kernel(kernel, link, signature, code, target) + make_entry(signature, code, name))
    machine = machine_of(target)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    _optimise(module, machine)
    return machine.emit_object(module)


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """Optimises a module as one; functions that nobody calls any more are removed.

    Every pass is worth its time. Without the vectorizers compiling takes a fifth less, and Othello's endgame, which looks along
    eight lines at once, a third longer; at level 2 it is perft that takes longer.
    """
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.slp_vectorization = options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
