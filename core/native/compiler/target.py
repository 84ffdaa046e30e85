"""What machine code is made for: this machine, or another that LLVM knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm


@dataclass(frozen=True)
class Target:
    """A processor and a system.

    Args:
        triple: both, as LLVM names them: `x86_64-unknown-linux-gnu`.
        cpu: the processor, as LLVM names it; empty for any of its kind.
        features: what it has beyond, as `+bmi2,+avx2`.
    """

    triple: str
    cpu: str = ""
    features: str = ""

    def has(self, feature: str) -> bool:
        """Whether the processor is said to have a feature."""
        return f"+{feature}" in self.features.split(",")

    @property
    def deposits(self) -> bool:
        """Whether it deposits bits at once."""
        return self.has("bmi2") and self.cpu not in SLOW_DEPOSIT


WEB = Target("wasm32-unknown-unknown", features="+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext")
"""WebAssembly, as every browser since 2021 runs it: one thread, no vectors, 64-bit numbers and pointers of 32 bits."""
V2 = Target("x86_64-unknown-linux-gnu", "x86-64-v2", "+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3")
V3 = Target(V2.triple, "x86-64-v3", f"{V2.features},+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave")
LEVELS = V3, V2
"""What kernels that come with ludus are compiled for, the best first: processors of PCs since 2013, and since 2009."""
SLOW_DEPOSIT = {"bdver4", "znver1", "znver2"}
"""These processors have an instruction that deposits bits, and do it one by one."""
LEGACY = ("sse4a", "xop", "fma4", "tbm", "lwp", "3dnow", "3dnowa", "mmx")
"""Features of AMD's and of old processors that LLVM is not to use: their instructions are of the time before AVX, and slow between
AVX's. With SSE4a's `insertq`, the vector step of tic-tac-toe took seven times as long on Zen 3."""


@cache
def host() -> Target:
    """This machine."""
    features = llvm.get_host_cpu_features()
    features.update((name, False) for name in LEGACY if name in features)
    return Target(llvm.get_default_triple(), llvm.get_host_cpu_name(), features.flatten())


@cache
def level() -> Target | None:
    """The best level of x86-64 that this machine has; without quick deposits, none that uses them."""
    mine = host()
    return next((each for each in LEVELS if _features(each) <= _features(mine) and each.deposits <= mine.deposits), None)


def _features(target: Target) -> set[str]:
    return {*target.features.split(",")}


@cache
def machine_of(target: Target) -> llvm.TargetMachine:
    """LLVM's own view of a target."""
    if target == host():
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    else:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    kind = llvm.Target.from_triple(target.triple)
    # "jitdefault": the object may be loaded anywhere, further than 2 GiB from the functions of CPython that it calls
    return kind.create_target_machine(cpu=target.cpu, features=target.features, opt=3, codemodel="jitdefault", jit=True)
