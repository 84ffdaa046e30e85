"""Public names do not change by accident: ids, specs, settings, options, fields of JSON, and what public modules offer."""

from ..helpers.public_names import FILE, public_names


def test_public_names_are_those_of_the_list():
    names, listed = public_names(), FILE.read_text(encoding="utf-8").splitlines()
    gone, new = sorted({*listed} - {*names}), sorted({*names} - {*listed})
    assert (gone, new) == ([], []), "if this is meant: python -m tests.helpers.public_names, and a line in the changelog"
    assert names == listed
