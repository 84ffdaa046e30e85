"""A tournament for tests of its page, with a policy that wishes the page ill."""

from ludus.arena import Tournament, tournament

EVIL = "<script>alert('name')</script>\"&"
REASON = "<img src=x onerror=alert('reason')>"


def evil(observations, masks):
    """A policy with a nasty name that now and then raises an error with a nasty message."""
    if observations.sum() % 5 == 0:
        raise ValueError(REASON)
    return masks.argmax(1)


evil.__name__ = EVIL


def contest_in(*games: str) -> Tournament:
    """A few games of two policies and the evil one."""
    return tournament(games, ["random", "greedy", evil], 8, seed=3, faults="count")
