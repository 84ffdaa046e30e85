"""Breeding: parents are selected and genomes are crossed as often, and where, as the settings say."""

import numpy as np
import pytest

from ludus.baselines.evolution.breeding import BreedingSettings
from ludus.baselines.evolution.contest import seed_global_random
from ludus.baselines.evolution.genetic import RivalrySettings

tools = pytest.importorskip("deap.tools")
from ludus.baselines.evolution.breeding import breed, cross, select  # noqa: E402  needs DEAP

POINTS = np.array([1.0, 5.0, 3.0, 0.0, 3.0])


def selected(scheme, count, points=POINTS, tournament=1, key=7):
    with seed_global_random(key):
        return select(BreedingSettings(selection=scheme, tournament=tournament), points, count)


def won_by(tournament):
    """The shares of tournaments that the first of equally fit genomes, in random order, and so each of them, wins."""
    below, up_to = ((compare(POINTS[:, None], POINTS).mean(axis=1)) ** tournament for compare in (np.greater, np.greater_equal))
    return (up_to - below) / (POINTS[:, None] == POINTS).sum(axis=1)


@pytest.mark.parametrize(
    ("scheme", "tournament", "shares"),
    [
        ("roulette", 1, POINTS / POINTS.sum()),
        ("universal", 1, POINTS / POINTS.sum()),
        ("rank", 1, np.array([2, 5, 4, 1, 3]) / 15),  # of equals the first ranks higher
        *(("tournament", size, won_by(size)) for size in (1, 2, 5)),
    ],
)
def test_parents_are_selected_as_often_as_the_scheme_says(scheme, tournament, shares):
    found = np.bincount(selected(scheme, 20_000, tournament=tournament), minlength=len(POINTS)) / 20_000
    assert found == pytest.approx(shares, abs=0.015)


def test_universal_roulette_leaves_nothing_to_chance_but_the_rest():
    for count in (12, 25, 120):
        found = np.bincount(selected("universal", count, key=count), minlength=len(POINTS))
        assert (abs(found - count * POINTS / POINTS.sum()) < 1).all()


def crossed(crossover, one, other, share):
    """The first of two children, two thousand times."""
    settings, found = RivalrySettings(crossover=crossover, share=share), []
    with seed_global_random(2):
        for _ in range(2000):
            found.append([*one])
            cross(settings, found[-1], [*other])
    return np.array(found)


@pytest.mark.parametrize("crossover", ["uniform", "one_point", "two_point", "subset"])
def test_a_cross_has_each_gene_from_one_of_its_parents_at_its_place(crossover):
    masks = crossed(crossover, [0] * 8, [1] * 8, 0.25)
    sizes, changes = masks.sum(axis=1), abs(np.diff(masks, axis=1)).sum(axis=1)
    if crossover == "uniform":
        assert masks.mean(axis=0) == pytest.approx([0.25] * 8, abs=0.04)
    elif crossover == "subset":  # each size and each place is equally likely
        assert np.bincount(sizes) / 2000 == pytest.approx([0] + [1 / 8] * 8, abs=0.03)
        assert masks.mean(axis=0) == pytest.approx([4.5 / 8] * 8, abs=0.04)
    else:
        assert (sizes > 0).all()
        assert changes.max() == (1 if crossover == "one_point" else 2)


def test_pairs_are_crossed_at_one_rate_and_each_child_is_mutated_at_another():
    genes, settings = (
        np.repeat(np.arange(2.0), 6).reshape(2, 6),
        BreedingSettings(selection="rank", mutation=0.2, crossover="one_point"),
    )

    def mark(genome):
        genome[0] = 9.0

    with seed_global_random(3):
        children = breed(settings, mark, genes, np.array([2.0, 1.0]), 6000, crossing=0.3)
        assert len(breed(settings, mark, genes, np.array([2.0, 1.0]), 5, crossing=1.0)) == 5
    mutated, mixed = children[:, 0] == 9, children[:, 1] != children[:, -1]
    other = children[::2, -1] != children[1::2, -1]  # of two copies of one genome no cross can be seen
    assert len(children) == 6000
    assert mutated.mean() == pytest.approx(0.2, abs=0.02)
    # a cross after the first gene cannot be seen either, since that may be mutated
    assert mixed.reshape(-1, 2).all(axis=1)[other].mean() == pytest.approx(0.3 * 4 / 5, abs=0.03)
    assert (mutated & mixed).mean() == pytest.approx(0.2 * mixed.mean(), abs=0.01)
