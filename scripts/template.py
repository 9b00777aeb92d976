"""Make a problem of one's own from the template in docs/template, or take it away.

``python -m scripts.template add widget-covering`` copies the files of the template into
the tree, with that name in place of the template's, adds the name to the registry and
writes the JSON Schemas. ``remove`` undoes it: the files that `add` wrote are deleted,
whatever has been changed in them; others of that name are listed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from keyword import iskeyword
from pathlib import Path
from shutil import rmtree
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TEMPLATE: Final = ROOT / "docs/template"
REGISTRY: Final = ROOT / "atleastk/runs/registry.py"
WALKS: Final = ROOT / "tests/walks.toml"
END_OF_NAMES: Final = ')\n"""Every problem, '


def spellings(name: str) -> tuple[str, ...]:
    """Return a name as problem, file, class and words, with and without a capital."""
    words = name.replace("-", " ")
    file, kind = name.replace("-", "_"), name.title().replace("-", "")
    return name, file, kind, words, words.capitalize()


def renamed(text: str, name: str) -> str:
    """Return a text of the template with another name in place of its own."""
    for old, new in zip(spellings("standard-sizes"), spellings(name), strict=True):
        text = text.replace(old, new)
    return text


def line_of(name: str) -> str:
    """Return the line of a problem in the registry."""
    return f'    "{name}",\n'


def add(name: str, sources: dict[Path, Path]) -> None:
    """Copy the template under a name, and register it."""
    for path, source in sources.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(renamed(source.read_text("utf-8"), name), "utf-8")
        print(path.relative_to(ROOT))
    names = REGISTRY.read_text("utf-8")
    longer = names.replace(END_OF_NAMES, line_of(name) + END_OF_NAMES)
    REGISTRY.write_text(longer, "utf-8")
    for words in (
        ["ruff", "check", "--quiet", "--fix", "--select=I", *sources],
        ["ruff", "format", "--quiet", *sources],
        ["scripts.data.write_schemas"],
    ):
        subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=True)


def remove(name: str, sources: dict[Path, Path]) -> None:
    """Delete the files of a problem, and take its name out of the registry."""
    for path in (*sources, *ROOT.glob(f"atleastk/*/schemas/{name}.json")):
        if path.exists():
            path.unlink()
            print(f"deleted: {path.relative_to(ROOT)}")
        folder = path.parent
        while all("__pycache__" in p.parts for p in folder.rglob("*.*")):
            rmtree(folder, ignore_errors=True)
            folder = folder.parent
    names = REGISTRY.read_text("utf-8")
    REGISTRY.write_text(names.replace(line_of(name), ""), "utf-8")
    _, file, *_ = spellings(name)
    own = {file, f"test_{file}"}
    for top in ("atleastk", "tests"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if not own.isdisjoint({*path.parts, path.stem}):
                print(f"not of the template, so left: {path.relative_to(ROOT)}")


def main(action: str = "", name: str = "") -> None:
    if action not in ("add", "remove") or not re.fullmatch("[a-z]+(-[a-z]+)*", name):
        sys.exit(
            "usage: python -m scripts.template add|remove widget-covering, a name of "
            "lower-case words with hyphens between them"
        )
    if iskeyword(name) or name in ("standard-sizes", "test"):
        sys.exit(f"{name} is a word of Python or of the template; take another name")
    sources = {
        ROOT / renamed(str(path.relative_to(TEMPLATE)), name): path
        for path in sorted(TEMPLATE.rglob("*.py"))
    }
    there = sum(path.exists() for path in sources)
    if action == "add" and there:
        sys.exit(f"{there} of the {len(sources)} files of {name} are there already")
    if action == "remove":
        if line_of(name) not in REGISTRY.read_text("utf-8"):
            sys.exit(f"{REGISTRY.relative_to(ROOT)} has no problem {name}")
        if f'"solve {name}"' in WALKS.read_text("utf-8"):
            sys.exit(f"{name} is there to stay: {WALKS.name} has its figures")
    (add if action == "add" else remove)(name, sources)


if __name__ == "__main__":
    main(*sys.argv[1:])
