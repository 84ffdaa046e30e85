"""Runs that learn to beat one policy: no question is put to it twice, and only so many; and they go on where they were."""

import numpy as np
import pytest

import ludus
from ludus.arena import evaluate, grade_exact
from ludus.arena.exploiting.mixtures import SAMPLED, SAMPLED_KEYS
from ludus.arena.grading.answers import frozen_chooser
from ludus.baselines import Execution, resume
from ludus.baselines.runs.plan import RunPlan
from ludus.baselines.runs.registry import trainer_class
from ludus.baselines.runs.target import DRAWS, TargetPolicy
from ludus.baselines.runs.training import begin

from ...helpers.training import trained
from ...helpers.training.trained import NEVER, learnt, stop_after
from ...helpers.training.trainers import TINY, assert_same

counting = trained.counting

SEEN = []
"""The positions that `last` was asked about, in order."""


def last(states, keys):
    """Plays the last legal action of tic-tac-toe or Nim."""
    SEEN.extend(map(bytes, states))
    masks = ludus.make_game("tictactoe" if states.shape[1] == TICTACTOE.num_words else "nim:heaps=1+3+5").masks(states)
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


TICTACTOE = ludus.make_game("tictactoe")
LAST = f"python:{__name__}:last"
AGAINST = [name for name in TINY if " " not in name and trainer_class(name).against is not None]


def begun(name, target, folder=None, watch=lambda run: None, **given):
    """A run of one of the tiny trainers against a policy."""
    game, settings, _ = TINY[name]
    own = {key: value for key, value in settings.items() if key not in ("opponent", "opponents", "peers")}
    return begin(RunPlan.make(name, game, 3, None, own | given, target), folder, NEVER, Execution(watch=watch))


LENGTH = {
    "games": {"games": 200},
    "steps": {"steps": 5 * 16 * 16},
    "generations": {"generations": 5},
    "positions": {"positions": 2048},
}


@pytest.mark.parametrize("name", AGAINST)
def test_each_trainer_that_can_learns_against_a_policy_and_asks_it_nothing_twice(name):
    SEEN.clear()
    run = begun(name, TargetPolicy(LAST, positions=5000, freeze=True), **LENGTH[trainer_class(name).unit])
    assert run.trainer.done == run.trainer.total
    assert run.rows[-1]["positions asked"] == run.asked.num_asked == len(SEEN) == len(set(SEEN)) > 10


def test_what_is_learnt_beats_a_policy_that_can_be_beaten():
    game = "tictactoe"
    plan = RunPlan.make("qlearning", game, 1, None, {"games": 20_000}, TargetPolicy("minimax:depth=1", freeze=True))
    policy = begin(plan, None, NEVER).policy()
    truth = grade_exact("minimax:depth=1", game, freeze=True, seed=1)
    score = evaluate(policy, game, begin_frozen("minimax:depth=1", game, 1), 20, opening_plies=0)
    assert (score.wins - score.losses) / 20 == truth.exploitability


def begin_frozen(spec, game, seed):
    """A policy as it is frozen by a seed."""
    choose = frozen_chooser(ludus.make_policy(spec, game), seed)
    return ludus.as_policy(lambda states, keys: choose(states).argmax(axis=1), game, name="frozen")


@pytest.mark.parametrize("name", ["maskable_ppo", "neat"])
def test_a_part_that_would_ask_too_much_is_left_out(name):
    after, length = [], LENGTH[trainer_class(name).unit]
    whole = begun(
        name, TargetPolicy("minimax:depth=1", freeze=True), watch=lambda run: after.append(run.trainer.learnt()), **length
    )
    allowed = int(whole.rows[2]["positions asked"])
    cut = begun(name, TargetPolicy("minimax:depth=1", positions=allowed, freeze=True), **length)
    assert cut.over
    assert 3 <= len(cut.rows) < len(whole.rows)
    assert cut.rows[-1]["positions asked"] <= cut.asked.num_asked <= allowed
    assert_same(cut.trainer.learnt(), after[len(cut.rows) - 1])


@pytest.mark.parametrize(("name", "policy"), [("maskable_ppo", "random"), ("layered_neat", LAST)])
def test_a_run_that_was_stopped_ends_as_one_that_was_not_and_asks_nothing_again(name, policy, tmp_path):
    target, length = TargetPolicy(policy, positions=20_000), LENGTH[trainer_class(name).unit]
    whole = begun(name, target, tmp_path / "whole", **length)
    SEEN.clear()
    with pytest.raises(KeyboardInterrupt):
        begun(name, target, tmp_path / "part", stop_after(2), **length)
    again = resume(tmp_path / "part", trust=True)
    assert learnt(tmp_path / "part") == learnt(tmp_path / "whole")
    assert again.asked.num_asked == whole.asked.num_asked
    tried = 2 * SAMPLED * SAMPLED_KEYS  # whether it draws its actions is tried at the start of each session
    assert len(SEEN) == (tried + again.asked.num_asked if policy == LAST else 0)


def test_a_policy_that_draws_its_actions_is_asked_in_a_few_ways():
    game = ludus.make_game("tictactoe")
    states, keys = np.repeat(game.start[None], 1000, 0), np.random.default_rng(1).integers(2**64, size=1000, dtype=np.uint64)
    asked = TargetPolicy("mcts:simulations=3").ask(game, 5)
    actions = asked.act(states, keys)
    assert asked.num_asked == DRAWS
    assert len(set(actions.tolist())) > 1
    assert abs(np.bincount(actions, minlength=9) / 1000 - asked.probabilities(game.start[None])[0]).max() < 0.05
    assert asked.num_asked == DRAWS
    frozen = TargetPolicy("mcts:simulations=3", freeze=True).ask(game, 5)
    assert set(frozen.act(states, keys)) == {frozen_chooser(frozen.policy, 5)(game.start[None]).argmax()}
    assert TargetPolicy("perfect").ask(game, 5).probabilities(game.start[None]).max() == pytest.approx(1 / 9)


def test_trainers_that_cannot_learn_against_a_policy_name_those_that_can():
    with pytest.raises(ValueError, match=r"'evolved_table' does not learn against.* take one of qlearning, montecarlo, alphazero"):
        RunPlan.make("evolved_table", "nim", 0, None, {}, TargetPolicy("random"))
    with pytest.raises(ValueError, match="qlearning begins with more questions than the 100 that random may be asked"):
        begun("qlearning", TargetPolicy("random", positions=100))
    with pytest.raises(ValueError, match="rows=0, tables=1 and merge=nothing"):
        begun("qlearning", TargetPolicy("random"), merge="symmetry")
    with pytest.raises(ValueError, match="positions is 1; it must be a whole number, 2 or more"):
        TargetPolicy("random", positions=1)
