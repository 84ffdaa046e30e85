"""`ludus.opponents`: whom each game is played against, in environments and in the trainers alike."""

import gymnasium as gym
import numpy as np
import pytest

import ludus
from ludus.opponents import WINDOW, Ladder, League, Mixture

from ..helpers.games import keys, positions

GAME = ludus.make_game("tictactoe")
MANY = np.random.default_rng(0).integers(2**64, size=40_000, dtype=np.uint64)


def first(states, keys):
    """Plays the first legal action."""
    return GAME.masks(states).argmax(axis=1)


def last(states, keys):
    """Plays the last legal action."""
    return 8 - GAME.masks(states)[:, ::-1].argmax(axis=1)


def scores(arrays):
    """A policy by one score an action, as a snapshot of arrays makes it."""
    return ludus.as_policy(lambda observations, masks: np.tile(arrays["scores"], (len(masks), 1)), GAME)


def shares(pool):
    """How often each number is drawn."""
    return np.bincount(pool.draw(MANY), minlength=pool.width) / len(MANY)


def act(pool, numbers, states, keys):
    """What the opponents with these numbers play in these states."""
    rows = range(len(numbers))
    return [int(pool.rival(int(numbers[i])).policy.act(states[i : i + 1], keys[i : i + 1])[0]) for i in rows]


def beat(pool, number, games, reward=1.0):
    """The learner's games against one number, all with one reward."""
    pool.note(np.full(games, number), np.full(games, reward))


# ---- who is drawn


def test_the_members_of_a_mixture_share_the_games_by_their_weights():
    assert shares(Mixture(GAME, ["random", "greedy"])) == pytest.approx([1 / 2, 1 / 2], abs=0.01)
    assert shares(Mixture(GAME, ["random", first, "greedy"], weights=[1, 0, 3])) == pytest.approx([1 / 4, 0, 3 / 4], abs=0.01)


def test_a_pool_in_a_pool_takes_the_share_of_one_member():
    league = League(GAME, size=3)
    mixture = Mixture(GAME, ["random", league, Mixture(GAME, ["greedy", first], weights=[5, 15])])
    assert shares(mixture) == pytest.approx([1 / 2, 0, 0, 0, 1 / 8, 3 / 8], abs=0.01)  # nobody in the league yet
    for snapshot in (first, last):
        league.add(snapshot)
    assert shares(mixture) == pytest.approx([1 / 3, 1 / 6, 1 / 6, 0, 1 / 12, 1 / 4], abs=0.01)
    of_league = [f"league: {name}" for name in ("snapshot 0", "snapshot 1", "nobody yet")]
    assert mixture.names == ("random", *of_league, "mixture: greedy", "mixture: first")


def test_the_latest_snapshot_alone_is_met():
    league = League(GAME, size=3, draw="latest")
    for newest in (0, 1, 2, 0, 1):
        league.add(first)
        assert shares(league)[newest] == 1


def test_a_snapshot_takes_the_place_of_the_oldest_and_its_results_go_with_it():
    league = League(GAME, size=3)
    assert [league.add(first) for _ in range(3)] == [0, 1, 2]
    beat(league, 0, 50)
    assert league.add(last) == 0
    assert league.names == ("snapshot 3", "snapshot 1", "snapshot 2")
    assert league.points["snapshot 3"] == 0.5
    assert act(league, [0], GAME.start[None], keys(1)) == [8]


def test_whoever_beats_the_learner_comes_more_often():
    league = League(GAME, draw="prioritised", size=3)
    for _ in range(3):
        league.add(first)
    for number, reward in enumerate((1.0, -1.0, 0.0)):
        beat(league, number, 10_000, reward)
    assert shares(league) == pytest.approx([0, 0.8, 0.2], abs=0.01)  # 0², 1², ½²
    assert list(league.points.values()) == pytest.approx([1, 0, 0.5], abs=0.001)


