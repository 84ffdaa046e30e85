"""Errors that end a command are one sentence: bugs, Ctrl-C at the start, closed streams, deleted folders."""

import errno
import os
import shlex
import signal
import stat
import subprocess
import sys

import pytest

from ludus.cli.commands import list as listing
from ludus.cli.errors import report_error

COMMAND = f"{shlex.quote(sys.executable)} -m ludus.cli"


def shell(command, **settings):
    """Runs a line in bash: exit status, stdout and stderr."""
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=600, check=False, **settings)
    return done.returncode, done.stdout, done.stderr


def sentence(err):
    """Checks that stderr is one sentence, and returns it."""
    assert err.startswith("ludus: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


# ---- unexpected errors


def broken(chosen):
    raise KeyError("a key\nand another line", "x" * 1000)


def test_an_unexpected_error_is_a_sentence_and_its_traceback_a_private_file(run, monkeypatch, tmp_path):
    monkeypatch.setattr(listing, "run", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    status, out, err = run("list")
    assert (status, out) == (1, "")
    assert "KeyError" in sentence(err)
    assert len(err) < 500
    [kept] = tmp_path.iterdir()
    assert str(kept) in err
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "Traceback" in kept.read_text()
    assert "in broken" in kept.read_text()


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (ValueError("a sentence"), 2, ["a sentence"]),
        (ValueError("what \x1b[2Janother said"), 2, ["what \\x1b[2Janother said"]),
        (MemoryError(), 2, ["not enough memory"]),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "some/file"), 2, ["some/file", "No such file"]),
        (OSError(errno.EMFILE, "Too many open files"), 2, ["Too many open files"]),
        (OSError("a sentence of ours"), 2, ["a sentence of ours"]),
        (RecursionError("maximum recursion depth exceeded"), 1, ["RecursionError", "traceback"]),
        (KeyboardInterrupt(), 130, ["interrupted"]),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 2, ["Broken pipe"]),  # of another file than stdout
    ],
    ids=repr,
)
def test_each_kind_of_error_has_its_sentence_and_exit_status(capfd, monkeypatch, tmp_path, error, status, words):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert report_error(error) == status
    err = sentence(capfd.readouterr().err)
    assert all(word in err for word in words)
    assert "Errno" not in err


# ---- the start


def test_ctrl_c_during_imports_prints_no_traceback(tmp_path):
    (tmp_path / "pettingzoo").mkdir()
    (tmp_path / "pettingzoo" / "__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}

    def started(*command):
        ready = {"env": environment, "preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, **ready)
        return done.returncode, done.stderr

    assert started("-m", "ludus.cli", "list") == (130, "ludus: interrupted\n")
    status, err = started("-c", "import ludus")
    assert status == -signal.SIGINT
    assert err.endswith("KeyboardInterrupt\n")  # other programs are not ended by us


def test_a_warning_of_the_package_is_a_sentence_and_others_say_where_they_are_from(tmp_path):
    (tmp_path / "a.pgn").write_text("[Event hm]\n1. a1 *\n")
    command = f"{COMMAND} convert a.pgn a.moves --game tictactoe"
    status, _, err = shell(command, cwd=tmp_path)
    assert (status, sentence(err)) == (0, "ludus: line 1 is passed over: '[Event hm]' is no header, as [Game \"nim\"]\n")
    monkey = "import warnings; from ludus.cli import main; main(['list', '--json']); warnings.warn('ours?')"
    assert "<string>:1: UserWarning: ours?" in shell(f"{shlex.quote(sys.executable)} -c {shlex.quote(monkey)}")[2]


# ---- streams


def test_a_stdout_that_is_closed_or_full_is_a_sentence():
    for where, words in ((">&-", "stdout is closed"), ("> /dev/full", "stdout cannot be written (No space left on device)")):
        status, _, err = shell(f"{COMMAND} cache {where}")
        assert status == 2
        assert words in sentence(err)


def test_other_streams_that_are_closed_are_as_empty_ones():
    closed, empty = (shell(f"{COMMAND} play tictactoe {where}") for where in ("<&-", "< /dev/null"))
    assert closed == empty
    assert closed[0] == 0
    assert shell(f"{COMMAND} play otelo 2>&-") == (2, "", "")


def test_a_reader_that_closes_stdout_is_no_error():
    assert shell(f"{COMMAND} list --json | head -1; exit ${{PIPESTATUS[0]}}") == (0, "{\n", "")
