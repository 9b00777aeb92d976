"""k-anonymity: the automatic choice of methods, that of all tables.

Its stages are :data:`atleastk.solvers.tables.stages.STAGES`; every cell costs 1.
"""

from __future__ import annotations

from functools import partial

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.models.encodings.k_anonymity import leader_model
from atleastk.solvers.engine.stages import begun
from atleastk.solvers.k_anonymity.first import begin
from atleastk.solvers.search import Search
from atleastk.solvers.tables.stages import solve_table
from atleastk.solvers.tables.steps import Run


def run_of(search: Search[KAnonymity]) -> Run:
    """Return the table of a search."""
    instance = search.instance
    return Run(
        search,
        instance.records,
        instance.k,
        solution_of=lambda groups: groups,
        leaders=partial(leader_model, instance),
        certified=is_checkable(instance.records),
    )


def first_bound(search: Search[KAnonymity]) -> None:
    """Report what rows without k equals lose at least, before any solution."""
    if not search.instance.has_too_few:
        run_of(search).raise_by_values()


def solve(search: Search[KAnonymity]) -> None:
    """Find an anonymisation of least cost and prove it, as far as the budget goes."""
    if begun(search, begin):
        solve_table(run_of(search))
