"""Games, policies, trainers and evaluations by name: those of this package, and those that others add to it.

A name is looked for in three places, in this order:

    what comes with ludus       tables of names and places, such as "othello": "ludus.games.othello.rules:Othello"
    what was registered         by `register_game`, `register_policy`, `register_trainer` or `register_evaluation`
    what is installed           entry points of installed packages in the groups ludus.games, ludus.policies,
                                ludus.trainers and ludus.evaluations; they are looked up when the first two places do not
                                know a name, or when a list is asked for, and loaded when they are used

Which specs may run code is said in trust.py, and nowhere else.

    places.py    code that the user names, and where it is looked for
    registry.py  all things of one kind, by name
    mistakes.py  what is wrong with a class that is registered
    trust.py     what a file may name
    loading.py   our own code by its place in a table, also of higher packages; packages whose names load at first use
"""

from __future__ import annotations

from .places import RefusedSpecError, UntrustedSpec, load_code, parse_code, plug_in
from .registry import Registry, installed_modules, modules
from .trust import CheckedSpec, PolicySpec, admit, needs_in, refuse_untrusted, runs_code

__all__ = [
    "CheckedSpec",
    "PolicySpec",
    "RefusedSpecError",
    "Registry",
    "UntrustedSpec",
    "admit",
    "installed_modules",
    "load_code",
    "modules",
    "needs_in",
    "parse_code",
    "plug_in",
    "refuse_untrusted",
    "runs_code",
]
