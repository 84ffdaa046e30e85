"""How likely a policy is to take each action: by the probabilities that it gives, or, if it gives none, frozen.

A frozen policy is queried with each position once, with a key that depends on the position and a seed, and takes that action
whenever the position comes up: it is one of the deterministic policies of which the policy is a mixture.

`AnswerFile` keeps what a policy answers in a file, so that an exact grade that was interrupted can go on.

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
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...core.errors import policy_errors
from ...core.files.reading import DIGEST_BYTES, digest, printable_path, read_regular
from ...core.files.writing import Growing
from ...games.game import Game, StateArray, Symmetries
from ...games.kernels import queries
from ...games.kernels.arrays import Keys, States
from ...games.kernels.keys import mix
from ...games.kernels.rules import load
from ...oracles.statespace.graph import Chooser
from ...search.transposition import hash_of
from ..matches.players import fault_of, validate_actions

TOLERANCE = 1e-6
"""How far the sum of probabilities may be from 1."""
REPEATED = 256
"""About how many positions the policy is asked about again."""
CHECKED = 64
"""How many positions of each batch are checked for symmetry."""


class AsymmetricError(ValueError):
    """A policy that declares itself symmetric does not play alike in symmetric positions."""


def probability_chooser(policy: Policy, symmetries: Symmetries | None = None) -> Chooser:
    """A chooser by the probabilities that a policy gives. With symmetries, under which it declares to play alike, a few positions
    of each batch are checked.

    The chooser raises NotImplementedError if the policy gives none, ValueError if they are invalid, and AsymmetricError if they are
    not alike in symmetric positions.
    """

    def choose(states: StateArray) -> NDArray[np.float64]:
        with failures_as_errors(policy):
            chances = np.array(policy.probabilities(states), np.float64)
        check_probabilities(policy, states, chances)
        if symmetries is not None:
            _check_alike(policy, states[:CHECKED], chances[:CHECKED], symmetries)
        return chances / chances.sum(1, keepdims=True)

    return choose


def check_probabilities(policy: Policy, states: StateArray, chances: NDArray[np.float64]) -> None:
    """Checks the probabilities (B, A) that a policy gives in some states (B, W); ValueError where they are invalid."""
    if not are_probabilities(policy.game, states, chances):
        raise ValueError(
            f"the policy {policy} gives invalid probabilities: there must be one number per action, 0 or more, 0 for illegal "
            "actions, and they must add up to 1"
        )


def are_probabilities(game: Game, states: StateArray, chances: NDArray[np.float64]) -> bool:
    """Whether these are probabilities (B, A) of legal actions in some states (B, W)."""
    legal = game.masks(states) != 0
    fits = chances.shape == legal.shape and bool((chances >= 0).all()) and not chances[~legal].any()
    return fits and bool((abs(chances.sum(axis=1) - 1) <= TOLERANCE).all())


def _check_alike(policy: Policy, states: StateArray, chances: NDArray[np.float64], symmetries: Symmetries) -> None:
    """Checks that the probabilities in images of positions are those of the images of the actions."""
    which = np.arange(len(states)) % len(symmetries.cells)
    images = np.empty_like(states)
    policy.game.kernel(queries.permuted_states)(np.ascontiguousarray(states), policy.game.start, which, *symmetries, images)
    with failures_as_errors(policy):
        turned = np.take_along_axis(policy.probabilities(images), symmetries.actions[which].astype(np.int64), axis=1)
    if abs(turned - chances).max(initial=0) > TOLERANCE:
        raise AsymmetricError(f"the policy {policy} does not play alike in symmetric positions")


def frozen_chooser(policy: Policy, seed: int) -> Chooser:
    """A chooser of one action for each position, by a key that depends on the position and the seed.

    The chooser raises ValueError if the action is not legal.
    """

    def choose(states: StateArray) -> NDArray[np.float64]:
        chances = np.zeros((len(states), policy.game.num_actions))
        chances[np.arange(len(states)), legal_actions(policy, states, keys_for(policy.game, states, seed))] = 1
        return chances

    return choose


def legal_actions(policy: Policy, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The actions of a policy (B,) in unfinished positions (B, W), by these keys (B,); ValueError if it fails, or one is not
    legal."""
    game = policy.game
    with failures_as_errors(policy):
        actions = validate_actions(policy.act(states, keys), len(states))
    inside = (actions >= 0) & (actions < game.num_actions)
    wrong = ~inside | (game.masks(states)[np.arange(len(states)), np.where(inside, actions, 0)] == 0)
    if wrong.any():
        row = int(wrong.argmax())
        answer, position = game.move_name(int(actions[row])), game.text(states[row])
        raise ValueError(f"the policy {policy} answers {position!r} with {answer}, which is not legal there")
    return actions


