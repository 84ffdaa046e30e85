"""Games, policies, trainers and evaluations by name: those of this package, and those that others add to it.

A name is looked for in three places, in this order:

    what comes with ludus       tables of names and places, such as "othello": "ludus.games.othello.rules:Othello"
    what was registered         by `register_game`, `register_policy`, `register_trainer` or `register_evaluation`
    what is installed           entry points of installed packages in the groups ludus.games, ludus.policies,
                                ludus.trainers and ludus.evaluations; they are looked up when the first two places do not
                                know a name, or when a list is asked for, and loaded when they are used

Which specs may run code is said in trust.py, and nowhere else.

    places.py    code that the user names, and where it is looked for
    registry.py  all things of one kind, by name; a spec that is refused
    mistakes.py  what is wrong with a class that is registered
    trust.py     what a file may name, and what it needs that does not come with ludus
    loading.py   our own code by its place in a table; packages whose names load at first use
    above.py     what lower folders use of higher ones
    namesake.py  another project that is called ludus, too
"""

from __future__ import annotations

from .places import ObjectReference, find_beside, load_reference, modules_beside, plug_in, reference_in
from .registry import Need, Refused, RefusedSpecError, Registry, modules
from .trust import Sender, Source, find_refused, in_file, needs_in, needs_of, runs_code

__all__ = [
    "Need",
    "ObjectReference",
    "Refused",
    "RefusedSpecError",
    "Registry",
    "Sender",
    "Source",
    "find_beside",
    "find_refused",
    "in_file",
    "load_reference",
    "modules",
    "modules_beside",
    "needs_in",
    "needs_of",
    "plug_in",
    "reference_in",
    "runs_code",
]
