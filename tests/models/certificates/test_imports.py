"""What checks certificates stands by itself, in a process of its own."""

import json
import subprocess
import sys

import pytest

from atleastk.runs.registry import PROBLEMS

SOLVERS = ("ortools", "highspy", "pulp", "pysat", "numba", "scipy", "networkx")

CHECK = """
import json, sys
from importlib import import_module
import atleastk.models.certificates
file, words, certificate, bound = json.loads(sys.argv[1])
module = import_module(f"atleastk.models.certificates.{file}")
instances = import_module(f"atleastk.instances.{file}")
problem = words.pop("problem").title().replace("-", "")
instance = getattr(instances, problem).from_dict(words)
module.check_certificate(instance, certificate, bound)
print(*{name.split(".")[0] for name in sys.modules})
print(*(name for name in sys.modules if name.startswith("atleastk.solvers")))
"""

SMALL = {
    "bin-covering": ({"sizes": [1], "k": 2}, "total"),
    "interval-covering": ({"sizes": [1], "k": 2}, "total"),
    "connected-partition": ({"weights": [1], "edges": [], "k": 2}, "count"),
    "rectangle-tiling": ({"points": [[0, 0, 1]], "k": 2}, "count"),
    "rectangle-tiling-grid": ({"grid": [[1]], "p": 1}, "count"),
    "r-gather": ({"points": [[0]], "r": 2}, "count"),
    "cellular-clustering": ({"points": [[0]], "r": 2}, "count"),
    "k-anonymity": ({"table": [[0]], "k": 2}, "count"),
    "k-ambiguity": ({"table": [[0]], "k": 2}, "count"),
    "generalization": ({"table": [[0]], "k": 2, "hierarchies": [[[0, "*"]]]}, "count"),
    "diversity": (
        {"table": [[0]], "k": 2, "hierarchies": [[[0, "*"]]], "sensitive": [["ill"]]},
        "count",
    ),
    "suppression": ({"table": [[0]], "k": 2}, "count"),
}
"""An instance of every problem, and what refutes it, or bounds the grid by 1."""


@pytest.mark.parametrize("problem", list(PROBLEMS))
def test_a_checker_loads_no_solver(problem):
    """Nor anything that compiles loops, nor a module that solves."""
    fields, kind = SMALL[problem]
    bound = 1 if problem == "rectangle-tiling-grid" else None
    words = {"problem": problem, **fields}
    arguments = [problem.replace("-", "_"), words, {"kind": kind}, bound]
    ended = subprocess.run(
        [sys.executable, "-c", CHECK, json.dumps(arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    packages, modules = ended.stdout.splitlines()
    assert "numpy" in packages.split()
    assert not {*SOLVERS} & {*packages.split()}
    assert not modules
