"""The examples in the docstrings of public names print what they show."""

import doctest
import inspect

import pytest

import atleastk
from atleastk import public

WITHOUT = {"conduct", "load", "load_all", "plot", "prove", "warm_up"}
"""Functions that need files, take long, or are shown by the pages only."""
NAMES = {"atleastk": atleastk}
FOUND = [
    doctest.DocTestParser().get_doctest(atleastk.__doc__, NAMES, "atleastk", None, 0),
    *(
        example
        for name in public.__all__
        for example in doctest.DocTestFinder().find(
            getattr(public, name), name, module=False, globs=NAMES
        )
        if example.examples
    ),
]


@pytest.mark.parametrize("example", FOUND, ids=lambda example: example.name)
def test_an_example_prints_what_it_shows(example):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    written = []
    runner.run(example, out=written.append)
    assert runner.failures == 0, "".join(written)


def test_every_public_function_has_an_example():
    named = {name: getattr(public, name) for name in public.__all__}
    functions = {name for name, thing in named.items() if inspect.isroutine(thing)}
    assert functions - {example.name for example in FOUND} == WITHOUT
