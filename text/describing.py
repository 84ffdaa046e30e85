"""Prompts: a position described in words, with the rules, the board, who moves, and the form of the answer."""

from __future__ import annotations

import hashlib

from ..agents.answers import PROMPT_VERSION
from ..games.game import Game, StateArray

ANSWER = "Answer with one move in the form <move>MOVE</move>. Only the last <move> counts."


def describe(game: Game, state: StateArray, *, legal: bool = False) -> str:
    """The rules of a game and a position in words.

    Args:
        game: the game, whose variant decides the rules.
        state: the position (W,).
        legal: whether to list the legal moves.
    """
    return f"{f'You play {game.title}. {game.explanation}'.rstrip()}\n\n{describe_position(game, state, legal=legal)}"


def describe_position(game: Game, state: StateArray, *, legal: bool = False) -> str:
    """A position in words, as `describe`, without the rules."""
    who = f"You are {game.player_names[game.player(state)]}. " if game.outcome(state) is None else ""
    parts = [f"{who}The position:\n\n{game.picture(state)}", f"The same as text: {game.text(state)}"]
    if legal:
        parts.append(f"Legal moves: {', '.join(game.legal_moves(state)) or 'none'}.")
    return "\n\n".join(parts)


def prompt(game: Game, state: StateArray, *, legal: bool = False) -> str:
    """The prompt for a language model: `describe`, and the form of the answer.

    Args:
        game, state, legal: see `describe`.
    """
    return f"{describe(game, state, legal=legal)}\n\n{ANSWER}"


def retry_prompt(reason: str) -> str:
    """The next prompt after an answer without a legal move, for a reason."""
    return f"{no_move_notice(reason)} {ANSWER}"


def no_move_notice(reason: str) -> str:
    """The reply to an answer without a legal move, for a reason."""
    return f"That gives no move: {reason}."


def prompt_checksum(game: Game, *, legal: bool = False) -> str:
    """Identifies the words of a game's prompts: the version, and the first 16 digits of a SHA-256.

    It covers the prompt at the start of the game, and the prompt after an answer without a move.
    """
    return checksum_of_prompt(prompt(game, game.start, legal=legal))


def checksum_of_prompt(first: str) -> str:
    """The checksum of prompts whose first one has these words."""
    digest = hashlib.sha256(f"{first}\n\n{retry_prompt('')}".encode()).hexdigest()
    return f"{PROMPT_VERSION}:{digest[:16]}"
