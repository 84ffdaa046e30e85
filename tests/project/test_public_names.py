"""What others build on stays: ids, specs, settings, options, fields of JSON, and what the public modules offer."""

import json

import pytest

from ..helpers import public_names

KEPT = json.loads(public_names.KEPT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found() -> dict[str, object]:
    return json.loads(json.dumps(public_names.collected()))


@pytest.mark.parametrize("kind", KEPT)
def test_public_names_are_those_that_were_written_down(kind: str, found: dict[str, object]):
    assert found[kind] == KEPT[kind], "if this is meant: python -m tests.helpers.public_names, and a line in the changelog"


def test_every_kind_of_name_is_looked_at(found: dict[str, object]):
    assert found.keys() == KEPT.keys()
