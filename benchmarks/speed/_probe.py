"""Runs a command of Ludus, measures all compiling in it, and prints the times as JSON.

`python -m benchmarks earlier` passes this file to any Python that has Ludus. It uses little of Ludus and wraps functions of
llvmlite, so that it can measure earlier versions, too.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import time
from collections.abc import Generator
from typing import Any

spent: dict[str, float] = {"building": 0.0, "parsing": 0.0, "optimising": 0.0, "emitting": 0.0}
"""Processor seconds: all compiling, and the stages of LLVM."""
kernels: list[tuple[str, float]] = []
"""The game and name of each compiled kernel, and its processor seconds."""


@contextlib.contextmanager
def count_time(stage: str) -> Generator[None]:
    """Adds the processor time of a block, or of a function that it decorates, to a stage."""
    began = time.process_time()
    try:
        yield
    finally:
        spent[stage] += time.process_time() - began


def watch_llvm() -> None:
    """Measures the stages of LLVM."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    passes: Any = importlib.import_module("llvmlite.binding.newpassmanagers")
    llvm.parse_assembly = count_time("parsing")(llvm.parse_assembly)
    llvm.TargetMachine.emit_object = count_time("emitting")(llvm.TargetMachine.emit_object)
    for manager in (passes.ModulePassManager, passes.FunctionPassManager):
        manager.run = count_time("optimising")(manager.run)


def watch_kernels() -> None:
    """Measures each kernel. Loading the compiler counts, too, because the first kernel would load it."""
    with count_time("building"):
        module: Any = importlib.import_module("ludus.native.build")
    build = module.build

    def build_and_count(kernel: Any, link: Any, *rest: Any) -> bytes:
        before = spent["building"]
        with count_time("building"):
            body = build(kernel, link, *rest)
        kernels.append((f"{link.owner(kernel)} {kernel.__name__}", spent["building"] - before))
        return body

    module.build = build_and_count


def main(command: list[str]) -> None:
    """Runs a command of `ludus`, and prints the cost of compiling in it."""
    watch_llvm()
    watch_kernels()
    run = importlib.import_module("ludus.cli").main
    with contextlib.redirect_stdout(sys.stderr):
        status = run(command)
    stages = {stage: seconds for stage, seconds in spent.items() if stage != "building"}
    front = spent["building"] - sum(stages.values())
    print(json.dumps({"seconds": spent["building"], "stages": {"front end": front, **stages}, "kernels": kernels}))
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
