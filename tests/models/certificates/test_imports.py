import json
import subprocess
import sys

from atleastk.runs.registry import PROBLEMS

SOLVERS = ("ortools", "highspy", "pulp", "pysat", "numba", "scipy", "networkx")

CHECK = """
import json, sys
from importlib import import_module
import atleastk.models.certificates
for file, words, certificate, bound in json.load(sys.stdin):
    module = import_module(f"atleastk.models.certificates.{file}")
    instances = import_module(f"atleastk.instances.{file}")
    problem = words.pop("problem").title().replace("-", "")
    instance = getattr(instances, problem).from_dict(words)
    module.check_certificate(instance, certificate, bound)
print(*sys.modules)
"""


def test_checkers_load_no_solver(solved):
    """One after the other, in a process that has loaded nothing else."""
    asked = []
    for problem in PROBLEMS:
        instance, result = next(
            pair for pair in reversed(solved(problem)) if pair[1].certificate
        )
        proof = result.certificate, result.certified.bound
        asked.append((problem.replace("-", "_"), instance.to_dict(), *proof))
    ended = subprocess.run(
        [sys.executable, "-c", CHECK],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = ended.stdout.split()
    assert "numpy" in loaded
    assert not {*SOLVERS} & {*loaded}
    assert [name for name in loaded if name.startswith("atleastk.solvers")] == []
