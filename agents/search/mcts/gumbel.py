"""Choosing by Gumbel: how a guided search with few simulations still improves on the priors it was given.

At the root as many actions as are `considered` are drawn without repeating one: those with the highest g + ln P, where g are
draws from Gumbel's distribution (none: the likeliest ones). Sequential halving shares the simulations out: every action in
the race gets as many, then the better half goes on. Below the root the visits follow the improved policy,

    π′ = softmax(ln P + σ(q)),   σ(q) = scale · (visits + most visits of a child) · q   with q brought to 0 … 1,

in which a child without visits has the value v = (SAID + N · q̄) / (1 + N): what the net said of the position itself, and the
mean q̄ of the visited children, weighed by their priors; a proven child counts as visited. π′ is what the net is to be taught;
the action to play is the one with the highest g + ln π′ among the most tried. A child that is proven lost counts as though it
were no legal one.

Source: Danihelka, Guez, Schrittwieser, Silver: Policy improvement by planning with Gumbel, ICLR 2022; q is brought to 0 … 1
between the least and the greatest of a node, as in the authors' mctx.
"""

from __future__ import annotations

from math import exp, log

from ....envs.kernels.arrays import Numbers, Rewards
from ....envs.kernels.rules import State, play
from .tree import (
    ACTION,
    CONSIDERED,
    COUNT,
    FIRST,
    FIRST_OF_ALL,
    KNOWN,
    LAST_OF_ALL,
    LEAF,
    MEAN,
    PRIOR,
    ROOT,
    SAID,
    UNKNOWN,
    VALUE_SCALE,
    VALUE_VISITS,
    VISITS,
    WIDTH,
    Nodes,
    Values,
)

SMALLEST_PRIOR = 1e-30
SMALLEST_RANGE = 1e-8


def level(simulation: int, simulations: int, considered: int) -> int:
    """How often an action has been tried that is next in the race, by sequential halving: so many simulations are done."""
    halvings = 0
    while 1 << halvings < considered:
        halvings += 1
    tries, racing = 0, considered
    while halvings > 0:
        more = max(1, simulations // (halvings * racing))
        if simulation < more * racing:
            return tries + simulation // racing
        simulation -= more * racing
        tries += more
        racing = max(2, racing >> 1)
    return simulation


def descend_by_gumbel(nodes: Nodes, values: Values, state: State, luck: Rewards, before: Numbers, simulation: int,
                      simulations: int, numbers: Rewards) -> tuple[int, State]:  # fmt: skip
    """From the root to a leaf or a proven node; and the state there.

    Args:
        luck: what was drawn for each action (A,).
        before: visits of the root's children when the search began, by action (A,).
        simulation: how many simulations are done or under way, of
        simulations: how many there will be.
    """
    node = ROOT
    while nodes[node, KNOWN] == UNKNOWN and nodes[node, FIRST] > LEAF:
        improve(nodes, values, node, numbers)
        if node == ROOT:
            considered = min(int(numbers[CONSIDERED]), nodes[ROOT, COUNT])
            node = racer(nodes, values, luck, before, level(simulation, simulations, considered))
        else:
            node = most_wanting(nodes, values, node)
        state = play(state, nodes[node, ACTION])
    return node, state


def improve(nodes: Nodes, values: Values, node: int, numbers: Rewards) -> None:
    """Writes the improved policy of a node at its children's WIDTH; 0 where a child is proven lost."""
    first, after = nodes[node, FIRST], nodes[node, FIRST] + nodes[node, COUNT]
    guess, most, low, high = survey(nodes, values, node)
    range_ = max(high - low, SMALLEST_RANGE)
    scale = numbers[VALUE_SCALE] * (numbers[VALUE_VISITS] + most)
    total = 0.0
    for child in range(first, after):
        share = 0.0
        if values[child, MEAN] > LAST_OF_ALL:
            worth = guess if nodes[child, VISITS] == 0 and nodes[child, KNOWN] == UNKNOWN else values[child, MEAN]
            share = max(values[child, PRIOR], SMALLEST_PRIOR) * exp(scale * (worth - high) / range_)
        values[child, WIDTH] = share
        total += share
    if total > 0.0:
        for child in range(first, after):
            values[child, WIDTH] /= total


def survey(nodes: Nodes, values: Values, node: int) -> tuple[float, int, float, float]:
    """Of a node's children, without those proven lost: the value of one without visits, the most visits, the least and the
    greatest value."""
    visits, most, mass, weighed, low, high = 0, 0, 0.0, 0.0, FIRST_OF_ALL, LAST_OF_ALL
    unvisited = False
    for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, COUNT]):
        worth = values[child, MEAN]
        if nodes[child, VISITS] == 0 and nodes[child, KNOWN] == UNKNOWN:
            unvisited = True
        elif worth > LAST_OF_ALL:
            prior = max(values[child, PRIOR], SMALLEST_PRIOR)
            visits += nodes[child, VISITS]
            most = max(most, nodes[child, VISITS])
            mass += prior
            weighed += prior * worth
            low, high = min(low, worth), max(high, worth)
    guess = (values[node, SAID] + visits * weighed / mass) / (1 + visits) if visits > 0 else values[node, SAID]
    if unvisited:
        low, high = min(low, guess), max(high, guess)
    return guess, most, low, high


def racer(nodes: Nodes, values: Values, luck: Rewards, before: Numbers, wanted: int) -> int:
    """The root's child to try next: the best that was tried as often as `wanted`; where proofs left none, the best of all."""
    best, racing, highest = ROOT, False, LAST_OF_ALL
    for child in range(nodes[ROOT, FIRST], nodes[ROOT, FIRST] + nodes[ROOT, COUNT]):
        if values[child, MEAN] > LAST_OF_ALL:
            action = nodes[child, ACTION]
            claim = luck[action] + log(values[child, WIDTH])
            races = nodes[child, VISITS] - before[action] == wanted
            if best == ROOT or (races and not racing) or (races == racing and claim > highest):
                best, racing, highest = child, races, claim
    return best


def most_wanting(nodes: Nodes, values: Values, node: int) -> int:
    """The child that lacks most to its share of the visits in the improved policy, the first of several."""
    first, after = nodes[node, FIRST], nodes[node, FIRST] + nodes[node, COUNT]
    visits = 1
    for child in range(first, after):
        if values[child, MEAN] > LAST_OF_ALL:
            visits += nodes[child, VISITS]
    best, highest = first, LAST_OF_ALL
    for child in range(first, after):
        if values[child, MEAN] > LAST_OF_ALL:
            claim = values[child, WIDTH] - nodes[child, VISITS] / visits
            if claim > highest:
                best, highest = child, claim
    return best
