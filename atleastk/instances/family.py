"""Families of generated instances, with their parameters and names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from inspect import signature
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar

from atleastk.instances.fields.errors import InvalidInstanceError, UnknownNameError
from atleastk.instances.instance import Instance

Parameters = Mapping[str, int | str | None]
I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

_GENERATED: Final = re.compile(
    r"generated: family (\S+), seed (\d+)((?: \w+=[^\s;:]*)*)"
)
"""The family in the source of an instance, as `Family.make` writes it."""

_REPLACED: Final = re.compile(r"(?:^| )with((?: \w+=\S*)+)$")
"""The replaced fields in the source, as `with_fields` writes them."""


class Origin(NamedTuple):
    """The family, seed and parameters of an instance, as far as its source has them."""

    family: str | None
    seed: int | None
    """`family`, `seed`: none if it was not generated."""
    parameters: Mapping[str, int | str]
    """Those of the family, and the fields that were replaced since."""


@dataclass(frozen=True, slots=True)
class Family(Generic[I]):
    """A family of generated instances.

    ``draw`` takes a seed and the family's own parameters by keyword: those of its
    signature, unless they are ``given``.
    """

    name: str
    summary: str
    draw: Callable[..., I]
    given: Parameters | None = None

    def make(self, seed: int, **chosen: Any) -> I:
        """Return an instance; no other one of the family has its name.

        The name has the parameters that are no fields of the instance, and those fields
        that are not the default; the source has all.
        """
        made = self.draw(seed, **chosen)
        defaults = self.parameters
        given, own = {**defaults, **chosen}, {field.name for field in fields(made)}
        told = {
            key: value
            for key, value in given.items()
            if key not in own or value != defaults[key]
        }
        if "parts" in told and defaults["k"] is None and given["k"] is not None:
            del told["parts"]  # k takes its place
        source = f"generated: family {self.name}, seed {seed}{_shown(given)}"
        return replace(
            made,
            name=f"{self.name}{_shown(told)} seed={seed}",
            source=f"{source}; {made.source}" if made.source else source,
        )

    @classmethod
    def of(cls, draw: Callable[..., I], name: str | None = None) -> Self:
        """Return the family of a function, by its name and summary.

        The summary is the first line of its docstring.
        """
        return cls.made_of(draw, None, name=name)

    @classmethod
    def made_of(
        cls,
        drawn: Callable[..., Any],
        make: Callable[..., I] | None,
        more: Parameters | None = None,
        name: str | None = None,
    ) -> Self:
        """Return the family of what one function draws and another makes instances of.

        `make` takes the seed and what is drawn. Those of `more` that are no parameters
        of the first function are given to it, too; others are defaults of these.
        """
        name = name or drawn.__name__.replace("_", "-")
        summary = (drawn.__doc__ or "").partition("\n")[0].removesuffix(".")
        if make is None:
            return cls(name, summary, drawn)
        own = defaults_of(drawn)
        more = more or {}
        given = {**own, **more}

        def draw(seed: int, **chosen: Any) -> I:
            all_of_it = {**given, **chosen}
            rest = {key: all_of_it.pop(key) for key in more if key not in own}
            return make(seed, drawn(seed, **all_of_it), **rest)

        return cls(name, summary, draw, given)

    @property
    def parameters(self) -> Parameters:
        """The family's own parameters with their defaults."""
        return defaults_of(self.draw) if self.given is None else self.given

    def default(self, parameter: str) -> int | str | None:
        """Return the default of a parameter, which the family has to have."""
        if parameter not in self.parameters:
            known = ", ".join(f"{n}={d}" for n, d in self.parameters.items())
            raise UnknownNameError(
                f'{self.name} has no parameter "{parameter}"; known are {known}'
            )
        return self.parameters[parameter]


def families(*draws: Callable[..., I]) -> tuple[Family[I], ...]:
    """Return the families of functions that draw instances; see `Family.of`."""
    return tuple(map(Family.of, draws))


@cache
def defaults_of(make: Callable[..., Any]) -> Parameters:
    """Return the defaults of a function's parameters after the seed."""
    _, *own = signature(make).parameters.values()
    return {parameter.name: parameter.default for parameter in own}


def with_fields(instance: I, chosen: Mapping[str, Any]) -> I:
    """Return an instance with fields replaced; its name and source list them."""
    replaced = {
        key: value for key, value in chosen.items() if getattr(instance, key) != value
    }
    if not replaced:
        return instance
    named = noted(instance, replaced)
    own = {"name": named.name, "source": named.source}
    return replace(instance, **{**own, **chosen})


def noted(instance: I, changed: Mapping[str, object]) -> I:
    """Return an instance whose name and source tell what was changed of it."""
    shown, source = _shown(changed), instance.source or ""
    word = "" if _REPLACED.search(source) else " with"
    return replace(
        instance,
        name=f"{instance.name or instance.problem}{shown}",
        source=f"{source}{word}{shown}".lstrip(),
    )


def origin_of(instance: Instance) -> Origin:
    """Return the origin of an instance, as far as its source has it."""
    source = instance.source or ""
    made, replaced = _GENERATED.search(source), _REPLACED.search(source)
    words = [
        *(made[3].split() if made else ()),
        *(replaced[1].split() if replaced else ()),
    ]
    parameters = {
        key: int(value) if re.fullmatch(r"-?\d+", value) else value
        for key, _, value in (word.partition("=") for word in words)
    }
    if made is None:
        return Origin(None, None, parameters)
    return Origin(made[1], int(made[2]), parameters)


def _shown(parameters: Mapping[str, object]) -> str:
    """Return parameters as words, without those that are None."""
    given = {key: value for key, value in parameters.items() if value is not None}
    return "".join(f" {key}={_word(value)}" for key, value in given.items())


def _word(value: object) -> str:
    """Return a value as one word: numbers of a list have commas between them."""
    if isinstance(value, list | tuple):
        return ",".join(map(_word, value))
    return re.sub(r"\s+", "", str(value))


def require(condition: bool, message: str) -> None:
    """Raise `InvalidInstanceError` unless a parameter is as it has to be."""
    if not condition:
        raise InvalidInstanceError(message)


def at_least(least: int, **parameters: int) -> None:
    """Raise `InvalidInstanceError` if a parameter is below `least`."""
    for name, value in parameters.items():
        require(value >= least, f"{name}: expected at least {least}, got {value}")
