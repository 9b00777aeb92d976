"""Fingerprints of the sources of algorithms: of the user's own, and of shipped ones.

Of Python, a function is known by its syntax tree and by those of all that it needs:
what the names in it are bound to in its file, the names in these, and likewise what is
imported of files of the same folder, or of a folder of that name in the same package.
So neither a comment, nor a text that describes, nor another function of the file makes
it another algorithm. Other packages are not followed.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

_MAIN: Final = ast.dump(ast.parse("__name__ == '__main__'", mode="eval").body)

_LOOKING: Final = frozenset(
    ("__import__", "eval", "exec", "globals", "import_module", "locals", "vars")
)
"""Functions that may find what no name says: all of a file counts then."""

_CACHED: Final = 128
"""Files whose statements are kept: those of a problem import each other."""

Names = frozenset[str]
Imports = Sequence[tuple[str, Names | None]]
"""Modules, and the names that are taken from each; None stands for any."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of a file."""

    node: ast.stmt
    binds: Sequence[str]
    """The names that it does nothing but bind; none if it does more."""
    names: Names
    imports: Imports


@dataclass(frozen=True, slots=True)
class _Module:
    """The statements of a file, without texts and what runs in a script only."""

    statements: Sequence[_Statement] = ()
    bound: Names = frozenset()
    """The names that statements bind."""

    def needed(self, names: Names | None) -> Sequence[int]:
        """Return the places of the statements that names need; of all without names."""
        every = range(len(self.statements))
        if names is None:
            return every
        needed = {i for i in every if not self.statements[i].binds}
        left = {*names, *(n for i in needed for n in self.statements[i].names)}
        known: set[str] = set()
        while left:
            if left & _LOOKING:
                return every
            known |= left
            more = [i for i in every if left.intersection(self.statements[i].binds)]
            needed.update(more)
            left = {n for i in more for n in self.statements[i].names} - known
        return sorted(needed)


Seen = dict[Path, tuple[_Module | None, set[int]]]
"""The files that were met, with the places of the statements that were told."""


def source_sha256(path: Path, name: str | None = None) -> str:
    """Return the fingerprint of a file, or of one of its functions.

    What is no Python is known by its bytes.
    """
    names = frozenset([name]) if name else None
    return _digest(_parts(path.absolute(), names, {}))


def entry_sha256(path: Path, name: str, place: int) -> str:
    """Return the fingerprint of one entry of a list or tuple of that name."""
    module = _module_of(path) or _Module()
    for statement in module.statements:
        listed = getattr(statement.node, "value", None)
        if name in statement.binds and isinstance(listed, ast.Tuple | ast.List):
            entry = listed.elts[place]
            used = _names(ast.walk(entry)) & module.bound
            return _digest([ast.dump(entry).encode(), *_parts(path, used, {})])
    return source_sha256(path)


def imports_sha256(paths: Iterable[Path], folder: str, besides: Names) -> str:
    """Return the fingerprint of what files import from folders of that name.

    Names `besides` are left out.
    """
    seen = Seen()
    return _digest(
        part
        for path in paths
        for statement in (_module_of(path) or _Module()).statements
        for module, names in statement.imports
        for imported in _files_of(module, path.parent, folder)
        for part in _parts(imported, names and names - besides, seen)
    )


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def _parts(path: Path, names: Names | None, seen: Seen) -> Iterator[bytes]:
    """Yield what names of a file are known by, with what they need; nothing twice."""
    if path not in seen:
        seen[path] = _module_of(path), set()
    module, told = seen[path]
    if module is None:
        yield path.read_bytes()
        return
    known = names is not None and names <= module.bound
    for place in module.needed(names if known else None):
        if place not in told:
            told.add(place)
            statement = module.statements[place]
            yield ast.dump(statement.node).encode()
            for imported, own in statement.imports:
                for file in _files_of(imported, path.parent, path.parent.name):
                    yield from _parts(file, own, seen)


def _module_of(path: Path) -> _Module | None:
    """Return the statements of a file; None if it is no Python."""
    return _parsed(path.read_bytes()) if path.suffix == ".py" else None


@lru_cache(_CACHED)
def _parsed(content: bytes) -> _Module | None:
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            done = [each for each in body if not _is_idle(each)]
            vars(node)["body"] = done or [ast.Pass()]
    parts = [_statement(each) for node in tree.body for each in _apart(node)]
    return _Module(parts, frozenset(name for each in parts for name in each.binds))


def _apart(node: ast.stmt) -> Sequence[ast.stmt]:
    """Return an import of several names as one for each."""
    match node:
        case ast.Import(names=names):
            return [ast.Import([name]) for name in names]
        case ast.ImportFrom(module=module, names=names, level=level):
            return [ast.ImportFrom(module, [name], level) for name in names]
    return [node]


def _statement(node: ast.stmt) -> _Statement:
    nodes = [*ast.walk(node)]
    imports = [each for part in nodes for each in _imported(part)]
    return _Statement(node, _bound_by(node), _names(nodes), imports)


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


def _names(nodes: Iterable[ast.AST]) -> Names:
    """Return all names, and the attributes that look others up."""
    found: list[str] = []
    for node in nodes:
        match node:
            case ast.Name():
                found.append(node.id)
            case ast.Attribute() if node.attr in _LOOKING:
                found.append(node.attr)
            case ast.Global():
                found += node.names
    return frozenset(found)


def _imported(node: ast.AST) -> Imports:
    match node:
        case ast.Import() | ast.ImportFrom(module=None, level=1):
            return [(alias.name, None) for alias in node.names]
        case ast.ImportFrom(module=str(module), level=0 | 1):
            names = [alias.name for alias in node.names]
            own = None if "*" in names else frozenset(names)
            return [(module, own), *((f"{module}.{name}", None) for name in names)]
    return []


def _files_of(module: str, folder: Path, followed: str) -> Iterator[Path]:
    """Yield the file of a module: beside a folder, or in the package that this is of.

    In the package it is in this folder, or in one whose name is `followed`.
    """
    top, first, *more = _top_of(folder), *module.split(".")
    ours = top != folder and folder.parts[len(top.parts)] == first
    for base in (folder, top) if ours else (folder,):
        place = base.joinpath(first, *more)
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            near = base == folder or path.parent == folder
            if (near or path.parent.name == followed) and path.is_file():
                yield path


@cache
def _top_of(folder: Path) -> Path:
    """Return the folder that the package of a folder is in; itself if it is in none."""
    within = (folder / "__init__.py").is_file() and folder != folder.parent
    return _top_of(folder.parent) if within else folder
