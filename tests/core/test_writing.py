"""The one way to write: targets are checked, files are whole or not there, devices stay devices, and every error is a sentence."""

import ast
import errno
import os
import re
import socket
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from ludus.core.files.writing import (
    Growing,
    add_to_errors,
    check_target,
    is_stream,
    making_whole,
    path_of,
    write_whole,
    writing_whole,
)

from ..helpers.sentences import says
from ..helpers.sources import LAYERS
from ..helpers.system.disks import device, fill, is_disk
from ..helpers.system.processes import ROOT

# ---- targets


@pytest.fixture
def no_targets(tmp_path):
    """What cannot be written, and what is said of it."""
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as open_socket:
        open_socket.bind(str(tmp_path / "socket"))
        yield {
            tmp_path / "folder": "is a folder",
            tmp_path / "no" / "file": "No such file or directory",
            tmp_path / "file" / "file": "Not a directory",
            tmp_path / "socket": "is a socket",
            tmp_path / "loop": "cannot be written",
            tmp_path / ("x" * 300): "File name too long",
            Path(): "is a folder",
            Path("/proc/version"): "cannot be written" if os.geteuid() == 0 else "protected",
        }


def test_what_cannot_be_written_is_found_out_before_and_said_in_a_sentence(no_targets, tmp_path):
    for name in ("new", "file"):
        check_target(tmp_path / name)
    there = sorted(tmp_path.rglob("*"))
    for path, words in no_targets.items():
        for write in (check_target, lambda path: write_whole(path, b"x")):
            with pytest.raises(OSError, match=r"\w") as error:
                write(path)
            says(error, path, words)
            assert "Errno" not in str(error.value)
    assert sorted(tmp_path.rglob("*")) == there
    assert tmp_path / "new" not in there
    assert (tmp_path / "file").read_text() == "kept"


def test_a_disk_without_room_is_found_out_before(small_disk):
    check_target(small_disk / "new", room=1000)
    if is_disk(small_disk):
        for room, left in ((1 << 20, 4096), (1, 0)):
            fill(small_disk, left)
            with pytest.raises(OSError, match="bytes are free") as error:
                check_target(small_disk / "new", room=room)
            says(error, small_disk / "new", f"{left:,} bytes", f"{room:,} or more")


# ---- whole files


def test_a_file_is_replaced_as_a_whole_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "file"
    write_whole(path, b"on", b"e")
    path.chmod(0o640)
    write_whole(path, b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o640)
    write_whole(path, b"three", mode=0o600)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"three", 0o600)
    write_whole(path, b"four", previous=tmp_path / "before")
    assert (path.read_bytes(), (tmp_path / "before").read_bytes()) == (b"four", b"three")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
def test_an_error_midway_leaves_what_was_there_and_nothing_else(tmp_path, error):
    path = tmp_path / "file"
    path.write_text("kept")
    with suppress(error), writing_whole(path) as file:
        file.write(b"half")
        raise error
    with suppress(error), making_whole(path) as partial:
        partial.write_text("half")
        raise error
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("file", "kept")]


def test_a_link_stays_and_the_file_that_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    for name in ("there", "not there"):
        link, file = tmp_path / f"link to {name}", tmp_path / "folder" / name
        link.symlink_to(f"folder/{name}")
        check_target(link)
        write_whole(link, b"one")
        write_whole(link, b"two")
        assert (link.is_symlink(), file.is_symlink(), file.read_bytes()) == (True, False, b"two")


def test_a_full_disk_keeps_what_was_there(small_disk):
    path = small_disk / "file"
    write_whole(path, b"kept")
    with pytest.raises(OSError, match="cannot be written") as error:
        write_whole(path, bytes(1 << 20))
    says(error, path, "No space left on device" if is_disk(small_disk) else "too large")
    assert [(file.name, file.read_bytes()) for file in small_disk.iterdir()] == [("file", b"kept")]


# ---- streams


def test_a_device_is_written_through_and_stays_a_device(tmp_path):
    nothing, full = device(tmp_path / "null", "/dev/null"), device(tmp_path / "full", "/dev/full")
    for path in (nothing, full):
        check_target(path)
        assert is_stream(path)
        with pytest.raises(OSError, match="regular file") as error:
            check_target(path, stream=False)
        says(error, path, "stream")
        with pytest.raises(OSError, match="regular file"), making_whole(path):
            pass
    write_whole(nothing, b"gone")
    with pytest.raises(OSError, match="No space left on device") as error:
        write_whole(full, b"gone")
    says(error, full)
    assert stat.S_ISCHR(nothing.stat().st_mode)
    assert stat.S_ISCHR(full.stat().st_mode)


def test_a_disk_is_never_written_through(tmp_path):
    try:
        os.mknod(tmp_path / "disk", stat.S_IFBLK | 0o600, os.makedev(7, 250))
    except OSError:
        pytest.skip("no device can be made here")
    for write in (check_target, lambda path: write_whole(path, b"x")):
        with pytest.raises(OSError, match="is a device, not a file"):
            write(tmp_path / "disk")


def test_stdout_by_its_name_is_stdout(capfd):
    check_target(Path("/dev/stdout"))
    print("before", flush=True)
    write_whole(Path("/dev/stdout"), b"shown ", b"here\n")
    assert capfd.readouterr().out == "before\nshown here\n"


