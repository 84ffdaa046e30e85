"""Selection as in Gumbel AlphaZero, so that few simulations already improve on the priors.

At the root, `considered` actions are sampled without replacement: those with the highest g + ln P, where the g are draws from the
Gumbel distribution (without draws: the actions with the highest priors). Sequential halving shares the simulations out: all
remaining candidates get equally many, then the better half stays. Below the root the visits follow the improved policy,

    π′ = softmax(ln P + σ(q)),   σ(q) = scale · (visits + most visits of a child) · q   with q scaled to 0 … 1,

in which a child without visits has the mixed value v = (RAW_VALUE + N · q̄) / (1 + N): the network's value of the position
itself, and the mean q̄ of the visited children, weighted by their priors; a proven child counts as visited. π′ is the target
for the network; the action to play is the one with the highest g + ln π′ among the most visited. A child that is proven lost
counts as if it were illegal.

Source: Danihelka, Guez, Schrittwieser, Silver: Policy improvement by planning with Gumbel, ICLR 2022; q is scaled between the
lowest and the highest of a node, as in the authors' mctx.
"""

from __future__ import annotations

from math import exp, log

from ...games.kernels.arrays import Numbers, Rewards
from ...games.kernels.rules import State, play
from .forest import ActionValues, BatchSettings
from .tree import HIGHEST, LEAF, LOWEST, ROOT, UNKNOWN, Counter, Node, Nodes, Setting, Trees, Value, Values, children

SMALLEST_PRIOR = 1e-30
"""Above 0, so that its logarithm is finite: a prior of 0 would rule an action out for ever."""
SMALLEST_RANGE = 1e-8
"""Above 0, so that values can be divided by their range where all are equal."""


def select_leaf_by_gumbel(row: int, state: State, settings: BatchSettings, trees: Trees) -> tuple[int, State]:
    """Selects from the root of a tree, in `state`, down to a leaf or a proven node; returns that node and its state."""
    nodes, values, numbers, counters = trees.nodes[row], trees.values[row], settings.numbers, trees.counters[row]
    node = ROOT
    while nodes[node, Node.PROOF] == UNKNOWN and nodes[node, Node.FIRST] > LEAF:
        write_improved_policy(nodes, values, node, numbers)
        if node == ROOT:
            considered = min(int(numbers[Setting.CONSIDERED]), nodes[ROOT, Node.COUNT])
            begun = counters[Counter.DONE] + counters[Counter.NUM_PENDING]
            visits = considered_visits(begun, settings.simulations, considered)
            node = root_candidate(nodes, values, settings.noise[row], settings.visits_before[row], visits)
        else:
            node = select_interior_child(nodes, values, node)
        state = play(state, nodes[node, Node.ACTION])
    return node, state


