"""``atleastk completion``: a script for a shell, which completes commands and options.

It is made of what the parser is made of: the commands, their actions, and the options
that they declare. Where nothing else is known the shell offers files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from shlex import quote
from typing import Any, ClassVar, Final

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import HELP_ALL, is_switch, option
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.parsing import COMMANDS, module_of
from atleastk.runs.registry import NAMES

_HELP: Final = "show a help message and exit"

_BASH: Final = """\
_atleastk() {
  local cur=${COMP_WORDS[COMP_CWORD]} place=${COMP_WORDS[1]} words=
  local prev=${COMP_WORDS[COMP_CWORD-1]}
  [ "$COMP_CWORD" -le 1 ] && place=
  [ "$COMP_CWORD" -gt 2 ] && case "$place ${COMP_WORDS[2]}" in
    %(actions)s) place="$place ${COMP_WORDS[2]}" ;;
  esac
  case "$place:$prev" in
%(values)s
    *) case "$place" in
%(words)s
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _atleastk atleastk
"""

_FISH: Final = """\
function __atleastk_at
  string match -rq -- "^\\S+ $argv( |\\$)" (commandline -opc | string join ' ')
end
complete -c atleastk -n 'test (count (commandline -opc)) -eq 1' -f
"""


@dataclass(frozen=True, kw_only=True)
class Options(CommandOptions):
    light: ClassVar = True

    shell: str = option("SHELL", "bash, zsh or fish", choices=("bash", "zsh", "fish"))


@dataclass(frozen=True)
class _Flag:
    """An option: its flags, what it does, whether it has a value, and known values."""

    flags: Sequence[str]
    told: str = ""
    valued: bool = False
    values: Sequence[str] = ()


@dataclass(frozen=True)
class _Place:
    """What may follow the words of a command: names with a summary, and options."""

    words: str
    names: Mapping[str, str]
    flags: Sequence[_Flag] = field(default=(_Flag(("-h", "--help"), _HELP),))


def run(options: Options) -> Exit:
    scripts: Mapping[str, Callable[[], str]] = {
        "bash": _bash,
        "zsh": lambda: (
            f"autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n{_bash()}"
        ),
        "fish": _fish,
    }
    print(scripts[options.shell](), end="")
    return Exit(OK)


def _places() -> Iterator[_Place]:
    """Yield the places of a command line, that of the command first."""
    first = _Place("", COMMANDS)
    yield _Place(
        "", COMMANDS, (*first.flags, _Flag(("--version",), "show the version"))
    )
    for command in COMMANDS:
        module = module_of(command)
        actions = getattr(module, "ACTIONS", {})
        if not actions:
            yield _place(command, module.Options)
            continue
        yield _Place(command, {name: kind.summary for name, kind in actions.items()})
        yield from (_place(f"{command} {name}", kind) for name, kind in actions.items())


def _place(words: str, kind: type[CommandOptions]) -> _Place:
    names: dict[str, str] = {}
    flags = [*_Place(words, names).flags]
    if kind.shown is not None:
        flags.append(_Flag((HELP_ALL,), "show all options and exit"))
    for declared in fields(kind):
        known = declared.metadata
        more = known.get("more", {})
        problem = more.get("metavar") in ("PROBLEM", "P")
        choices = more.get("choices") or (NAMES if problem else ())
        if known.get("flags"):
            valued = not is_switch(known) and more.get("nargs") != "?"
            flag = _Flag(known["flags"], _told(more), valued, tuple(choices))
            flags.append(flag)
        else:
            names |= dict.fromkeys(choices, "")
    return _Place(words, names, flags)


def _told(more: Mapping[str, Any]) -> str:
    return (more["help"] or "").replace("%%", "%")


def _bash() -> str:
    places = list(_places())
    values, words = [], []
    for place in places:
        every = [flag for one in place.flags for flag in one.flags]
        words.append(_case([place.words], [*place.names, *every]))
        known: dict[tuple[str, ...], list[str]] = {}
        for one in place.flags:
            after = [f"{place.words}:{flag}" for flag in one.flags if one.valued]
            known.setdefault(tuple(one.values), []).extend(after)
        values += [_case(after, words) for words, after in known.items() if after]
    actions = "|".join(quote(place.words) for place in places if " " in place.words)
    listed = {"values": "\n".join(values), "words": "\n".join(words)}
    return _BASH % {**listed, "actions": actions}


def _case(patterns: Iterable[str], words: Iterable[str]) -> str:
    return f"    {'|'.join(map(quote, patterns))}) words={quote(' '.join(words))} ;;"


def _fish() -> str:
    lines = []
    for place in _places():
        within = "test (count (commandline -opc)) -eq 1"
        if place.words:
            within = f"__atleastk_at {place.words}"
        begin = f"complete -c atleastk -n {_fish_text(within)}"
        for name, told in place.names.items():
            lines.append(f"{begin} -a {name} -d {_fish_text(told)}")
        for one in place.flags:
            spelled = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in one.flags
            )
            value = " -r" * one.valued
            if one.values:
                value = f" -x -a {_fish_text(' '.join(one.values))}"
            lines.append(f"{begin} {spelled}{value} -d {_fish_text(one.told)}")
    return _FISH + "\n".join(lines) + "\n"


def _fish_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
