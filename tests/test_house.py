"""The house: floors, folders and doors, read from the imports of every file."""

import ast
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest

from atleastk.cli.parsing import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "atleastk"
FLOORS = ("instances", "models", "solvers")
"""From the ground up; the front door stands on all of them."""
GROUND = {"atleastk", "atleastk.arrays", "atleastk.packages"}
"""What all floors may import: names, and no module of the package."""
SHARED = {
    "backends",
    "brute_force",
    "clustering",
    "compiled",
    "engine",
    "pattern_trees",
    "tables",
    "tilings",
}
"""Folders of the solver floor that are no problem's."""
LENDS = {
    "suppression": {"k_anonymity"},
    "generalization": {"k_anonymity"},
    "diversity": {"generalization"},
    "k_ambiguity": {"k_anonymity"},
    "r_gather": {"clustering"},
    "cellular_clustering": {"clustering"},
    "pair_partition": {"clustering", "connected_partition"},  # groups are parts
}
"""The problems whose parts another problem may use."""


@cache
def trees():
    paths = sorted(PACKAGE.rglob("*.py"))
    return [(p.relative_to(PACKAGE), ast.parse(p.read_text("utf-8"))) for p in paths]


@cache
def imports():
    every = []
    for path, tree in trees():
        found = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
                found |= {f"{node.module}.{name.name}" for name in node.names}
        every.append((path, found))
    return every


@cache
def our_imports():
    return [(path, set(filter(is_ours, names))) for path, names in imports()]


@cache
def is_ours(name):
    place = ROOT / name.replace(".", "/")
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def floor_of(parts):
    return FLOORS.index(parts[0]) if parts and parts[0] in FLOORS else len(FLOORS)


def folder_of(name):
    parts = name.split(".")[1:]
    home = PACKAGE.joinpath(*parts)
    return tuple(parts if home.is_dir() else parts[:-1])


PROBLEMS = sorted(path.stem for path in (PACKAGE / "instances/schemas").glob("*.json"))


def test_nothing_imports_upwards():
    """Instances <- models <- solvers <- front door."""
    upward = [
        (str(path), name)
        for path, names in our_imports()
        for name in names
        if floor_of(path.parts[:-1]) < floor_of(tuple(name.split(".")[1:]))
        and name not in GROUND
    ]
    assert upward == []


def test_the_ground_imports_nothing_of_the_package():
    ground = {f"{name.removeprefix('atleastk.')}.py" for name in GROUND}
    found = [names for path, names in our_imports() if str(path) in ground]
    assert found == [set(), set()]


def test_packages_that_take_long_are_imported_in_one_place():
    slow = {"highspy", "networkx", "ortools", "pulp", "pysat", "scipy"}
    places = defaultdict(set)
    for path, names in imports():
        for package in {name.split(".")[0] for name in names} & {*slow, "numba"}:
            places[str(path)].add(package)
    assert places == {"packages.py": slow, "solvers/compiled/compile.py": {"numba"}}


def test_highs_is_known_to_its_back_ends_and_the_linear_program():
    users = {
        str(path) for path, names in imports() if "atleastk.packages.highspy" in names
    }
    assert users == {
        "solvers/backends/highs.py",
        "solvers/backends/milp.py",
        "solvers/engine/linear_program.py",
    }


def test_the_root_holds_names_and_ground_only():
    loose = {path.name for path in PACKAGE.glob("*.py")}
    ground = {"arrays.py", "packages.py"}
    assert loose == {"__init__.py", "__main__.py", "public.py", *ground}
    doors = {"atleastk.public", "atleastk.__main__"}
    below = {str(path) for path, names in our_imports() if names & doors}
    assert below == {"__init__.py"}


@pytest.mark.parametrize("command", ["solve", "check", "approximate", "generate"])
def test_instances_are_solved_without_the_doors_of_tables(command):
    uses = {
        ".".join(path.with_suffix("").parts): names for path, names in our_imports()
    }
    reached, waiting = set(), {f"cli.{command}"}
    while waiting:
        found = {name.removeprefix("atleastk.") for name in uses[waiting.pop()]}
        waiting |= (found & set(uses)) - reached
        reached |= found
    assert [name for name in reached if name.startswith(("frames", "doors"))] == []


def test_no_two_folders_import_each_other():
    arrows = defaultdict(set)
    for path, names in our_imports():
        home = path.parts[:-1]
        for name in names:
            other = folder_of(name)
            if other != home and other[: len(home)] != home != ():
                arrows[home].add(other)
    both = [
        (".".join(a), ".".join(b))
        for a, others in arrows.items()
        for b in others
        if a < b and a in arrows.get(b, ())
    ]
    assert both == []


