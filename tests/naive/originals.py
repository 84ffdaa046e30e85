"""The solvers of the projects that the puzzles come from, written slowly from their descriptions, on plain lists."""

from .puzzles import value


def local_child(parents, draw):
    """A child of an evolutionary local search: a parent's genes shuffled, one flipped, and some taken from a second parent."""
    first, second = parents
    child = list(first)
    draw.shuffle(child)
    place = draw.randrange(len(child))
    child[place] = 1 - child[place]
    for place in draw.sample(range(len(child)), draw.randint(1, len(child))):
        child[place] = second[place]
    return child


def local_search(bits, order, population, offspring, tournament, generations, draw):
    """How many strings an evolutionary local search asks about until one is worth 1, and what the best is worth."""
    calls, strings = 0, []
    for _ in range(population):
        string = [draw.randint(0, 1) for _ in range(bits)]
        strings.append((value(string, order), string))
        calls += 1
    strings.sort(reverse=True)
    for _ in range(generations):
        children = []
        for _ in range(offspring):
            parents = [max(draw.choice(strings) for _ in range(tournament))[1] for _ in range(2)]
            child = local_child(parents, draw)
            worth = value(child, order)
            calls += 1
            if worth >= 1:
                return calls, worth
            children.append((worth, child))
        strings = sorted(strings + children, reverse=True)[:population]
    return calls, strings[0][0]


def normalised(weights):
    """Weights with what is below their sum by ten times their number made 0, and divided by the sum of the rest."""
    kept = [0.0 if weight < sum(weights) / (10 * len(weights)) else weight for weight in weights]
    return [weight / sum(kept) for weight in kept]


def fitness(weights, risk, earned, most_risk):
    """What a portfolio is selected by."""
    each = zip(weights, risk, earned, strict=True)
    return max(0, sum(c * (gain - danger - 5 * max(danger - most_risk, 0)) for c, danger, gain in each))


def keeps_rules(weights, risk, earned, puzzle):
    """Whether a portfolio keeps all three rules."""
    return (
        sum(weight > 0 for weight in weights) >= puzzle.held
        and sum(c * gain for c, gain in zip(weights, earned, strict=True)) > puzzle.least_return
        and sum(c * danger for c, danger in zip(weights, risk, strict=True)) < puzzle.most_risk
    )


def portfolio_generations(puzzle, population, crossing, mutation, carry, generations, draw):
    """In which generation a portfolio first keeps the rules; None if none does."""
    risk, earned = puzzle.table.risk.tolist(), puzzle.table.earned.tolist()
    people = [normalised([draw.random() for _ in risk]) for _ in range(population)]
    for generation in range(generations + 1):
        if any(keeps_rules(weights, risk, earned, puzzle) for weights in people):
            return generation
        people.sort(key=lambda weights: fitness(weights, risk, earned, puzzle.most_risk))
        pool = draw.choices(people, weights=range(1, population + 1), k=population - carry)
        children = []
        for first, second in zip(pool[::2], pool[1::2], strict=True):
            if draw.random() < crossing:
                point = draw.randint(1, len(risk) - 1)
                first, second = first[:point] + second[point:], second[:point] + first[point:]
            for child in (first, second):
                if draw.random() < mutation:
                    child = list(child)
                    child[draw.randrange(len(child))] = draw.random()
                    child = normalised(child)
                children.append(child)
        people = people[population - carry :] + children
    return None
