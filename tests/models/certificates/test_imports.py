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


@pytest.mark.parametrize("problem", list(PROBLEMS))
def test_a_checker_loads_no_solver(solved, problem):
    instance, result = next(
        pair for pair in reversed(solved(problem)) if pair[1].certificate is not None
    )
    document, bound = instance.to_dict(), result.certified.bound
    arguments = [problem.replace("-", "_"), document, result.certificate, bound]
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
