"""The same answers rewarded in two ways: by the result of the game, and by the exact value that each move keeps.

A result is one number for all answers of a game, and depends on the opponent's mistakes. Regret tells the good answers of a lost
game from the bad ones. Nothing is trained here; the answers come from a random player that writes them as a model would.
"""

import numpy as np

import ludus
from ludus.text.environments import Tasks

tasks = Tasks("tictactoe", opponent="random", count=400, seed=1)
speaker = ludus.make_policy("random", "tictactoe")

by_result, by_regret = [], []
for task in tasks.train:
    episode = tasks.episode(task)
    while not episode.over:
        key = np.array([(task.key + len(episode.scores)) % 2**64], np.uint64)
        move = tasks.rules.move_name(int(speaker.act(episode.state[None], key)[0]))
        episode.take(f"I have looked at the board. <move>{move}</move>")
    by_result += [episode.reward] * len(episode.scores)
    by_regret += [score.reward for score in episode.scores]

result, regret = np.array(by_result), np.array(by_regret, float)
keeps = regret == 1
print(f"{len(keeps)} answers in {len(tasks.train)} games; {keeps.mean():.0%} of them keep the value of their position")
print(f"{'mean reward of answers that':<28} {'by result':>10} {'by regret':>10}")
for words, some in (("keep the value", keeps), ("lose some of it", ~keeps)):
    print(f"  {words:<26} {result[some].mean():>10.2f} {regret[some].mean():>10.2f}")
print(f"{(result[~keeps] == 1).mean():.0%} of the answers that lose value belong to a game that was won, and are rewarded for it")
print(f"{(result[keeps] == 0).mean():.0%} of the answers that keep it belong to a game that was lost, and are not")
