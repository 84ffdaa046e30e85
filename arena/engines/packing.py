"""Pickles policies for other processes, with the functions and classes that only a script or notebook defines."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable
from dataclasses import MISSING
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any, ClassVar

from ...agents.policy import Policy
from ...games.linking import rules_of


def pack_once() -> Callable[[Policy], bytes]:
    """What packs policies as `pack` does, each only once."""
    packed: dict[int, tuple[Policy, bytes]] = {}

    def pack_or_find(policy: Policy) -> bytes:
        if id(policy) not in packed:
            packed[id(policy)] = policy, pack(policy)  # a policy that is kept keeps its id
        return packed[id(policy)][1]

    return pack_or_find


def pack(policy: Policy) -> bytes:
    """A policy as bytes, for `unpack` in another process that this one trusts and that trusts this one; ValueError where it holds
    something that cannot be pickled."""
    import cloudpickle  # here, so that who starts no process does not wait for it

    class Pickler(cloudpickle.Pickler):
        dispatch_table: ClassVar = {**cloudpickle.Pickler.dispatch_table, **_SPECIAL, CodeType: _code}

    content = io.BytesIO()
    game = type(policy.game)
    rules = rules_of(game) if game.__module__ == "__main__" else {}  # a kernel looks for them in the game's module
    try:
        Pickler(content).dump((rules, policy))
    except Exception as error:
        raise ValueError(
            f"the policy {policy} cannot go to another process ({type(error).__name__}: {error}); "
            "play it with one worker and without a limit on time, or give it by its spec"
        ) from error
    return content.getvalue()


def _code(code: CodeType) -> Any:
    """Code with the name of its file, which errors are reported with and cloudpickle from 3.1.3 on leaves out."""
    import cloudpickle

    reduced: Any = cloudpickle.Pickler.dispatch_table[CodeType](code)
    make, parts = reduced
    return _code_of_file, (make, parts, code.co_filename)


def _code_of_file(make: Any, parts: tuple[Any, ...], file: str) -> CodeType:
    return make(*parts).replace(co_filename=file)


def _cached_property(function: Any, name: str) -> cached_property[Any]:
    made = cached_property(function)
    made.__set_name__(object, name)
    return made


def _parts(made: cached_property[Any]) -> Any:
    return _cached_property, (made.func, made.attrname)


_SPECIAL: dict[type, Any] = {
    # parts of classes that cannot be pickled: the first has a lock up to Python 3.11, the second must stay a singleton
    cached_property: _parts,
    type(MISSING): lambda missing: "MISSING",  # pyright: ignore[reportUnknownLambdaType]
}


@lru_cache(maxsize=32)
def unpack(packed: bytes) -> Policy:
    """The policy of `pack`; the same object as before if it is cached, with all that it keeps."""
    content: tuple[dict[str, Any], Policy] = pickle.loads(packed)
    rules, policy = content
    vars(sys.modules["__main__"]).update(rules)
    return policy
