"""Fixtures of the arena's tests."""

import cloudpickle
import pytest

from ..helpers.outside import faulty


@pytest.fixture(scope="session", autouse=True)
def _travelling():
    """Faulty policies go to other processes by value, because pytest's name for their module means nothing there."""
    cloudpickle.register_pickle_by_value(faulty)
    yield
    cloudpickle.unregister_pickle_by_value(faulty)