def considered_visits(simulation: int, simulations: int, considered: int) -> int:
    """How many visits the candidate that is next by sequential halving has, after a number of simulations."""
    halvings = 0
    while 1 << halvings < considered:
        halvings += 1
    tries, candidates = 0, considered
    while halvings > 0:
        more = max(1, simulations // (halvings * candidates))
        if simulation < more * candidates:
            return tries + simulation // candidates
        simulation -= more * candidates
        tries += more
        candidates = max(2, candidates >> 1)
    return simulation


def root_candidate(nodes: Nodes, values: Values, noise: Rewards, visits_before: Numbers, visits: int) -> int:
    """The root's child to visit next: the best of those with this many visits; if proofs left no such child, the best of all."""
    best, best_is_candidate, highest = ROOT, False, LOWEST
    for child in range(nodes[ROOT, Node.FIRST], nodes[ROOT, Node.FIRST] + nodes[ROOT, Node.COUNT]):
        if values[child, Value.MEAN] > LOWEST:
            action = nodes[child, Node.ACTION]
            score = noise[action] + log(values[child, Value.BONUS])
            is_candidate = nodes[child, Node.VISITS] - visits_before[action] == visits
            if best == ROOT or (is_candidate and not best_is_candidate) or (is_candidate == best_is_candidate and score > highest):
                best, best_is_candidate, highest = child, is_candidate, score
    return best


def write_improved_policy(nodes: Nodes, values: Values, node: int, numbers: Rewards) -> None:
    """Writes the improved policy of a node as the BONUS of its children; 0 where a child is proven lost."""
    start, stop = children(nodes, node)
    mixed_value, max_visits, low, high = child_statistics(nodes, values, node)
    range_ = max(high - low, SMALLEST_RANGE)
    scale = numbers[Setting.VALUE_SCALE] * (numbers[Setting.VALUE_VISITS] + max_visits)
    total = 0.0
    for child in range(start, stop):
        share = 0.0
        if values[child, Value.MEAN] > LOWEST:
            unvisited = nodes[child, Node.VISITS] == 0 and nodes[child, Node.PROOF] == UNKNOWN
            worth = mixed_value if unvisited else values[child, Value.MEAN]
            share = max(values[child, Value.PRIOR], SMALLEST_PRIOR) * exp(scale * (worth - high) / range_)
        values[child, Value.BONUS] = share
        total += share
    if total > 0.0:
        for child in range(start, stop):
            values[child, Value.BONUS] /= total


def child_statistics(nodes: Nodes, values: Values, node: int) -> tuple[float, int, float, float]:
    """Of a node's children, without those proven lost: the mixed value of one without visits, the most visits, the lowest and
    the highest value."""
    visits, max_visits, mass, weighed, low, high = 0, 0, 0.0, 0.0, HIGHEST, LOWEST
    unvisited = False
    for child in range(nodes[node, Node.FIRST], nodes[node, Node.FIRST] + nodes[node, Node.COUNT]):
        worth = values[child, Value.MEAN]
        if nodes[child, Node.VISITS] == 0 and nodes[child, Node.PROOF] == UNKNOWN:
            unvisited = True
        elif worth > LOWEST:
            prior = max(values[child, Value.PRIOR], SMALLEST_PRIOR)
            visits += nodes[child, Node.VISITS]
            max_visits = max(max_visits, nodes[child, Node.VISITS])
            mass += prior
            weighed += prior * worth
            low, high = min(low, worth), max(high, worth)
    raw_value = values[node, Value.RAW_VALUE]
    mixed_value = (raw_value + visits * weighed / mass) / (1 + visits) if visits > 0 else raw_value
    if unvisited:
        low, high = min(low, mixed_value), max(high, mixed_value)
    return mixed_value, max_visits, low, high


def select_interior_child(nodes: Nodes, values: Values, node: int) -> int:
    """The child whose share of the visits lies furthest below the improved policy, the first if several are equal."""
    start, stop = children(nodes, node)
    visits = 1
    for child in range(start, stop):
        if values[child, Value.MEAN] > LOWEST:
            visits += nodes[child, Node.VISITS]
    best, highest = start, LOWEST
    for child in range(start, stop):
        if values[child, Value.MEAN] > LOWEST:
            score = values[child, Value.BONUS] - nodes[child, Node.VISITS] / visits
            if score > highest:
                best, highest = child, score
    return best


def read_gumbel_results(settings: BatchSettings, trees: Trees, actions: Numbers, policy: ActionValues) -> None:
    """Writes the action to play in each tree whose root is not proven, and its improved policy, where the formula is GUMBEL."""
    for row in range(trees.nodes.shape[0]):
        nodes, values, visits_before = trees.nodes[row], trees.values[row], settings.visits_before[row]
        start, stop = children(nodes, ROOT)
        if nodes[ROOT, Node.PROOF] == UNKNOWN and start > LEAF:
            write_improved_policy(nodes, values, ROOT, settings.numbers)
            most = 0
            for child in range(start, stop):
                action = nodes[child, Node.ACTION]
                policy[row, action] = values[child, Value.BONUS]
                if nodes[child, Node.PROOF] != -1:
                    most = max(most, nodes[child, Node.VISITS] - visits_before[action])
            actions[row] = nodes[root_candidate(nodes, values, settings.noise[row], visits_before, most), Node.ACTION]
