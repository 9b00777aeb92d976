"""Fingerprints of the sources of the user's own algorithms.

Of Python, a function is known by its syntax tree and by those of all that it needs:
what the names in it are bound to in its file, the names in these, and the whole of
files of the same folder that are imported. So neither a comment nor another function
of the file makes it another algorithm. Installed packages are not followed.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_MAIN: Final = ast.dump(ast.parse("__name__ == '__main__'", mode="eval").body)

_LOOKING: Final = frozenset(
    ("__import__", "eval", "exec", "globals", "import_module", "locals", "vars")
)
"""Functions that may find what no name says: all of a file counts then."""


def source_sha256(path: Path, function: str | None = None) -> str:
    """Return the fingerprint of a file, or of one of its functions.

    What is no Python is known by its bytes.
    """
    digest = hashlib.sha256()
    for part in _parts(path, function, {path}):
        digest.update(part)
    return digest.hexdigest()


def _parts(path: Path, function: str | None, seen: set[Path]) -> Iterator[bytes]:
    content = path.read_bytes()
    try:
        statements = ast.parse(content).body if path.suffix == ".py" else None
    except (SyntaxError, ValueError, RecursionError):
        statements = None
    if statements is None:
        yield content
        return
    for statement in _needed(statements, function):
        yield ast.dump(statement).encode()
        for imported in _imported(statement, path.parent):
            if imported not in seen:
                seen.add(imported)
                yield from _parts(imported, None, seen)


def _needed(statements: list[ast.stmt], function: str | None) -> list[ast.stmt]:
    """Return the statements of a file that a function needs; all without a name."""
    ran = [each for each in statements if not _is_idle(each)]
    bound: dict[str, list[ast.stmt]] = {}
    for statement in ran:
        for name in _bound_by(statement):
            bound.setdefault(name, []).append(statement)
    if function is None or function not in bound:
        return ran
    needed = {id(each) for each in ran if not _bound_by(each)}
    names = [function, *(n for each in ran if id(each) in needed for n in _names(each))]
    known: set[str] = set()
    while names:
        name = names.pop()
        if name in _LOOKING:
            return ran
        if name in known:
            continue
        known.add(name)
        for statement in bound.get(name, ()):
            if id(statement) not in needed:
                needed.add(id(statement))
                names += _names(statement)
    return [each for each in ran if id(each) in needed]


def _is_idle(statement: ast.stmt) -> bool:
    """Tell whether a statement is a text, or runs in a script only."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=test, orelse=[]):
            return ast.dump(test) == _MAIN
    return False


def _bound_by(statement: ast.stmt) -> list[str]:
    """Return the names that a statement does nothing but bind; none if it does more."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [statement.name]
        case ast.Import() | ast.ImportFrom():
            names = [a.asname or a.name.partition(".")[0] for a in statement.names]
            return [] if "*" in names else names
        case ast.Assign():
            targets = statement.targets
        case ast.AnnAssign() | ast.AugAssign():
            targets = [statement.target]
        case _:
            return []
    named = [target.id for target in targets if isinstance(target, ast.Name)]
    return named if len(named) == len(targets) else []


def _names(statement: ast.stmt) -> list[str]:
    """Return all names in a statement, and the attributes that look others up."""
    found = []
    for node in ast.walk(statement):
        match node:
            case ast.Name():
                found.append(node.id)
            case ast.Attribute() if node.attr in _LOOKING:
                found.append(node.attr)
            case ast.Global():
                found += node.names
    return found


def _imported(statement: ast.stmt, folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that a statement imports, wherever in it."""
    for node in ast.walk(statement):
        match node:
            case ast.Import():
                modules = [alias.name for alias in node.names]
            case ast.ImportFrom(module=str(module), level=0 | 1):
                modules = [module]
            case ast.ImportFrom(module=None, level=1):
                modules = [alias.name for alias in node.names]
            case _:
                continue
        for module in modules:
            place = folder.joinpath(*module.split("."))
            for path in (place.with_suffix(".py"), place / "__init__.py"):
                if path.is_file():
                    yield path
