"""What is damaged reads as before, or is refused in a sentence: a few hundred damages of each format.

`make fuzz` makes FUZZ_TIMES as many.
"""

import logging
import os

import pytest

from ..helpers.training.pictures import no_pictures
from .formats import FORMATS
from .trial import OTHER, REFUSED, many


@pytest.mark.parametrize("format_", FORMATS, ids=[format_.name for format_ in FORMATS])
def test_damage_is_refused_in_a_sentence_or_means_nothing(format_, tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.CRITICAL, logger="ludus")
    no_pictures(monkeypatch)
    trials = format_.quick * int(os.environ.get("FUZZ_TIMES", "1"))
    counts, found = many(format_, tmp_path, range(trials))
    assert not found, "\n".join(found[:10])
    assert counts[REFUSED] >= trials // 10
    assert sum(counts.values()) == trials
    assert not (format_.sealed and counts[OTHER])
