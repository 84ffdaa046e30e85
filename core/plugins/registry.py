"""`Registry`: all games, policies, trainers or evaluations, by name; and `Refused`, a spec in a file that may not be used."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, TypeVar

from .. import specs
from .loading import load_object
from .places import PICKLED, SPOKEN_TO, ObjectReference, load_reference, plugged_in_modules, reference_in

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
PLAIN = re.compile(r"[A-Za-z0-9_+\-., =]*")
"""What settings that somebody else sent are written in: enough for numbers and names, not for paths and modules."""
LONGEST_PLAIN = 200
"""Characters of a spec that somebody else sent."""
GROUPS = ("games", "policies", "trainers", "evaluations")

_registries = list["Registry[Any]"]()


class RefusedSpecError(ValueError):
    """Something was to be made of a spec that is `Refused`."""


@dataclass(frozen=True, repr=False)
class Refused:
    """A spec in a file of which nothing may be made here, and why.

    Args:
        text: the spec.
        why: the sentence that says so.
    """

    text: str
    why: str = field(compare=False)

    def refuse(self) -> NoReturn:
        """Raises the error that says why nothing is made of it.

        Raises:
            RefusedSpecError: always.
        """
        raise RefusedSpecError(self.why)

    def __repr__(self) -> str:
        return f"<{self.text!r}, refused>"


class Need(NamedTuple):
    """Something from outside that a file depends on.

    Args:
        group: one of GROUPS.
        name: what it is called in specs.
        module: where it stands.
        package: the distribution that brings it, by the name that pip knows; None where there is none.
    """

    group: str
    name: str
    module: str
    package: str | None


class Registry(Generic[T]):
    """All things of one kind, such as games or policies, by name.

    Args:
        kind: what one is called in sentences, as "game".
        group: one of GROUPS.
        places: what comes with ludus: where each name stands, as `module:name`.
        adopt: registers what an entry point or `module:name` gives, and returns what was registered; it is also passed
            the name there, for objects without one of their own.
        reserved: words before a colon in specs of this kind that are not modules.
        by_setting: settings that name things of other kinds, each with the registry of its kind.
        nested: settings that hold a spec of this kind.
    """

    def __init__(
        self,
        kind: str,
        group: str,
        places: Mapping[str, str],
        adopt: Callable[[Any, str], T],
        reserved: Iterable[str] = (),
        by_setting: Mapping[str, Registry[Any]] | None = None,
        nested: Iterable[str] = (),
    ) -> None:
        self.kind, self.group, self._nested = kind, group, frozenset(nested)
        self._by_setting: dict[str, Registry[Any]] = {**(by_setting or {}), **dict.fromkeys(self._nested, self)}
        self._places, self._adopt, self._reserved = places, adopt, frozenset(reserved)
        self._outside = dict[str, T]()
        self._homes = dict[str, tuple[str, str]]()
        _registries.append(self)

    # ---- looking up

    def names(self) -> tuple[str, ...]:
        """All names, those from outside last; nothing is loaded."""
        return tuple(dict.fromkeys([*self._places, *self._outside, *self._offers()]))

    def loadable_names(self) -> tuple[str, ...]:
        """All names but those of installed packages that fail to load, for each of which there is a warning."""
        for name in self._offers():
            try:
                self.find(name)
            except ValueError as error:
                warnings.warn(str(error), stacklevel=2)
        return (*self._places, *self._outside)

    def is_known(self, name: str) -> bool:
        """Whether a name comes with ludus or was registered; installed packages are not searched."""
        return name in self._places or name in self._outside

    def has(self, name: str) -> bool:
        """Whether a name is ours, was registered, or is one of an installed package."""
        return self.is_known(name) or name in self._offers()

    def find(self, name: str, *also: str) -> T:
        """The thing of this name.

        Args:
            name: the name.
            also: what else could have been meant, for the error.

        Raises:
            ValueError: there is none; or it is of an installed package that cannot be loaded.
            ModuleNotFoundError: it comes with ludus and needs a library that is not installed.
        """
        if name in self._outside:
            return self._outside[name]
        if name in self._places:
            return load_object(self._places[name])
        if name in (offers := self._offers()):
            return self._load(name, offers[name])
        raise ValueError(f"there is no {self.kind} {name!r}; {specs.nearest(name, (*self.names(), *also))}")

    def read(self, spec: str) -> tuple[T, dict[str, str]]:
        """What a spec names, `name:key=value,…` or `module:name,key=value,…`, and its settings as text.

        Raises:
            ValueError: there is no such thing, or a setting has no `=`.
        """
        if reference := self.reference_in(spec):
            return self._adopt(load_reference(reference), reference.name), specs.split(f"{reference.name}:{reference.settings}")[1]
        name, texts = specs.split(spec)
        return self.find(name), texts

    def reference_in(self, spec: str | Refused) -> ObjectReference | None:
        """The code that a spec names as `module:name`, if it does; a name that comes with ludus is never a module.

        Raises:
            ValueError: the spec is from a file, and is refused.
        """
        if isinstance(spec, Refused):
            spec.refuse()
        reference = reference_in(spec)
        return None if reference is None or reference.module in self._reserved.union(self._places) else reference

    def codes_in(self, spec: str) -> list[ObjectReference]:
        """All code that a spec names: itself, or as the value of a setting, as in `minimax:evaluation=kalah:seeds`."""
        values = (value for key, value in self._settings_in(spec) if key not in self._nested)
        own = [reference for reference in (self.reference_in(spec), *map(reference_in, values)) if reference]
        return [*own, *(reference for inner in self.specs_in(spec) for reference in self.codes_in(inner))]

    def specs_in(self, spec: str) -> list[str]:
        """The specs of this kind that settings of a spec hold, as `otherwise=minimax:depth=3`."""
        return [value for key, value in self._settings_in(spec) if key in self._nested]

    def names_in(self, spec: str) -> list[tuple[Registry[Any], str]]:
        """All names in a spec, each with the registry of its kind: its own, and those in settings, as `evaluation=seeds`."""
        own = [] if self.reference_in(spec) else [(self, spec.partition(":")[0].strip())]
        others = [(key, value) for key, value in self._settings_in(spec) if key in self._by_setting and key not in self._nested]
        return [
            *own,
            *((self._by_setting[key], value) for key, value in others),
            *(name for inner in self.specs_in(spec) for name in self.names_in(inner)),
        ]

    def _settings_in(self, spec: str) -> list[tuple[str, str]]:
        """The settings of a spec as written; anything but `key=value` is left out."""
        if spec.partition(":")[0].strip() in SPOKEN_TO:
            return []
        reference = self.reference_in(spec)
        settings = reference.settings if reference else spec.partition(":")[2]
        return [(key, value) for key, value in specs.parts(settings) if key]

    def is_foreign(self, spec: str) -> bool:
        """Whether a spec, or a setting in it, names something that does not come with ludus."""
        return PICKLED.search(spec) is not None or bool(self.needs(spec))

    def check_plain(self, spec: str) -> None:
        """Checks a spec that somebody else sent: it may name what there is, with numbers and names of what there is as settings.

        So it names neither code nor a file nor an address.

        Raises:
            ValueError: it names anything else.
        """
        if len(spec) > LONGEST_PLAIN:
            raise ValueError(f"a {self.kind} is named in at most {LONGEST_PLAIN} characters here, not in {len(spec)}")
        name, _, settings = spec.partition(":")
        self._check_name(name)
        if not PLAIN.fullmatch(settings):
            raise ValueError(f"{spec!r} has a setting that is neither a number nor a name; no file and no code is named here")
        thing = self.find(name)
        for key, value in specs.split(spec)[1].items():
            if names := self._by_setting.get(key):
                names._check_name(value, *sorted(names._reserved))
            elif isinstance(thing, type) and specs.takes_text(thing, key):
                raise ValueError(f"{spec!r} sets {key}, which takes any text; only numbers and names are set here")

    def _check_name(self, name: str, *also: str) -> None:
        if name not in also and not self.has(name):
            raise ValueError(f"there is no {self.kind} {name!r}; {specs.nearest(name, (*also, *self.names()))}")

    # ---- adding

    def add(self, name: str, thing: T, home: tuple[str, str]) -> bool:
        """Registers a thing.

        Args:
            name: what it is called in specs.
            thing: what is registered.
            home: the module and the name under which it was defined; what comes from the same home replaces what was there, as
                when a notebook's cell is run again.

        Returns:
            Whether the name is new.

        Raises:
            ValueError: the name is not a lower-case word, or is taken.
        """
        if mistake := self.mistake_in_name(name, home):
            raise ValueError(mistake)
        new = name not in self._outside
        self._outside[name], self._homes[name] = thing, home
        return new

    def mistake_in_name(self, name: str, home: tuple[str, str]) -> str:
        """Why a thing from some home cannot be registered under a name, as a clause; empty where it can."""
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            return f"the {self.kind}'s name is {name!r}; it must be one word in lower case, for specs"
        if name in self._reserved.union(self._places) or self._homes.get(name, home) != home:
            return f"the {self.kind} {name!r} is there already; choose another name for {home[1]}"
        return ""

    def forget(self, name: str) -> None:
        """Removes what was registered under a name, if anything was."""
        self._outside.pop(name, None)
        self._homes.pop(name, None)

    # ---- what files need

    def needs(self, spec: str) -> list[Need]:
        """What has to be there for a spec to be understood: nothing for what comes with ludus."""
        named = ((registry.group, name, module) for registry, name in self.names_in(spec) if (module := registry._module_of(name)))
        codes = ((self.group, f"{reference.module}:{reference.name}", reference.module) for reference in self.codes_in(spec))
        return [Need(group, name, module, package_of(module)) for group, name, module in (*named, *codes)]

    def modules(self) -> list[str]:
        """Where the registered ones come from."""
        return [module for module, _ in self._homes.values()]

    # ---- inside

    def _module_of(self, name: str) -> str | None:
        """The module of something from outside; None for what comes with ludus, and for unknown names."""
        if self.is_known(name):
            return self._homes[name][0] if name in self._homes else None
        return next((entry.module for entry in self._offers().get(name, ())), None)

    def _offers(self) -> dict[str, list[EntryPoint]]:
        """The entry points of installed packages, by name."""
        offers: dict[str, list[EntryPoint]] = {}
        for entry in entries_of(self.group):
            if entry.name not in self._places and entry not in offers.get(entry.name, []):
                offers.setdefault(entry.name, []).append(entry)
        return offers

    def _load(self, name: str, entries: list[EntryPoint]) -> T:
        origin = " and ".join(_origin(entry) for entry in entries)
        if len({entry.value for entry in entries}) > 1:
            raise ValueError(f"{origin} each offer the {self.kind} {name!r}; uninstall one, or import the module that you mean")
        try:
            thing = entries[0].load()
            if name not in self._outside:
                self._adopt(thing, name)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise ValueError(f"the {self.kind} {name!r} is of {origin}, which cannot be loaded ({why})") from error
        if name not in self._outside:
            raise ValueError(f"{origin} offers the {self.kind} {name!r}, but what it gives has another name")
        return self._outside[name]


def modules() -> list[str]:
    """The modules that a fresh process has to plug in, so that it knows what this one does."""
    names = dict.fromkeys([*plugged_in_modules(), *(module for registry in _registries for module in registry.modules())])
    return [module for module in names if module != "__main__"]


def entries_of(group: str) -> Iterable[EntryPoint]:
    """What installed packages offer in one of GROUPS; looked up again when a folder of `sys.path` has changed."""
    return _entries(group, tuple((folder, _change_time(folder)) for folder in sys.path))


@lru_cache(maxsize=len(GROUPS))
def _entries(group: str, _: tuple[tuple[str, int], ...]) -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # here alone, so that `import ludus` does not wait for it

    return entry_points(group=f"ludus.{group}")


def _change_time(folder: str) -> int:
    """When entries of a folder were last added or removed, in ns; 0 where it cannot be read."""
    try:
        return os.stat(folder or ".").st_mtime_ns
    except (OSError, ValueError):
        return 0


def package_of(module: str) -> str | None:
    """The distribution that brings a module, by the name that pip knows; None where it is not installed by one."""
    top = module.partition(".")[0]
    for group in GROUPS:
        for entry in entries_of(group):
            if entry.dist and entry.module.partition(".")[0] == top:
                return entry.dist.name
    if "-packages" not in str(getattr(sys.modules.get(top), "__file__", "")):
        return None
    from importlib.metadata import packages_distributions

    return next(iter(packages_distributions().get(top, ())), None)


def _origin(entry: EntryPoint) -> str:
    return f"the package {entry.dist.name} {entry.dist.version}" if entry.dist else f"the entry point {entry.value}"