def test_a_pipe_is_written_through_stays_a_pipe_and_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    check_target(path)
    with pytest.raises(OSError, match="No such device or address"):
        write_whole(path, b"unheard")
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(path, b"heard")
    assert os.read(reading, 9) == b"heard"
    os.close(reading)
    assert stat.S_ISFIFO(path.stat().st_mode)


# ---- files that grow


def test_a_file_grows_by_whole_records_also_when_the_disk_is_full(small_disk):
    path, record = small_disk / "file", b"a record\n" * 300
    file = Growing(path)
    with pytest.raises(OSError, match="cannot be written") as error:
        any(file.add(record) for _ in range(100))
    says(error, path)
    whole = path.read_bytes()
    assert 0 < len(whole) < 1 << 16
    assert len(whole) % len(record) == 0
    with pytest.raises(OSError, match="cannot be written"):
        file.flush()
    file.close()
    assert path.read_bytes() == whole
    again = Growing(path)
    again.add(b"end")
    again.close()
    assert path.read_bytes() == whole + b"end"


# ---- words


def test_what_is_safe_is_added_to_an_error_which_stays_of_its_kind(tmp_path):
    with pytest.raises(FileNotFoundError, match="All games are kept") as error, add_to_errors(lambda: "all games are kept"):
        write_whole(tmp_path / "no" / "file", b"x")
    says(error, tmp_path / "no" / "file", "All games are kept")
    for folder, words in ((tmp_path, f"No space left on device: {tmp_path}. So"), (None, "No space left on device. So")):
        with pytest.raises(OSError, match=f"^{re.escape(words)}$"), add_to_errors(lambda: "so", folder):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_home_that_is_nobodys_is_a_sentence():
    assert path_of("~/x") == Path.home() / "x"
    assert path_of("./~/x") == path_of(path_of("./~/x"))
    assert path_of("a/~") == Path("a/~")
    for text in ("~nosuchuser/x", "~nosuchuser", "", "a\0b"):
        with pytest.raises(ValueError, match=r"\w") as error:
            path_of(text)
        says(error, repr(text)[1:-1])
    with pytest.raises(ValueError, match=r"too long for a path: it has 5,000 characters, of at most 4,096"):
        path_of("x" * 5000)


# ---- no other way

WRITE = """
write_text write_bytes mkdir touch rename symlink_to hardlink_to tofile savefig save_file to_csv to_parquet NamedTemporaryFile
SummaryWriter os.open os.replace os.rename os.makedirs os.link os.symlink os.truncate shutil.copy shutil.copyfile shutil.copytree
shutil.move np.save np.savez np.savez_compressed np.savetxt np.memmap torch.save json.dump pickle.dump tempfile.mkstemp
tempfile.mkdtemp sqlite3.connect logging.FileHandler
"""
"""Functions that write to a file or make one."""
ELSEWHERE = {
    ("core/files/reading.py", "os.open"): "it reads",
    ("core/native/cache.py", "mkdir"): "the cache's folders are checked level by level as they are made",
    ("core/native/wasm.py", "write_bytes"): "the linker's files, in a temporary folder",
    ("core/native/wasm.py", "write_text"): "the same",
    ("arena/store/schema.py", "sqlite3.connect"): "SQLite keeps its own file whole; a new one is made by making_whole",
    ("core/workers/worker.py", "write_text"): "it tells the system whom to end first when memory runs out",
    ("core/files/named_arrays.py", "open"): "to memory",
    ("arena/data/folder.py", "np.save"): "to memory",
    **dict.fromkeys(
        (("arena/student.py", way) for way in ("mkdir", "write_bytes", "os.open")),
        "in a folder that is gone with the student's process",
    ),
    ("baselines/runs/plots.py", "savefig"): "to memory",
    **dict.fromkeys(
        (("benchmarks/making/compiled_wheel.py", way) for way in ("mkdir", "shutil.copyfile", "write_text")),
        "the files of a wheel, in a folder that is gone when it is built",
    ),
    ("cli/errors.py", "os.open"): "/dev/null instead of a closed stream or one without a reader",
    ("cli/errors.py", "tempfile.mkstemp"): "a traceback, perhaps because imports fail",
    ("cli/errors.py", "open"): "the same",
}


def ways_to_write(tree):
    """The calls in a source that write to a file or make one."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        last = name.rpartition(".")[2]
        given = (word.value for word in (*call.args, *(word.value for word in call.keywords)) if isinstance(word, ast.Constant))
        modes = [word for word in given if isinstance(word, str) and re.fullmatch("[rwaxbt+]{1,3}", word)]
        opened = last in ("open", "fdopen") and any({*mode} & {*"wax+"} for mode in modes)
        moved = last == "replace" and "." in name and len(call.args) == 1 and not call.keywords
        if {name, last} & {*WRITE.split()} or opened or moved:
            yield name if name in WRITE.split() else last


def test_nothing_is_written_in_another_way():
    sources = [file for folder in (*LAYERS, "benchmarks") for file in (ROOT / folder).rglob("*.py")]
    found = {
        (file.relative_to(ROOT).as_posix(), name) for file in sources for name in ways_to_write(ast.parse(file.read_text("utf-8")))
    }
    assert {name for file, name in found if file == "core/files/writing.py"} >= {"os.open", "os.replace", "mkdir", "open"}
    assert {(file, name) for file, name in found if file != "core/files/writing.py"} == {*ELSEWHERE}
