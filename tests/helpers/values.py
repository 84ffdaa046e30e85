"""Whether values are the same, arrays and all that holds them."""

from gymnasium.utils.env_checker import data_equivalence


def same(one, other):
    """Whether two values, of arrays and all that holds them, are equal to the last bit and type."""
    return data_equivalence(one, other, exact=True)
