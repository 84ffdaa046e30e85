"""`PromptVariant`: a template of the prompt, with the form of the board, with or without the legal moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import Template

from ...core.numbers import short_repr
from ...core.specs import nearest
from ...games.game import Game, StateArray
from ..describing import ANSWER, checksum_of_prompt
from .boards import BOARD_FORMS, BoardForm, write_board

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,59}")
PLACEHOLDERS = ("title", "rules", "player", "board", "legal", "form")
"""What a template may have after a dollar sign."""
PLAIN = "You play $title. $rules\n\nYou are $player. The position:\n\n$board\n\n$legal\n\n$form"
"""The template of `prompt`."""


@dataclass(frozen=True, kw_only=True)
class PromptVariant:
    """A variant of the prompt.

    Args:
        name: what results call it.
        template: the words, with `$board` and the other `PLACEHOLDERS`: the game's title and rules, who is to move, the list of the
            legal moves, and the form of the answer. A paragraph that is empty without them is left out.
        board: the form of the board: "picture", "grid", "list" or "coordinates".
        legal: whether the legal moves are listed.

    Raises:
        ValueError: it cannot be so; the message says why.
    """

    name: str
    template: str = PLAIN
    board: BoardForm = "picture"
    legal: bool = False

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(
                f"a variant of the prompt has a name of letters, digits, '-', '_' and '+', up to 60, not {self.name!r}"
            )
        if self.board not in BOARD_FORMS:
            raise ValueError(f"there is no form {short_repr(self.board)} of the board; {nearest(self.board, BOARD_FORMS)}")
        _check_template(self)

    def prompt(self, game: Game, state: StateArray) -> str:
        """The prompt for an unfinished position (W,).

        Raises:
            ValueError: the game does not have this form of the board.
        """
        return self._fill(re.split(r"\n{2,}", self.template), game, state)

    def next_prompt(self, game: Game, state: StateArray) -> str:
        """The prompt for a later position (W,) of a game: without the paragraphs that only say the rules; errors as `prompt`."""
        paragraphs = re.split(r"\n{2,}", self.template)
        later = [text for text in paragraphs if "board" in (used := _placeholders(text)) or "rules" not in used]
        return self._fill(later, game, state)

    def with_legal(self, legal: bool) -> PromptVariant:
        """The same variant, with the legal moves if they are asked for here, too."""
        return replace(self, legal=self.legal or legal)

    def checksum(self, game: Game) -> str:
        """Identifies the words of a game's prompts, as `prompt_checksum`: the version, and 16 digits of a SHA-256; errors as
        `prompt`."""
        return checksum_of_prompt(self.prompt(game, game.start))

    def _fill(self, paragraphs: Sequence[str], game: Game, state: StateArray) -> str:
        """Paragraphs of the template, filled in; those that are empty are left out."""
        words = {
            "title": game.title,
            "rules": game.explanation,
            "player": game.player_names[game.player(state)],
            "board": write_board(game, state, self.board),
            "legal": f"Legal moves: {', '.join(game.legal_moves(state))}." if self.legal else "",
            "form": ANSWER,
        }
        return "\n\n".join(filter(None, (Template(paragraph).substitute(words).rstrip() for paragraph in paragraphs)))


def _check_template(variant: PromptVariant) -> None:
    """Checks that a template can be filled."""
    used = _placeholders(variant.template)
    for name in sorted(used.difference(PLACEHOLDERS)):
        wrong = f"${name}" if name else "a dollar sign alone"
        allowed = ", ".join(f"${placeholder}" for placeholder in PLACEHOLDERS)
        raise ValueError(f"the template of {variant.name!r} has {wrong}; it may have {allowed}, and $$ for a dollar sign")
    for name in ["board", *(["legal"] if variant.legal else [])]:
        if name not in used:
            raise ValueError(f"the template of {variant.name!r} has no ${name}, and the prompt is to say it; add it")


def _placeholders(template: str) -> set[str]:
    """The names after dollar signs; an empty one for a dollar sign alone."""
    matches = Template.pattern.finditer(template)
    return {match["named"] or match["braced"] or "" for match in matches if match["escaped"] is None}
