"""`as_policy`: functions play as what they answer says, and errors are sentences."""

import functools
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pettingzoo
import pytest

import ludus
from ludus.agents import FunctionPolicy, as_policy
from ludus.agents.external.wrapped import softmax
from ludus.agents.policy import draw_actions

from ..helpers.games import EACH, keys, positions
from ..helpers.values import fits

every_game = pytest.mark.parametrize("spec", EACH)
TICTACTOE = ludus.make_game("tictactoe")


def weights(game, seed=0):
    return np.random.default_rng(seed).normal(size=(int(np.prod(game.shape)), game.num_actions))


def linear(game, observations, masks):
    """Scores that tell every plane and action apart."""
    return observations.reshape(len(observations), -1).astype(float) @ weights(game)


def scores(observations, masks):
    return linear(TICTACTOE, observations, masks)


@every_game
def test_what_is_asked_about_is_what_environments_show(spec):
    game = ludus.make_game(spec)
    name, settings = ludus.core.specs.parse(spec)
    env = pettingzoo.make("aec", f"ludus/{name}-v0", **settings)
    asked = []

    def random(observations, masks):
        asked.append((observations[0], masks[0]))
        return np.random.default_rng(len(asked)).random(masks.shape)

    policy = as_policy(random, game)
    env.reset(seed=0)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        assert not info["illegal"]
        over = terminated or truncated
        env.step(None if over else policy(env))
        if not over:
            assert np.array_equal(asked[-1][0], observation["observation"])
            assert np.array_equal(asked[-1][1], observation["action_mask"])
            assert asked[-1][0].dtype == asked[-1][1].dtype == np.int8


@every_game
@pytest.mark.parametrize("sample", [False, True])
def test_a_function_of_observations_and_masks_chooses_by_its_logits(spec, sample):
    game = ludus.make_game(spec)
    policy = as_policy(functools.partial(linear, game), game, sample=sample)
    states, some_keys = positions(game, 300), keys(300)
    masks = game.masks(states)
    actions, chances = policy.act(states, some_keys), policy.probabilities(states)
    logits = np.where(masks, linear(game, game.observations(states, game.players(states)), masks), -np.inf)
    expected = np.exp(logits - logits.max(1, keepdims=True))
    expected = expected / expected.sum(1, keepdims=True) if sample else np.eye(game.num_actions)[logits.argmax(1)]
    assert np.allclose(chances, expected)
    assert masks[np.arange(300), actions].all()
    assert sample or actions.tolist() == logits.argmax(1).tolist()


def test_the_least_and_the_greatest_key_draw_actions_that_have_a_chance():
    least, greatest = np.zeros(1, np.uint64), np.full(1, 2**64 - 1, np.uint64)
    for seed in range(200):
        chances = softmax(np.where([[0, 1, 1, 0, 1, 0]], np.random.default_rng(seed).normal(size=(1, 6)), -np.inf))
        assert (draw_actions(chances, least)[0], draw_actions(chances, greatest)[0]) == (1, 4)


def test_a_function_may_look_at_states_and_keys():
    states, policy = positions(TICTACTOE, 50), as_policy(lambda states, keys: TICTACTOE.masks(states).argmax(1), "tictactoe")
    assert isinstance(policy, FunctionPolicy)
    assert policy.act(states, keys(50)).tolist() == TICTACTOE.masks(states).argmax(1).tolist()


def test_many_positions_are_asked_about_in_parts():
    sizes = []

    def noted(observations, masks):
        sizes.append(len(masks))
        return scores(observations, masks)

    states = np.repeat(positions(TICTACTOE, 1000), 20, axis=0)
    some_keys = keys(20_000)
    together = as_policy(noted, "tictactoe").act(states, some_keys)
    assert sizes == [8192, 8192, 3616]
    assert np.array_equal(together[::20], as_policy(scores, "tictactoe").act(states[::20], some_keys[::20]))
    assert as_policy(noted, "tictactoe").act(states[:0], some_keys[:0]).shape == (0,)
    assert len(sizes) == 3


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (np.zeros((3, 8)), r"\(3, 8\).*\(3, 9\)"),
        (np.zeros(3), r"\(3,\).* float64.*actions \(3,\), whole numbers"),
        (np.zeros(9, int), r"\(9,\).*actions \(3,\), whole numbers"),
        (np.zeros((3, 9), complex), "complex128"),
        (None, r"observations \(3, 3, 3, 3\) and masks \(3, 9\) of tictactoe.* gave None.*\(3, 9\)"),
        ((np.zeros((3, 9)), np.zeros((1, 3, 64))), "a tuple of ndarray.*gives the scores alone"),  # and its memory
        ((np.zeros((3, 9)), np.zeros((3, 9))), "a tuple of ndarray.*gives the scores alone"),
        ({"logits": np.zeros((3, 9)), "state": (1, 2)}, "a dict of ndarray and tuple.*gives the scores alone"),
        (SimpleNamespace(logits=np.zeros((3, 9))), "gives the scores alone"),
        *(
            (np.full((3, 9), number), f"in '--------- X' of tictactoe: the highest is {number}")
            for number in (np.nan, -np.inf, np.inf)
        ),
    ],
)
def test_an_answer_that_is_none_is_reported_with_what_was_wanted(answer, says):
    policy = as_policy(lambda observations, masks: answer, "tictactoe", name="my function")
    with pytest.raises(ValueError, match=f"my function .*{says}"):
        policy.act(np.repeat(TICTACTOE.start[None], 3, axis=0), keys(3))