def test_old_results_of_a_pool_fade_for_each_member_by_itself():
    mixture = Mixture(GAME, ["random", "greedy", Ladder(GAME, ["random"])])
    beat(mixture, 0, 9 * WINDOW)
    beat(mixture, 1, WINDOW // 2, -1.0)
    beat(mixture, 2, 3 * WINDOW)
    assert [*mixture.games.values()] == [WINDOW, WINDOW // 2, WINDOW]
    assert [*mixture.members[2].games.values()] == [WINDOW]
    beat(mixture, 0, WINDOW, -1.0)  # as many as count in all: the wins before are worth half by now
    assert [*mixture.games.values()] == [WINDOW, WINDOW // 2, WINDOW]
    assert [*mixture.points.values()] == pytest.approx([0.5, 0.5 / (WINDOW // 2 + 1), 1], abs=0.001)


def test_a_ladder_is_climbed_when_the_last_rung_is_mastered():
    ladder = Ladder(GAME, ["random", "greedy", first], mastered=0.7, enough=200)
    assert shares(ladder).tolist() == [1, 0, 0]
    beat(ladder, 0, 199)
    assert ladder.reached == 1  # too few games to say
    beat(ladder, 0, 1)
    assert shares(ladder) == pytest.approx([0.5, 0.5, 0], abs=0.01)
    beat(ladder, 1, 1000, -1.0)
    beat(ladder, 0, 1000)
    assert ladder.reached == 2
    beat(ladder, 1, 5000)  # old losses fade
    assert shares(ladder) == pytest.approx([1 / 3] * 3, abs=0.01)
    beat(ladder, 2, 1000)
    assert ladder.reached == 3


# ---- snapshots


def test_a_snapshot_of_a_network_stays_as_it_was():
    torch = pytest.importorskip("torch")
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(27, 9))
    league, live = League(GAME), Mixture(GAME, [net])
    league.add(net)
    states, some_keys = positions(GAME, 50), keys(50)
    before = act(league, [0] * 50, states, some_keys)
    with torch.no_grad():
        net[1].weight.neg_()
    assert act(league, [0] * 50, states, some_keys) == before
    assert act(live, [0] * 50, states, some_keys) != before


def test_a_league_of_arrays_goes_on_where_it_was():
    def made():
        league = League(GAME, size=2, draw="prioritised", make=scores, name="self")
        return league, Ladder(GAME, ["random", league, "greedy"], mastered=0.6)

    (league, one), (_, other) = made(), made()
    for number in range(3):
        league.add({"scores": np.eye(9)[number]})
    beat(one, 0, 300)
    beat(one, 1, 100, -1.0)
    other.restore({name: array.copy() for name, array in one.state().items()})
    assert shares(one).tolist() == shares(other).tolist()
    assert (one.names, one.points, one.reached) == (other.names, other.points, other.reached)
    starts = np.repeat(GAME.start[None], 2, axis=0)
    assert act(other, [1, 2], starts, keys(2)) == [2, 1]  # snapshot 2 took the place of snapshot 0
    assert {k: v.tolist() for k, v in one.state().items()} == {k: v.tolist() for k, v in other.state().items()}


# ---- in environments


def walk(mode, boards, steps=60):
    """Whom each board meets in games of legal actions from a seed, before and after each step, and the rewards."""
    pool = Mixture(GAME, ["random", "greedy", first])
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=boards, opponent=pool, autoreset_mode=mode)
    met, rewards = [envs.reset(seed=0)[1]["opponent"]], []
    for _ in range(steps):
        _, reward, _, _, info = envs.step(envs.unwrapped.sample_actions())
        met.append(info["opponent"])
        rewards.append(reward)
    return np.array(met), np.array(rewards)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_each_game_has_its_opponent_to_its_end_and_the_seed_decides_who(mode):
    (few, _), (met, rewards), (again, _) = (walk(mode, boards) for boards in (4, 40, 40))
    assert np.array_equal(met, again)
    assert np.array_equal(few, met[:, :4])  # whatever the number of boards
    assert {*met.ravel().tolist()} == {0, 1, 2}
    changes, ended = met[1:] != met[:-1], np.abs(rewards) == 1
    assert changes.sum() > 100
    begun = ended if mode == "SameStep" else np.concatenate([np.zeros((1, 40), bool), ended[:-1]])
    draws = rewards == 0  # may have ended in a draw too
    assert (begun | draws | ~changes).all()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_environments_tell_a_pool_how_its_games_ended(mode):
    pool = Mixture(GAME, ["random", first])
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=16, opponent=pool, autoreset_mode=mode)
    _, info = envs.reset(seed=3)
    met, reported = info["opponent"], np.zeros((2, 2))
    for _ in range(40):
        _, rewards, terminated, truncated, info = envs.step(envs.unwrapped.sample_actions())
        ended = terminated | truncated
        np.add.at(reported, met[ended], np.stack([np.ones(ended.sum()), (rewards[ended] + 1) / 2], axis=1))
        if "final_info" in info:
            assert np.array_equal(info["final_info"]["opponent"][ended], met[ended])
        if mode == "Disabled" and ended.any():
            _, info = envs.reset(options={"reset_mask": ended})
        met = info["opponent"]
    assert list(pool.games.values()) == reported[:, 0].tolist()
    assert list(pool.points.values()) == pytest.approx((reported[:, 1] + 0.5) / (reported[:, 0] + 1))
    assert reported[:, 0].min() > 20


@pytest.mark.parametrize("place", ["alone", "in a mixture"])
def test_a_running_game_goes_on_against_a_snapshot_that_is_replaced(place):
    league = League(GAME, size=1)
    pool = league if place == "alone" else Mixture(GAME, [league])
    one = gym.make("ludus/TicTacToe-v0", opponent=pool, seat=0)
    many = gym.make_vec("ludus/TicTacToe-v0", num_envs=2, opponent=pool, seat=0, autoreset_mode="Disabled")
    league.add(first)
    one.reset(seed=0)
    many.reset(seed=0)
    league.add(last)
    one.step(4)
    assert one.unwrapped.position[0] == "O"
    many.reset(options={"reset_mask": np.array([False, True])})
    many.step(np.array([4, 4]))
    assert [position.find("O") for position in many.unwrapped.position] == [0, 8]
    many.step(np.array([0, 0]))  # illegal on board 0, which loses; legal on board 1
    assert league.games == {"snapshot 1": 0}  # the replaced one's
    assert [*pool.games.values()] == [0 if place == "alone" else 1]
    one.reset(options={})
    one.step(4)
    assert one.unwrapped.position[8] == "O"


# ---- what is refused


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Mixture(GAME, []), "1 or more"),
        (lambda: Mixture(GAME, "random"), "a list of policies"),
        (lambda: Mixture(GAME, ["random"], weights=[1, 2]), "there must be 1, each 0 or more"),
        (lambda: Mixture(GAME, ["random", first], weights=[0, 0]), "not all 0"),
        (lambda: Mixture(GAME, [League("quarto")]), "league is of quarto; here it is to play tictactoe"),
        (lambda: Ladder(GAME, ["random"], enough=0), "enough is 0; it must be a whole number from 1 to 500"),
        (lambda: League(GAME, draw="oldest"), "it must be latest, uniform or prioritised"),
        (lambda: League(GAME).add({"scores": np.zeros(9)}), "needs League"),
        (lambda: gym.make("ludus/TicTacToe-v0", opponent=League(GAME)).reset(), "league has no opponent yet; add one before"),
        (lambda: gym.make("ludus/Quarto-v0", opponent=Mixture(GAME, ["random"])), "was made for tictactoe"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(make, words):
    with pytest.raises(ValueError, match=words):
        make()
