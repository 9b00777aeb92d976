from dataclasses import fields
from inspect import signature

import pytest

import atleastk
from atleastk.cli import anonymize, cluster, partition, solve
from atleastk.instances.suppression_names import QUANTITIES

APART = {
    "table": "TABLE",
    "source": "MAP",
    "instance": "FILE",
    "on_event": "--verbose",
    "l": "--l",
    "c": "--c",
    "t": "--t",
    "weights": "--weight",
    "levels": "--level",
    "row_weights": "--row-weight",
}
"""What is given in another form: positions, a function, letters of the papers, and what
is said of one column at a time."""


def words(options):
    declared = [one.metadata for one in fields(options) if one.metadata]
    flags = [flag for told in declared for flag in told["flags"]]
    return {*flags, *(told["more"].get("metavar") for told in declared)}


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (atleastk.anonymize, anonymize.Options),
        (atleastk.cluster, cluster.Options),
        (atleastk.partition, partition.Options),
        (atleastk.solve, solve.Options),
    ],
    ids=["anonymize", "cluster", "partition", "solve"],
)
def test_every_keyword_is_an_option(function, options):
    told = words(options)
    keywords = set(signature(function).parameters)
    if "limits" in keywords:
        keywords ^= {"limits", *(f"max_{quantity}" for quantity in QUANTITIES)}
    for name in keywords:
        flag = f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}"
        assert APART.get(name, flag) in told, name
