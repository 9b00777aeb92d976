"""``atleastk completion``: a script for a shell, which completes commands and options.

It is made of what the parser is made of: the commands, their actions, and the options
that they declare. Where nothing else is known the shell offers files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from shlex import quote
from typing import ClassVar, Final, NamedTuple

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import HELP_ALL, is_switch, option
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.parsing import COMMANDS, module_of
from atleastk.runs.registry import NAMES

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


class _Flag(NamedTuple):
    """An option: its flags, what it does, whether it has a value, and known values."""

    flags: Sequence[str]
    told: str = ""
    valued: bool = False
    values: Sequence[str] = ()


class _Place(NamedTuple):
    """What may follow the words of a command: names with a summary, and options."""

    words: str
    names: Mapping[str, str]
    flags: Sequence[_Flag]


_HELP: Final = _Flag(("-h", "--help"), "show a help message and exit")


def run(options: Options) -> Exit:
    script = _fish() if options.shell == "fish" else _bash()
    if options.shell == "zsh":
        script = f"autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n{script}"
    print(script, end="")
    return Exit(OK)


def _places() -> Iterator[_Place]:
    """Yield the places of a command line, that of the command first."""
    yield _Place("", COMMANDS, [_HELP, _Flag(("--version",), "show the version")])
    for command in COMMANDS:
        module = module_of(command)
        actions = getattr(module, "ACTIONS", {})
        if actions:
            names = {name: kind.summary for name, kind in actions.items()}
            yield _Place(command, names, [_HELP])
        kinds = {f"{command} {name}": kind for name, kind in actions.items()}
        for words, kind in (kinds or {command: module.Options}).items():
            yield _place(words, kind)


def _place(words: str, kind: type[CommandOptions]) -> _Place:
    names: dict[str, str] = {}
    flags = [_HELP]
    if kind.shown is not None:
        flags.append(_Flag((HELP_ALL,), "show all options and exit"))
    for declared in fields(kind):
        known = declared.metadata
        more = known.get("more", {})
        problem = more.get("metavar") in ("PROBLEM", "P")
        choices = more.get("choices") or (NAMES if problem else ())
        if known.get("flags"):
            valued = not is_switch(known) and more.get("nargs") != "?"
            told = (more["help"] or "").replace("%%", "%")
            flags.append(_Flag(known["flags"], told, valued, tuple(choices)))
        else:
            names |= dict.fromkeys(choices, "")
    return _Place(words, names, flags)


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
