"""Games, policies, trainers and evaluations by name: those of this package, and those that others add to it.

A name is looked for in three places, in this order:

    what comes with ludus       tables of names and places, such as "othello": "ludus.envs.games.othello:Othello"
    what was registered         by `register_game`, `register_policy`, `register_trainer` or `register_evaluation`
    what is installed           entry points of installed packages in the groups ludus.games, ludus.policies,
                                ludus.trainers and ludus.evaluations; they are looked up when the first two places do not
                                know a name, or when a list is asked for, and loaded when they are used

Whether code may be imported is decided in this folder alone. The user may name it: by installing a package with entry points, by
`ludus --import MODULE` (`plug_in`), or by `module:name` where a spec is typed or passed from Python. A file may not: whoever
reads specs from one calls `check_file` before anything is made of them.

    places.py    code that the user names
    registry.py  what there is of one kind, by name
    files.py     what files need, and may not name
"""

from __future__ import annotations

from .files import check_file, needs_of
from .places import Place, attribute, place_of, plug_in, trusted
from .registry import Need, Registry, modules

__all__ = ["Need", "Place", "Registry", "attribute", "check_file", "modules", "needs_of", "place_of", "plug_in", "trusted"]
