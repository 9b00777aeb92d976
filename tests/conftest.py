"""What tests of several floors share."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import atleastk
from atleastk.instances.instance import Instance

Solved = Sequence[tuple[Instance, atleastk.Result]]


@pytest.fixture(scope="session")
def suppressions():
    """The sweep of the suppression family: random instances, ways to solve them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1] / "scripts")
        return import_module("sweep_suppression")


@pytest.fixture(scope="session")
def small() -> Callable[[str], Solved]:
    """Small instances of a problem, solved and certified where they can be."""
    spec = spec_from_file_location("small", Path(__file__).with_name("small.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)

    @cache
    def solved(problem: str) -> Solved:
        return [
            (instance, atleastk.solve(instance, 60, workers=1, certify=True))
            for instance in module.SMALL[problem]
        ]

    return solved
