"""The plan and the pairings of a store, written at its start and checked when it is opened."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any

from ...core.files.documents import parse_document, short_json
from ...core.files.reading import digest
from ...core.numbers import is_whole
from ...games.registry import make_game
from ..planning.plan import Plan
from .database import Database
from .errors import damage_error, how_to_recover
from .rows import action_bytes


def first_rows(plan: Plan) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of a store's tables before any game is added."""
    document = json.dumps(plan.document())
    return {"plan": [(document, checksum_of(document))], "pairings": [(*row, 0) for row in _pairings(plan)]}


def plan_in(database: Database, trust: bool) -> Plan:
    """The plan that a store holds.

    Raises:
        ValueError: it is damaged; it needs a game that is not known here; or it names code, without trust.
    """
    rows = database.rows("SELECT document, checksum FROM plan LIMIT 2")
    if len(rows) != 1 or type(rows[0][0]) is not str:
        raise damage_error(database.path, f"its table plan holds {len(rows)} rows of text, and must hold one")
    [(document, checksum)] = rows
    where, advice = f"the plan in the store {database.path}", how_to_recover(database.path)
    plan = parse_document(document, Plan, where, advice, trust=trust)
    if checksum != checksum_of(document):
        raise damage_error(database.path, "its plan does not match its checksum")
    for name, _ in plan.entrants:
        if not name.isprintable():
            raise damage_error(database.path, f"it names a policy {name!r}, with characters that control a terminal")
    return plan


def check_pairings(database: Database, plan: Plan) -> None:
    """Checks that the pairings are those of the plan.

    Raises:
        ValueError: they are not.
    """
    for planned, row in zip_longest(_pairings(plan), database.rows("SELECT * FROM pairings ORDER BY pairing")):
        if not planned or not row or planned != row[:-1] or not is_whole(row[-1], 0, plan.games):
            raise damage_error(
                database.path, f"its table pairings says {short_json(row)} where its plan says {short_json(planned)}"
            )


def checksum_of(*values: Any) -> str:
    """The checksum of a row of the tables plan and sittings."""
    return digest(json.dumps(values, default=repr).encode()).hex()


def _pairings(plan: Plan) -> list[tuple[Any, ...]]:
    """The rows of the table pairings, without the number of games that were added."""
    return [(number, *pairing, action_bytes(make_game(pairing.game))) for number, pairing in enumerate(plan.pairings)]
