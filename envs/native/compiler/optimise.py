"""LLVM's part in making a kernel fast: which passes run over it."""

from __future__ import annotations

import llvmlite.binding as llvm


def optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, *, vectors: bool) -> None:
    """Optimises a module as one: what nobody calls any more goes.

    Args:
        vectors: whether to look for work that vector instructions do. Kernels over many rows gain from it; in all others, which
            follow one position, it finds nothing and takes a quarter of the time.
    """
    options = llvm.create_pipeline_tuning_options(speed_level=3 if vectors else 2)
    options.slp_vectorization = options.loop_vectorization = vectors
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
