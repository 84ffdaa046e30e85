"""Evolved players of Nim: what they come to, the machinery that breeds them, and that a run that stops goes on as it would have."""

import random
import sys

import numpy as np
import pytest

from ludus.agents import as_policy, make_policy
from ludus.arena import evaluate
from ludus.arena.grading import grade
from ludus.baselines.evolution.contest import draw_openings
from ludus.baselines.genetics.evolved_mixture import EvolvedMixture, Gabriele, Heuristic, Mixture
from ludus.baselines.genetics.evolved_preference import EvolvedPreference, Preference
from ludus.baselines.genetics.evolved_table import EvolvedTable
from ludus.baselines.runs.measure import Measure
from ludus.baselines.runs.training import resume, train
from ludus.envs import make_game
from ludus.envs.kernels.keys import derive_key

pytest.importorskip("deap")
from ludus.baselines.genetics.breeding import CROSSOVERS, Selection, survivors
from ludus.baselines.runs.global_random import drawn_from

TRAINERS = {trainer.name: trainer for trainer in (EvolvedTable, EvolvedPreference, EvolvedMixture)}
VARIANTS = [
    "nim",
    "nim:misere=true",
    "nim:limit=3",
    "nim:limit=2,misere=true",
    "nim:heaps=1+3+5,limit=3,misere=true",
    "nim:heaps=4+9",
]
SMALL = {
    "evolved_table": {"population": 40, "offspring": 20},
    "evolved_preference": {"population": 10, "offspring": 10, "games": 4, "peers": 2},
    "evolved_mixture": {"population": 10, "offspring": 10, "games": 4, "peers": 2},
}


def begun(name, spec="nim", seed=1, **settings):
    trainer = TRAINERS[name]
    return trainer(make_game(spec), trainer.settings_class(**settings), seed)


def bred(trainer, generations):
    for _ in range(generations):
        told = trainer.advance()
    return told


