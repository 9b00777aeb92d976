"""The page of the command line, from the parsers of the commands themselves."""

import re
from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter
from collections.abc import Iterator

from atleastk.cli.options import HELP_ALL, Options, add_options
from atleastk.cli.parsing import COMMANDS, EPILOG, module_of


def page() -> str:
    """Return the page: every command with all its options, then the exit codes."""
    parts = ["# The command line\n", *map(_section, COMMANDS)]
    parts.append(f"## Exit codes and streams\n\n```text\n{EPILOG}```\n")
    return "\n".join(parts)


def _section(command: str) -> str:
    module = module_of(command)
    head = f"## atleastk {command}\n\n{_plain(COMMANDS[command])}\n\n"
    actions = getattr(module, "ACTIONS", {})
    if not actions:
        return head + _told(f"atleastk {command}", module.Options)
    return head + "\n".join(
        f"### atleastk {command} {name}\n\n{_plain(kind.summary)}\n\n"
        + _told(f"atleastk {command} {name}", kind)
        for name, kind in actions.items()
    )


def _told(prog: str, kind: type[Options]) -> str:
    parser = ArgumentParser(prog, add_help=False)
    add_options(parser, kind, [HELP_ALL])
    words = HelpFormatter(prog)
    tables = [
        f"{group.description}:\n\n{table}" if group.description else table
        for group in parser._action_groups
        if (table := "\n".join(_rows(group._group_actions, words)))
    ]
    ends = f"{_plain(parser.epilog)}\n" if parser.epilog else ""
    return "\n".join([*(f"{table}\n" for table in tables), ends])


def _rows(actions: list[Action], words: HelpFormatter) -> Iterator[str]:
    told = [each for each in actions if each.help != SUPPRESS]
    if told:
        yield "| option | what it does |\n| --- | --- |"
    for each in told:
        value = words._format_args(each, str(each.metavar or each.dest.upper()))
        flags = ", ".join(each.option_strings)
        spelled = f"{flags} {value}".strip().replace("|", r"\|")
        line = words._expand_help(each) if each.help else ""
        yield f"| `{spelled}` | {_plain(line)} |"


def _plain(text: str) -> str:
    """Escape what Markdown would take for markup."""
    return re.sub(r"([\\`*_\[\]<>|$#])", r"\\\1", " ".join(text.split()))