class RepeatingChooser:
    """A chooser that can ask its policy again, at the end, about some positions of each batch, in another order and other
    batches."""

    def __init__(self, ask: Chooser) -> None:
        self._ask = ask
        self._states, self._chances = list[StateArray](), list[NDArray[np.float64]]()

    def __call__(self, states: StateArray) -> NDArray[np.float64]:
        chances = self._ask(states)
        sample = slice(None, None, len(states) // REPEATED + 1)
        self._states.append(states[sample].copy())
        self._chances.append(chances[sample].copy())
        return chances

    def is_steady(self) -> bool:
        """Whether the policy gives the same answers when it is asked again."""
        if not self._states:
            return True
        states, chances = np.concatenate(self._states)[::-1], np.concatenate(self._chances)[::-1]
        sample = slice(None, None, len(states) // REPEATED + 1)
        return bool(abs(self._ask(states[sample].copy()) - chances[sample]).max(initial=0) <= TOLERANCE)


@contextmanager
def failures_as_errors(policy: Policy) -> Generator[None]:
    """Turns everything that a policy raises in this block, except NotImplementedError, into a ValueError."""
    try:
        yield
    except NotImplementedError:
        raise
    except policy_errors() as error:
        raise ValueError(f"the policy {policy} cannot be graded, since it failed: {fault_of(error).reason}") from error


def keys_for(game: Game, states: StateArray, seed: int) -> NDArray[np.uint64]:
    """Keys that depend on the positions and a seed (B,)."""
    keys = np.empty(len(states), np.uint64)
    game.kernel(keys_of)(np.ascontiguousarray(states), seed, keys)
    return keys


def keys_of(states: States, seed: np.uint64, keys: Keys) -> None:
    """A key for each position."""
    for i in range(states.shape[0]):
        keys[i] = mix(hash_of(load(states[i])) + mix(seed))


FORMAT = "ludus answers 1"
HEADER = Struct("<2I")
ACTIONS, PROBABILITIES = 0, 1
ADVICE = "name another file, or delete this one"


class AnswerFile:
    """A policy's answers in a file, which is made if it does not exist; ValueError where it is of another kind, or of another
    policy."""

    def __init__(self, path: Path, policy: Policy) -> None:
        self._path, self._policy = path, policy
        self._answers = dict[bytes, tuple[int, memoryview]]()
        first = json.dumps({"format": FORMAT, "game": policy.game.spec, "policy": str(policy)}).encode() + b"\n"
        try:
            content = memoryview(read_regular(path))
        except FileNotFoundError:
            content = memoryview(b"")
        if content and bytes(content[: len(first)]) != first:
            raise ValueError(f"{printable_path(path)} does not have the answers of {policy} in {policy.game}; {ADVICE}")
        whole = len(first) if content else 0
        for positions, kind, answers, end in _records(content, whole):
            self._answers[positions] = kind, answers
            whole = end
        self._file = Growing(path, whole)
        if not whole:
            self._file.add(first)

    def chooser(self, ask: Chooser, how: str) -> Chooser:
        """A chooser that asks the policy only where the file has no answer to a question asked `how`, and writes the answers to the
        file.

        It raises ValueError if the policy's answers are now others than those in the file: it asks again about the first position
        of each batch.
        """

        def choose(states: StateArray) -> NDArray[np.float64]:
            positions = digest(how.encode(), np.ascontiguousarray(states).data)
            if positions in self._answers:
                return self._check(states, self._read(len(states), *self._answers[positions]), ask)
            chances = ask(states)
            self._write(positions, chances)
            return chances

        return choose

    def close(self) -> None:
        """Ends writing."""
        self._file.close()

    @property
    def _action_type(self) -> type[np.uint8 | np.uint16]:
        return np.uint8 if self._policy.game.num_actions <= 256 else np.uint16

    def _read(self, rows: int, kind: int, answers: memoryview) -> NDArray[np.float64]:
        """The probabilities (B, A) in a record of `rows` positions."""
        chances = np.zeros((rows, self._policy.game.num_actions))
        try:
            if kind == PROBABILITIES:
                content = zlib.decompressobj().decompress(answers, chances.nbytes)
                return np.frombuffer(content, np.float64).reshape(chances.shape)
            chances[np.arange(rows), np.frombuffer(answers, self._action_type)] = 1
        except (ValueError, IndexError, zlib.error):
            raise ValueError(f"{printable_path(self._path)} is damaged; {ADVICE}") from None
        return chances

    def _check(self, states: StateArray, chances: NDArray[np.float64], ask: Chooser) -> NDArray[np.float64]:
        """Checks that probabilities from a file are legal, and the policy's answer in the first position; returns them."""
        if not are_probabilities(self._policy.game, states, chances):
            raise ValueError(f"{printable_path(self._path)} is damaged; {ADVICE}")
        if abs(ask(states[:1]) - chances[0]).max() > TOLERANCE:
            position = self._policy.game.text(states[0])
            raise ValueError(f"{self._policy} now answers {position!r} otherwise than {printable_path(self._path)} says; {ADVICE}")
        return chances

    def _write(self, positions: bytes, chances: NDArray[np.float64]) -> None:
        """Adds the answers to a batch, whole or not at all."""
        certain = bool((chances.max(axis=1) == 1).all())
        answers = chances.argmax(axis=1).astype(self._action_type).tobytes() if certain else zlib.compress(chances.tobytes(), 1)
        rest = positions + HEADER.pack(ACTIONS if certain else PROBABILITIES, len(answers)) + answers
        self._file.add(digest(rest) + rest)
        self._file.flush()


def _records(content: memoryview, start: int) -> Iterator[tuple[bytes, int, memoryview, int]]:
    """The whole records from a byte on: the checksum of the positions, the kind, the answers, and where the record ends."""
    before = 2 * DIGEST_BYTES + HEADER.size
    while start + before <= len(content):
        kind, length = HEADER.unpack(content[start + before - HEADER.size : start + before])
        end = start + before + length
        if end > len(content) or digest(content[start + DIGEST_BYTES : end]) != bytes(content[start : start + DIGEST_BYTES]):
            return
        yield bytes(content[start + DIGEST_BYTES : start + 2 * DIGEST_BYTES]), kind, content[start + before : end], end
        start = end
