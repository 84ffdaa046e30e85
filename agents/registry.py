"""All policies, one line each; `make_policy`, which reads a spec, and `as_policy`, which takes anything that plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..core import specs
from ..core.files.writing import path_of
from ..core.numbers import short_repr
from ..core.plugins import Registry, UntrustedSpec, load_code
from ..core.plugins.loading import above
from ..core.plugins.mistakes import mistake_in_settings, mistakes_in_class
from ..core.plugins.places import NO_MODULES
from ..core.specs import Spec
from ..games.game import Game
from ..games.registry import make_game
from ..search.evaluations import EVALUATIONS
from .external.nets import copy_on, is_model, positional_parameters, takes_states
from .external.one_position import MARK, OnePosition
from .external.wrapped import Wrapped, scorer_of
from .policy import FunctionPolicy, Policy, name_of, settings_of

BUILT_IN = {
    # name in specs: where
    "random": "ludus.agents.random:Random",
    "nim_sum": "ludus.agents.nim_sum:NimSum",
    "greedy": "ludus.agents.expectimax:Greedy",
    "minimax": "ludus.agents.minimax:Minimax",
    "expectimax": "ludus.agents.expectimax:Expectimax",
    "mcts": "ludus.agents.mcts:Mcts",
    "frontiers": "ludus.agents.quarto.frontiers:Frontiers",
    "easy": "ludus.agents.quarto.easy:Easy",
    "hard": "ludus.agents.quarto.hard:Hard",
    "perfect": "ludus.agents.perfect:Perfect",
}
FROM_FILES = {
    # these need a file, and so are not listed among the policies that play a game
    "table": "ludus.agents.table:TablePolicy",
    "alphazero": "ludus.agents.alphazero:AlphaZeroPolicy",
}
SPEAKING = {"engine": "make_engine", "llm": "make_llm"}
"""The functions (core/plugins/loading.py) that make policies that play by text, from all that follows the colon."""

P = TypeVar("P", bound=type[Policy])


def policy_names() -> tuple[str, ...]:
    """The names of all policies, those from outside last.

    Policies of installed packages are loaded; one that cannot be loaded is left out with a warning.
    """
    return tuple(name for name in POLICIES.loadable_names() if name not in FROM_FILES)


def policies_for(game: Game) -> tuple[str, ...]:
    """The names of the policies that play a game."""
    return tuple(name for name in policy_names() if read_policy(name).plays(game))


def plays(policy: Any, game: Game) -> bool:
    """Whether a policy, or the policy that a spec names, plays a game; True for anything else, such as a function."""
    source = read_policy(policy) if isinstance(policy, str) else policy
    return source.plays(game) if isinstance(source, PolicySource) else not isinstance(source, Policy) or source.game == game


@dataclass(frozen=True)
class PolicySource:
    """What a spec of a policy names. A spec is read once, where it comes in; behind that policies are made of this value.

    Args:
        spec: the spec, without spaces around it.
        make: makes its policy for a game, or raises ValueError where there is no such policy or setting.
        run: the folder of the run that it names, if any.
        named: the name of the class or code that it names, if any, with the settings.
    """

    spec: str
    make: Callable[[Game], Policy]
    run: Path | None = None
    named: Spec | None = None

    def plays(self, game: Game) -> bool:
        """Whether its policy plays a game; True for code, and for names of no policy, which `make` refuses."""
        if self.run:
            return above("game_of_run")(self.run) == game
        games = POLICIES.find(self.named.name).games if self.named and POLICIES.has(self.named.name) else None
        return games is None or game.name in games

    @property
    def is_foreign(self) -> bool:
        """Whether it does not come with ludus: code, a file that runs code, or a run of a trainer from outside."""
        if self.run:
            return above("is_foreign_run")(self.run)
        if self.named is None:
            return self.spec.startswith("sb3:")  # programs and models that speak run no code here
        otherwise = self.named.settings.get(OTHERWISE)
        return bool(POLICIES.needs_of(self.named) or (otherwise and read_policy(otherwise).is_foreign))


def read_policy(spec: str | UntrustedSpec) -> PolicySource:
    """Reads a spec of a policy, as for `make_policy`; ValueError if it cannot be parsed, or is from a file and names code."""
    if isinstance(spec, UntrustedSpec):
        spec.refuse()
    spec = spec.strip()
    name, _, rest = spec.partition(":")
    if run := run_of(spec):
        return PolicySource(spec, lambda game: above("load_run")(run[0], game, run[1]), run=run[0])
    if name == "sb3":
        file, words = specs.split_path(rest)
        return PolicySource(spec, lambda game: above("load_model")(file, game, specs.parse_settings(words, spec)))
    if name in SPEAKING:
        return PolicySource(spec, lambda game: above(SPEAKING[name])(rest, game))
    if code := POLICIES.parse_code(spec):
        return PolicySource(spec, lambda game: _from_python(spec, code, game), named=code)
    if name == "python":
        raise ValueError(f"{short_repr(spec)} does not name a function; it reads python:module:function")
    named = specs.parse(spec)
    return PolicySource(spec, lambda game: _make_by_name(named, game), named=named)


def _make_by_name(named: Spec, game: Game) -> Policy:
    cls = POLICIES.find(named.name, "run:FOLDER", "sb3:FILE.zip", "python:module:function", "engine:COMMAND", "llm:model=NAME")
    return cls(game, **settings_of(cls, named.settings))


def register_policy(cls: P) -> P:
    """Adds a policy from outside, so that specs can name it: `@register_policy` before a subclass of `Policy`.

    Returns:
        The class, so that it can be used as a decorator.

    Raises:
        ValueError: it is not a class of policies that can be used; the message has all that is wrong with it. Or its name is not a
            word in lower case, or there is a policy of that name.
    """
    if not (isinstance(cls, type) and issubclass(cls, Policy)):
        raise ValueError(f"{cls!r} is not a policy; a policy by name is a subclass of ludus.Policy")
    if mistakes := [*_mistakes_in(cls)]:
        raise ValueError(f"{cls.__name__} cannot be registered as a policy: {'; '.join(mistakes)}")
    POLICIES.add(cls.name, cls, (cls.__module__, cls.__qualname__))
    return cls


def make_policy(policy: str | Policy | UntrustedSpec, game: str | Game) -> Policy:
    """A policy for a game by its spec.

    Args:
        policy: a policy, which is returned as it is, or one of these specs:

            - `name:key=value,…`, where a value with a comma stands in quotes;
            - `run:FOLDER,key=value,…`, or the folder alone, for what a trainer made;
            - `sb3:FILE.zip,trust=true,…` for a model that Stable-Baselines3 saved;
            - `engine:COMMAND` for a program;
            - `llm:model=NAME,url=ADDRESS,…` for a language model;
            - `module:name` or `python:module:name` for anything that `as_policy` takes, such as a function of observations and
              masks, or for a function that takes `game` and returns such a thing; `module:name,one_position=true` for a function
              that is asked about one position at a time;
            - `module:name,key=value,…` for a subclass of `Policy` and its settings.
        game: the game or its spec.

    Raises:
        ValueError: no such policy, setting or function, or it does not play this game; or a spec in a file names code.
    """
    game = make_game(game)
    if isinstance(policy, (str, UntrustedSpec)):
        return read_policy(policy).make(game)
    if not isinstance(policy, Policy):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"a policy is named by its spec, such as 'random', not by {short_repr(policy)}")
    if policy.game != game:
        raise ValueError(f"the policy {policy} was made for {policy.game}, not for {game}; make one by its spec")
    return policy


def as_policy(
    thing: Any,
    game: str | Game,
    *,
    sample: bool = False,
    temperature: float = 1.0,
    masked: bool = True,
    name: str | None = None,
    output: str | int | None = None,
    device: Any = None,
    one_position: bool = False,
) -> Policy:
    """Anything that plays, as a policy.

    Without `sample`, the action with the highest score is chosen, the lowest-numbered of equals; for a Stable-Baselines3
    model that is what `predict(..., deterministic=True)` chooses, among legal actions.

    Args:
        thing: one of

            - a spec, or a policy;
            - a Stable-Baselines3 or sb3-contrib model, trained on the environments' observations: both parts, or
              `observation` alone, in planes or as one row. It gives logits or Q-values; one that has neither gives
              actions, legal or not;
            - a torch module, from observations (B, C, H, W) and masks (B, A), both of its own type of floats and on its
              device, to logits (B, A); or from observations alone;
            - a function, from the same as int8 arrays to logits (B, A), or to actions (B,), whole numbers.
              Function or module may return the value of each position together with the logits, in a tuple or a dict, as
              networks of actor and critic do;
            - a function from states (B, W) and keys (B,) to actions (B,), as `Policy.act`, whose first two parameters are
              named `states` and `keys`;
            - a function of one position, with `@ludus.agent` before it.
        game: the game or its spec.
        sample: whether to draw from the softmax of the scores, by the board's key, instead of taking the highest.
        temperature: with `sample`, what the scores are divided by first: below 1 the best actions become likelier, above 1 less.
        masked: whether to choose among legal actions alone. If not, an illegal one can be chosen, and loses the game.
        name: the name of the policy; by default that of the function or class, or the spec.
        output: where a function or module answers with several parts, the one that has the scores: its number in a tuple, its key
            in a dict, or its name as an attribute. By default it is known by its shape, where each other part is a value of each
            position. The other parts are not used, so a network that remembers through one of them plays without its memory.
        device: a torch device, such as "cuda". A copy of the module or model, as it is now, plays there, and the original stays
            where it is. By default the module plays itself, where its weights are.
        one_position: whether it is a function that is asked about one position at a time, as if `@ludus.agent` stood before it.

    Raises:
        ValueError: it has another type, or is a model for other observations or actions; it is code named by a file; or there is no
            such device.
    """
    if isinstance(thing, UntrustedSpec):
        thing.refuse()
    game = make_game(game)
    if temperature != 1 and not sample:
        raise ValueError(f"temperature is {temperature}, but without sample=True the action with the highest score is chosen")
    one_position = one_position or getattr(thing, MARK, False)
    if isinstance(thing, (str, Policy)) or one_position or takes_states(thing):
        if sample or not masked or output is not None or device is not None:
            raise ValueError(
                f"{name_of(thing)} chooses actions itself; `sample`, `masked`, `output` and `device` are for what gives scores of"
                " actions"
            )
        if isinstance(thing, (str, Policy)):
            policy = make_policy(thing, game)
            return policy if name is None else policy.with_title(name)
        if one_position:
            return OnePosition(game, function=thing, title=name or name_of(thing))
        return FunctionPolicy(game, function=thing, title=name or name_of(thing))
    title = name or name_of(thing)
    if device is not None:
        thing = copy_on(device, thing, title)
    if output is not None and is_model(thing):
        raise ValueError(
            f"output is {short_repr(output)}, but {title} is a model of Stable-Baselines3, whose scores are known; leave it out"
        )
    scorer, block = scorer_of(thing, game, title, sample, masked)
    return Wrapped(
        game, scorer=scorer, title=title, sample=sample, masked=masked, temperature=temperature, output=output, block=block
    )


def run_of(spec: str) -> tuple[Path, dict[str, str]] | None:
    """The folder and options of the run that a spec names, None where it names none; ValueError where these are no options."""
    name = spec.partition(":")[0].strip()
    if name != "run" and (name == "" or POLICIES.is_known(name) or not _is_folder(spec)):
        return None
    path = spec.removeprefix("run:")
    if _is_folder(path):
        return path_of(path), {}
    folder, options = specs.split_path(path)
    return path_of(folder), specs.parse_settings(options, spec)


def _is_folder(text: str) -> bool:
    try:
        return path_of(text).is_dir()
    except (OSError, ValueError):  # too long, or not a path
        return False


def _from_python(spec: str, code: Spec, game: Game) -> Policy:
    try:
        thing: Any = load_code(code.name)
    except ValueError as error:
        raise ValueError(f"{short_repr(spec)}: {error}") from error
    if isinstance(thing, type) and issubclass(thing, Policy):
        policy = thing(game, **settings_of(thing, code.settings))
        return policy.with_title(",".join([code.name, *specs.settings_in(specs.changed_settings(policy))]))
    one_position = code.settings == {"one_position": "true"}
    if code.settings and not one_position:
        raise ValueError(
            f"{short_repr(spec)} sets {', '.join(code.settings)}, but only subclasses of Policy have settings in a spec; a function"
            " may have one_position=true"
        )
    if any(parameter.name == "game" for parameter in positional_parameters(thing)):
        thing = thing(game)
    if isinstance(thing, (str, type)) or not (isinstance(thing, Policy) or is_model(thing) or callable(thing)):
        raise ValueError(
            f"{short_repr(spec)} is {short_repr(thing)}; it must be a function of observations and masks or of states and keys, a"
            " model, a subclass of Policy, or a function of `game` that gives one of these"
        )
    return as_policy(thing, game, name=spec, one_position=one_position)


def _mistakes_in(cls: type[Policy]) -> Iterator[str]:
    """The mistakes in a class of policies, each in a clause."""
    yield from mistakes_in_class(cls, {"name": str}, POLICIES)
    if mistake := mistake_in_settings(cls, given=("game",)):
        yield mistake
    if not (cls.games is None or (isinstance(cls.games, tuple) and all(isinstance(name, str) for name in cls.games))):
        yield f"games is {short_repr(cls.games)}, and must be None or a tuple of names of games"


def _register_class(thing: Any, name: str) -> type[Policy]:
    if not (isinstance(thing, type) and issubclass(thing, Policy)):
        raise ValueError(f"{name} is {thing!r}, which is not a policy; a policy by name is a subclass of ludus.Policy")
    return register_policy(thing)


OTHERWISE = "otherwise"
"""The setting that holds a policy: of a table, the one that plays where the table has no move."""
POLICIES = Registry(
    "policy", "policies", BUILT_IN | FROM_FILES, _register_class, NO_MODULES, {"evaluation": EVALUATIONS}, [OTHERWISE]
)
