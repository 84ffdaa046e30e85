"""An engine in a few lines of Python: `ludus arena othello:size=6 --policies random "engine:python examples/engine.py"`.

It leaves the opponent as few moves as it can. Any program that reads and writes these lines can play (docs/text.md#engines).
"""

import sys

import ludus

game = state = None
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "game":
        game = ludus.make_game(rest)
    elif word == "position" and game:
        state = game.position(rest)
    elif word == "go" and game and state is not None:
        replies = {move: len(game.legal_actions(game.play(state, move))) for move in game.legal_actions(state)}
        print("bestmove", game.move_name(min(replies, key=lambda move: (replies[move], move))), flush=True)
    elif word == "quit":
        break
