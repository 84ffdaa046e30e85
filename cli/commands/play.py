"""`ludus play GAME --against SPEC`: plays a game against a policy on the terminal."""

from __future__ import annotations

import argparse
import shlex
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

from ...agents import make_policy
from ...arena.engines.remote import guard_policy
from ...core import specs
from ...core.files.writing import path_of
from ...core.workers.worker import Worker
from ...envs import Game, game_names, make_game
from ...envs.views import check_unfinished
from ...games.game import StateArray
from ...games.registry import GAMES
from ...oracles import Solution, describe, make_oracle
from ...records.positions import state_of
from ..playing.live_game import LiveGame, load, save
from ..terminal.options import pathname
from ..terminal.output import SPEAKING, print_json, refuse, with_trust

NO_BREAK = "\N{NO-BREAK SPACE}"
"""Stands between the words of a move while moves are wrapped into lines."""
COMMANDS = ("moves", "oracle", "board", "undo", "save FILE", "help", "quit")
QUIT = ("quit", "exit", "q")
HELP = """\
  a move      its name, for instance: {example}
  moves       list the legal moves
  board       show the board again
  oracle      show the value of each legal move with perfect play
  undo        take back your last move and the answer
  save FILE   save the game; resume it with: ludus play --load FILE
  quit        quit"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", nargs="?", help="spec of the game, for example quixo:size=4")
    add(
        "--against",
        default="random",
        metavar="SPEC",
        help=f"the policy to play against, as `ludus list` shows; or {SPEAKING} (default: random)",
    )
    add("--seat", default="0", choices=["0", "1"], help="your seat; seat 0 moves first (default: 0)")
    add("--position", help="position to start from (default: the start of the game)")
    add("--load", metavar="FILE", action=pathname(), help="resume a saved game")
    add("--trust", action="store_true", help="with --load: allow code named in the saved game to run")


def more_arguments(parser: argparse.ArgumentParser, given: Sequence[str]) -> None:
    """Adds to the help an example of a move of the given game, or of each game."""
    words = [word for word in given if GAMES.has(word.partition(":")[0])] or game_names()
    lines = [f"  {game.name:<12} {example(game, game.start)}" for game in map(_game_or_none, words) if game is not None]
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(["a move, for instance:", *lines, f"\nor a command: {', '.join(COMMANDS)}"])


def _game_or_none(spec: str) -> Game | None:
    try:
        return make_game(spec)
    except ValueError:  # the command itself reports this
        return None


def example(game: Game, state: StateArray) -> str:
    """The name of a legal move."""
    return game.move_name(game.legal_actions(state)[0])


def run(chosen: argparse.Namespace) -> None:
    """Plays until the game is over or the player quits."""
    if (chosen.game is None) == (chosen.load is None):
        raise ValueError("name a game, for example `ludus play quixo`, or resume a saved one with `ludus play --load FILE`")
    out = sys.stderr if chosen.json else sys.stdout
    with Worker() as worker:
        live_game = load(chosen.load, chosen.trust, worker) if chosen.load else begin(chosen, worker)
        play(live_game, out)
    if chosen.json:
        print_json(live_game.document())


def play(live_game: LiveGame, out: Any) -> None:
    """Plays until the game is over or the player quits, and prints the result."""
    live_game.policy.prepare()
    game = live_game.game
    print(f"{game.title} ({game}): you are {game.player_names[live_game.seat]}, against {live_game.against}.", file=out)
    play_on_terminal(live_game, out)
    if live_game.outcome is not None:
        print(describe_ending(live_game), file=out)


def play_on_terminal(live_game: LiveGame, out: Any) -> None:
    """Reads and runs lines until the game is over or the player quits."""
    print(f"Type a move ({example(live_game.game, live_game.state)}), or: {', '.join(COMMANDS)}.\n", file=out)
    live_game.answer(out)
    while live_game.outcome is None:
        try:
            line = read_line(f"{live_game.game.player_names[live_game.seat]}> ", out).strip()
        except EOFError:
            print(file=out)
            break
        if line.lower() in QUIT:
            break
        try:
            run_line(live_game, line, out)
        except KeyboardInterrupt:
            print("interrupted", file=out)
        except (ValueError, OSError) as error:
            print(error, file=out)


def describe_ending(live_game: LiveGame) -> str:
    """How the game ended, and who won."""
    assert live_game.outcome is not None
    result = {1: "you win", 0: "a draw", -1: "you lose"}[live_game.outcome[live_game.seat]]
    game, state = live_game.game, live_game.state
    status = game.status(state) if game.outcome(state) else f"cut short after {len(live_game.actions)} plies"
    return f"{status}: {result}."


def read_line(prompt: str, out: Any) -> str:
    """Reads a line; the prompt is printed where the board is.

    Raises:
        EOFError: the input has ended.
    """
    if out is sys.stdout:
        return input(prompt)
    print(prompt, end="", file=out, flush=True)
    if not (line := sys.stdin.readline()):
        raise EOFError
    return line


def begin(chosen: argparse.Namespace, worker: Worker) -> LiveGame:
    """Starts a new game."""
    refuse(chosen, "it applies only to --load, because what you type is trusted anyway", "trust")
    game = make_game(chosen.game)
    start = game.start if chosen.position is None else check_unfinished(state_of(game, chosen.position), game)
    policy = make_policy(guard_policy(chosen.against, game, worker), game)
    return LiveGame(game=game, policy=policy, against=chosen.against.strip(), seat=int(chosen.seat), seed=chosen.seed, start=start)


def run_line(live_game: LiveGame, line: str, out: Any) -> None:
    """Runs a command or plays a move."""
    word, _, rest = line.partition(" ")
    word = word.lower()
    names = [live_game.game.moves[action] for action in live_game.game.legal_actions(live_game.state)]
    if word == "moves":
        text = ",  ".join(name.replace(" ", NO_BREAK) for name in names)
        print(textwrap.fill(text, 76, initial_indent="  ", subsequent_indent="  ").replace(NO_BREAK, " "), file=out)
    elif word == "oracle":
        print(oracle_table(live_game.game, live_game.state), file=out)
    elif word == "board":
        live_game.show(out)
    elif word in ("help", "?"):
        print(HELP.format(example=names[0]), file=out)
    elif word == "undo":
        live_game.undo()
        live_game.show(out)
    elif word == "save":
        if not rest:
            raise ValueError("save needs the name of a file, for example: save game.json")
        save(live_game, path_of(rest))
        command = with_trust(f"ludus play --load {shlex.quote(rest)}", live_game.game.spec, live_game.against)
        print(f"saved; resume with: {command}", file=out)
    elif line:
        action = _legal_action(live_game, line, names)
        before = len(live_game.actions)
        live_game.actions.append(action)
        try:
            live_game.answer(out)
        except (ValueError, KeyboardInterrupt) as error:
            del live_game.actions[before:]
            why = error if isinstance(error, ValueError) else f"{live_game.against} was interrupted"
            raise ValueError(f"{why}; your move {line} is taken back") from error


def oracle_table(game: Game, state: StateArray) -> str:
    """The value of each legal move with perfect play, best moves first."""
    oracle = make_oracle(game)
    known = {action: solution for action, solution in oracle.after(state).items() if solution.value is not None}
    lines = [f"  {game.move_name(action):<8} {describe(solution)}" for action, solution in sorted(known.items(), key=_rank)]
    if unknown := len(game.legal_actions(state)) - len(known):
        lines.append(f"  {unknown} moves are out of reach: the oracle of {game.title} knows {oracle.reach}")
    return "\n".join(lines)


def _rank(move: tuple[int, Solution]) -> tuple[int, int]:
    """A sort key for moves: wins first, then quick wins, slow losses and high scores first."""
    value, distance, score = move[1].value or 0, move[1].distance or 0, move[1].score or 0
    return -value, -score if score else value * distance


def _legal_action(live_game: LiveGame, line: str, names: list[str]) -> int:
    try:
        action = live_game.game.action(line)
    except ValueError as error:
        commands = (command.split()[0] for command in COMMANDS)
        close = specs.nearest(line, [*commands, *live_game.game.moves]).split(" (there are")[0]
        hint = f"; {close}" if close.startswith("did you mean") else ""
        raise ValueError(f"{error}{hint}") from None
    if live_game.game.moves[action] not in names:
        some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        raise ValueError(f"{line} is not legal now; legal moves: {some}")
    return live_game.game.action(line, live_game.state)
