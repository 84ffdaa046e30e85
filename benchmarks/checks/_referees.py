"""Programs of others as referees: a script that replays games of Ludus by one of them. It imports nothing of Ludus.

    PYTHON benchmarks/checks/_referees.py NAME < GAMES

PYTHON has the program, which may want another version than Ludus does. GAMES has a game a line, as referees.py writes it: its spec
and settings, the names of all moves, and of each ply the move, the legal moves and, for `plybench`, what each loses. It prints how
many games and positions it saw, and what differs.
"""

import copy
import json
import re
import sys
from importlib.metadata import version
from typing import ClassVar


class OpenSpiel:
    """Any game that OpenSpiel has, by the numbers or the words of its actions."""

    def __init__(self, game):
        import pyspiel

        heaps = ";".join(map(str, game["settings"].get("heaps", ())))
        name = {
            "tictactoe": "tic_tac_toe",
            "othello": "othello",
            "connect_four": "connect_four",
            "nim": f"nim(pile_sizes={heaps},is_misere=False)",
        }[game["name"]]
        self.moves, self.state, self.by_words = game["moves"], pyspiel.load_game(name).new_initial_state(), "nim" in name

    def _numbers(self):
        state = self.state
        if not self.by_words:  # its last action of Othello is the pass, too
            return {self.moves[action]: action for action in state.legal_actions()}
        words = {action: state.action_to_string(state.current_player(), action) for action in state.legal_actions()}
        return {"-".join(re.findall(r"\d+", text)): action for action, text in words.items()}  # of "pile:2, take:3;"

    def legal(self):
        return {*self._numbers()}

    def play(self, move):
        self.state.apply_action(self._numbers()[move])

    def result(self):
        return int(self.state.returns()[0]) if self.state.is_terminal() else None


class PlyBench(OpenSpiel):
    """PlyBench's minimax, whose regret is what a move loses."""

    solved: ClassVar = {}

    def __init__(self, game):
        from plybench.core.minimax import solve_game
        from plybench.games.nim.nim import NimGame
        from plybench.games.tic_tac_toe.tic_tac_toe import TicTacToeGame

        super().__init__(game)
        if game["spec"] not in self.solved:
            theirs = TicTacToeGame() if game["name"] == "tictactoe" else NimGame(False, game["settings"]["heaps"])
            self.solved[game["spec"]] = solve_game(theirs)
        self.values = self.solved[game["spec"]]

    def lost(self):
        from plybench.core.game import TurnBasedState

        player = self.state.current_player()
        known = self.values[player, TurnBasedState.get_observation(self.state, player).state]
        return {move: known.V() - known.Q(number) for move, number in self._numbers().items()}


class TextArena:
    """TextArena's environments, which read moves in brackets and say which are invalid."""

    words: ClassVar = {
        "tictactoe": lambda cell: f"[{3 * (int(cell[1:]) - 1) + 'abc'.index(cell[0])}]",
        "connect_four": lambda column: f"[col {'abcdefg'.index(column)}]",
        "nim": lambda take: "[{} {}]".format(int(take.split("-")[0]) - 1, take.split("-")[1]),
        "othello": lambda cell: "[pass]" if cell == "pass" else f"[{int(cell[1:]) - 1}, {'abcdefgh'.index(cell[0])}]",
    }

    def __init__(self, game):
        from textarena.envs.ConnectFour.env import ConnectFourEnv
        from textarena.envs.Nim.env import NimEnv
        from textarena.envs.Othello.env import OthelloEnv
        from textarena.envs.TicTacToe.env import TicTacToeEnv

        heaps = list(game["settings"].get("heaps", ()))
        make = {
            "tictactoe": TicTacToeEnv,
            "connect_four": ConnectFourEnv,
            "nim": lambda: NimEnv(heaps),
            "othello": lambda: OthelloEnv(game["settings"]["size"]),
        }
        self.words, self.moves, self.name = TextArena.words[game["name"]], game["moves"], game["name"]
        self.env = make[self.name]()
        self.env.reset(2, seed=1)

    def legal(self):
        if self.name == "othello":  # it skips whatever is said if there is no move
            valid = self.env.state.game_state["valid_moves"]
            return {f"{'abcdefgh'[column]}{row + 1}" for row, column in valid} or {"pass"}
        return {move for move in self.moves if self._takes(move)}

    def _takes(self, move):
        tried = copy.deepcopy(self.env)
        tried.step(self.words(move))
        return tried.state.turn > self.env.state.turn  # an invalid move costs no turn

    def play(self, move):
        self.done, _ = self.env.step(self.words(move))

    def result(self):
        state = self.env.state
        return (state.rewards[0] if state.rewards else 0) if state.done else None


