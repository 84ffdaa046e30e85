"""Refuses an option that a command does not have, and suggests the option that was probably meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from ...core.numbers import short_repr
from ...core.specs import likely_name, settings_of
from ...games.registry import GAMES, game_names

OPTION = re.compile(r"--?|-h|--[a-z][a-z_-]*(=.*)?", re.DOTALL)
"""An option, or a word with a special meaning for argparse."""
NAMED = re.compile(r"(?<![\w-])--[a-z][a-z_-]*")
"""The options that a usage names."""


def check_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Checks that a command has each option among its words. It checks nothing else about the words.

    Raises:
        ValueError: it lacks one; the message names the nearest option, or says that it is a setting of a game or a policy.
    """
    known = NAMED.findall(parser.format_usage())
    for option in (word.partition("=")[0] for word in words if is_option(word)):
        if option.startswith("--") and not any(name.startswith(option) for name in ("--help", *known)):
            raise ValueError(f"{parser.prog} has no option {short_repr(option)}; {_suggestion(option, known, words, parser.prog)}")


def is_option(word: str) -> bool:
    """Whether a word names an option. Other words that begin with `-` are positions, such as `--------- X`, or numbers."""
    return OPTION.fullmatch(word) is not None


def _suggestion(option: str, known: Sequence[str], words: Sequence[str], command: str) -> str:
    if specs := [*_specs_with(option.removeprefix("--").replace("-", "_"))]:
        here = next((spec for spec in specs if spec.partition(":")[0] in {word.partition(":")[0] for word in words}), specs[0])
        return f"a setting of a game or a policy goes into its spec, as {here}"
    if meant := likely_name(option[2:], [name[2:] for name in known], cutoff=0.65):
        return f"did you mean '--{meant}'?"
    return f"`{command} --help` shows its options"


def _specs_with(setting: str) -> Iterator[str]:
    """The specs of games and policies with a setting of this name, at its default."""
    from ...agents.registry import POLICIES, policy_names  # imported here, because only a mistake needs them

    for registry, names in ((GAMES, game_names()), (POLICIES, policy_names())):
        for name in names:
            yield from (f"{name}:{setting}={its.default}" for its in settings_of(registry.find(name)) if its.name == setting)
