"""`ludus web`: the port that it takes, and what it says."""

import json
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from ludus.cli.commands.web import PORT, listening_socket


def test_it_serves_until_it_is_interrupted_and_says_where():
    command = [sys.executable, "-m", "ludus.cli", "web", "--no-open", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = json.loads("".join(server.stdout.readline() for _ in range(3)))["address"]
            with urllib.request.urlopen(address) as page:
                assert b"<title>Ludus</title>" in page.read()
            server.send_signal(signal.SIGINT)
            _, complaints = server.communicate(timeout=600)
        finally:
            server.kill()
    assert complaints in ("", "ludus: interrupted\n")


def test_the_next_free_port_is_taken_unless_one_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        number = taken.getsockname()[1]
        with pytest.raises(OSError, match=rf"cannot listen at 127.0.0.1:{number} .* choose another --port or --host"):
            listening_socket("127.0.0.1", number)
    with listening_socket("127.0.0.1", None) as first, listening_socket("127.0.0.1", None) as second:
        assert first.getsockname()[1] >= PORT
        assert second.getsockname()[1] != first.getsockname()[1]