def test_folders_of_solvers_are_called_as_their_problems():
    folders = {
        path.name
        for path in (PACKAGE / "solvers").iterdir()
        if (path / "__init__.py").exists()
    }
    assert folders - SHARED == {name.replace("-", "_") for name in PROBLEMS}


def test_no_table_is_keyed_by_the_names_of_problems():
    """What is said of a problem stands in its own files; the registry has its name."""
    keyed = []
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                keys = node.keys
            elif isinstance(node, ast.Match):
                keys = [
                    value for case in node.cases for value in ast.walk(case.pattern)
                ]
                keys = [getattr(key, "value", None) for key in keys]
            else:
                continue
            names = {key.value for key in keys if isinstance(key, ast.Constant)}
            if len(names & set(PROBLEMS)) > 1:
                keyed.append(f"{path}:{node.lineno}")
    assert keyed == []


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_problem_has_the_same_doors(problem):
    name = problem.replace("-", "_")
    for place in (
        f"instances/{name}.py",
        f"instances/generators/{name}.py",
        f"models/{name}.py",
        f"models/certificates/{name}.py",
        f"solvers/{name}/problem.py",
        f"solvers/{name}/methods.py",
        f"solvers/{name}/algorithms/catalogue.py",
        f"solvers/brute_force/{name}.py",
        f"plots/{name}.py",
    ):
        assert (PACKAGE / place).exists(), place


def test_problems_use_only_what_they_may():
    taken = defaultdict(set)
    for path, names in our_imports():
        if path.parts[0] != "solvers" or len(path.parts) < 3 or path.parts[1] in SHARED:
            continue
        home = path.parts[1]
        for name in names:
            parts = name.split(".")
            if parts[1] == "solvers" and len(parts) > 3 and parts[2] not in SHARED:
                taken[home].add(parts[2])
        taken[home].discard(home)
    assert {
        home: used for home, used in taken.items() if used - LENDS.get(home, set())
    } == {}


def test_the_owners_map_is_of_links():
    """The folders at the top are links to the real ones, or their texts."""
    for floor in FLOORS:
        place = ROOT / floor
        target = place.readlink() if place.is_symlink() else place.read_text().strip()
        assert str(target) == f"atleastk/{floor}"


def test_no_namespace_below_the_parsing():
    knowing = {
        str(path)
        for path, _ in imports()
        if "argparse" in (PACKAGE / path).read_text(encoding="utf-8")
    }
    assert knowing == {"cli/options.py", "cli/parsing.py"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_a_file_with_options(command):
    module = import_module(f"atleastk.cli.{command.replace('-', '_')}")
    assert module.Options.__dataclass_params__.frozen
    assert get_type_hints(module.run)["options"] is module.Options


def test_no_test_is_the_command_itself():
    """Without words of its own it is a process, and may end that of the tests."""
    ending = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        homes = {
            node.module
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            and any(name.name == "main" for name in node.names)
        }
        wordless = any(
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and (node.func.id, node.args) == ("main", [])
            for node in nodes
        )
        if wordless and homes & {"atleastk.__main__", "atleastk.cli.main"}:
            ending.append(str(path.relative_to(ROOT)))
    assert ending == []


def constant_of(node):
    """Return the name in capitals that a statement of a module gives, and its value."""
    targets = {ast.AnnAssign: "target", ast.Assign: "targets"}
    found = getattr(node, targets.get(type(node), "?"), None)
    target = found[0] if isinstance(found, list) else found
    name = target.id if isinstance(target, ast.Name) else ""
    return (name, node.value) if name.isupper() else ("", None)


def is_number(value):
    """Tell whether an expression is of numbers and their names, or a tuple of such."""
    parts = [n for n in ast.walk(value) if isinstance(n, ast.Constant | ast.Name)]
    numbers = (ast.UnaryOp, ast.BinOp, ast.Constant, ast.Name, ast.Tuple)
    if not any(isinstance(part, ast.Constant) for part in parts):
        return False
    return isinstance(value, numbers) and all(
        type(part.value) in (int, float)
        if isinstance(part, ast.Constant)
        else part.id.isupper()
        for part in parts
    )


def test_numbers_of_modules_have_a_docstring():
    """Unit and origin; those of lines without a gap share the one below them."""
    silent = []
    for path, tree in trees():
        body = tree.body
        for i, node in enumerate(body):
            name, value = constant_of(node)
            if not name or value is None or not is_number(value):
                continue
            below = i + 1
            while below < len(body) and constant_of(body[below])[0]:
                if body[below].lineno != body[below - 1].end_lineno + 1:
                    break
                below += 1
            told = body[below] if below < len(body) else None
            if not isinstance(told, ast.Expr):
                silent.append(f"{path}:{node.lineno}: {name}")
    assert silent == []
