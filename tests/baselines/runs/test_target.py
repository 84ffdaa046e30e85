"""Trainers against one policy: it is asked nothing twice, and only so much; what beats it is no better than the truth."""

import json

import numpy as np
import pytest

import ludus
from ludus.arena import grade_exact
from ludus.arena.exploiting.mixtures import SAMPLED, SAMPLED_KEYS
from ludus.arena.grading.answers import frozen_chooser
from ludus.arena.matches.record import parse
from ludus.baselines import Execution, TargetPolicy, resume, train_exploiter
from ludus.baselines.runs.plan import RunPlan
from ludus.baselines.runs.registry import trainer_class
from ludus.baselines.runs.target import DRAWS
from ludus.baselines.runs.training import begin
from ludus.cli import main

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
LENGTH = {
    "games": {"games": 200},
    "steps": {"steps": 5 * 16 * 16},
    "generations": {"generations": 5},
    "positions": {"positions": 2048},
}


def begun(name, target, folder=None, watch=lambda run: None):
    """A run of one of the tiny trainers against a policy."""
    game, settings, _ = TINY[name]
    own = {key: value for key, value in settings.items() if key not in ("opponent", "opponents", "peers")}
    plan = RunPlan.make(name, game, 3, None, own | LENGTH[trainer_class(name).unit], target)
    return begin(plan, folder, NEVER, Execution(watch=watch))


# ---- what is asked


@pytest.mark.parametrize("name", AGAINST)
def test_each_trainer_that_can_learns_against_a_policy_and_asks_it_nothing_twice(name):
    SEEN.clear()
    run = begun(name, TargetPolicy(LAST, positions=5000, freeze=True))
    assert run.trainer.done == run.trainer.total
    assert run.rows[-1]["positions asked"] == run.asked.num_asked == len(SEEN) == len(set(SEEN)) > 10


@pytest.mark.parametrize("name", ["maskable_ppo", "neat"])
def test_a_part_that_would_ask_too_much_is_left_out(name):
    after = []
    whole = begun(name, TargetPolicy("minimax:depth=1", freeze=True), watch=lambda run: after.append(run.trainer.learnt()))
    allowed = int(whole.rows[2]["positions asked"])
    cut = begun(name, TargetPolicy("minimax:depth=1", positions=allowed, freeze=True))
    assert cut.over
    assert 3 <= len(cut.rows) < len(whole.rows)
    assert cut.rows[-1]["positions asked"] <= cut.asked.num_asked <= allowed
    assert_same(cut.trainer.learnt(), after[len(cut.rows) - 1])


@pytest.mark.parametrize(("name", "policy"), [("maskable_ppo", "random"), ("layered_neat", LAST)])
def test_a_run_that_was_stopped_ends_as_one_that_was_not_and_asks_nothing_again(name, policy, tmp_path):
    target = TargetPolicy(policy, positions=20_000)
    whole = begun(name, target, tmp_path / "whole")
    SEEN.clear()
    with pytest.raises(KeyboardInterrupt):
        begun(name, target, tmp_path / "part", stop_after(2))
    again = resume(tmp_path / "part", trust=True)
    assert learnt(tmp_path / "part") == learnt(tmp_path / "whole")
    assert again.asked.num_asked == whole.asked.num_asked
    tried = 2 * SAMPLED * SAMPLED_KEYS  # whether it draws its actions is tried at the start of each session
    assert len(SEEN) == (tried + again.asked.num_asked if policy == LAST else 0)


def test_a_policy_that_draws_its_actions_is_asked_in_a_few_ways():
    states, keys = np.repeat(TICTACTOE.start[None], 1000, 0), np.random.default_rng(1).integers(2**64, size=1000, dtype=np.uint64)
    asked = TargetPolicy("mcts:simulations=3").ask(TICTACTOE, 5)
    actions = asked.act(states, keys)
    assert len(set(actions.tolist())) > 1
    assert abs(np.bincount(actions, minlength=9) / 1000 - asked.probabilities(states[:1])[0]).max() < 0.05
    assert asked.num_asked == DRAWS
    frozen = TargetPolicy("mcts:simulations=3", freeze=True).ask(TICTACTOE, 5)
    assert set(frozen.act(states, keys)) == {frozen_chooser(frozen.policy, 5)(states[:1]).argmax()}


