"""`KeptAnswers`: what a policy answers in many positions, kept in a file, so that an exact grade that was interrupted can go on.

The file begins with a line of JSON that names the game and the policy. Then come records, one for each batch of positions:

    checksum     of the rest of the record (16 bytes)
    positions    the checksum of the positions, and of how they were asked (16 bytes)
    header       0 for actions, 1 for probabilities; and the length of what follows (2 uint32)
    answers      an action for each position, a byte each (two in games of more than 256 actions); or the probability of each
                 action, float64 (B, A), compressed by zlib

A record that is not whole ends the file: it and what follows are asked again. Nothing in the file is code.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...core.files.reading import DIGEST_BYTES, digest, printable_path, read_regular
from ...core.files.writing import Growing
from ...games.game import StateArray
from ...oracles.statespace.graph import Chooser

FORMAT = "ludus answers 1"
HEADER = Struct("<2I")
ACTIONS, PROBABILITIES = 0, 1
TOLERANCE = 1e-6
ADVICE = "name another file, or delete this one"


class KeptAnswers:
    """A policy's answers in a file.

    Args:
        path: the file; it is made if there is none.
        policy: whose answers they are.

    Raises:
        ValueError: the file is no such file, or has the answers of another policy.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, policy: Policy) -> None:
        self._path, self._policy = path, policy
        self._found = dict[bytes, tuple[int, memoryview]]()
        first = self._first_line()
        try:
            content = memoryview(read_regular(path))
        except FileNotFoundError:
            content = memoryview(b"")
        if content and bytes(content[: len(first)]) != first:
            raise ValueError(f"{printable_path(path)} does not have the answers of {policy} in {policy.game}; {ADVICE}")
        whole = len(first) if content else 0
        for positions, kind, answers, end in _records(content, whole):
            self._found[positions] = kind, answers
            whole = end
        self._file = Growing(path, whole)
        if not whole:
            self._file.add(first)

    def choosing(self, ask: Chooser, how: str) -> Chooser:
        """A chooser that asks only where the file has no answer, and keeps what it is answered.

        Args:
            ask: asks the policy.
            how: how the policy is asked; answers to other questions are not taken for it.

        The chooser raises ValueError if the policy now answers otherwise than the file says: the first position of each batch is
        asked again.
        """

        def choose(states: StateArray) -> NDArray[np.float64]:
            positions = digest(how.encode(), np.ascontiguousarray(states).data)
            if positions in self._found:
                return self._checked(states, self._read(len(states), *self._found[positions]), ask)
            chances = ask(states)
            self._keep(positions, chances)
            return chances

        return choose

    def close(self) -> None:
        """Ends writing."""
        self._file.close()

    def _first_line(self) -> bytes:
        about = {"format": FORMAT, "game": self._policy.game.spec, "policy": str(self._policy)}
        return json.dumps(about).encode() + b"\n"

    @property
    def _action_type(self) -> type[np.uint8 | np.uint16]:
        return np.uint8 if self._policy.game.num_actions <= 256 else np.uint16

    def _read(self, rows: int, kind: int, answers: memoryview) -> NDArray[np.float64]:
        """The probabilities (B, A) in a record of so many positions."""
        chances = np.zeros((rows, self._policy.game.num_actions))
        try:
            if kind == PROBABILITIES:
                content = zlib.decompressobj().decompress(answers, chances.nbytes)
                return np.frombuffer(content, np.float64).reshape(chances.shape)
            chances[np.arange(rows), np.frombuffer(answers, self._action_type)] = 1
        except (ValueError, IndexError, zlib.error):
            raise ValueError(f"{printable_path(self._path)} is damaged; {ADVICE}") from None
        return chances

    def _checked(self, states: StateArray, chances: NDArray[np.float64], ask: Chooser) -> NDArray[np.float64]:
        """Probabilities from the file, checked to be legal, and to be what the policy answers in the first position."""
        legal = self._policy.game.masks(states) != 0
        fine = chances.shape == legal.shape and (chances >= 0).all() and not chances[~legal].any()
        if not fine or abs(chances.sum(axis=1) - 1).max() > TOLERANCE:
            raise ValueError(f"{printable_path(self._path)} is damaged; {ADVICE}")
        if abs(ask(states[:1]) - chances[0]).max() > TOLERANCE:
            position = self._policy.game.text(states[0])
            raise ValueError(f"{self._policy} now answers {position!r} otherwise than {printable_path(self._path)} says; {ADVICE}")
        return chances

    def _keep(self, positions: bytes, chances: NDArray[np.float64]) -> None:
        """Adds the answers to a batch, whole or not at all."""
        certain = bool((chances.max(axis=1) == 1).all())
        answers = chances.argmax(axis=1).astype(self._action_type).tobytes() if certain else zlib.compress(chances.tobytes(), 1)
        rest = positions + HEADER.pack(ACTIONS if certain else PROBABILITIES, len(answers)) + answers
        self._file.add(digest(rest) + rest)
        self._file.flush()


def _records(content: memoryview, place: int) -> Iterator[tuple[bytes, int, memoryview, int]]:
    """The whole records from a place on: the checksum of the positions, the kind, the answers, and where the record ends."""
    before = 2 * DIGEST_BYTES + HEADER.size
    while place + before <= len(content):
        kind, length = HEADER.unpack(content[place + before - HEADER.size : place + before])
        end = place + before + length
        if end > len(content) or digest(content[place + DIGEST_BYTES : end]) != bytes(content[place : place + DIGEST_BYTES]):
            return
        yield bytes(content[place + DIGEST_BYTES : place + 2 * DIGEST_BYTES]), kind, content[place + before : end], end
        place = end
