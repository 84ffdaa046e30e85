"""Other processes, and copies of the tree for them to run from."""

import multiprocessing
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

ROOT = Path(__file__).parents[3]
OUTSIDE = ROOT / "tests" / "helpers" / "outside"


def run(*command: object, cwd: Path, **environment: object) -> str:
    """What a Python process prints, on stdout and stderr alike; it must end well. Keywords go into its environment."""
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}"
    return done.stdout


def process(*arguments: object, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command of ludus in a new process."""
    command = [sys.executable, "-m", "ludus.cli", *map(str, arguments)]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=600, env={**os.environ, **environment}, check=False
    )


def children(pid: int) -> list[str]:
    """The processes that a process has started, but for the one that lists them."""
    listing = subprocess.Popen(["ps", "-o", "pid=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True)
    return [child for child in listing.communicate()[0].split() if int(child) != listing.pid]


def checkout(place: Path) -> Path:
    """A copy of the tree, without its tests; `place / ".types"` on the path makes it `ludus`."""
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "tests")
    shutil.copytree(ROOT, place, ignore=ignored)
    (place / ".types").mkdir()
    (place / ".types" / "ludus").symlink_to("..")
    return place


def fork(work: Callable[..., object], *arguments: object, **keywords: object) -> BaseProcess:
    """Starts a process that has torch and `ludus` already: it is a fork of one that imports them and then does nothing else.

    Everything else it imports itself. What it is given is pickled, so `work` is a function of a library.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch._dynamo", "sb3_contrib", "ludus"])  # torch imports the first with any optimizer
    process = context.Process(target=work, args=arguments, kwargs=keywords)
    process.start()
    return process


RUNS = """
import atexit, os, runpy, sys
os.chdir(place)
os.environ.update(environment)
for descriptor, name in ((1, "stdout"), (2, "stderr")):
    os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
sys.argv = [script, *arguments]
sys.path.insert(0, os.path.dirname(script))
try:
    runpy.run_path(script, run_name="__main__")
finally:
    atexit._run_exitfuncs()  # which multiprocessing leaves out
"""


def run_script(script: Path, arguments: list[str], place: Path, **environment: str) -> tuple[str, str]:
    """Runs a script as `python script …` does in an empty folder, but in a fork: what it prints on stdout and on stderr."""
    known = {"script": str(script), "arguments": arguments, "place": str(place), "environment": environment}
    process = fork(exec, RUNS, known)
    process.join(300)
    process.kill()  # where it is endless
    printed, complained = ((place / name).read_text(encoding="utf-8") for name in ("stdout", "stderr"))
    assert process.exitcode == 0, f"exit {process.exitcode}\n{complained}"
    return printed, complained
