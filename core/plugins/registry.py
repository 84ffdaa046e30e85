"""`Registry`: all games, policies, trainers or evaluations, by name."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .. import specs
from ..numbers import short_repr
from ..specs import Spec
from .loading import load_object
from .places import (
    PICKLED,
    SPOKEN_TO,
    RefusedSpecError,
    UntrustedSpec,
    load_code,
    named_folders,
    parse_code,
    plugged_in_modules,
)

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
PLAIN = re.compile(r"[A-Za-z0-9_+\-., =]*")
"""What settings that somebody else sent are written in: enough for numbers and names, not for paths and modules."""
LONGEST_PLAIN = 200
"""Characters of a spec that somebody else sent."""
GROUPS = ("games", "policies", "trainers", "evaluations")

_registries = list["Registry[Any]"]()


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
        self.kind, self.group = kind, group
        self._by_setting: dict[str, Registry[Any]] = {**(by_setting or {}), **dict.fromkeys(nested, self)}
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
        """The thing of this name. ValueError, which names what else (`also`) could have been meant, where there is none, or one of
        an installed package cannot be loaded; ModuleNotFoundError where it comes with ludus and needs a library that is not
        installed."""
        if name in self._outside:
            return self._outside[name]
        if name in self._places:
            return load_object(self._places[name])
        if name in (offers := self._offers()):
            return self._load(name, offers[name])
        raise ValueError(f"there is no {self.kind} {short_repr(name)}; {specs.nearest(name, (*self.names(), *also))}")

    def read(self, spec: str | UntrustedSpec) -> tuple[T, dict[str, str]]:
        """What a spec names, `name:key=value,…` or `module:name,key=value,…`, and its settings as text; ValueError where there is
        no such thing, or a setting has no `=`."""
        name, settings = self.parse(spec)
        return self._adopt(load_code(name), name.partition(":")[2]) if ":" in name else self.find(name), settings

    def parse(self, spec: str | UntrustedSpec) -> Spec:
        """A spec, parsed; its name is `module:name` where it names code. RefusedSpecError where it is from a file that is not
        trusted, ValueError where a setting has no `=`, or is given twice, or a quote is not closed."""
        return self.parse_code(spec) or specs.parse(str(spec))

    def parse_code(self, spec: str | UntrustedSpec) -> Spec | None:
        """A spec that names code as `module:name`; None if it names something else. A name that comes with ludus is no module.
        Errors are those of `parse`."""
        code = parse_code(spec)
        return None if code is None or code.name.partition(":")[0] in self._reserved.union(self._places) else code

    def is_foreign(self, spec: str) -> bool:
        """Whether a spec, or a setting in it, names something that does not come with ludus."""
        return PICKLED.search(spec) is not None or bool(self.needs(spec))

    def needs(self, spec: str) -> dict[str, str]:
        """The names in a spec and in its settings that do not come with ludus, each with its module; none in what is no spec."""
        if spec.partition(":")[0].strip() in SPOKEN_TO:
            return {}
        with suppress(ValueError):
            return self.needs_of(self.parse(spec))
        return {}

    def needs_of(self, spec: Spec) -> dict[str, str]:
        """The same of a spec that is parsed; ValueError where code in a setting has settings that cannot be parsed."""
        needs = dict[str, str]()
        if module := self._module_of(spec.name):
            needs[spec.name] = module
        for key, value in spec.settings.items():
            if key in self._by_setting:
                needs |= self._by_setting[key].needs(value)
            elif code := parse_code(value):
                needs[code.name] = code.name.partition(":")[0]
        return needs

    def check_plain(self, spec: str) -> str:
        """A spec that somebody else sent, which may name what there is, with numbers and names of what there is as settings:
        neither code nor a file nor an address; else RefusedSpecError."""
        try:
            self._check_plain(spec)
        except ValueError as error:
            raise RefusedSpecError(str(error)) from None
        return spec

    def _check_plain(self, spec: str) -> None:
        if len(spec) > LONGEST_PLAIN:
            raise ValueError(f"a {self.kind} is named in at most {LONGEST_PLAIN} characters here, not in {len(spec)}")
        name, _, settings = spec.partition(":")
        self._check_name(name)
        if not PLAIN.fullmatch(settings):
            raise ValueError(
                f"{short_repr(spec)} has a setting that is neither a number nor a name; no file and no code is named here"
            )
        thing = self.find(name)
        for key, value in specs.parse(spec).settings.items():
            if names := self._by_setting.get(key):
                names._check_name(value, *sorted(names._reserved))
            elif isinstance(thing, type) and specs.takes_text(thing, key):
                raise ValueError(f"{short_repr(spec)} sets {key}, which takes any text; only numbers and names are set here")

    def _check_name(self, name: str, *also: str) -> None:
        if name not in also and not self.has(name):
            raise ValueError(f"there is no {self.kind} {short_repr(name)}; {specs.nearest(name, (*also, *self.names()))}")

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
            return f"the {self.kind}'s name is {short_repr(name)}; it must be one word in lower case, for specs"
        if name in self._reserved.union(self._places) or self._homes.get(name, home) != home:
            return f"the {self.kind} {short_repr(name)} is there already; choose another name for {home[1]}"
        return ""

    def forget(self, name: str) -> None:
        """Removes what was registered under a name, if anything was."""
        self._outside.pop(name, None)
        self._homes.pop(name, None)

    def modules(self) -> list[str]:
        """Where the registered ones come from."""
        return [module for module, _ in self._homes.values()]

    # ---- inside

    def _module_of(self, name: str) -> str | None:
        """The module of something from outside, or of code; None for what comes with ludus, and for unknown names."""
        if ":" in name:
            return name.partition(":")[0]
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
            raise ValueError(
                f"{origin} each offer the {self.kind} {short_repr(name)}; uninstall one, or import the module that you mean"
            )
        try:
            thing = entries[0].load()
            if name not in self._outside:
                self._adopt(thing, name)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise ValueError(f"the {self.kind} {short_repr(name)} is of {origin}, which cannot be loaded ({why})") from error
        if name not in self._outside:
            raise ValueError(f"{origin} offers the {self.kind} {short_repr(name)}, but what it gives has another name")
        return self._outside[name]


def modules() -> list[str]:
    """The modules that a fresh process has to plug in, so that it knows what this one does."""
    names = dict.fromkeys([*plugged_in_modules(), *(module for registry in _registries for module in registry.modules())])
    return [module for module in names if module != "__main__"]


def is_known(name: str) -> bool:
    """Whether a name of any kind is ours, was registered, or is one of an installed package."""
    return any(registry.has(name) for registry in _registries)


def installed_modules() -> set[str]:
    """The modules whose games, policies, trainers and evaluations are found without being plugged in."""
    return {entry.module for group in GROUPS for entry in entries_of(group)}


def entries_of(group: str) -> Iterable[EntryPoint]:
    """What installed packages offer in one of GROUPS; looked up again when a folder of `sys.path` has changed."""
    return _entries(group, tuple((folder, _change_time(folder)) for folder in sys.path))


@lru_cache(maxsize=len(GROUPS))
def _entries(group: str, _: tuple[tuple[str, int], ...]) -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # here alone, so that `import ludus` does not wait for it

    entries = entry_points(group=f"ludus.{group}")
    # the user named a module in such a folder, and not what else says there that it is installed
    return [entry for entry in entries if entry.dist is None or str(entry.dist.locate_file("")) not in named_folders]


def _change_time(folder: str) -> int:
    """When entries of a folder were last added or removed, in ns; 0 where it cannot be read."""
    try:
        return os.stat(folder or ".").st_mtime_ns
    except (OSError, ValueError):
        return 0


def _origin(entry: EntryPoint) -> str:
    return f"the package {entry.dist.name} {entry.dist.version}" if entry.dist else f"the entry point {entry.value}"
