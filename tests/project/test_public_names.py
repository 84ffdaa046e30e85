"""Public names do not change by accident: ids, specs, settings, options, JSON fields, and attributes of public modules."""

import json

import pytest

from ..helpers import public_names

KEPT = json.loads(public_names.KEPT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found() -> dict[str, object]:
    return json.loads(json.dumps(public_names.collected()))


@pytest.mark.parametrize("kind", KEPT)
def test_public_names_are_the_recorded_ones(kind: str, found: dict[str, object]):
    assert found[kind] == KEPT[kind], "if this is meant: python -m tests.helpers.public_names, and a line in the changelog"


def test_every_kind_of_name_is_looked_at(found: dict[str, object]):
    assert found.keys() == KEPT.keys()
