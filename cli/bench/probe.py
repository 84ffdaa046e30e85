"""Runs a command of Ludus, measures all compiling in it, and prints the times as JSON.

`ludus bench compile` passes this file to any Python that has Ludus. It uses little of Ludus and wraps functions of
llvmlite, so that it can measure earlier versions, too.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import sys
import time
from collections.abc import Callable, Generator
from typing import Any

spent: dict[str, float] = {"building": 0.0, "parsing": 0.0, "optimising": 0.0, "emitting": 0.0}
"""Processor seconds: all compiling, and the stages of LLVM."""
kernels: list[tuple[str, float]] = []
"""The game and name of each compiled kernel, and its processor seconds."""


@contextlib.contextmanager
def count_time(stage: str) -> Generator[None]:
    """Adds the processor time of a block to a stage."""
    began = time.process_time()
    try:
        yield
    finally:
        spent[stage] += time.process_time() - began


def count_calls(function: Callable[..., Any], stage: str) -> Callable[..., Any]:
    """Wraps a function so that its processor time is added to a stage."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with count_time(stage):
            return function(*args, **kwargs)

    return call


def watch_llvm() -> None:
    """Measures the stages of LLVM."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    passes: Any = importlib.import_module("llvmlite.binding.newpassmanagers")
    llvm.parse_assembly = count_calls(llvm.parse_assembly, "parsing")
    llvm.TargetMachine.emit_object = count_calls(llvm.TargetMachine.emit_object, "emitting")
    for manager in (passes.ModulePassManager, passes.FunctionPassManager):
        manager.run = count_calls(manager.run, "optimising")


def watch_kernels() -> None:
    """Measures each kernel. Loading the compiler counts, too, because the first kernel would load it."""
    with count_time("building"):
        module: Any = importlib.import_module("ludus.native.build")
    build = module.build

    @functools.wraps(build)
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
