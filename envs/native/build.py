"""From a kernel to an object file: our compiler makes LLVM text of it, the entry is put around it, and LLVM does the rest.

Only a process that compiles imports this module.
"""

from __future__ import annotations

from types import FunctionType

import llvmlite.binding as llvm

from .compiler.link import Link
from .compiler.optimise import optimise
from .compiler.program import translated
from .compiler.signature import Signature
from .compiler.target import Target, machine_of
from .entry import entry


def build(kernel: FunctionType, link: Link, signature: Signature, name: str, target: Target) -> bytes:
    """Compiles a linked kernel to an object file whose only visible function is `name`.

    Raises:
        KernelError: its code is outside of the language; the message says where.
    """
    code = f"{name}_code"
    module = llvm.parse_assembly(translated(kernel, link, signature, code, target) + entry(signature, code, name))
    machine = machine_of(target)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    optimise(module, machine)
    return machine.emit_object(module)
