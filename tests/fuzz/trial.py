"""One trial: a format, damaged by a seed, is read; and the count of what came of many."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAME, OTHER, REFUSED = "same", "another", "refused"


@dataclass(frozen=True)
class Format:
    """A kind of file or text.

    Args:
        name: what it is, in words.
        make: makes a sound one in an empty folder, and gives what `damage` and `read` take.
        damage: damages it in place, or gives a damaged one, by random numbers.
        read: reads it as ludus does: what it holds, in values that can be compared.
        sealed: whether it has a checksum, so that it never reads as another one.
        quick: how many trials the tests make.
    """

    name: str
    make: Callable[[Path], Any]
    damage: Callable[[Any, random.Random], Any]
    read: Callable[[Any], Any]
    sealed: bool
    quick: int


class Found(AssertionError):
    """Damage that is not answered as it must be."""


def attempt(format_: Format, sound: Any, value: Any, seed: int) -> str:
    """What comes of one trial: SAME, OTHER or REFUSED.

    Args:
        format_: the format.
        sound: what `make` gave.
        value: what `read` gives of it.
        seed: of the damage.

    Raises:
        Found: an error that is not a sentence, or a sealed file that reads as another one.
    """
    draw = random.Random(f"{format_.name} {seed}")
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", UserWarning)  # what is passed over is said
        try:
            found = format_.read(format_.damage(sound, draw))
        except (ValueError, OSError) as error:
            if not _is_sentence(error):
                what = f"{type(error).__name__} says {str(error)!r}"
                raise Found(f"{format_.name}, seed {seed}: {what}, which is not a sentence") from error
            return REFUSED
        except BaseException as error:
            raise Found(f"{format_.name}, seed {seed}: {type(error).__name__}: {error}") from error
    for note in notes:
        if not _is_sentence(note.message):
            raise Found(f"{format_.name}, seed {seed}: a warning says {str(note.message)!r}, which is not a sentence")
    if repr(found) == repr(value):
        return SAME
    if format_.sealed:
        raise Found(f"{format_.name}, seed {seed}: it reads as another one")
    return OTHER


def _is_sentence(said: Warning | str | Exception) -> bool:
    words = str(said)
    return "\n" not in words and len(words.split()) >= 4 and not (type(said) is OSError and words.startswith("[Errno"))


def many(format_: Format, folder: Path, seeds: range, going: Callable[[], bool] = lambda: True) -> tuple[Counter[str], list[str]]:
    """What came of many trials, by kind; and what was found in them.

    Args:
        format_: the format.
        folder: where to work; it is empty.
        seeds: of the damages.
        going: whether to go on.
    """
    sound, counts, found = format_.make(folder), Counter[str](), list[str]()
    value = format_.read(sound)
    for seed in seeds:
        if not going():
            break
        try:
            counts[attempt(format_, sound, value, seed)] += 1
        except Found as error:
            found.append(str(error))
    return counts, found
