"""`ludus play GAME --against SPEC`: a game on the terminal."""

from __future__ import annotations

import argparse
import shlex
import sys
import textwrap
from collections.abc import Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from ...agents import make_policy
from ...agents.oracles import Solution, describe, make_oracle
from ...arena.engines.guarded import Guard
from ...envs import Game, game_names, make_game
from ...envs.files.writing import path_of
from ...envs.games.game import StateArray
from ...envs.games.registry import GAMES
from ...envs.settings import specs
from ...envs.views import unfinished
from ..playing.table import Table, load, save
from ..playing.window import Player, check_screen
from ..terminal.output import print_json, refuse

NARROW = "\N{NO-BREAK SPACE}"  # keeps the words of a move together while lines are broken
COMMANDS = "moves, oracle, board, undo, save FILE, help, quit"
HELP = """\
  a move      by its name, for instance: {example}
  moves       the legal moves
  board       the board again
  oracle      what each legal move is worth with perfect play
  undo        take back your last move and the answer
  save FILE   keep the game; go on with: ludus play --load FILE
  quit        leave"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The game, the opponent, the seat, and where to start."""
    parser.add_argument("game", nargs="?", help="a game's spec, as quixo:size=4")
    parser.add_argument("--against", default="random", metavar="SPEC", help="the policy to play against (random)")
    parser.add_argument("--seat", default="0", choices=["0", "1"], help="your seat: 0 moves first (0)")
    parser.add_argument("--position", help="start from this position")
    parser.add_argument("--window", action="store_true", help="play in a window, by clicks, instead of on the terminal")
    parser.add_argument("--load", metavar="FILE", type=Path, help="go on with a saved game")
    parser.add_argument("--trust", action="store_true", help="with --load: let code run that the saved game names")


def more_arguments(parser: argparse.ArgumentParser, given: Sequence[str]) -> None:
    """Shows in the help how a move of the game reads that is named."""
    named = [word for word in given if GAMES.has(word.partition(":")[0])] or game_names()
    lines = [f"  {game.name:<11} {example(game, game.start)}" for game in map(_game_or_none, named) if game is not None]
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(["a move, for instance:", *lines, f"\nor a command: {COMMANDS}"])


def _game_or_none(spec: str) -> Game | None:
    try:
        return make_game(spec)
    except ValueError:  # the command itself will say what is wrong
        return None


def example(game: Game, state: StateArray) -> str:
    """A move that is legal in a state."""
    return game.move_name(game.legal_actions(state)[0])


def run(chosen: argparse.Namespace) -> None:
    """Plays until the game is over or the player leaves."""
    if (chosen.game is None) == (chosen.load is None):
        raise ValueError("name a game, as `ludus play quixo`, or go on with a saved one, as `ludus play --load FILE`")
    out = sys.stderr if chosen.json else sys.stdout
    with Guard() as guard:
        table = load(chosen.load, chosen.trust, guard) if chosen.load else begin(chosen, guard)
        play(table, out, chosen.window)
    if chosen.json:
        print_json(table.document())


def play(table: Table, out: Any, in_window: bool) -> None:
    """Plays at a table, to the end or as long as the person likes."""
    table.policy.prepare()
    print(f"{table.game.title} ({table.game}): you are {table.game.player_names[table.seat]}, against {table.policy}.", file=out)
    if in_window:
        check_screen()
        Player(table, partial(answer_to, table)).play()
    else:
        converse(table, out)
    if table.outcome is not None:
        print(ending(table), file=out)


def converse(table: Table, out: Any) -> None:
    """Plays on the terminal until the game is over or the player leaves."""
    print(f"Type a move ({example(table.game, table.state)}), or: {COMMANDS}.\n", file=out)
    table.answer(out)
    while table.outcome is None:
        try:
            line = ask(f"{table.game.player_names[table.seat]}> ", out).strip()
        except EOFError:
            break
        if line.lower() in ("quit", "exit", "q"):
            break
        try:
            obey(table, line, out)
        except KeyboardInterrupt:
            print("interrupted", file=out)
        except (ValueError, OSError) as error:
            print(error, file=out)


