"""Runs a command of Ludus with a clock around all that is compiled, and prints what that cost, as JSON.

`ludus bench compile` hands this file to any Python that has Ludus. It needs little of Ludus, and looks at
llvmlite's own functions, so that it measures earlier versions too.
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
"""Processor seconds: compiling in all, and what of it LLVM took, stage by stage."""
kernels: list[tuple[str, float]] = []
"""Each kernel that was compiled: its game and its name, and its processor seconds."""


@contextlib.contextmanager
def charged(stage: str) -> Generator[None]:
    """Charges the processor time of a block to a stage."""
    began = time.process_time()
    try:
        yield
    finally:
        spent[stage] += time.process_time() - began


def charging(function: Callable[..., Any], stage: str) -> Callable[..., Any]:
    """A function whose processor time is charged to a stage."""

    @functools.wraps(function)
    def charged_function(*args: Any, **kwargs: Any) -> Any:
        with charged(stage):
            return function(*args, **kwargs)

    return charged_function


def watch_llvm() -> None:
    """Has LLVM's own work charged to its stages."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    passes: Any = importlib.import_module("llvmlite.binding.newpassmanagers")
    llvm.parse_assembly = charging(llvm.parse_assembly, "parsing")
    llvm.TargetMachine.emit_object = charging(llvm.TargetMachine.emit_object, "emitting")
    for manager in (passes.ModulePassManager, passes.FunctionPassManager):
        manager.run = charging(manager.run, "optimising")


def watch_kernels() -> None:
    """Notes what each kernel costs; the compiler itself is loaded here, as the first kernel would, and charged for."""
    with charged("building"):
        module: Any = importlib.import_module("ludus.envs.native.build")
    build = module.build

    @functools.wraps(build)
    def noted(kernel: Any, link: Any, *rest: Any) -> bytes:
        before = spent["building"]
        with charged("building"):
            body = build(kernel, link, *rest)
        kernels.append((f"{link.owner(kernel)} {kernel.__name__}", spent["building"] - before))
        return body

    module.build = noted


def main(command: list[str]) -> None:
    """Runs a command of `ludus`, and prints what compiling cost in it."""
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