class Kaggle:
    """ConnectX of kaggle-environments."""

    def __init__(self, game):
        from kaggle_environments import make

        self.env = make("connectx")
        self.env.reset(2)

    def legal(self):
        return {"abcdefg"[column] for column in range(7) if self.env.state[0].observation.board[column] == 0}

    def play(self, move):
        player = self._player()
        self.env.step(["abcdefg".index(move) if seat == player else None for seat in (0, 1)])

    def _player(self):
        return [seat.status for seat in self.env.state].index("ACTIVE")

    def result(self):
        return self.env.state[0].reward if self.env.done else None


class RustReversi:
    """Othello of rust-reversi."""

    def __init__(self, game):
        from rust_reversi import Board

        self.board = Board()

    def legal(self):
        cells = self.board.get_legal_moves_vec()
        return {f"{'abcdefgh'[cell % 8]}{cell // 8 + 1}" for cell in cells} or {"pass"}

    def play(self, move):
        if move == "pass":
            self.board.do_pass()
        else:
            self.board.do_move(8 * (int(move[1:]) - 1) + "abcdefgh".index(move[0]))

    def result(self):
        if not self.board.is_game_over():
            return None
        return self.board.is_black_win() - self.board.is_white_win()


class Quartors:
    """Quarto of quartors, in which a player places and gives in one action."""

    def __init__(self, game):
        from quartors import State

        self.state, self.cell = State.initial(), None

    def _actions(self):
        return [action for action in self.state.legal_actions() if self.cell is None or action.position == self.cell]

    def legal(self):
        if self.cell is None and self.state.selected_piece is not None:
            return {f"{'abcd'[action.position % 4]}{action.position // 4 + 1}" for action in self._actions()}
        return {f"give {action.give_piece}" for action in self._actions()}

    def play(self, move):
        if not move.startswith("give"):
            self.cell = 4 * (int(move[1:]) - 1) + "abcd".index(move[0])
            last = [action for action in self._actions() if action.give_piece is None]
            if last:
                self.state = self.state.apply(last[0])
            return
        piece = int(move.split()[1])
        (action,) = (action for action in self._actions() if action.give_piece == piece)
        self.state, self.cell = self.state.apply(action), None

    def result(self):
        return int(self.state.returns[0]) if self.state.is_terminal else None


class Pgx:
    """A game of pgx, step by step; it draws which of its players moves first."""

    compiled: ClassVar = {}

    def __init__(self, game):
        import jax
        import pgx

        if game["spec"] not in self.compiled:
            env = pgx.make({"tictactoe": "tic_tac_toe"}.get(game["name"], game["name"]))
            self.compiled[game["spec"]] = jax.jit(env.init), jax.jit(env.step)
        start, self.step = self.compiled[game["spec"]]
        self.moves, self.state = game["moves"], start(jax.random.key(0))
        self.first = int(self.state.current_player)

    def legal(self, state=None):
        state = self.state if state is None else state
        return {move for move, legal in zip(self.moves, state.legal_action_mask.tolist(), strict=True) if legal}

    def play(self, move):
        self.state = self.step(self.state, self.moves.index(move))

    def result(self):
        state = self.state
        while not bool(state.terminated) and self.legal(state) == {"pass"}:  # its Othello ends after two passes, ours before
            state = self.step(state, self.moves.index("pass"))
        return int(state.rewards[self.first]) if bool(state.terminated) else None


REFEREES = {
    "open_spiel": OpenSpiel,
    "plybench": PlyBench,
    "textarena": TextArena,
    "kaggle-environments": Kaggle,
    "rust-reversi": RustReversi,
    "quartors": Quartors,
    "pgx": Pgx,
}
"""The programs by the names of their distributions."""


def differences(referee, game):
    """Where a program plays a game otherwise first, in words; empty where it does not."""
    theirs = referee(game)
    for ply, move in enumerate(game["line"]):
        where = f"{game['spec']}, after {' '.join(game['line'][:ply])}"
        if theirs.result() is not None:
            return f"{where}: the game is over"
        if theirs.legal() != {*game["legal"][ply]}:
            return f"{where}: legal is {sorted(theirs.legal())}, here {sorted(game['legal'][ply])}"
        if game["lost"] and theirs.lost() != game["lost"][ply]:
            return f"{where}: moves lose {theirs.lost()}, here {game['lost'][ply]}"
        theirs.play(move)
    if theirs.result() != game["result"]:
        return f"{game['spec']}, {' '.join(game['line'])}: the result is {theirs.result()}, here {game['result']}"
    return ""


if __name__ == "__main__":
    games = [json.loads(line) for line in sys.stdin]
    found = [words for game in games if (words := differences(REFEREES[sys.argv[1]], game))]
    counts = {"games": len(games), "positions": sum(len(game["line"]) for game in games)}
    print(json.dumps({**counts, "version": version(sys.argv[1]), "differences": found}))
