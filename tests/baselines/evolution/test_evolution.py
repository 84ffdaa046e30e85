"""Breeding, and the evolved players of Nim: how they are bred, how well they play, and that a resumed run is the same."""

import numpy as np
import pytest

from ludus.arena.grading import grade_exact
from ludus.baselines.evolution.breeding import BreedingSettings
from ludus.baselines.evolution.contest import seed_global_random
from ludus.baselines.evolution.evolved_mixture import EvolvedMixture, Gabriele, Heuristic
from ludus.baselines.evolution.evolved_preference import EvolvedPreference, Preference
from ludus.baselines.evolution.evolved_table import EvolvedTable
from ludus.envs import make_game

from ...helpers.games import positions
from ...naive.nim import is_won

pytest.importorskip("deap")
from ludus.baselines.evolution.breeding import breed, select

TRAINERS = {trainer.name: trainer for trainer in (EvolvedTable, EvolvedPreference, EvolvedMixture)}
every_trainer = pytest.mark.parametrize("name", TRAINERS)
VARIANTS = ["nim", "nim:misere=true", "nim:limit=3", "nim:heaps=1+3+5,limit=3,misere=true", "nim:heaps=4+9"]
GAMES = {"population": 10, "offspring": 10, "games": 4, "peers": 2}
SMALL = {"evolved_table": {"population": 40, "offspring": 20}, "evolved_preference": GAMES, "evolved_mixture": GAMES}


def begun(name, spec="nim", seed=1, **settings):
    trainer = TRAINERS[name]
    return trainer(make_game(spec), trainer.settings_class(**settings), seed)


def bred(trainer, generations):
    """The metrics after some more generations."""
    for _ in range(generations):
        metrics = trainer.advance()
    return metrics


def winning_moves_of(policy, positions):
    """The share of the won positions in which the policy leaves a lost one."""
    game, known, right = policy.game, {}, []
    for state, action in zip(positions, policy.act(positions, np.zeros(len(positions), np.uint64)).tolist(), strict=True):
        if is_won(heaps_of(game, state), game.limit, game.misere, known):
            right.append(not is_won(heaps_of(game, game.play(state, action)), game.limit, game.misere, known))
    return np.mean(right)


def heaps_of(game, state):
    return tuple(map(int, game.text(state).split()))


# ---- how well they play


def test_with_the_originals_settings_the_table_wins_four_of_five_won_positions_after_200_generations():
    trainer = begun("evolved_table")
    assert trainer.total == 200
    assert bred(trainer, 200)["winning moves"] == pytest.approx(winning_moves_of(trainer.policy(), trainer.positions))
    assert winning_moves_of(trainer.policy(), trainer.positions) >= 0.8
    bred(trainer, 400)
    assert trainer.done == EvolvedTable.presets["long"]["generations"]
    assert winning_moves_of(trainer.policy(), trainer.positions) >= 0.98


@pytest.mark.parametrize("spec", ["nim", "nim:limit=3,misere=true"])
@pytest.mark.parametrize("name", ["evolved_preference", "evolved_mixture"])
def test_two_numbers_and_a_mixture_come_to_play_perfectly(name, spec):
    trainer = begun(name, spec, generations=20)
    bred(trainer, 20)
    assert grade_exact(trainer.policy(), trainer.game).optimal_rate == pytest.approx(1.0, abs=0.005)


def test_the_original_mixture_finds_the_optimal_one_of_its_three_strategies():
    trainer = begun("evolved_mixture", "nim:heaps=1+3+5", **GAMES, **EvolvedMixture.presets["original"])
    assert [type(strategy).name for strategy in trainer.strategies] == ["gabriele", "random", "nim_sum"]
    assert bred(trainer, 20)["optimal"] > 0.8


# ---- policies


def preferred(policy, heaps, afters):
    """Moves that leave a nim-sum near the preferred one; any legal move if there are none."""
    game, near, known = policy.game, [], {}
    period, span = (game.limit or 255) + 1, 2 ** min(max(game.heaps), game.limit or 255).bit_length() - 1
    for action, after in afters.items():
        values = [heap % period for heap in after]
        left = int(np.bitwise_xor.reduce(values)) ^ (game.misere and max(values) <= 1)
        assert (left != 0) == is_won(after, game.limit, game.misere, known)
        if abs(left / span - policy.preferred) <= policy.tolerated:
            near.append(action)
    return near or [*afters]


def by_rule_of_thumb(policy, heaps, afters):
    """Moves that empty a heap and leave an even number of them; otherwise those that take one object of a largest heap."""
    good, rest = [], []
    for action, after in afters.items():
        (heap,) = (h for h in range(len(heaps)) if heaps[h] != after[h])
        if after[heap] == 0 and np.count_nonzero(after) % 2 == policy.game.misere:
            good.append(action)
        if heaps[heap] == max(heaps) and heaps[heap] - after[heap] == 1:
            rest.append(action)
    return good or rest


def all_of_the_first(policy, heaps, afters):
    """The move that takes as many objects as possible from the first heap that is not empty."""
    heap = next(h for h, size in enumerate(heaps) if size)
    return [policy.game.action(f"{heap + 1}-{min(heaps[heap], policy.game.limit or 255)}")]


@pytest.mark.parametrize("spec", VARIANTS)
@pytest.mark.parametrize(("rule", "kind"), [(preferred, Preference), (by_rule_of_thumb, Heuristic), (all_of_the_first, Gabriele)])
def test_a_rule_of_nim_plays_the_moves_that_its_words_say_equally_often(spec, rule, kind):
    game, rng = make_game(spec), np.random.default_rng(3)
    for state in positions(game, 40, 4):
        numbers = {"preferred": float(rng.random()), "tolerated": float(rng.random() / 3)} if kind is Preference else {}
        policy = kind(game, **numbers)
        afters = {action: heaps_of(game, game.play(state, action)) for action in game.legal_actions(state)}
        good = rule(policy, heaps_of(game, state), afters)
        wanted = np.isin(np.arange(game.num_actions), good) / len(good)
        assert policy.probabilities(state[None])[0] == pytest.approx(wanted)


# ---- breeding

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


# ---- runs


@every_trainer
def test_arrays_of_another_run_are_refused(name):
    trainer, other = (begun(name, "nim:heaps=1+3+5", **{**SMALL[name], "population": size}) for size in (10, 12))
    genes = trainer.state()["genes"]
    for state, sentence in (
        (other.state(), r"the array genes is .* and must be"),
        (trainer.state() | {"genes": genes + genes.dtype.type(100)}, f"the array genes holds no genomes of {name} for nim"),
    ):
        with pytest.raises(ValueError, match=sentence):
            trainer.restore(state)