@pytest.mark.parametrize(
    ("trainer", "settings", "target", "sentence"),
    [
        ("evolved_table", {}, {}, "'evolved_table' does not learn against a policy that is given to it; take one of qlearning"),
        ("qlearning", {}, {"positions": 10}, "qlearning begins with more questions than the 10 that random may be asked"),
        ("qlearning", {"merge": "symmetry"}, {}, "rows=0, tables=1 and merge=nothing"),
        ("qlearning", {}, {"positions": 1}, "positions is 1; it must be a whole number, 2 or more"),
    ],
)
def test_what_cannot_be_learnt_against_is_refused_in_a_sentence(trainer, settings, target, sentence):
    with pytest.raises(ValueError, match=sentence):
        begin(RunPlan.make(trainer, "nim:heaps=1+3+5", 0, None, settings, TargetPolicy("random", **target)), None, NEVER)


# ---- what beats it

SMALL = ludus.make_game("connect_four:rows=4,columns=4,line=3")
NEAT = "neat:generations=3,population=20"
FROZEN = TargetPolicy("minimax:depth=1", freeze=True)


def test_a_game_that_beats_a_frozen_policy_is_a_line_that_replays():
    found = train_exploiter(FROZEN, SMALL, NEAT, seed=2, games=3)
    choose = frozen_chooser(ludus.make_policy("minimax:depth=1", SMALL), 2)
    assert (found.exploitability, found.exact, found.measured) == (1, True, None)
    for seat, record in zip(found.seats, found.records, strict=True):
        states = SMALL.play_line(seat.line)
        assert SMALL.outcome(states[-1])[1 - seat.seat] == 1
        its = [row for row, state in enumerate(states[:-1]) if SMALL.player(state) == seat.seat]
        assert choose(states[its]).argmax(axis=1).tolist() == [seat.line[row] for row in its]
        assert record.players[seat.seat] == "minimax:depth=1"
    assert found.positions == found.run.asked.num_asked == sum(seat.positions for seat in found.seats)


@pytest.mark.parametrize(("policy", "trainer"), [("random", "qlearning:games=20000"), ("minimax:depth=1", NEAT)])
def test_the_bound_of_a_mixture_is_no_better_than_the_truth(policy, trainer):
    found = train_exploiter(TargetPolicy(policy, positions=40_000), "tictactoe", trainer, games=200)
    assert found.measured.games == 400
    assert found.exploitability == found.measured.lower < found.measured.mean
    assert not found.exact
    if policy == "random":
        truth = grade_exact(policy, "tictactoe").exploitability
        assert truth - 0.2 < found.measured.mean
        assert found.exploitability <= truth


def test_the_same_call_goes_on_with_a_run_and_no_other(tmp_path):
    whole = train_exploiter(FROZEN, SMALL, NEAT, tmp_path / "whole", games=2)
    with pytest.raises(KeyboardInterrupt):
        train_exploiter(FROZEN, SMALL, NEAT, tmp_path / "a", execution=Execution(watch=stop_after(2)), games=2)
    found = train_exploiter(FROZEN, SMALL, NEAT, tmp_path / "a", games=2)
    assert learnt(tmp_path / "a") == learnt(tmp_path / "whole")
    assert [seat.line for seat in found.seats] == [seat.line for seat in whole.seats]
    assert ludus.make_policy(str(found.opponent), SMALL)
    with pytest.raises(ValueError, match="has another seed and another target than was given; name another folder"):
        train_exploiter(TargetPolicy("minimax:depth=2", freeze=True), SMALL, NEAT, tmp_path / "a", seed=4)


def test_the_command_trains_writes_and_refuses(tmp_path, capsys):
    words = ["exploit", SMALL.spec, "--policy", "minimax:depth=1", "--freeze"]
    trained = [*words, "--trainer", NEAT, "--games", "2"]
    assert main([*trained, "--run", str(tmp_path / "a"), "--record", str(tmp_path / "games")]) == 0
    printed = capsys.readouterr().out
    assert "neat has learnt 3 generations against it." in printed
    assert f"The opponent is the policy run:{tmp_path / 'a'}" in printed
    assert len([*parse((tmp_path / "games").read_text())]) == 2
    assert main([*trained, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["by"] == NEAT
    for options, words_of_error in (
        ([*trained, "--by", "minimax"], "--by is given, but what a trainer has learnt is the policy of its run"),
        ([*trained, "--seat", "0"], "a trainer learns against the policy in both seats"),
        ([*words, "--run", "b"], "--run is given, but it applies only to a trainer"),
        ([*words, "--trainer", "neat:wings=2"], "no setting 'wings'"),
    ):
        assert main(options) != 0
        assert words_of_error in capsys.readouterr().err
