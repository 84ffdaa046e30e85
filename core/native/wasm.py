"""Kernels as WebAssembly: one module for browsers, and how JavaScript calls what is in it.

The same compiler makes an object file of each kernel, and wasm-ld, which the package ziglang brings, links them. The module exports
each kernel by a name as a function over words (`Signature.words`): a number is 64 bits; an array is a pointer into the module's
memory and the length of each dimension; a group is its members, side by side. The caller lays arrays into that memory, from
`__heap_base` on.

What kernels ask of a machine: bits are deposited by the function that Python runs (arithmetic.py); a kernel over ranges takes
`lo` and `hi` as it takes other numbers, and its rows are for one thread; IMPORTS come from JavaScript, and RUNTIME is added.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm

from .compiler.link import Function, Link
from .compiler.signature import Group, Parameter, Signature, signature_of
from .compiler.target import WEB, Target, machine_of
from .load import object_file_of

IMPORTS = ("cos", "exp", "exp2", "log", "pow", "sin", "tanh")
"""The functions of floats that a module may import from JavaScript (web/kernels/kernels.js)."""
STACK_BYTES = 1 << 20
"""Room for the calls of a kernel within each other; beyond it the module stops with an error, and writes over nothing."""
LINKER = ("-m", "ziglang", "wasm-ld", "--no-entry", "--strip-all", "--stack-first", "-z", f"stack-size={STACK_BYTES}")
RUNTIME = """
define void @__multi3(ptr %result, i64 %a, i64 %a_high, i64 %b, i64 %b_high) {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %a0b0 = mul i64 %a0, %b0
  %a1b0 = mul i64 %a1, %b0
  %a0b1 = mul i64 %a0, %b1
  %a1b1 = mul i64 %a1, %b1
  %carry = lshr i64 %a0b0, 32
  %middle = add i64 %a1b0, %carry
  %middle_low = and i64 %middle, 4294967295
  %other = add i64 %a0b1, %middle_low
  %middle_high = lshr i64 %middle, 32
  %other_high = lshr i64 %other, 32
  %sum = add i64 %middle_high, %other_high
  %high = add i64 %a1b1, %sum
  %left = mul i64 %a, %b_high
  %right = mul i64 %a_high, %b
  %crossed = add i64 %left, %right
  %whole = add i64 %high, %crossed
  %low = mul i64 %a, %b
  store i64 %low, ptr %result
  %above = getelementptr i64, ptr %result, i64 1
  store i64 %whole, ptr %above
  ret void
}
"""
"""LLVM text of what LLVM calls where it multiplies 128 bits, as it does to replace a loop that sums by a formula."""


def export_name(kernel: Function, link: Link, name: str | None = None) -> str:
    """The name by which a module exports a linked kernel: `quixo.plays`, or `any.read_trees` where it calls none of the rules."""
    assert isinstance(kernel, FunctionType)
    return f"{link.owner(kernel)}.{name or kernel.__name__}"


def compile_for_web(kernel: Function, link: Link, called: str | None = None) -> bytes:
    """A linked kernel as an object file of WebAssembly, compiled or from the cache.

    Args:
        kernel, link: the kernel.
        called: its name there; None for its own.

    Raises:
        KernelError: its code is outside of the language; the message says where.
    """
    assert isinstance(kernel, FunctionType)
    object_file, name = object_file_of(kernel, link), export_name(kernel, link, called)

    def make(_: str, target: Target) -> bytes:
        from .build import build

        return build(kernel, link, object_file.signature, name, target, _entry)

    return object_file._replace(name=f"{called or kernel.__name__}.web", make=make).compile(WEB)


def link_module(objects: Mapping[str, bytes]) -> bytes:
    """Links object files, by the name that each exports, to a module; the same bytes from the same files. ValueError where wasm-ld
    refuses them, or ziglang is not installed."""
    with TemporaryDirectory() as folder:
        allowed, module = Path(folder, "imports"), Path(folder, "module.wasm")
        allowed.write_text("\n".join(IMPORTS))
        bodies = [body for _, body in sorted(objects.items())] + [machine_of(WEB).emit_object(llvm.parse_assembly(RUNTIME))]
        files = [Path(folder, f"{number}.o") for number in range(len(bodies))]
        for file, body in zip(files, bodies, strict=True):
            file.write_bytes(body)
        exports = [f"--export={name}" for name in ("__heap_base", *sorted(objects))]
        command = [sys.executable, *LINKER, f"--allow-undefined-file={allowed}", *exports, *files, "-o", module]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"wasm-ld cannot link the kernels: {done.stderr.strip() or f'exit {done.returncode}'}")
        return module.read_bytes()


def layout_of(kernel: Function) -> dict[str, Any]:
    """How JavaScript calls a kernel, as JSON: its arguments in order, and the type of what it returns.

    An argument has a name, and a dtype with the number of dimensions, 0 for a number, or the members of a group.
    """
    signature = signature_of(kernel)
    return {
        "arguments": [*map(_parameter_layout, signature.arguments)],
        "returns": None if signature.returns is None else str(signature.returns),
    }


def _parameter_layout(parameter: Parameter) -> dict[str, Any]:
    name = parameter.name.rpartition(".")[2]
    if isinstance(parameter, Group):
        return {"name": name, "members": [*map(_parameter_layout, parameter.members)]}
    return {"name": name, "dtype": str(parameter.dtype), "dimensions": parameter.dimensions}


def _entry(signature: Signature, machine_code: str, name: str) -> str:
    """LLVM text of the function that a module exports: it calls the function over words, and is one itself."""
    passed = ", ".join(f"{kind} %{number}" for number, kind in enumerate(signature.words))
    head = f"define i64 @{name}({', '.join(signature.words)}) {{"
    return "\n".join([head, f"%result = call i64 @{machine_code}({passed})", "ret i64 %result", "}"])
