"""Documents: what fits its type is read, and everything else is a sentence with the file, the field and what to do."""

import os
from typing import Annotated, Literal

import msgspec
import pytest

from ludus.core.files.documents import parse_document, read_document
from ludus.core.files.reading import read_regular

from ..helpers.sentences import says


class Move(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    ply: Annotated[int, msgspec.Meta(ge=0)] = 0


class Saved(msgspec.Struct, forbid_unknown_fields=True):
    kind: Literal["game", "position"]
    moves: list[Move] = []
    rates: dict[str, float] = {}
    seat: int | None = None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "Expected `object`, got `array`"),
        ("{}", "missing required field `kind`"),
        ('{"kind": "game", "moves": [{"name": "a"}, {"name": 7}]}', "Expected `str`, got `int` - at `$.moves[1].name`"),
        ('{"kind": "game", "moves": [{"name": "a", "ply": -1}]}', "Expected `int` >= 0 - at `$.moves[0].ply`"),
        ('{"kind": "game", "moves": [{"nam": "a"}]}', "unknown field `nam` - at `$.moves[0]`"),
        ('{"kind": "game", "rates": {"a": NaN}}', "byte 32"),
        ('{"kind": "game", "rates": {"a": 9e999}}', "out of range"),
        ('{"kind": "game", "seat": ' + "9" * 5000 + "}", "out of range"),
        ('{"kind": "game"', "truncated"),
        (b'{"\xff": 1}', "byte 0xff in position 2"),
        ("[" * 100_000, "nested too deeply"),
        ('{"kind": "' + "long" * 1000 + '"}', "…"),
    ],
)
def test_damage_is_a_sentence_with_the_field(text, words):
    with pytest.raises(ValueError, match="damaged") as error:
        parse_document(text, Saved, "here.json", "write it anew")
    says(error, "here.json is damaged", "write it anew", words)
    assert len(str(error.value)) < 250


def test_what_cannot_be_read_is_named(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    os.symlink("loop", tmp_path / "loop")
    places = {tmp_path: "a folder", tmp_path / "fifo": "a FIFO", "/dev/zero": "a device", tmp_path / "loop": "cannot be read"}
    for path, words in (places | {tmp_path / "none.json": "there is no file"}).items():
        with pytest.raises(OSError, match=r"\w") as error:
            read_regular(path)
        says(error, path, words)
    for path, words in (("two\nlines", "two\\nlines"), ("a\0b", "null byte")):
        with pytest.raises(OSError, match=r"\w") as error:
            read_regular(path)
        says(error, words)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match="bytes") as error:
        read_document(tmp_path / "huge.json", Saved, "write it anew")
    says(error, tmp_path / "huge.json", "1,099,511,627,776", "67,108,864")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_document_is_read_in_the_encodings_that_windows_writes(encoding):
    text = '{"kind": "game", "moves": [{"name": "é"}], "seat": 18446744073709551615}'
    assert parse_document(text.encode(encoding), Saved, "x.json", "write it again") == Saved("game", [Move("é")], seat=2**64 - 1)
