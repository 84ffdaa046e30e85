"""The measuring machine, as results and `ludus bench` name it: by what tells two of one label apart."""

import json
import os
import platform
from pathlib import Path

import pytest

from ludus.cli import machine, main, measuring
from ludus.core.native.compiler.target import Target

CPUINFO = """\
cpu family	: 25
model		: 1
model name	: AMD EPYC
stepping	: 1
cpu MHz		: 2445.412

processor	: 1
model name	: another
"""


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch):
    """Makes the module see another system: its /proc/cpuinfo, its highest clock, LLVM's features."""
    reads = Path.read_text

    def set_up(cpuinfo: str | None, khz: str | None, features: str):
        kept = {"/proc/cpuinfo": cpuinfo, str(machine.HIGHEST_CLOCK): khz}

        def read_text(file: Path, *arguments: object, **keywords: object) -> str:
            text = kept.get(str(file), "")
            if text is None:
                raise FileNotFoundError(file)
            return text or reads(file, *arguments, **keywords)

        monkeypatch.setattr(Path, "read_text", read_text)
        monkeypatch.setattr(platform, "processor", lambda: "Intel64")
        monkeypatch.setattr(platform, "machine", lambda: "x86_64")
        monkeypatch.setattr(os, "cpu_count", lambda: 2)
        monkeypatch.setattr(machine, "host", lambda: Target("", "znver3", features))

    return set_up


def test_linux_names_model_family_clock_and_the_widest_vectors(system):
    system(CPUINFO, "3700000\n", "+sse2,+avx,+avx2,-avx512f")
    facts, now = machine.machine(), machine.conditions()
    assert facts == {
        "cores": 2,
        "architecture": "x86_64",
        "processor": "AMD EPYC",
        "family": 25,
        "model": 1,
        "stepping": 1,
        "kind": "znver3",
        "vectors": "AVX2",
        "highest_mhz": 3700,
    }
    assert now["mhz"] == 2445
    text = "2 cores x86_64 AMD EPYC (family 25, model 1, stepping 1, znver3), AVX2, 2.44 GHz, at most 3.70 GHz"
    assert machine.describe_machine(facts, now["mhz"]) == text
    system(CPUINFO.replace("family	: 25", "family	: 26"), "3700000\n", "+avx2")
    assert machine.machine() != facts  # another machine of the same label


def test_bench_shows_the_machine(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    for name in ("aec_rate", "vector_rate", "start_seconds"):
        monkeypatch.setattr(measuring, name, lambda *_: 1.0)
    assert main(["bench", "environments", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["machine"] == machine.machine()
