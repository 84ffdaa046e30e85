"""The three primary outcomes, one of each question, each with its p-value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import comb

from ludus.arena.ratings.comparison import adjust_p_values

from ..intervals import p_text
from ..policies import WHOLE
from .agreement import AgreementFinding
from .learning import LearningFinding
from .mistakes import MistakesFinding, count_slopes, without_random


def show_primary(
    agreement: AgreementFinding,
    learning: Mapping[str, Mapping[str, LearningFinding]],
    mistakes: Mapping[str, Mapping[str, MistakesFinding]],
) -> dict[str, str]:
    """The p-values of the primary outcomes, corrected by Holm, and the counts that the second and the third are made of.

    Of the kinds and games in which Elo alone shows a change it counts, too, in how many the error clearly rises, and falls at all.

    The second is the exact sign test of how many kinds and games show a change in the error alone against in Elo alone; the third
    that of how many slopes are clear of 0 on either side.
    """
    curves = [kind for kinds in learning.values() for kind in kinds.values()]
    changes = Counter((curve.error.change.is_below_zero, curve.elo.change.is_above_zero) for curve in curves)
    up, down, slopes = count_slopes(kind.slope for game in WHOLE for kind in without_random(mistakes[game]).values())
    elo_alone = [curve.error.change for curve in curves if curve.elo.change.is_above_zero and not curve.error.change.is_below_zero]
    only_error, only_elo = changes[True, False], changes[False, True]
    p_values = adjust_p_values([agreement.gains["value_lost"].p, sign_test(only_error, only_elo), sign_test(up, down)])
    return {
        **{f"primary.{number}": f"p {p_text(p, '= ')}" for number, p in enumerate(p_values, 1)},
        "changes.both": str(changes[True, True]),
        "changes.neither": str(changes[False, False]),
        "changes.only_error": str(only_error),
        "changes.only_elo": str(only_elo),
        "changes.only_elo.worse": str(sum(change.is_above_zero for change in elo_alone)),
        "changes.only_elo.falling": str(sum((change.mean or 0.0) < 0 for change in elo_alone)),
        "slopes.all": str(slopes),
        "slopes.up": str(up),
        "slopes.down": str(down),
    }


def sign_test(left: int, right: int) -> float:
    """How probable so uneven a split is if both sides are as likely, two-sided."""
    total = left + right
    return min(1.0, 2 * sum(comb(total, count) for count in range(min(left, right) + 1)) / 2**total) if total else 1.0