def answer_to(table: Table, line: str) -> str:
    """What there is to say about a line, without the board, which the window shows."""
    out = StringIO()
    try:
        if line:
            obey(table, line, out)
        else:
            table.answer(out)
    except (ValueError, OSError) as error:
        return str(error)
    said = f"\n{out.getvalue()}".partition("\n\n")[0].strip("\n")  # the board follows an empty line
    return "\n".join([*filter(None, [said]), *([ending(table)] if table.outcome is not None else [])])


def ending(table: Table) -> str:
    """How a game ended, for the person."""
    assert table.outcome is not None
    verdict = {1: "you win", 0: "a draw", -1: "you lose"}[table.outcome[table.seat]]
    ended = table.game.status(table.state) if table.game.outcome(table.state) else f"cut short after {len(table.actions)} plies"
    return f"{ended}: {verdict}."


def ask(prompt: str, out: Any) -> str:
    """A line from the person; the prompt goes where the board goes.

    Raises:
        EOFError: there is none.
    """
    if out is sys.stdout:
        return input(prompt)
    print(prompt, end="", file=out, flush=True)
    if not (line := sys.stdin.readline()):
        raise EOFError
    return line


def begin(chosen: argparse.Namespace, guard: Guard) -> Table:
    """A new game."""
    refuse(chosen, "it is for a saved game, by --load; what you type is trusted", "trust")
    game = make_game(chosen.game)
    start = game.start if chosen.position is None else unfinished(game.position(chosen.position), game)
    policy = make_policy(guard(chosen.against, game), game)
    return Table(game, policy, chosen.against.strip(), int(chosen.seat), chosen.seed, start)


def obey(table: Table, line: str, out: Any) -> None:
    """Does what one line says.

    Raises:
        ValueError: it is neither a command nor a legal move; the message says what there is.
    """
    word, _, rest = line.partition(" ")
    names = [table.game.moves[action] for action in table.game.legal_actions(table.state)]
    if word.lower() == "moves":
        listed = ",  ".join(name.replace(" ", NARROW) for name in names)
        print(textwrap.fill(listed, 76, initial_indent="  ", subsequent_indent="  ").replace(NARROW, " "), file=out)
    elif word.lower() == "oracle":
        print(verdicts(table.game, table.state), file=out)
    elif word.lower() == "board":
        table.show(out)
    elif word.lower() in ("help", "?"):
        print(HELP.format(example=names[0]), file=out)
    elif word.lower() == "undo":
        table.undo()
        table.show(out)
    elif word.lower() == "save":
        if not rest:
            raise ValueError("save takes the name of a file, as: save game.json")
        save(table, path_of(rest))
        print(f"saved; go on with: ludus play --load {shlex.quote(rest)}", file=out)
    elif line:
        action = _legal_action(table, line, names)
        before = len(table.actions)
        table.actions.append(action)
        try:
            table.answer(out)
        except (ValueError, KeyboardInterrupt) as error:
            del table.actions[before:]
            why = error if isinstance(error, ValueError) else f"{table.policy} was interrupted"
            raise ValueError(f"{why}; your move {line} is taken back") from error


def verdicts(game: Game, state: StateArray) -> str:
    """What the oracle says of each legal move, the best ones first.

    Raises:
        ValueError: there is no oracle for this game.
    """
    oracle = make_oracle(game)
    known = {action: told for action, told in oracle.after(state).items() if told.value is not None}
    lines = [f"  {game.move_name(action):<8} {describe(told)}" for action, told in sorted(known.items(), key=_better)]
    if unknown := len(game.legal_actions(state)) - len(known):
        lines.append(f"  {unknown} moves lead out of its reach: the oracle of {game.title} knows {oracle.reach}")
    return "\n".join(lines)


def _better(told: tuple[int, Solution]) -> tuple[int, int]:
    """Sorts moves: won ones first, quick wins and slow losses first, high scores first."""
    value, distance, score = told[1].value or 0, told[1].distance or 0, told[1].score or 0
    return -value, -score if score else value * distance


def _legal_action(table: Table, line: str, names: list[str]) -> int:
    try:
        action = table.game.action(line)
    except ValueError as error:
        commands = ["moves", "oracle", "board", "undo", "save", "help", "quit"]
        close = specs.nearest(line, [*commands, *table.game.moves]).split(" (there are")[0]
        hint = f"; {close}" if close.startswith("did you mean") else ""
        raise ValueError(f"{error}{hint}") from None
    if table.game.moves[action] not in names:
        some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        raise ValueError(f"{line} is not legal now; legal moves: {some}")
    return action
