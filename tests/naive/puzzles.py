"""Puzzles worked out slowly: covers by trying every set on every covered part, values of strings by the words of the rule,
portfolios by trying every choice of stocks and every pair to carry the rest."""

from itertools import combinations


def cheapest_cover(member, costs):
    """The cost of the cheapest cover, by the least cost of each part of the items that can be covered."""
    everything = frozenset(range(len(member[0])))
    least = {frozenset(): 0.0}
    for row, cost in zip(member, costs, strict=True):
        held = frozenset(item for item, inside in enumerate(row) if inside)
        for covered, paid in list(least.items()):
            more = covered | held
            least[more] = min(least.get(more, float("inf")), paid + cost)
    return least[everything]


def value(bits, order):
    """What a string of ones and zeros is worth."""
    counts = sorted((sum(bits[first::order]) for first in range(order)), reverse=True)
    leading = [count for count in counts if count == counts[0]]
    behind = [count for count in counts if count < counts[0]]
    return (sum(leading) - sum(count * 0.1 ** (place + 1) for place, count in enumerate(behind))) / len(bits)


def best_return(risk, earned, held, smallest, most_risk):
    """The highest return within the risk: whoever is held gets the smallest weight, and the rest goes to one stock, or to two so
    that the risk is just what it may be. None if no choice keeps the rules."""
    stocks, rest, best = range(len(risk)), 1 - held * smallest, None
    for chosen in combinations(stocks, held):
        base_risk = smallest * sum(risk[i] for i in chosen)
        base = smallest * sum(earned[i] for i in chosen)
        for one in stocks:
            for other in stocks:
                lean, rich = base_risk + rest * risk[one], base_risk + rest * risk[other]
                if lean > most_risk + 1e-12:
                    continue
                share = 1.0 if rich <= most_risk else (most_risk - lean) / (rich - lean)
                found = base + rest * ((1 - share) * earned[one] + share * earned[other])
                best = found if best is None else max(best, found)
    return best


def normalised(weights):
    """Weights with what is below their sum by ten times their number made 0, and divided by the sum of the rest."""
    kept = [0.0 if weight < sum(weights) / (10 * len(weights)) else weight for weight in weights]
    return [weight / sum(kept) for weight in kept]


def fitness(weights, risk, earned, most_risk):
    """What a portfolio is selected by."""
    each = zip(weights, risk, earned, strict=True)
    return max(0, sum(c * (gain - danger - 5 * max(danger - most_risk, 0)) for c, danger, gain in each))