def arrays_equal(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def heaps_won(heaps, limit, misere, known):
    """Whether the player to move wins, by trying everything."""
    if not any(heaps):
        return misere
    if heaps not in known:
        afters = [heaps[:h] + (n - k,) + heaps[h + 1 :] for h, n in enumerate(heaps) for k in range(1, min(n, limit or n) + 1)]
        known[heaps] = any(not heaps_won(after, limit, misere, known) for after in afters)
    return known[heaps]


def winning_moves_of(policy, positions):
    """In how many of the won positions the policy leaves a lost one."""
    known, right = {}, []
    game, actions = policy.game, policy.act(positions, np.zeros(len(positions), np.uint64))
    for state, action in zip(positions, actions, strict=True):
        if heaps_won(heaps_of(game, state), game.limit, game.misere, known):
            right.append(not heaps_won(heaps_of(game, game.play(state, int(action))), game.limit, game.misere, known))
    return np.mean(right)


def heaps_of(game, state):
    return tuple(map(int, game.text(state).split()))


# ---- what they come to


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_the_originals_settings_the_table_wins_four_of_five_won_positions_after_200_generations(seed):
    trainer = begun("evolved_table", seed=seed)
    assert trainer.total == 200
    assert bred(trainer, 200)["winning moves"] == pytest.approx(winning_moves_of(trainer.policy(), trainer.positions))
    assert winning_moves_of(trainer.policy(), trainer.positions) >= 0.8
    if seed == 1:
        bred(trainer, 400)
        assert trainer.done == EvolvedTable.presets["long"]["generations"]
        assert winning_moves_of(trainer.policy(), trainer.positions) >= 0.98


@pytest.mark.parametrize("spec", ["nim", "nim:limit=3,misere=true"])
@pytest.mark.parametrize("name", ["evolved_preference", "evolved_mixture"])
def test_two_numbers_and_a_mixture_come_to_play_perfectly(name, spec):
    trainer = begun(name, spec, generations=40)
    bred(trainer, 40)
    graded = grade(trainer.policy(), trainer.game, exact=True)
    assert graded.optimal_rate == pytest.approx(1.0, abs=0.005)


# ---- fitness


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_fitness_of_a_table_counts_winning_moves_and_objects_one_by_one(spec):
    trainer = begun("evolved_table", spec, population=5)
    game, known, wanted = trainer.game, {}, []
    for genome in trainer.genes.tolist():
        points = 0
        for state, action in zip(trainer.positions, genome, strict=True):
            after = heaps_of(game, game.play(state, action))
            points += 10 * (not heaps_won(after, game.limit, game.misere, known))
            points += sum(heaps_of(game, state)) - sum(after)
        wanted.append(points)
    assert trainer.fitness(trainer.genes).tolist() == wanted


def test_a_tables_policy_plays_its_genome_as_either_player():
    trainer = begun("evolved_table", "nim:heaps=2+3", population=5)
    policy, oracle = trainer.policy(), {}
    for state, action in zip(trainer.positions, trainer.best.tolist(), strict=True):
        oracle[trainer.game.text(state)] = action
    for first in trainer.game.legal_actions(trainer.game.start):
        state = trainer.game.play(trainer.game.start, first)
        for answer in trainer.game.legal_actions(state):
            for position in (state, trainer.game.play(state, answer)):
                if trainer.game.outcome(position) is None:
                    expected = oracle[trainer.game.text(position)]
                    assert policy.act(position[None], np.zeros(1, np.uint64)).tolist() == [expected]


@pytest.mark.parametrize("fitness", ["points", "length"])
@pytest.mark.parametrize("name", ["evolved_preference", "evolved_mixture"])
def test_the_fitness_of_games_is_their_points_or_plies_played_one_game_at_a_time(name, fitness):
    settings = {"population": 6, "offspring": 2, "games": 4, "peers": 1, "opponents": ("random",), "opening_plies": 1}
    trainer = begun(name, "nim:heaps=1+3+5", **settings, fitness=fitness)
    genes, players = trainer.genes, [trainer.players(genome[None]) for genome in trainer.genes]
    fixed = draw_openings(trainer.game, trainer.seed, ("generation", "0", "fixed 0"), 2, 1)
    others = draw_openings(trainer.game, trainer.seed, ("generation", "0", "peers 0"), 2, 1)
    (rivals,) = trainer._peers(6)
    assert sorted(rivals) == list(range(6))
    assert (rivals != np.arange(6)).all()
    random_player = make_policy("random", trainer.game)

    def game_of(mine, other, openings, row, seat):
        state, ply = openings.states[row], openings.plies
        while trainer.game.outcome(state) is None:
            keys = np.array([trainer.game.kernel(derive_key)(int(openings.keys[row]), ply)], np.uint64)
            chooser = mine if trainer.game.player(state) == seat else other
            action = chooser(state[None], keys)
            state, ply = trainer.game.play(state, int(action[0])), ply + 1
        return 100 * (trainer.game.outcome(state)[seat] + 1) / 2 if fitness == "points" else ply

    def as_one(player):
        return lambda states, keys: player.choose(states, np.zeros(1, np.int64), keys)

    for row in range(6):
        games = [(opening, seat) for opening in range(2) for seat in range(2)]
        first = np.mean([game_of(as_one(players[row]), random_player.act, fixed, *one) for one in games])
        second = np.mean([game_of(as_one(players[row]), as_one(players[rivals[row]]), others, *one) for one in games])
        assert trainer.fitness(genes)[row] == pytest.approx((first + second) / 2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_who_is_bred_for_longer_games_plays_longer_against_its_like_than_random_players_do(seed):
    def plies(policy, other):
        counts = evaluate(policy, "nim", other, 400, seed=seed, opening_plies=0).plies.sum(axis=(0, 1))
        return np.average(np.arange(len(counts)), weights=counts)

    settings = {
        **EvolvedPreference.presets["longer"],
        "population": 20,
        "offspring": 20,
        "peers": 4,
        "opponents": None,
        "opening_plies": 0,
    }
    trainer = begun("evolved_preference", seed=seed, games=40, **settings)
    bred(trainer, 15)
    bred_one, same = (as_policy(trainer.policy(), "nim", name=name) for name in ("bred", "same"))
    assert plies(bred_one, same) > plies("random", as_policy("random", "nim", name="other")) + 0.8


# ---- policies that say how likely each action is


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_preference_plays_what_leaves_a_nim_sum_near_to_its_own(spec):
    game, rng, known = make_game(spec), np.random.default_rng(3), {}
    period, span = (game.limit or 255) + 1, 2 ** min(max(game.heaps), game.limit or 255).bit_length() - 1
    for state in positions_met(game, rng, 40):
        policy = Preference(game, preferred=float(rng.random()), tolerated=float(rng.random() / 3))
        chosen, legal = [], game.legal_actions(state)
        for action in legal:
            values = [heap % period for heap in heaps_of(game, game.play(state, action))]
            left = int(np.bitwise_xor.reduce(values))
            left ^= game.misere and max(values) <= 1
            assert (left != 0) == heaps_won(heaps_of(game, game.play(state, action)), game.limit, game.misere, known)
            if abs(left / span - policy.preferred) <= policy.tolerated:
                chosen.append(action)
        wanted = np.zeros(game.num_actions)
        wanted[chosen or legal] = 1 / len(chosen or legal)
        assert policy.probabilities(state[None])[0] == pytest.approx(wanted)


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_heuristic_takes_a_heap_for_an_even_rest_or_one_object_of_a_largest_heap(spec):
    game = make_game(spec)
    for state in positions_met(game, np.random.default_rng(4), 40):
        heaps, chosen, rest = heaps_of(game, state), [], []
        for action in game.legal_actions(state):
            after = heaps_of(game, game.play(state, action))
            (heap,) = (h for h in range(len(heaps)) if heaps[h] != after[h])
            if after[heap] == 0 and np.count_nonzero(after) % 2 == game.misere:
                chosen.append(action)
            if heaps[heap] == max(heaps) and heaps[heap] - after[heap] == 1:
                rest.append(action)
        wanted = np.zeros(game.num_actions)
        wanted[chosen or rest] = 1 / len(chosen or rest)
        assert Heuristic(game).probabilities(state[None])[0] == pytest.approx(wanted)


@pytest.mark.parametrize("spec", VARIANTS)
def test_gabriele_takes_all_it_may_of_the_first_heap_that_has_any(spec):
    game = make_game(spec)
    for state in positions_met(game, np.random.default_rng(4), 40):
        heaps = heaps_of(game, state)
        heap = next(h for h, size in enumerate(heaps) if size)
        wanted = game.action(f"{heap + 1}-{min(heaps[heap], game.limit or 255)}")
        assert Gabriele(game).act(state[None], np.zeros(1, np.uint64)).tolist() == [wanted]
        assert np.flatnonzero(Gabriele(game).probabilities(state[None])[0]).tolist() == [wanted]


def test_the_original_mixture_names_its_three_strategies():
    trainer = begun("evolved_mixture", "nim:heaps=1+3+5", **SMALL["evolved_mixture"], **EvolvedMixture.presets["original"])
    assert [type(strategy).name for strategy in trainer.strategies] == ["gabriele", "random", "nim_sum"]
    assert bred(trainer, 20)["optimal"] > 0.8


@pytest.mark.parametrize("kind", ["preference", "heuristic", "mixture"])
def test_actions_are_drawn_as_the_probabilities_say(kind):
    game, count = make_game("nim"), 20_000
    strategies = Heuristic(game), make_policy("random", game), make_policy("nim_sum", game)
    policy = {
        "preference": Preference(game, preferred=0.4, tolerated=0.2),
        "heuristic": strategies[0],
        "mixture": Mixture(game, strategies=strategies, weights=(0.5, 0.2, 0.3)),
    }[kind]
    state = game.parse("1 3 5 6")
    keys = np.random.default_rng(5).integers(2**64, size=count, dtype=np.uint64)
    found = np.bincount(policy.act(np.repeat(state[None], count, 0), keys), minlength=game.num_actions) / count
    assert found == pytest.approx(policy.probabilities(state[None])[0], abs=0.015)


def positions_met(game, rng, count):
    """Positions of random games that are not over."""
    found = []
    while len(found) < count:
        state = game.start
        while game.outcome(state) is None:
            found.append(state)
            state = game.play(state, int(rng.choice(game.legal_actions(state))))
    return found[:count]


# ---- breeding

POINTS = np.array([1.0, 5.0, 3.0, 0.0, 3.0])


def shares(scheme, tournament=1, count=20_000):
    with drawn_from(7):
        return np.bincount(Selection(scheme, tournament)(POINTS, count), minlength=len(POINTS)) / count


def test_roulette_draws_parents_in_proportion_to_their_points():
    assert shares("roulette") == pytest.approx(POINTS / POINTS.sum(), abs=0.015)


def test_universal_roulette_leaves_nothing_to_chance_but_the_rest():
    for count in (12, 25, 120):
        with drawn_from(count):
            found = np.bincount(Selection("universal", 1)(POINTS, count), minlength=len(POINTS))
        assert (abs(found - count * POINTS / POINTS.sum()) < 1).all()


def test_rank_selection_draws_by_the_order_alone():
    assert shares("rank") == pytest.approx(np.array([2, 5, 4, 1, 3]) / 15, abs=0.015)  # of equals the first ranks higher


@pytest.mark.parametrize("tournament", [1, 2, 5])
def test_a_tournament_is_won_by_the_best_of_those_that_are_drawn(tournament):
    found = shares("tournament", tournament)
    at_most = [(point >= POINTS).mean() ** tournament for point in (0, 1, 3, 5)]
    wanted = np.diff([0, *at_most])
    assert [found[3], found[0], found[2] + found[4], found[1]] == pytest.approx(wanted, abs=0.015)


@pytest.mark.parametrize("scheme", ["roulette", "universal", "rank", "tournament"])
def test_where_nobody_has_points_parents_are_found_all_the_same(scheme):
    with drawn_from(1):
        assert len(Selection(scheme, 2)(np.zeros(4), 9)) == 9


def test_the_fittest_stay_and_of_equals_those_that_come_first():
    assert survivors(POINTS, 4).tolist() == [1, 2, 4, 0]


@pytest.mark.parametrize("crossover", ["uniform", "one_point", "two_point"])
def test_a_cross_has_each_gene_from_one_of_its_parents_at_its_place(crossover):
    with drawn_from(2):
        masks = np.array([CROSSOVERS[crossover]([0] * 8, [1] * 8, 0.25)[0] for _ in range(2000)])
    changes = abs(np.diff(masks, axis=1)).sum(axis=1)
    assert masks.any(axis=1).mean() > 0.8
    if crossover == "uniform":
        assert masks.mean(axis=0) == pytest.approx([0.25] * 8, abs=0.04)
    else:
        assert changes.max() == (1 if crossover == "one_point" else 2)


def test_a_subset_has_each_size_and_each_place_equally_often():
    with drawn_from(2):
        masks = np.array([CROSSOVERS["subset"]([0] * 4, [1] * 4, 0.5)[0] for _ in range(4000)])
    assert np.bincount(masks.sum(axis=1)) / len(masks) == pytest.approx([0, 0.25, 0.25, 0.25, 0.25], abs=0.03)
    assert masks[masks.sum(axis=1) == 1].mean(axis=0) == pytest.approx([0.25] * 4, abs=0.05)


def test_a_blend_lies_between_its_parents_or_a_share_of_their_distance_beyond():
    with drawn_from(2):
        found = np.array([CROSSOVERS["blend"]([0.2], [0.6], 0.5)[0] for _ in range(2000)])
    assert 0.0 - 1e-9 <= found.min() < 0.05
    assert 0.75 < found.max() <= 0.8 + 1e-9


@pytest.mark.parametrize("name", TRAINERS)
def test_diversity_is_the_mean_over_pairs_of_genomes(name):
    trainer = begun(name, "nim:heaps=2+3", **SMALL[name])
    pairs = [(one, other) for i, one in enumerate(trainer.genes) for other in trainer.genes[:i]]
    apart = (lambda one, other: one != other) if name == "evolved_table" else (lambda one, other: abs(one - other))
    assert trainer.distance() == pytest.approx(np.mean([apart(*pair).mean() for pair in pairs]))


@pytest.mark.parametrize("selection", ["tournament", "roulette", "rank", "universal"])
@pytest.mark.parametrize("crossover", ["uniform", "one_point", "two_point", "subset"])
def test_every_selection_with_every_crossover_gets_fitter(selection, crossover):
    trainer = begun("evolved_table", "nim:heaps=1+3+5", population=50, offspring=50, selection=selection, crossover=crossover)
    before = trainer.points.mean()
    assert bred(trainer, 15)["mean fitness"] > 1.2 * before
    assert trainer.sound(trainer.genes)
    assert trainer.points.tolist() == trainer.fitness(trainer.genes).tolist()


# ---- kept


@pytest.mark.parametrize("name", TRAINERS)
def test_breeding_goes_on_bit_for_bit_from_its_arrays(name):
    whole, first = begun(name, **SMALL[name]), begun(name, **SMALL[name])
    bred(whole, 6)
    bred(first, 3)
    kept = first.state()
    bred(first, 2)  # what was kept is not touched by what comes after
    random.seed(99)
    second = begun(name, **SMALL[name])
    second.restore(kept)
    bred(second, 3)
    assert arrays_equal(second.state(), whole.state())
    assert arrays_equal(second.learnt(), whole.learnt())


@pytest.mark.parametrize("name", TRAINERS)
def test_breeding_leaves_pythons_generator_as_it_was_and_follows_the_seed(name):
    random.seed(5)
    before = random.getstate()
    same = [begun(name, seed=seed, **SMALL[name]) for seed in (1, 1, 2)]
    for trainer in same:
        bred(trainer, 2)
    assert random.getstate() == before
    assert arrays_equal(same[0].state(), same[1].state())
    assert not arrays_equal(same[0].state(), same[2].state())


@pytest.mark.parametrize("name", TRAINERS)
def test_a_run_is_a_policy_with_exact_grades_and_a_picture(name, tmp_path):
    settings = {**SMALL[name], "generations": 2}
    done = train(name, "nim:heaps=1+3+5", tmp_path / "run", seed=3, measure=Measure(games=2, ladder=("random",)), **settings)
    policy = make_policy(f"run:{tmp_path / 'run'}", "nim:heaps=1+3+5")
    states = np.array(positions_met(policy.game, np.random.default_rng(1), 30))
    assert np.array_equal(policy.probabilities(states), done.policy().probabilities(states))
    assert grade(policy, policy.game, exact=True).optimal_rate is not None
    assert (tmp_path / "run" / "evolution.png").read_bytes().startswith(b"\x89PNG")
    assert resume(tmp_path / "run").over


@pytest.mark.parametrize("name", TRAINERS)
def test_arrays_of_another_run_are_refused(name):
    trainer, other = (
        begun(name, "nim:heaps=1+3+5", **SMALL[name]),
        begun(name, "nim:heaps=1+3+5", **{**SMALL[name], "population": 12}),
    )
    with pytest.raises(ValueError, match=f"this is no state of {name} for nim:heaps=1\\+3\\+5 with these settings"):
        trainer.restore(other.state())
    wrong = trainer.state()
    wrong["genes"] = wrong["genes"] + wrong["genes"].dtype.type(100)
    with pytest.raises(ValueError, match="this is no state"):
        trainer.restore(wrong)
    with pytest.raises(ValueError, match="this is no state"):
        trainer.restore({})
    with pytest.raises(ValueError, match=r"the array genome is \(1,\)"):
        trainer.policy_of(trainer.game, trainer.settings, {"genome": np.zeros(1)})
    with pytest.raises(ValueError, match="takes no options, such as depth"):
        trainer.policy_of(trainer.game, trainer.settings, trainer.learnt(), depth="2")


# ---- what cannot be

WRONG_GAMES = [
    ({"peers": 100}, "peers is 100; it must be less than population and offspring together, 100"),
    ({"peers": 0, "opponents": None}, "nobody to play against; set opponents or peers"),
]


@pytest.mark.parametrize(("name", "settings", "told"), [
    *(("evolved_preference", *wrong) for wrong in WRONG_GAMES),
    *(("evolved_mixture", *wrong) for wrong in WRONG_GAMES),
])  # fmt: skip
def test_settings_that_cannot_be_are_refused_with_a_sentence(name, settings, told):
    with pytest.raises(ValueError, match=told):
        TRAINERS[name].settings_class(**settings)


@pytest.mark.parametrize(("name", "game", "told"), [
    ("evolved_table", "tictactoe", "evolved_table learns nim, not tictactoe; qlearning learns any game with few positions"),
    ("evolved_table", "nim:heaps=200+200", "has 40,400 positions, and a genome of evolved_table has a move for each, 20,000 at"),
    ("evolved_preference", "tictactoe", "evolved_preference learns nim, not tictactoe"),
    ("evolved_mixture", "tictactoe", "set strategies to policies that play tictactoe"),
])  # fmt: skip
def test_games_that_cannot_be_learnt_so_are_refused_with_a_sentence(name, game, told):
    with pytest.raises(ValueError, match=told):
        begun(name, game)


def test_a_mixture_of_strategies_can_be_bred_for_any_game():
    trainer = begun("evolved_mixture", "tictactoe", strategies=("random", "greedy"), games=10, population=20, offspring=20)
    assert bred(trainer, 10)["greedy"] > 0.7


def test_without_deap_nothing_is_bred_and_the_sentence_says_what_to_install(monkeypatch):
    trainer = begun("evolved_table", **SMALL["evolved_table"])
    monkeypatch.setitem(sys.modules, "deap", None)
    monkeypatch.delitem(sys.modules, "ludus.baselines.genetics.breeding")
    with pytest.raises(ValueError, match=r"evolved_table needs DEAP .* pip install 'ludus\[evolution\]'"):
        begun("evolved_table")
    assert trainer.policy_of(trainer.game, trainer.settings, trainer.learnt()).name == "table"  # what was bred plays without it


def test_the_original_table_crosses_subsets_of_any_size_and_has_the_settings_of_the_original():
    settings = EvolvedTable.settings_class(**EvolvedTable.presets["original"])
    assert (settings.population, settings.offspring, settings.mutation, settings.generations) == (1000, 100, 0.3, 200)
    assert (settings.selection, settings.tournament, settings.crossover) == ("tournament", 10, "subset")
    assert EvolvedTable.settings_class().crossover == "uniform"
