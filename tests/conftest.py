"""Fixtures of all tests: every variant of every game, a small disk, and commands to run; and what a skipped test counts as."""

import json
import math
import os
import signal
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch comes: threads that wait for work as small as ours only spin

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[1]))  # where tests find `benchmarks`

import ludus
from ludus.cli import main
from ludus.cli.terminal import compiling
from ludus.envs import Game, make_game

from .helpers.games import VARIANTS, forget
from .helpers.slow import is_slow, slow_cases
from .helpers.system.disks import is_disk, small_disk
from .helpers.system.warm import warm_workers

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the tests run in the background, which ignores it
settings.register_profile("unhurried", settings(), deadline=None)  # machines differ, and are busy
settings.load_profile("unhurried")
NO_SKIPS = bool(os.environ.get("NO_SKIPS"))
"""Whether a test that is skipped counts as failed: where all that tests need is to be there."""


def pytest_report_header():
    with tempfile.TemporaryDirectory() as folder, small_disk(Path(folder, "disk")) as disk:
        kind = "a tmpfs" if is_disk(disk) else "a limit on the size of files, as nothing can be mounted here"
    return f"small disks: {kind}"


def refused(report):
    """A report of a test or a file, failed where it was skipped and that is not wanted."""
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"skipped, where NO_SKIPS forbids it. {reason}"
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]):
    """Marks the slow cases, and begins with them, the slowest first, so that no process works on one alone at the end."""
    slow = slow_cases()
    for item in items:
        if is_slow(item.nodeid, slow):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: -slow.get(item.nodeid, 0.0))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return refused((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return refused((yield))


@pytest.fixture(scope="module")
def hexes():
    """Hex of the examples, a game from outside, for the tests of one file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1] / "examples")
        from hex import Hex
    ludus.register_game(Hex)  # again, where another file's tests have taken it out
    yield Hex()
    forget(Hex)


@pytest.fixture(autouse=True, scope="session")
def _as_if_all_were_compiled():
    """Commands say nothing of what they compile, so that they print the same on an empty cache."""
    compiling.LONG = math.inf


@pytest.fixture(autouse=True, scope="session")
def _warm_workers():
    """Worker processes are forks of a process that has imported all that they need."""
    with warm_workers():
        yield


@pytest.fixture(params=VARIANTS, scope="session")
def game(request: pytest.FixtureRequest) -> Game:
    """Each variant of each game."""
    return make_game(request.param)


@pytest.fixture(scope="session")
def shared_browser():
    """Chromium, started once in a process, which its tests share."""
    from .helpers.system.browser import CHROMIUM, shared  # Playwright takes a while to import

    if CHROMIUM is None:
        pytest.skip("there is no Chromium; on Debian: apt-get install chromium")
    with shared() as browser:
        yield browser


@pytest.fixture
def chromium(shared_browser):
    """Chromium for one test: what that opens is closed after it."""
    with shared_browser.used() as chromium:
        before = chromium.contexts
        yield chromium
        for context in chromium.contexts:
            if context not in before:
                context.close()


@pytest.fixture(name="small_disk")
def on_a_small_disk(tmp_path):
    """A folder that holds 64 KiB."""
    with small_disk(tmp_path / "small disk") as place:
        yield place


@pytest.fixture
def run(capsys):
    """Runs a command in this process: its exit status, and what it printed on stdout and stderr."""

    def command(*arguments):
        try:
            status = main(list(map(str, arguments)))
        except SystemExit as leaving:
            status = leaving.code
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    yield command
    ludus.set_threads(None)


@pytest.fixture
def document(run):
    """Runs a command with --json: the one document that it prints."""

    def command(*arguments):
        status, out, _ = run(*arguments, "--json")
        assert status == 0
        return json.loads(out)

    return command
