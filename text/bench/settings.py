"""`BenchSettings`: whom a bench of language models asks, about which positions, and how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any, NamedTuple

import msgspec

from ...core.numbers import short_repr
from ...core.specs import nearest, parse
from ...games.game import Game
from ..disguises import disguise, disguise_names
from ..variants import PromptVariant
from .comparisons import NULL
from .controls import CONTROLS, is_model
from .measures import NO_DISGUISE
from .sets import ASKS, PositionSet

BLOCK = 64
"""A player is asked about this many positions in one way, then about the same ones in the next; more where a model takes more."""


class Batch(NamedTuple):
    """Questions that are asked at the same time, since they differ in their positions alone.

    Args:
        model, game, disguise, variant, repeat: as in `BenchAnswer`.
        numbers: the positions, by their places in the set.
    """

    model: str
    game: str
    disguise: str
    variant: str
    repeat: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class BenchSettings:
    """What is asked. The same settings ask the same questions, in the same order and with the same keys.

    Args:
        models: the specs of the models, and of policies that answer in prose.
        controls: the names of the controls that stand beside them.
        sets: the positions, a set for each game.
        count: how many positions of each set are asked about; None for all.
        variants: the variants of the prompt; the first is the baseline, and is asked again as `NULL`.
        disguises: the names of disguises, beside the games as they are; a game without such a disguise is not asked about in it.
        repeats: how often each question is asked.
        seed: decides the keys of the questions.

    Raises:
        ValueError: they contradict each other; the message says where.
    """

    models: tuple[str, ...] = ()
    controls: tuple[str, ...] = CONTROLS
    sets: tuple[PositionSet, ...]
    count: int | None = None
    variants: tuple[PromptVariant, ...] = (PromptVariant(name="plain"),)
    disguises: tuple[str, ...] = ()
    repeats: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.players:
            raise ValueError("nobody is asked: there is neither a model nor a control; name one with --model")
        if not self.sets:
            raise ValueError("there is nothing to ask about: no game is named; leave --games out for all, or name some")
        if any(variant.name == NULL for variant in self.variants):
            raise ValueError(
                f"a variant of the prompt is called {NULL!r}, which is the name of the first one asked again; rename it"
            )
        known = dict.fromkeys(chain.from_iterable(disguise_names(each.rules) for each in self.sets))
        for name in self.disguises:
            if name not in known:
                raise ValueError(f"none of the games has a disguise {short_repr(name)}; {nearest(name, known)}")

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The specs of all that are asked, the controls first."""
        return tuple(dict.fromkeys((*self.controls, *self.models)))

    @cached_property
    def block(self) -> int:
        """How many positions are asked about in one way before the next: BLOCK, or as many as a model is asked at the same time."""
        at_once = [parse(spec).settings.get("concurrency", "") for spec in self.models if is_model(spec)]
        return max(BLOCK, *(int(text) for text in at_once if text.isdecimal()), 0)

    @cached_property
    def every_variant(self) -> tuple[PromptVariant, ...]:
        """The variants, with the first one again under the name `NULL`."""
        return *self.variants, replace(self.variants[0], name=NULL)

    @cached_property
    def faces(self) -> dict[str, dict[str, Game]]:
        """Each game as it is and in its disguises, by the game's spec and the disguise's name."""
        games = {each.game: each.rules for each in self.sets}
        return {
            spec: {NO_DISGUISE: game} | {name: disguise(game, name) for name in self.disguises if name in disguise_names(game)}
            for spec, game in games.items()
        }

    def ways(self, game: str, variants: Sequence[PromptVariant]) -> list[tuple[str, str]]:
        """The disguises and variants of the prompt, by their names, in which a position of a game is asked about.

        Each variant is asked about the game as it is, and each disguise in the first variant, so that what is compared differs in
        one thing.
        """
        disguises = [name for name in self.faces[game] if name != NO_DISGUISE]
        return [(NO_DISGUISE, variant.name) for variant in variants] + [(name, variants[0].name) for name in disguises]

    def batches(self) -> Iterator[Batch]:
        """All questions, in the order in which they are asked.

        All players are asked about a block of positions, in all ways, before the next block. So a run that ends early has about the
        same questions of each, and an endpoint that changes with time changes for all. Policies do not see the prompt: they are
        asked in the first variant only.
        """
        orders = {each.game: first_of_each(each, self.count) for each in self.sets}
        for repeat in range(self.repeats):
            for start in range(0, max(map(len, orders.values())), self.block):
                for game, order in orders.items():
                    numbers = order[start : start + self.block]
                    for player in self.players if numbers else ():
                        for way in self.ways(game, self.every_variant if is_model(player) else self.variants[:1]):
                            yield Batch(player, game, *way, repeat, numbers)

    def document(self) -> dict[str, Any]:
        """What decides the answers, for JSON."""
        return {
            "models": self.models,
            "controls": self.controls,
            "positions": {
                each.game: {"set": each.name, "checksum": each.checksum, "count": len(first_of_each(each, self.count))}
                for each in self.sets
            },
            "variants": [msgspec.to_builtins(variant) for variant in self.variants],
            "prompts": self._checksums(),
            "disguises": self.disguises,
            "repeats": self.repeats,
            "seed": self.seed,
        }

    def _checksums(self) -> dict[str, str]:
        """The checksum of the prompts of each game in each way."""
        variants, checksums = {variant.name: variant for variant in self.variants}, dict[str, str]()
        for game, faces in self.faces.items():
            for name, variant in self.ways(game, self.variants):
                where = f"{game}, {name}, {variant}"
                try:
                    checksums[where] = variants[variant].checksum(faces[name])
                except ValueError as error:
                    raise ValueError(f"a prompt cannot be written ({where}): {error}") from None
        return checksums


def first_of_each(positions: PositionSet, count: int | None) -> tuple[int, ...]:
    """The numbers of the first `count` positions, or of all, that ask each thing, in turn, so that each has an equal share as long
    as there are any."""
    by_ask = [[number for number, each in enumerate(positions.positions) if each.asks == ask] for ask in ASKS]
    in_turn = chain.from_iterable(zip_longest(*by_ask))
    return tuple(number for number in in_turn if number is not None)[:count]
