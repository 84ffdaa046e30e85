"""Exact values: the value of a position with perfect play, the moves that keep it, and the value of each other move."""

import ludus
from ludus.oracles import make_oracle

for spec, position in [
    ("tictactoe", "X---O---- X"),
    ("quixo:size=4", "X--------------O X"),
    ("quarto", "0-d--5b--6-28--a 3"),
    ("othello", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"),  # FFO #1: 18 discs for black, by g8
]:
    game = ludus.make_game(spec)
    oracle = make_oracle(game)
    state = game.position(position)
    solution = oracle.solve(state)
    print(f"{game.picture(state)}\n\nvalue {solution.value}, score {solution.score}, distance {solution.distance}")
    print("best:", ", ".join(game.move_name(action) for action in solution.best))
    for action, solved in list(oracle.after(state).items())[:5]:
        print(f"    {game.move_name(action):8} leads to value {solved.value}, score {solved.score}, distance {solved.distance}")
    print()

print("The start of Othello:", make_oracle("othello").value(ludus.make_game("othello").start), "(out of reach, so None)")