class Answer(NamedTuple):
    value: np.ndarray
    logits: np.ndarray


@pytest.mark.parametrize(
    ("form", "output"),
    [
        # values beside the scores
        (lambda logits, value, _: (logits, value), None),
        (lambda logits, value, _: (value[:, None], logits), None),
        (lambda logits, value, _: {"policy": logits, "value": value}, None),
        (lambda logits, value, _: Answer(value, logits), None),
        (lambda logits, value, _: (logits, value, value), None),
        (lambda logits, *_: (logits,), None),
        # where it cannot be seen which part has the scores, it is named
        (lambda logits, _, memory: (memory, logits), 1),
        (lambda logits, _, memory: {"values": memory, "logits": logits, "prior": logits + 1}, "logits"),
        (lambda logits, _, memory: SimpleNamespace(state=memory, logits=logits), "logits"),
    ],
)
def test_of_an_answer_in_parts_the_scores_count(form, output):
    def function(observations, masks):
        count = len(masks)
        return form(scores(observations, masks), np.ones(count), np.zeros((1, count, 64)))

    states = positions(TICTACTOE, 100)
    found = as_policy(function, "tictactoe", output=output).act(states, keys(100))
    assert np.array_equal(found, as_policy(scores, "tictactoe").act(states, keys(100)))
    for wrong in ("value head", 7):
        with pytest.raises(ValueError, match=rf"output is {wrong!r}, but function gave .*, which has no such part"):
            as_policy(function, "tictactoe", output=wrong).act(states, keys(100))


def test_a_function_is_given_masks_unless_it_refuses_them_where_its_signature_does_not_say():
    class Passing:  # as decorators do that were written without functools.wraps
        def __init__(self, function):
            self.function = function

        def __call__(self, *args, **kwargs):
            return self.function(*args, **kwargs)

    states, wanted = positions(TICTACTOE, 50), as_policy(scores, "tictactoe").act(positions(TICTACTOE, 50), keys(50))
    alone = [wrap(lambda planes: scores(planes, None)) for wrap in (Passing, lambda function: function)]
    for function in (Passing(scores), *alone, lambda *both: scores(*both)):
        assert np.array_equal(as_policy(function, "tictactoe").act(states, keys(50)), wanted)
    assert as_policy(Passing(lambda planes, legal: legal.argmax(1)), "tictactoe").act(states, keys(50)).tolist() == (
        TICTACTOE.masks(states).argmax(1).tolist()
    )
    with pytest.raises(TypeError, match="unsupported operand"):  # of the function itself
        as_policy(Passing(lambda planes, legal: planes + None), "tictactoe").act(states, keys(50))


def test_a_temperature_divides_the_scores_that_actions_are_drawn_by():
    scores = np.array([3.0, 1.0, 0.5, 0, 0, 0, 0, 0, -2.0])
    game = TICTACTOE

    def function(observations, masks):
        return np.tile(scores, (len(masks), 1))

    for temperature in (0.5, 1, 4):
        policy = as_policy(function, game, sample=True, temperature=temperature)
        powers = np.exp(scores / temperature)
        assert np.allclose(policy.probabilities(game.start[None])[0], powers / powers.sum())
        drawn = policy.act(np.repeat(game.start[None], 4000, axis=0), keys(4000))
        assert fits(np.bincount(drawn, minlength=9), powers / powers.sum())
    with pytest.raises(ValueError, match="temperature is 2, but without sample=True the action with the highest score is chosen"):
        as_policy(function, game, temperature=2)
    with pytest.raises(ValueError, match="temperature is 0; it must be a number, more than 0"):
        as_policy(function, game, sample=True, temperature=0)
