"""Variants of the prompt: other words, other forms of the board, with the legal moves or examples or without.

A variant is a name and a template. Which names a template may use stands in `NAMES`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from string import Template
from typing import Any, Literal, TypeAlias

from ..games.game import Game, StateArray
from .describing import ANSWER, PROMPT_VERSION, retry_prompt

BoardForm: TypeAlias = Literal["picture"]
"""How the position is written."""
PLAIN = "You play $title. $rules\n\n$examples\n\nYou are $player. The position:\n\n$board\n\n$legal\n\n$form"
"""The template of today's prompt. A paragraph in which nothing is left is left out."""
CHANGES: dict[str, dict[str, Any]] = {"plain": {}, "legal": {"legal": True}}
"""What the words of a built-in name change."""


@dataclass(frozen=True, kw_only=True)
class PromptVariant:
    """A variant of the prompt.

    Args:
        name: what results call it.
        template: the prompt, with $title, $rules, $player, $board, $legal, $examples and $form.
        board: the form of the board.
        legal: whether the legal moves are listed.
        examples: how many solved examples are given.
    """

    name: str
    template: str = PLAIN
    board: BoardForm = "picture"
    legal: bool = False
    examples: int = 0

    def prompt(self, game: Game, state: StateArray) -> str:
        """The prompt for an unfinished position (W,)."""
        legal = f"Legal moves: {', '.join(map(game.move_name, game.legal_actions(state)))}." if self.legal else ""
        words = {
            "title": game.title,
            "rules": game.explanation,
            "player": game.player_names[game.player(state)],
            "board": f"{game.picture(state)}\n\nThe same as text: {game.text(state)}",
            "legal": legal,
            "examples": "",
            "form": ANSWER,
        }
        paragraphs = (Template(paragraph).substitute(words).rstrip() for paragraph in self.template.split("\n\n"))
        return "\n\n".join(filter(None, paragraphs))

    def checksum(self, game: Game) -> str:
        """Identifies the words of a game's prompts, as `prompt_checksum`: the version, and 16 digits of a SHA-256."""
        words = f"{self.prompt(game, game.start)}\n\n{retry_prompt('')}"
        return f"{PROMPT_VERSION}:{hashlib.sha256(words.encode()).hexdigest()[:16]}"


def prompt_variants(text: str) -> tuple[PromptVariant, ...]:
    """The variants that a text names, separated by commas; the first is the baseline.

    Raises:
        ValueError: there is no variant of a name, or a name is there twice.
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in CHANGES:
            raise ValueError(f"there is no variant {name!r} of the prompt; there are {', '.join(CHANGES)}")
    if len({*names}) < len(names):
        raise ValueError(f"{text!r} names a variant of the prompt twice; name each once")
    return tuple(PromptVariant(name=name, **CHANGES[name]) for name in names)
