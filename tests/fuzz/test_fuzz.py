"""What is damaged reads as before, or is refused in a sentence: a few hundred damages of each format.

`make fuzz` makes FUZZ_TIMES as many.
"""

import logging
import os
import random
import warnings
from collections import Counter

import pytest

from ..helpers.training.pictures import no_pictures
from .formats import FORMATS


@pytest.mark.parametrize("format_", FORMATS, ids=[format_.name for format_ in FORMATS])
def test_damage_is_refused_in_a_sentence_or_means_nothing(format_, tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.CRITICAL, logger="ludus")
    no_pictures(monkeypatch)
    path, counts = format_.make(tmp_path), Counter()
    sound, value = path.read_bytes(), repr(format_.read(path))
    trials = format_.quick * int(os.environ.get("FUZZ_TIMES", "1"))
    for seed in range(trials):
        print(format_.name, seed)  # pytest shows the last one where the test fails
        path.write_bytes(sound)
        format_.damage(path, random.Random(f"{format_.name} {seed}"))
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always", UserWarning)  # what is passed over is said
            try:
                counts["same" if repr(format_.read(path)) == value else "another"] += 1
            except (ValueError, OSError) as error:
                counts["refused"] += 1
                assert_sentence(error)
        for note in notes:
            assert_sentence(note.message)
    assert counts["refused"] >= trials // 10
    assert not (format_.sealed and counts["another"])


def assert_sentence(said):
    assert len(str(said).split()) >= 4, said
    assert not str(said).startswith("[Errno") or type(said) is not OSError, said
    assert "\n" not in str(said), said
