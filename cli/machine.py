"""The measuring machine: what its processor is, how fast it is clocked, and what else it does."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..core.native.compiler.target import host

NUMBERS = {"family": "cpu family", "model": "model", "stepping": "stepping"}
"""What distinguishes processors of the same name, and the names of these facts in Linux."""
VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "avx": "AVX", "sve": "SVE", "neon": "NEON", "sse2": "SSE2"}
"""Vectors, the widest first: as LLVM names them, and as people do."""
HIGHEST_CLOCK = Path("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")
"""In kHz; a virtual machine has no such file."""


def machine() -> dict[str, Any]:
    """What does not change: `cores`, `architecture`, `processor`, `family`, `model`, `stepping`, `kind`, `vectors`, `highest_mhz`.

    `kind` is LLVM's name of the processor that kernels are compiled for, and `vectors` the widest vectors that it has. What the
    system does not report is None.
    """
    facts = _cpuinfo()
    numbers = {number: facts.get(key) for number, key in NUMBERS.items()}
    return {
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "processor": facts.get("model name") or platform.processor() or None,
        **{number: int(text) if text else None for number, text in numbers.items()},
        "kind": host().cpu or None,
        "vectors": next((words for feature, words in VECTORS.items() if host().has(feature)), None),
        "highest_mhz": _highest_mhz(),
    }


def conditions() -> dict[str, Any]:
    """What changes: `mhz`, the clock now, and `load_average`, processes that wanted to run in the last minute; None if unknown."""
    clock = _cpuinfo().get("cpu MHz")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {"mhz": round(float(clock)) if clock else None, "load_average": None if load is None else round(load, 2)}


def describe_machine(machine: dict[str, Any], mhz: int | None = None) -> str:
    """A description of a machine, with its clock."""
    numbers = [f"{number} {machine[number]}" for number in NUMBERS if machine[number] is not None]
    details = ", ".join([*numbers, *filter(None, [machine["kind"]])])
    highest = machine["highest_mhz"]
    clock = [f"{mhz / 1000:.2f} GHz" if mhz else "", f"at most {highest / 1000:.2f} GHz" if highest else ""]
    name = f"{machine['cores']} cores {machine['architecture']} {machine['processor'] or ''}".rstrip()
    return ", ".join(filter(None, [f"{name} ({details})" if details else name, machine["vectors"], *clock]))


def _cpuinfo() -> dict[str, str]:
    """What Linux says about the first processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").partition("\n\n")[0].splitlines()
    except OSError:
        return {}
    return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}


def _highest_mhz() -> int | None:
    with suppress(OSError, ValueError):
        return int(HIGHEST_CLOCK.read_text()) // 1000
    return None
