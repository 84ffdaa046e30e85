"""`ludus play GAME --against SPEC`: plays a game against a policy, on the terminal or in a window."""

from __future__ import annotations

import argparse
import shlex
import sys
import textwrap
from collections.abc import Sequence
from functools import partial
from io import StringIO
from typing import Any

from ...agents import make_policy
from ...arena.engines.guarded import Guard
from ...core import specs
from ...core.files.writing import path_of
from ...envs import Game, game_names, make_game
from ...envs.views import unfinished
from ...games.game import StateArray
from ...games.registry import GAMES
from ...oracles import Solution, describe, make_oracle
from ..playing.table import Table, load, save
from ..playing.window import Player, check_screen
from ..terminal.numbers import pathname
from ..terminal.output import SPEAKING, print_json, refuse, with_trust

NO_BREAK = "\N{NO-BREAK SPACE}"  # keeps the words of a move on one line
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
    add("--window", action="store_true", help="play with the mouse in a window instead of on the terminal")
    add("--load", metavar="FILE", action=pathname(), help="resume a saved game")
    add("--trust", action="store_true", help="with --load: allow code named in the saved game to run")


def more_arguments(parser: argparse.ArgumentParser, given: Sequence[str]) -> None:
    """Adds to the help an example of a move of the given game, or of each game."""
    named = [word for word in given if GAMES.has(word.partition(":")[0])] or game_names()
    lines = [f"  {game.name:<11} {example(game, game.start)}" for game in map(_game_or_none, named) if game is not None]
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
    with Guard() as guard:
        table = load(chosen.load, chosen.trust, guard) if chosen.load else begin(chosen, guard)
        play(table, out, chosen.window)
    if chosen.json:
        print_json(table.document())


def play(table: Table, out: Any, in_window: bool) -> None:
    """Plays until the game is over or the player quits, and prints the result."""
    table.policy.prepare()
    print(f"{table.game.title} ({table.game}): you are {table.game.player_names[table.seat]}, against {table.against}.", file=out)
    if in_window:
        check_screen()
        Player(table, partial(reply_to, table)).play()
    else:
        play_on_terminal(table, out)
    if table.outcome is not None:
        print(describe_ending(table), file=out)


def play_on_terminal(table: Table, out: Any) -> None:
    """Reads and runs lines until the game is over or the player quits."""
    print(f"Type a move ({example(table.game, table.state)}), or: {', '.join(COMMANDS)}.\n", file=out)
    table.answer(out)
    while table.outcome is None:
        try:
            line = read_line(f"{table.game.player_names[table.seat]}> ", out).strip()
        except EOFError:
            print(file=out)
            break
        if line.lower() in QUIT:
            break
        try:
            run_line(table, line, out)
        except KeyboardInterrupt:
            print("interrupted", file=out)
        except (ValueError, OSError) as error:
            print(error, file=out)


def reply_to(table: Table, line: str) -> str:
    """Runs a line, and returns what the terminal would print, without the board, which the window shows."""
    out = StringIO()
    try:
        if line:
            run_line(table, line, out)
        else:
            table.answer(out)
    except (ValueError, OSError) as error:
        return str(error)
    printed = f"\n{out.getvalue()}".partition("\n\n")[0].strip("\n")  # the board follows an empty line
    result = describe_ending(table) if table.outcome is not None else ""
    return "\n".join(filter(None, [printed, result]))


def describe_ending(table: Table) -> str:
    """How the game ended, and who won."""
    assert table.outcome is not None
    result = {1: "you win", 0: "a draw", -1: "you lose"}[table.outcome[table.seat]]
    ended = table.game.status(table.state) if table.game.outcome(table.state) else f"cut short after {len(table.actions)} plies"
    return f"{ended}: {result}."


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


def begin(chosen: argparse.Namespace, guard: Guard) -> Table:
    """Starts a new game."""
    refuse(chosen, "it applies only to --load, because what you type is trusted anyway", "trust")
    game = make_game(chosen.game)
    start = game.start if chosen.position is None else unfinished(game.position(chosen.position), game)
    policy = make_policy(guard(chosen.against, game), game)
    return Table(game, policy, chosen.against.strip(), int(chosen.seat), chosen.seed, start)


def run_line(table: Table, line: str, out: Any) -> None:
    """Runs a command or plays a move.

    Raises:
        ValueError: the line is neither a command nor a legal move.
    """
    word, _, rest = line.partition(" ")
    word = word.lower()
    names = [table.game.moves[action] for action in table.game.legal_actions(table.state)]
    if word == "moves":
        listed = ",  ".join(name.replace(" ", NO_BREAK) for name in names)
        print(textwrap.fill(listed, 76, initial_indent="  ", subsequent_indent="  ").replace(NO_BREAK, " "), file=out)
    elif word == "oracle":
        print(oracle_table(table.game, table.state), file=out)
    elif word == "board":
        table.show(out)
    elif word in ("help", "?"):
        print(HELP.format(example=names[0]), file=out)
    elif word == "undo":
        table.undo()
        table.show(out)
    elif word == "save":
        if not rest:
            raise ValueError("save needs the name of a file, for example: save game.json")
        save(table, path_of(rest))
        command = with_trust(f"ludus play --load {shlex.quote(rest)}", table.game.spec, table.against)
        print(f"saved; resume with: {command}", file=out)
    elif line:
        action = _legal_action(table, line, names)
        before = len(table.actions)
        table.actions.append(action)
        try:
            table.answer(out)
        except (ValueError, KeyboardInterrupt) as error:
            del table.actions[before:]
            why = error if isinstance(error, ValueError) else f"{table.against} was interrupted"
            raise ValueError(f"{why}; your move {line} is taken back") from error


def oracle_table(game: Game, state: StateArray) -> str:
    """The value of each legal move with perfect play, best moves first.

    Raises:
        ValueError: the game has no oracle.
    """
    oracle = make_oracle(game)
    known = {action: solution for action, solution in oracle.after(state).items() if solution.value is not None}
    lines = [f"  {game.move_name(action):<8} {describe(solution)}" for action, solution in sorted(known.items(), key=_rank)]
    if unknown := len(game.legal_actions(state)) - len(known):
        lines.append(f"  {unknown} moves are out of its reach: the oracle of {game.title} knows {oracle.reach}")
    return "\n".join(lines)


def _rank(move: tuple[int, Solution]) -> tuple[int, int]:
    """A sort key for moves: wins first, then quick wins, slow losses and high scores first."""
    value, distance, score = move[1].value or 0, move[1].distance or 0, move[1].score or 0
    return -value, -score if score else value * distance


def _legal_action(table: Table, line: str, names: list[str]) -> int:
    try:
        action = table.game.action(line)
    except ValueError as error:
        commands = (command.split()[0] for command in COMMANDS)
        close = specs.nearest(line, [*commands, *table.game.moves]).split(" (there are")[0]
        hint = f"; {close}" if close.startswith("did you mean") else ""
        raise ValueError(f"{error}{hint}") from None
    if table.game.moves[action] not in names:
        some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        raise ValueError(f"{line} is not legal now; legal moves: {some}")
    return action
